import { identityOf } from '../../../domain/discovery/item-identity.ts';
import { type FoundItem, matchItems, type StoredItem } from '../../../domain/discovery/match-items.ts';
import type { MirroredArtifact } from '../../../domain/discovery/propose-source.ts';
import { directoryOf } from '../../../domain/discovery/repository-path.ts';

/** An item of the scan, and its position in the parts of the run. */
export interface FoundIdentity {
  sequence: number;
  number: number;
  key: string;
  path: string;
  blob: string;
  artifact_kind: string;
  artifact_name: string;
  artifact_purl: string | null;
  version: string | null;
  version_state: string;
  reason: string | null;
  /** The original, if an alias identifies the file's artifact as a copy. `artifact_purl` is then its package URL. */
  followed: MirroredArtifact | null;
}

export interface StoredIdentity extends Omit<FoundIdentity, 'sequence' | 'number' | 'blob' | 'followed'> {
  id: number;
  discriminator: string;
  blob: string | null;
  status: 'new' | 'accepted' | 'ignored' | 'gone' | 'replaced';
  is_missing: boolean;
}

/** A found item and the stored item that it matches. */
export interface PairedItem extends FoundIdentity {
  /** Null for a new item. */
  id: number | null;
  /**
   * True if the file doesn't identify the artifact or the place where it's published, so the stored item
   * keeps its artifact.
   */
  keepsArtifact: boolean;
  /** The stored item that was in this item's place with another artifact, or null. */
  replaces: number | null;
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
 *
 * @param isUnread True if the scan couldn't read a file.
 */
export function* pairItems(
  stored: readonly StoredIdentity[],
  found: readonly FoundIdentity[],
  isUnread: (path: string) => boolean = () => false,
): Generator<void, PairedItems, void> {
  const before: StoredItem<number>[] = [];
  const named = new Set<number>();
  for (const item of stored) {
    yield;
    const identified = toStoredItem(item, isUnread);
    before.push(identified);
    if (identified.artifact !== null) named.add(identified.id);
  }
  const now: FoundItem[] = [];
  for (const item of found) {
    yield;
    now.push(toFoundItem(item));
  }
  const { ids, replaces, missing } = yield* matchItems(before, now);
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
    const former = id === null ? undefined : storedById.get(id);
    const keepsArtifact =
      former !== undefined &&
      ((now[at]!.artifact === null && named.has(former.id)) || losesPublisher(item, former));
    const known = { ...item, id, keepsArtifact, replaces: replaces[at] ?? null };
    if (former?.key === item.key) {
      paired.push({ ...known, discriminator: former.discriminator });
      continue;
    }
    const discriminator = newDiscriminator(item, nextOrdinals, (each) => taken.has(nameOf(item.key, each)));
    taken.add(nameOf(item.key, discriminator));
    paired.push({ ...known, discriminator });
  }
  return { paired, missingIds: missing };
}

/**
 * Finds new items that take over as the deployed version from a stored item, because an overlay replaces the
 * version of its base in this scan. The overlay has the same artifact and field as the base, and the file of the
 * base is in the same directory or above it. The nearest base counts; if several are equally near, none does. An image
 * override of a kustomization has another field than its base, and the base can be anywhere, so the base must be the
 * only one with this artifact.
 *
 * @returns The position of each such item in `paired`, and the ID of its base.
 */
export function* findTakenOver(
  stored: readonly StoredIdentity[],
  paired: readonly PairedItem[],
): Generator<void, { at: number; baseId: number }[], void> {
  const before = new Map<number, StoredIdentity>();
  for (const item of stored) {
    yield;
    before.set(item.id, item);
  }
  const scopeOf = ({ artifact_kind, artifact_name, key }: FoundIdentity, directory: string) =>
    JSON.stringify([artifact_kind, artifact_name, key, directory]);
  const artifactOf = ({ artifact_kind, artifact_name }: FoundIdentity) =>
    JSON.stringify([artifact_kind, artifact_name]);
  /** IDs of the bases by artifact, field, and directory, and by artifact alone. Null for several bases. */
  const bases = new Map<string, number | null>();
  for (const item of paired) {
    yield;
    const former = item.id === null ? undefined : before.get(item.id);
    const isPresent = former !== undefined && (former.status === 'new' || former.status === 'accepted');
    if (!isPresent || item.reason !== 'overridden' || former.reason === 'overridden') continue;
    const scopes = [scopeOf(item, directoryOf(item.path))];
    if (/^(?:kubernetes|kustomize):/.test(item.key)) scopes.push(artifactOf(item));
    for (const scope of scopes) bases.set(scope, bases.has(scope) ? null : former.id);
  }
  const found: { at: number; baseId: number }[] = [];
  if (bases.size === 0) return found;
  for (const [at, item] of paired.entries()) {
    yield;
    if (item.id !== null || item.reason !== null || item.replaces !== null) continue;
    let baseId: number | null | undefined;
    for (let directory: string | null = directoryOf(item.path); directory !== null; ) {
      baseId = bases.get(scopeOf(item, directory));
      directory = baseId !== undefined || directory === '' ? null : directoryOf(directory);
    }
    if (baseId === undefined && isImageOverride(item.key)) baseId = bases.get(artifactOf(item));
    if (typeof baseId === 'number') found.push({ at, baseId });
  }
  return found;
}

/** True for the key of an entry in the `images` of a kustomization. */
function isImageOverride(key: string): boolean {
  return key.startsWith('kustomize:') && /:images\[[^:]*$/.test(key.slice(-maxFieldLength));
}

/** Maximum length of a field of an image override that is recognized. Real ones are shorter. */
const maxFieldLength = 500;

/**
 * True if the only change of the item is that the location where its artifact is published is no longer
 * known. The location is in another file, such as that of a HelmRepository, which the scan may have been
 * unable to read.
 */
function losesPublisher(item: FoundIdentity, former: StoredIdentity): boolean {
  return (
    item.reason === 'no_source' &&
    item.artifact_purl === null &&
    former.artifact_purl !== null &&
    item.artifact_name === former.artifact_name &&
    item.artifact_kind === former.artifact_kind
  );
}

function toFoundItem({
  key,
  path,
  blob,
  version,
  version_state,
  reason,
  artifact_kind: kind,
  artifact_name: name,
  artifact_purl: purl,
}: Omit<FoundIdentity, 'sequence' | 'number' | 'blob' | 'followed'> & { blob: string | null }): FoundItem {
  const identity = identityOf({ artifact: { kind, name, purl }, path, version_state, reason });
  return { ...identity, key, path, blob, version };
}

function toStoredItem(item: StoredIdentity, isUnread: (path: string) => boolean): StoredItem<number> {
  const { id, status, is_missing } = item;
  const isIgnored = status === 'ignored';
  const isEnded = status === 'gone' || status === 'replaced' || (isIgnored && is_missing);
  return { ...toFoundItem(item), id, isEnded, isIgnored, isUnread: isUnread(item.path) };
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
