import { gunzipSync } from 'node:zlib';
import type { ClusterResourceName } from '../../domain/discovery/cluster/cluster-resources.ts';
import { discoverCluster } from '../../domain/discovery/cluster/discover-cluster.ts';
import { fieldAt, listField, textField } from '../../domain/discovery/cluster/object-fields.ts';
import { mergePods, reduceHelmRelease, reduceObject } from '../../domain/discovery/cluster/reduce-object.ts';
import type { ReducedObject } from '../../domain/discovery/cluster/reduced-objects.ts';
import type { LabelRule } from '../../domain/discovery/guess-labels.ts';
import type { DiscoveryResultItem } from './result-item.ts';
import { splitBytes } from './split-bytes.ts';
import { type InventoryScanResult, yieldResults } from './yield-results.ts';

/* oxlint-disable require-yield -- jobs that read a body are generators, also those without parts. */

/** Sandbox jobs for the steps of a cluster scan that process untrusted data. */

export interface ReadListPageInput {
  resource: ClusterResourceName;
}

export type ListedPage =
  | {
      ok: true;
      /** JSON array of reduced objects, on one line. */
      objects: string;
      /** Token for the next page. Null on the last page. */
      next: string | null;
    }
  | { ok: false };

/** Reads one page of a list and keeps only the fields that items require. */
// biome-ignore lint/correctness/useYield: sandbox streams are generators; this one has no parts.
export async function* readListPage(
  { resource }: ReadListPageInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never, ListedPage, undefined> {
  const list = await readJsonBody(body);
  if (list === undefined) return { ok: false };
  const objects = listField(list, 'items').flatMap((object) =>
    resource === 'secrets' ? readReleaseSecret(object) : reduceObject(resource, object),
  );
  return { ok: true, objects: JSON.stringify(mergePods(objects)), next: continueOf(list) };
}

/** Reads a text field of an object. Returns null if the field is missing. */
// biome-ignore lint/correctness/useYield: sandbox streams are generators; this one has no parts.
export async function* readTextField(
  { field }: { field: readonly string[] },
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never, string | null, undefined> {
  return textField(await readJsonBody(body), ...field);
}

async function readJsonBody(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Maximum length of a continue token. Tokens usually have a few hundred characters. */
const maxTokenLength = 16_384;

function continueOf(list: unknown): string | null {
  const token = fieldAt(list, 'metadata', 'continue');
  return typeof token === 'string' && token !== '' && token.length <= maxTokenLength ? token : null;
}

const maxReleaseBytes = 4 * 1024 * 1024;

/**
 * Reads the Helm release in a secret. Helm compresses a release with gzip and encodes it as base64, and
 * Kubernetes encodes the values of a secret as base64 again.
 */
function readReleaseSecret(secret: unknown): ReducedObject[] {
  const data = fieldAt(secret, 'data', 'release');
  if (typeof data !== 'string' || data.length > 2 * maxReleaseBytes) return [];
  try {
    const packed = Buffer.from(Buffer.from(data, 'base64').toString('latin1'), 'base64');
    const text = gunzipSync(packed, { maxOutputLength: maxReleaseBytes }).toString('utf8');
    return reduceHelmRelease(JSON.parse(text));
  } catch {
    // An unreadable release must not hide the others. Its labels can still identify its chart.
    return [];
  }
}

export interface FindClusterItemsInput {
  clusterName: string;
  version: string | null;
  include: readonly string[];
  exclude: readonly string[];
  extractors: readonly string[];
  labelRules: readonly LabelRule[];
  /**
   * Kinds of objects that couldn't be listed. A scan is unchanged only if the previous scan couldn't list the same
   * kinds.
   */
  unreadKinds: readonly string[];
  /** Hash of the items of the previous scan. If null, all items are submitted. */
  knownHash: string | null;
}

/**
 * Finds the items of a cluster.
 * @param pages JSON arrays of reduced objects, one per line.
 */
export async function* findClusterItems(
  { knownHash, unreadKinds, ...order }: FindClusterItemsInput,
  pages: AsyncIterable<Uint8Array>,
): AsyncGenerator<DiscoveryResultItem[], InventoryScanResult, undefined> {
  const objects: ReducedObject[] = [];
  for await (const page of readPages(pages)) for (const object of page) objects.push(object);
  const discovered = discoverCluster({ ...order, objects: mergePods(objects) });
  return yield* yieldResults(discovered, { unreadKinds, knownHash });
}

async function* readPages(body: AsyncIterable<Uint8Array>): AsyncGenerator<ReducedObject[], void, undefined> {
  for await (const line of splitBytes(body, 10)) yield JSON.parse(line.toString('utf8')) as ReducedObject[];
}
