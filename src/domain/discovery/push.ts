/** Adds a value to the list of a key in a map. Unlike `Map.groupBy`, it also serves maps that are built in several places. */
export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
