/**
 * What is wrong with a value that doesn't match the `pattern` of its schema, as the end of a sentence about its field. The
 * schema says it as `x-pattern-problem`, because people can't be expected to read a regular expression. Null without one.
 *
 * @param error An error of a validator with the option `verbose`.
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
