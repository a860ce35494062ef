/**
 * Returns the value of an object's own property, or undefined. Use this function for every name that comes
 * from data, because `[]` also finds inherited properties, such as `constructor`.
 */
export function ownValue<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
