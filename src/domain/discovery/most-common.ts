/** Returns the value with the highest sum of counts. Ties are broken deterministically. */
export function mostCommon<T extends { count: number }>(
  values: readonly T[],
  keyOf: (value: T) => string,
): T | undefined {
  const sums = [...Map.groupBy(values, keyOf)].map(([key, same]) => ({
    key,
    first: same[0]!,
    count: same.reduce((sum, { count }) => sum + count, 0),
  }));
  return sums.toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))[0]?.first;
}
