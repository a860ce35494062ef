/** An item of an earlier scan. */
export interface StoredItem<Id> {
  id: Id;
  key: string;
  path: string;
  /** ID of the content of the item's file, or null if it's unknown. */
  blob: string | null;
}

/** An item of the current scan. Items have the order of their files. */
export interface FoundItem {
  key: string;
  path: string;
  blob: string;
}

export interface MatchedItems<Id> {
  /** ID of the stored item for each found item, or null for a new item. */
  ids: (Id | null)[];
  /** Stored items that weren't found. */
  missing: Id[];
}

/**
 * Matches found items with the items of an earlier scan: first by path and key, then by key, then by the
 * content of the file. An item keeps its history when its file moves, and an item in a second directory
 * doesn't affect the first.
 *
 * Yields after every item, so that the caller can do other work. A scan can have 50,000 items.
 */
export function* matchItems<Id>(
  stored: readonly StoredItem<Id>[],
  found: readonly FoundItem[],
): Generator<void, MatchedItems<Id>, void> {
  const ids: (Id | null)[] = found.map(() => null);
  const unmatchedStored = new Set(stored);
  const unmatchedFound = new Set(found.keys());
  const pair = (item: StoredItem<Id>, at: number) => {
    ids[at] = item.id;
    unmatchedStored.delete(item);
    unmatchedFound.delete(at);
  };
  /** Pairs items with the same text, in order. Items without a text aren't paired. */
  function* pairBy(textOf: (item: StoredItem<Id> | FoundItem) => string | null) {
    const waiting = yield* groupBy(unmatchedStored, textOf);
    const places = new Map<string, number>();
    for (const at of Array.from(unmatchedFound)) {
      yield;
      const text = textOf(found[at]!);
      if (text === null) continue;
      const place = places.get(text) ?? 0;
      const item = waiting.get(text)?.[place];
      if (!item) continue;
      places.set(text, place + 1);
      pair(item, at);
    }
  }
  yield* pairBy(({ path, key }) => JSON.stringify([path, key]));
  // The items of a moved file stay together, even if other files share their keys.
  yield* pairBy(({ blob, key }) => (blob === null ? null : JSON.stringify([blob, key])));
  yield* pairByNearest(found, unmatchedStored, unmatchedFound, pair);
  yield* pairBy(({ blob }) => blob);
  const missing: Id[] = [];
  for (const { id } of unmatchedStored) {
    yield;
    missing.push(id);
  }
  return { ids, missing };
}

/**
 * Pairs items with the same key. If several items have the key, those whose paths have the most in common are
 * paired.
 */
function* pairByNearest<Id>(
  found: readonly FoundItem[],
  unmatchedStored: ReadonlySet<StoredItem<Id>>,
  unmatchedFound: ReadonlySet<number>,
  pair: (item: StoredItem<Id>, at: number) => void,
): Generator<void, void, void> {
  const storedByKey = yield* groupBy(unmatchedStored, ({ key }) => key);
  const foundByKey = yield* groupBy(unmatchedFound, (at) => found[at]!.key);
  let comparisonsLeft = maxComparisons;
  for (const [key, items] of storedByKey) {
    yield;
    const places = foundByKey.get(key) ?? [];
    if (places.length === 0) continue;
    // If a key has many places, or if there are many keys, the order of the files is accurate enough.
    const comparisons = items.length * places.length;
    if (comparisons > Math.min(maxComparisonsOfKey, comparisonsLeft)) {
      for (const [index, item] of items.slice(0, places.length).entries()) {
        yield;
        pair(item, places[index]!);
      }
      continue;
    }
    comparisonsLeft -= comparisons;
    const candidates = [];
    for (const item of items) {
      for (const at of places) {
        yield;
        candidates.push({ item, at, common: commonParts(item.path, found[at]!.path) });
      }
    }
    candidates.sort((a, b) => b.common - a.common);
    for (const { item, at } of candidates) {
      yield;
      if (unmatchedStored.has(item) && unmatchedFound.has(at)) pair(item, at);
    }
  }
}

/** Groups items like `Map.groupBy`, but yields after each item. */
function* groupBy<Item, Text>(
  items: Iterable<Item>,
  textOf: (item: Item) => Text,
): Generator<void, Map<Text, Item[]>, void> {
  const groups = new Map<Text, Item[]>();
  for (const item of items) {
    yield;
    const text = textOf(item);
    const group = groups.get(text);
    if (group) group.push(item);
    else groups.set(text, [item]);
  }
  return groups;
}

const maxComparisonsOfKey = 10_000;
const maxComparisons = 100_000;

/**
 * Counts the directories and file names that two paths share at their end and at their start. Those at the
 * end count twice.
 */
function commonParts(unmatchedStored: string, right: string): number {
  const [a, b] = [unmatchedStored.split('/'), right.split('/')];
  const length = Math.min(a.length, b.length);
  let tail = 0;
  while (tail < length && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  let head = 0;
  while (head < length - tail && a[head] === b[head]) head++;
  return 2 * tail + head;
}
