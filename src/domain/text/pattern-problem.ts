/**
 * Describes the problem with a value that doesn't match the `pattern` of its schema, as the end of a sentence about the
 * field. The schema contains this description as `x-pattern-problem`, because users can't be expected to understand
 * regular expressions. Returns `null` if the schema has no description.
 *
 * @param error An error from a validator with the option `verbose`.
 */
export function patternProblem({
  keyword,
  parentSchema,
}: {
  readonly keyword: string;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
}): string | null {
  const problem = keyword === 'pattern' ? parentSchema?.['x-pattern-problem'] : undefined;
  return typeof problem === 'string' ? problem : null;
}
