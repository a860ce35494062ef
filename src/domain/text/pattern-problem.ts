/**
 * Returns the problem with a value that doesn't match the `pattern` of its schema, as the end of a sentence
 * about its field. The schema contains the text as `x-pattern-problem`, because users can't be expected to
 * read regular expressions. Returns `null` if the schema has no such text.
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
