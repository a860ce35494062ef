/** The parts of an item that identify it: one artifact at one place. */
export interface IdentifiedItem {
  /**
   * The artifact, as returned by `identityOf`. Null if the file doesn't name it, for example because its name
   * comes from a template. In that case, the item keeps the artifact that an earlier scan found at its place.
   */
  artifact: string | null;
  /**
   * Kind and name of the artifact. They stay the same even if the source of the artifact is no longer known.
   * That can happen if the source was in another file.
   */
  name: string;
  /** The place without its file: extractor, kind, namespace, name, and field, as returned by `itemKey`. */
  key: string;
  path: string;
  /** ID of the content of the item's file, or null if it's unknown. */
  blob: string | null;
  version: string | null;
}

/** An item of an earlier scan. */
export interface StoredItem<Id> extends IdentifiedItem {
  id: Id;
  /**
   * True if the item was marked as removed or replaced, or was ignored and is missing. The item is restored
   * only if the same artifact is found at the same place.
   */
  isEnded: boolean;
  /**
   * True if the scan couldn't read the item's file. The file can still contain it, so it isn't moved or
   * replaced.
   */
  isUnread: boolean;
  /**
   * True if a person ignored the item. It's matched with an item in another file only if the end of the path
   * or the content of the file is also the same.
   */
  isIgnored: boolean;
}

/** An item of the current scan. Items must be in the order in which their files contain them. */
export type FoundItem = IdentifiedItem;

export interface MatchedItems<Id> {
  /** For each found item, the ID of its stored item, or null for a new item. */
  ids: (Id | null)[];
  /** For each found item, the ID of the stored item with another artifact that it replaces, or null. */
  replaces: (Id | null)[];
  /** IDs of the stored items that weren't found, including those that another artifact replaced. */
  missing: Id[];
}

type Scope = (item: IdentifiedItem) => string | null;

/**
 * Matches found items with the items of an earlier scan. An item keeps its identity only if the same artifact
 * is found: at the same place, at a place that differs only in parts that people rename, or in another file.
 * Ambiguous matches are skipped, because a wrong match would give the history of one item to another.
 *
 * Yields after every item, so that the caller can do other work. A scan can have 50,000 items.
 */
export function* matchItems<Id>(
  stored: readonly StoredItem<Id>[],
  found: readonly FoundItem[],
): Generator<void, MatchedItems<Id>, void> {
  const ids: (Id | null)[] = found.map(() => null);
  const replaces: (Id | null)[] = found.map(() => null);
  const unmatchedStored = new Set(stored);
  const unmatchedFound = new Set(found.keys());
  const pair = (item: StoredItem<Id>, at: number) => {
    ids[at] = item.id;
    unmatchedStored.delete(item);
    unmatchedFound.delete(at);
  };
  /** Returns unmatched items by scope. Items without a scope aren't included. */
  function* groups(scope: Scope, isCandidate: (item: StoredItem<Id>) => boolean) {
    const result = new Map<string, { items: StoredItem<Id>[]; places: number[] }>();
    for (const item of unmatchedStored) {
      yield;
      const text = isCandidate(item) ? scope(item) : null;
      if (text === null) continue;
      const group = result.get(text);
      if (group) group.items.push(item);
      else result.set(text, { items: [item], places: [] });
    }
    if (result.size === 0) return result;
    for (const at of unmatchedFound) {
      yield;
      const text = scope(found[at]!);
      if (text !== null) result.get(text)?.places.push(at);
    }
    return result;
  }
  /**
   * Pairs a stored item and a found item if each is the only one in the scope. Several items of one file in
   * the same scope can't be distinguished, so they're paired in order if none was added or removed.
   */
  function* pairSingle(scope: Scope, isCandidate: (item: StoredItem<Id>) => boolean = isPresent) {
    for (const { items, places } of (yield* groups(scope, isCandidate)).values()) {
      yield;
      if (items.length !== places.length) continue;
      let isOneFile = true;
      for (let at = 1; at < items.length && isOneFile; at++) {
        yield;
        isOneFile =
          items[at]!.path === items[0]!.path &&
          items[at]!.key === items[0]!.key &&
          found[places[at]!]!.path === found[places[0]!]!.path &&
          found[places[at]!]!.key === found[places[0]!]!.key;
      }
      if (isOneFile) yield* pairAll(items, places);
    }
  }
  /** Pairs items with the same scope in their order, because they differ in nothing else. */
  function* pairInOrder(scope: Scope, isCandidate: (item: StoredItem<Id>) => boolean) {
    for (const { items, places } of (yield* groups(scope, isCandidate)).values()) {
      yield;
      yield* pairAll(items, places);
    }
  }
  function* pairAll(items: readonly StoredItem<Id>[], places: readonly number[]) {
    for (let order = 0; order < Math.min(items.length, places.length); order++) {
      yield;
      pair(items[order]!, places[order]!);
    }
  }

  yield* pairShiftedEntries(found, groups, pair);
  // Pair items with the same artifact, file, and key, first those with the same version.
  yield* pairInOrder((item) => scopeOf(item, item.path, item.key, item.version), isPresent);
  yield* pairInOrder((item) => scopeOf(item, item.path, item.key), isPresent);
  // Pair an item whose artifact is unknown with the item at the same place.
  yield* pairUnnamed(found, groups, pair);
  // Pair items by their key alone if they are known only from a configuration file, because no scan has found
  // them yet.
  yield* pairInOrder(
    ({ key }) => key,
    ({ path }) => path === '',
  );

  // Pair items in files that were moved without a change of their content, which is the strongest evidence of
  // a move.
  yield* pairSingle((item) => (item.blob === null ? null : scopeOf(item, item.key, item.blob)), isMovable);

  // Pair items with the same artifact and file if their places differ only in parts that people rename.
  for (const normalizeKey of keyNormalizers)
    yield* pairSingle((item) => scopeOf(item, item.path, normalizeKey(item.key)));
  // Pair items in unchanged files even if their keys differ, because a new version of Pacekeeper can name
  // places differently.
  yield* pairSingle((item) => (item.blob === null ? null : scopeOf(item, item.path, item.blob)));

  // Pair items with the same artifact and key in another file, first with the same namespace and then with
  // any.
  for (const normalizeKey of keyNormalizers.slice(0, 2)) {
    yield* pairSingle(
      (item) => (item.blob === null ? null : scopeOf(item, normalizeKey(item.key), item.blob)),
      isMovable,
    );
    // Match files of moved directories by the longest common end of their paths. If several files share that
    // end, don't match them, because they can belong to different environments.
    for (let parts = maxSharedParts; parts > 0; parts--)
      yield* pairSingle((item) => {
        const end = endOf(item.path, parts);
        return end === null ? null : scopeOf(item, normalizeKey(item.key), end);
      }, isMovable);
    yield* pairSingle(
      (item) => scopeOf(item, normalizeKey(item.key)),
      (item) => isMovable(item) && !item.isIgnored,
    );
  }

  // Find the stored items whose place another artifact took.
  const replaced = new Set<Id>();
  for (const normalizeKey of keyNormalizers.slice(0, 2)) {
    const place: Scope = ({ path, key }) => JSON.stringify([path, normalizeKey(key)]);
    const left = (item: StoredItem<Id>) => isMovable(item) && !replaced.has(item.id);
    for (const { items, places } of (yield* groups(place, left)).values()) {
      yield;
      const [item, ...otherItems] = items;
      const [at, ...otherPlaces] = places;
      if (item === undefined || at === undefined || otherItems.length + otherPlaces.length > 0) continue;
      if (replaces[at] !== null) continue;
      replaces[at] = item.id;
      replaced.add(item.id);
    }
  }

  // Restore an ended item only if no other item is at its place. Several items may have ended at the same
  // place, because the indexes of a list change. In this case, restore the one with the same version, or
  // none.
  yield* pairSingle((item) => scopeOf(item, item.path, item.key, item.version), isEnded);
  yield* pairSingle((item) => scopeOf(item, item.path, item.key), isEnded);

  const missing: Id[] = [];
  for (const item of unmatchedStored) {
    yield;
    missing.push(item.id);
  }
  return { ids, replaces, missing };
}

/**
 * Returns the scope of items that have the same artifact, or the same template for an artifact, and the same
 * parts.
 */
function scopeOf({ artifact, name }: IdentifiedItem, ...parts: (string | null)[]): string {
  return JSON.stringify([artifact ?? `? ${name}`, ...parts]);
}

function isPresent({ isEnded }: { isEnded: boolean }): boolean {
  return !isEnded;
}

function isEnded(item: { isEnded: boolean }): boolean {
  return item.isEnded;
}

function isMovable({ isEnded, isUnread }: { isEnded: boolean; isUnread: boolean }): boolean {
  return !isEnded && !isUnread;
}

/**
 * Functions that remove renamable parts from a key. In this order, they remove nothing, the namespace, the
 * indexes of list entries, both, and both together with the name of the object.
 */
const keyNormalizers: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => withParts(key, { namespace: '' }),
  (key) => withoutIndexes(key),
  (key) => withoutIndexes(withParts(key, { namespace: '' })),
  (key) => withoutIndexes(withParts(key, { namespace: '', name: '' })),
];

function withParts(key: string, parts: { namespace?: string; name?: string }): string {
  const [extractor = '', kind = '', namespace = '', name = '', ...field] = key.split(':');
  return [extractor, kind, parts.namespace ?? namespace, parts.name ?? name, ...field].join(':');
}

function withoutIndexes(key: string): string {
  return key.replaceAll(/\[\d+\]/g, '[]');
}

/** Number of trailing path segments that are compared. */
const maxSharedParts = 8;

/** Returns the last segments of a path, or null if the path has fewer. */
function endOf(path: string, parts: number): string | null {
  let at = path.length;
  for (let left = parts; left > 0; left--) {
    if (at <= 0) return null;
    at = path.lastIndexOf('/', at - 1);
  }
  return path.slice(at + 1);
}

interface Group<Id> {
  items: StoredItem<Id>[];
  places: number[];
}
type Groups<Id> = (
  scope: Scope,
  isCandidate: (item: StoredItem<Id>) => boolean,
) => Generator<void, Map<string, Group<Id>>, void>;
type Pair<Id> = (item: StoredItem<Id>, at: number) => void;

/**
 * Pairs unnamed list entries of the same artifact by their versions, if the indexes of these entries have
 * changed. An index doesn't identify an entry in this case.
 */
function* pairShiftedEntries<Id>(
  found: readonly FoundItem[],
  groups: Groups<Id>,
  pair: Pair<Id>,
): Generator<void, void, void> {
  const list: Scope = ({ artifact, path, key }) => {
    if (artifact === null || !key.includes('[')) return null;
    const general = withoutIndexes(key);
    return general === key ? null : JSON.stringify([artifact, path, general]);
  };
  for (const { items, places } of (yield* groups(list, isPresent)).values()) {
    yield;
    if (places.length === 0) continue;
    const keys = new Set<string>();
    for (const item of items) {
      yield;
      keys.add(item.key);
    }
    let isShifted = items.length !== places.length;
    for (const at of places) {
      yield;
      isShifted ||= !keys.has(found[at]!.key);
    }
    if (!isShifted) continue;
    const ofVersion = new Map<string | null, Group<Id>>();
    for (const item of items) {
      yield;
      const group = ofVersion.get(item.version);
      if (group) group.items.push(item);
      else ofVersion.set(item.version, { items: [item], places: [] });
    }
    for (const at of places) {
      yield;
      ofVersion.get(found[at]!.version)?.places.push(at);
    }
    for (const same of ofVersion.values()) {
      yield;
      if (same.items.length === 1 && same.places.length === 1) pair(same.items[0]!, same.places[0]!);
    }
  }
}

/**
 * Pairs items at the same place if the artifact of one of them isn't known, or if only one of them contains
 * the location where the artifact is published.
 */
function* pairUnnamed<Id>(
  found: readonly FoundItem[],
  groups: Groups<Id>,
  pair: Pair<Id>,
): Generator<void, void, void> {
  const place: Scope = ({ path, key }) => JSON.stringify([path, key]);
  for (const { items, places } of (yield* groups(place, isPresent)).values()) {
    for (let order = 0; items.length === places.length && order < items.length; order++) {
      yield;
      const [item, at] = [items[order]!, places[order]!];
      if (isSameWhereUnknown(item, found[at]!)) pair(item, at);
    }
  }
}

function isSameWhereUnknown(before: IdentifiedItem, now: IdentifiedItem): boolean {
  if (before.artifact === null || now.artifact === null) return true;
  return before.name === now.name && (before.artifact === before.name || now.artifact === now.name);
}
