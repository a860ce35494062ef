import type { Item } from '../json/json-item.ts';
import { cleanLine } from '../templates/clean-text.ts';
import type { Entry, LocatedMessage } from './configuration-entries.ts';
import { nameFieldOf } from './kinds.ts';

/**
 * Matches the entries of a file with resources of the server by name. Among resources with the same name,
 * those that already equal an entry are matched first. Then an entry with a key is matched with the resource
 * at the position in the key: `2` is the second oldest. All others are matched in creation order. As a
 * result, a file still matches the same resources after one of them has been deleted.
 * @param entries Entries of one section.
 * @param items Resources of the organization in that section, oldest first.
 * @param matchesDesired Returns true if a resource equals an entry, except for its name.
 */
export function matchEntries(
  entries: readonly Entry[],
  items: readonly Item[],
  matchesDesired: (entry: Entry, item: Item) => boolean,
): { matches: Map<Entry, Item>; problems: LocatedMessage[] } {
  const matches = new Map<Entry, Item>();
  const problems: LocatedMessage[] = [];
  const itemsByName = Map.groupBy(items, (item) => item['name']);
  for (const [name, named] of Map.groupBy(entries, (entry) => entry.name)) {
    const candidates = itemsByName.get(name) ?? [];
    const free = new Set(candidates);
    const take = (entry: Entry, item: Item | undefined) => {
      if (!item || matches.has(entry) || !free.delete(item)) return;
      matches.set(entry, item);
    };
    for (const entry of named)
      take(
        entry,
        candidates.find((item) => free.has(item) && matchesDesired(entry, item)),
      );
    for (const entry of named) if (entry.key !== null) take(entry, candidates[Number(entry.key) - 1]);
    const [open, ...others] = named.filter((entry) => !matches.has(entry));
    if (open && others.length === 0 && open.key === null && named.length === 1 && free.size > 1) {
      const ids = [...free].map((item) => String(item['id'])).join(', ');
      problems.push({
        ...placeOf(open),
        message: `${free.size} resources are named "${cleanLine(name)}" (IDs ${ids}) and none matches the file. Add key: 1 for the oldest, key: 2 for the next.`,
      });
      continue;
    }
    for (const entry of named) take(entry, [...free][0]);
  }
  return { matches, problems };
}

/** Returns problems with the names of entries. Several entries with the same name require unique keys. */
export function findNameProblems(entries: readonly Entry[]): LocatedMessage[] {
  return [...Map.groupBy(entries, ({ name }) => name).values()].flatMap((named) => {
    if (named.length === 1) return [];
    const field = nameFieldOf(named[0]!.section);
    if (field !== 'name')
      return [
        {
          ...placeOf(named[1]!),
          field,
          message: `another entry already has this ${field}. Remove one of them.`,
        },
      ];
    const withoutKey = named.find(({ key }) => key === null);
    if (withoutKey)
      return [
        {
          ...placeOf(withoutKey),
          message: `${named.length} entries have this name. Give each a unique key: key: 1, key: 2.`,
        },
      ];
    const twice = named.find((entry, index) => named.findIndex(({ key }) => key === entry.key) !== index);
    return twice ? [{ ...placeOf(twice), message: `duplicate key ${twice.key}.` }] : [];
  });
}

function placeOf({ section, index }: Entry) {
  return { section, index };
}
