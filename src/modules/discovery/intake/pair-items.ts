import { matchItems } from '../../../domain/discovery/match-items.ts';

/** An item of the scan, and its position in the parts. */
export interface FoundIdentity {
  sequence: number;
  number: number;
  key: string;
  path: string;
  blob: string;
}

export interface StoredIdentity {
  id: number;
  key: string;
  discriminator: string;
  path: string;
  blob: string | null;
}

/** A found item and the stored item that it matches. */
export interface PairedItem extends FoundIdentity {
  /** Null for a new item. */
  id: number | null;
  /** Value that distinguishes items with the same key. It doesn't change while the item exists. */
  discriminator: string;
}

/** Maximum length of the path in a discriminator. The ordinal uses the rest of the column's limit. */
const maxPathBytes = 560;

export interface PairedItems {
  paired: PairedItem[];
  missingIds: number[];
}

/**
 * Matches the items of a scan with stored items, and finds the stored items that the scan missed. Yields
 * after every item.
 */
export function* pairItems(
  stored: readonly StoredIdentity[],
  found: readonly FoundIdentity[],
): Generator<void, PairedItems, void> {
  const { ids, missing } = yield* matchItems(stored, found);
  const storedById = new Map<number, StoredIdentity>();
  // A discriminator that an item no longer uses stays reserved during this scan, because rows are updated one
  // by one.
  const taken = new Set<string>();
  for (const item of stored) {
    yield;
    storedById.set(item.id, item);
    taken.add(nameOf(item.key, item.discriminator));
  }
  // Store the next free ordinals, because a file can repeat one key thousands of times.
  const nextOrdinals = new Map<string, number>();
  const paired: PairedItem[] = [];
  for (const [at, item] of found.entries()) {
    yield;
    const id = ids[at] ?? null;
    const before = id === null ? undefined : storedById.get(id);
    if (before?.key === item.key) {
      paired.push({ ...item, id, discriminator: before.discriminator });
      continue;
    }
    const discriminator = newDiscriminator(item, nextOrdinals, (each) => taken.has(nameOf(item.key, each)));
    taken.add(nameOf(item.key, discriminator));
    paired.push({ ...item, id, discriminator });
  }
  return { paired, missingIds: missing };
}

/**
 * Returns an empty discriminator for the first item with its key, then the path, then the path with an
 * ordinal.
 */
function newDiscriminator(
  { key, path }: FoundIdentity,
  nextOrdinals: Map<string, number>,
  isTaken: (discriminator: string) => boolean,
): string {
  if (!isTaken('')) return '';
  const place = endOf(path);
  if (!isTaken(place)) return place;
  const name = nameOf(key, place);
  let ordinal = nextOrdinals.get(name) ?? 2;
  while (isTaken(`${place}#${ordinal}`)) ordinal += 1;
  nextOrdinals.set(name, ordinal + 1);
  return `${place}#${ordinal}`;
}

function endOf(path: string): string {
  let end = path.slice(-maxPathBytes).toWellFormed();
  while (Buffer.byteLength(end) > maxPathBytes) end = end.slice(1).toWellFormed();
  return end;
}

function nameOf(key: string, discriminator: string): string {
  return JSON.stringify([key, discriminator]);
}
