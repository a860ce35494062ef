/** Adds a value to a cache. If there are then more than `max`, the first entries of the map are evicted. */
export function keepNewest<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) break;
    map.delete(oldest);
  }
}
