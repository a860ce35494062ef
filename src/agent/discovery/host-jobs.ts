import { StringDecoder } from 'node:string_decoder';
import { textField } from '../../domain/discovery/cluster/object-fields.ts';
import { discoverHost, type HostScan } from '../../domain/discovery/host/discover-host.ts';
import type { HostListName } from '../../domain/discovery/host/host-lists.ts';
import { mergeContainers, reduceHostObject } from '../../domain/discovery/host/reduce-host-object.ts';
import type { ReducedHostObject } from '../../domain/discovery/host/reduced-host.ts';
import { JsonElements } from '../../domain/text/json-elements.ts';
import type { DiscoveryResultItem } from './result-item.ts';
import { splitBytes } from './split-bytes.ts';
import { type InventoryScanResult, yieldResults } from './yield-results.ts';

/* oxlint-disable require-yield -- jobs that read a body are generators, also those without parts. */

/** Sandbox jobs for the steps of a container host scan that process untrusted data. */

export interface ReadHostListInput {
  list: HostListName;
}

export type ReadHostList =
  | {
      ok: true;
      /** JSON array of reduced objects, on one line. */
      objects: string;
    }
  | { ok: false };

/**
 * Reads a list and keeps only the fields that items require. Lists have no pages, so only one object at a
 * time is in memory.
 */
// biome-ignore lint/correctness/useYield: sandbox streams are generators; this one has no parts.
export async function* readHostList(
  { list }: ReadHostListInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never, ReadHostList, undefined> {
  const objects: ReducedHostObject[] = [];
  const reader = new JsonElements('list', (object) => objects.push(...reduceHostObject(list, object)));
  const decoder = new StringDecoder('utf8');
  reader.feed('{"list":');
  for await (const piece of body) reader.feed(decoder.write(Buffer.from(piece)));
  reader.feed(`${decoder.end()}}`);
  const read = reader.end();
  const isList = read.ok && Array.isArray((read.document as { list?: unknown }).list);
  return isList ? { ok: true, objects: JSON.stringify(mergeContainers(objects)) } : { ok: false };
}

/** Reads text fields of an object. Missing fields are null. */
// biome-ignore lint/correctness/useYield: sandbox streams are generators; this one has no parts.
export async function* readTextFields(
  { fields }: { fields: readonly (readonly string[])[] },
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never, (string | null)[], undefined> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const object = parse(Buffer.concat(pieces).toString('utf8'));
  return fields.map((field) => textField(object, ...field));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface FindHostItemsInput extends Omit<HostScan, 'objects'> {
  unreadKinds: readonly string[];
  /** Hash of the items of the previous scan. If null, all items are submitted. */
  knownHash: string | null;
}

/**
 * Finds the items of a container host.
 * @param lists JSON arrays of reduced objects, one per line.
 */
export async function* findHostItems(
  { knownHash, unreadKinds, ...scan }: FindHostItemsInput,
  lists: AsyncIterable<Uint8Array>,
): AsyncGenerator<DiscoveryResultItem[], InventoryScanResult, undefined> {
  const objects: ReducedHostObject[] = [];
  for await (const line of splitBytes(lists, 10))
    for (const object of JSON.parse(line.toString('utf8')) as ReducedHostObject[]) objects.push(object);
  return yield* yieldResults(discoverHost({ ...scan, objects }), { unreadKinds, knownHash });
}
