import { isSameJson } from '../json/json-item.ts';
import { ownValue } from '../json/own-value.ts';

/**
 * Returns the changes to the fields of a derived resource, and the derived values to compare with next time.
 * If a field differs from its last derived value, a person has set the field, so it keeps its value. The last
 * derived value isn't updated either. Otherwise, a later derived value could equal the person's value, which
 * would then be considered derived.
 *
 * @param last The last derived values. A field without one was never derived.
 * @param next The values that are derived now.
 */
export function deriveFieldChanges<T extends object>(
  current: Readonly<T>,
  last: Readonly<Partial<T>>,
  next: Readonly<T>,
): { changes: Partial<T>; derived: Partial<T> } {
  const changes: Partial<T> = {};
  const derived: Partial<T> = { ...last };
  for (const field of Object.keys(next) as (keyof T)[]) {
    if (!isSameJson(current[field], last[field])) continue;
    derived[field] = next[field];
    if (!isSameJson(current[field], next[field])) changes[field] = next[field];
  }
  return { changes, derived };
}

type Labels = Readonly<Record<string, string>>;

/**
 * Returns the labels of a scrape job after a person has changed the labels of its item, and the derived
 * labels to compare with next time. Labels that differ from the last derived ones were set on the scrape job
 * and stay.
 *
 * @param last The last derived labels.
 * @param unset The labels that apply if the item has no label with the same key.
 * @param formerSet The labels that were set on the item before.
 */
export function mergeDerivedLabels(
  before: Labels,
  { last, unset, formerSet, set }: { last: Labels; unset: Labels; formerSet: Labels; set: Labels },
): { labels: Record<string, string>; derived: Record<string, string> } {
  const labels = new Map(Object.entries(before));
  const derived = new Map(Object.entries(last));
  for (const key of new Set([...Object.keys(formerSet), ...Object.keys(set)])) {
    const current = labels.get(key);
    // A label that equals the one from the file wasn't set by a person: scans copy labels that change in the
    // file to the scrape job, so it can be newer than the last derived label.
    const isFromFile = !Object.hasOwn(formerSet, key) && current === ownValue(unset, key);
    if (current !== derived.get(key) && !isFromFile) continue;
    const value = ownValue(set, key) ?? ownValue(unset, key);
    for (const each of [labels, derived]) {
      if (value === undefined) each.delete(key);
      else each.set(key, value);
    }
  }
  return { labels: Object.fromEntries(labels), derived: Object.fromEntries(derived) };
}
