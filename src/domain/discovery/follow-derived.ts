import { isSameJson } from '../json/json-item.ts';

/**
 * Returns the fields of a derived resource to change. A field whose value differs from the last derived one keeps it,
 * because a person set it.
 *
 * @param last The last derived values. A field without one was never derived.
 * @param next The values that are derived now.
 */
export function followDerived<T extends object>(
  current: Readonly<T>,
  last: Readonly<Partial<T>>,
  next: Readonly<T>,
): Partial<T> {
  const changes: Partial<T> = {};
  for (const field of Object.keys(next) as (keyof T)[]) {
    if (isSameJson(current[field], last[field]) && !isSameJson(current[field], next[field]))
      changes[field] = next[field];
  }
  return changes;
}

/**
 * Returns the labels of a scrape job after a person changed the labels of its item. Labels that differ from the last
 * derived ones were set on the scrape job and stay.
 *
 * @param fromFile The labels of the item that come from its file.
 * @param formerSet The labels that were set on the item before.
 */
export function followLabels(
  current: Readonly<Record<string, string>>,
  fromFile: Readonly<Record<string, string>>,
  formerSet: Readonly<Record<string, string>>,
  set: Readonly<Record<string, string>>,
): Record<string, string> {
  const labels = new Map(Object.entries(current));
  for (const key of new Set([...Object.keys(formerSet), ...Object.keys(set)])) {
    if (labels.get(key) !== (formerSet[key] ?? fromFile[key])) continue;
    const value = set[key] ?? fromFile[key];
    if (value === undefined) labels.delete(key);
    else labels.set(key, value);
  }
  return Object.fromEntries(labels);
}
