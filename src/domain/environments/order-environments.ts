/** Environments in the configured order. Those that it doesn't name follow by name. */
export function orderEnvironments(names: Iterable<string>, order: readonly string[]): string[] {
  const places = new Map(order.map((name, place) => [name, place]));
  const placeOf = (name: string) => places.get(name) ?? order.length;
  return [...new Set(names)].toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
}
