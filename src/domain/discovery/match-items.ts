/** An item of an earlier scan. */
export interface StoredItem {
  id: string;
  key: string;
  path: string;
  /** The id of the content of its file. */
  blob: string;
}

/** An item of the scan at hand, in the order of its file. */
export interface FoundItem {
  key: string;
  path: string;
  blob: string;
}

export interface MatchedItems {
  /** The stored item for each found one; null: it is new. */
  ids: (string | null)[];
  /** Stored items that weren't found. */
  missing: string[];
}

/**
 * Recognizes the items of an earlier scan: first those with the same path and key, then those with the same key, then
 * those whose file has the same content. So an item keeps its history when its file moves, and an item of a second
 * directory changes nothing about the first.
 */
export function matchItems(stored: readonly StoredItem[], found: readonly FoundItem[]): MatchedItems {
  const ids: (string | null)[] = found.map(() => null);
  const left = new Set(stored);
  const open = new Set(found.keys());
  const pair = (item: StoredItem, at: number) => {
    ids[at] = item.id;
    left.delete(item);
    open.delete(at);
  };
  /** Pairs what has the same text, in order. */
  const pairBy = (textOf: (item: FoundItem) => string) => {
    const waiting = Map.groupBy(left, textOf);
    for (const at of [...open]) {
      const item = waiting.get(textOf(found[at]!))?.shift();
      if (item) pair(item, at);
    }
  };
  pairBy(({ path, key }) => JSON.stringify([path, key]));
  // A file that was moved as it is belongs together, also where others share its keys.
  pairBy(({ blob, key }) => JSON.stringify([blob, key]));
  pairByNearest(stored, found, left, open, pair);
  pairBy(({ blob }) => blob);
  return { ids, missing: [...left].map(({ id }) => id) };
}

/** Of several items with one key, those whose paths have most in common. */
function pairByNearest(
  stored: readonly StoredItem[],
  found: readonly FoundItem[],
  left: ReadonlySet<StoredItem>,
  open: ReadonlySet<number>,
  pair: (item: StoredItem, at: number) => void,
): void {
  const storedByKey = Map.groupBy(
    stored.filter((item) => left.has(item)),
    ({ key }) => key,
  );
  const foundByKey = Map.groupBy([...open], (at) => found[at]!.key);
  for (const [key, items] of storedByKey) {
    const places = foundByKey.get(key) ?? [];
    if (places.length === 0) continue;
    // Beyond some hundred pairs, the order of the files is as good.
    const isSmall = items.length * places.length <= maxComparisons;
    const candidates = isSmall
      ? items
          .flatMap((item) =>
            places.map((at) => ({ item, at, common: commonParts(item.path, found[at]!.path) })),
          )
          .toSorted((a, b) => b.common - a.common)
      : items.slice(0, places.length).map((item, index) => ({ item, at: places[index]!, common: 0 }));
    for (const { item, at } of candidates) if (left.has(item) && open.has(at)) pair(item, at);
  }
}

const maxComparisons = 10_000;

/** Directories and names that two paths have in common, from their end and from their start. */
function commonParts(left: string, right: string): number {
  const [a, b] = [left.split('/'), right.split('/')];
  const length = Math.min(a.length, b.length);
  let tail = 0;
  while (tail < length && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  let head = 0;
  while (head < length - tail && a[head] === b[head]) head++;
  return 2 * tail + head;
}
