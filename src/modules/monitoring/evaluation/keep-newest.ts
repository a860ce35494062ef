/** Adds a value to a cache and evicts the oldest entries beyond `max`. */
export function addAndEvictOldest<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  max: number,
): void {
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) break;
    map.delete(oldest);
  }
}
