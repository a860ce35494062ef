import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { RunError } from '../domain/runs/run-error.ts';
import { toObject } from '../domain/verdicts/foreign-json.ts';
import { packageKey } from '../domain/verdicts/osv-package.ts';
import { readOsvRecord } from '../domain/verdicts/read-osv-record.ts';
import { parseRecordLine } from '../domain/verdicts/read-vulnerability.ts';
import { createPartCollector } from './collect-parts.ts';
import { type FoundOsvRecord, readRecord } from './read-osv-records.ts';

export interface OsvArchiveInput {
  /** Host for error messages. */
  host: string;
}

export interface OsvArchiveListInput extends OsvArchiveInput {
  /** Keys of the packages whose records are listed. */
  packages: string[];
}

export interface OsvArchiveRecordsInput extends OsvArchiveInput {
  /** IDs of the records to read. */
  ids: string[];
  /** Number of bytes of records after which reading stops. */
  maxBytes: number;
}

export interface ListedOsvRecord {
  id: string;
  /** Time of the last modification, or `null` if the record can't be read. */
  modified: string | null;
  /** Keys of the packages that the record affects. Empty if the record can't be read. */
  packages: string[];
}

/** Maximum size of a record that can be stored. See `parseRecordLine`. */
const maxRecordBytes = 2_000_000;
/** Maximum number of entries: more than twice the number of records of the largest ecosystem in 2026. */
const maxEntries = 1_000_000;
/**
 * Maximum ratio of all decompressed entries to the file. Records of OSV have a ratio of 3 to 8. A file can contain
 * entries that overlap, so the size of the file alone limits nothing.
 */
const maxRatio = 60;
const uncheckedBytes = 16 * 1024 * 1024;

/**
 * Lists the records of an OSV archive (`ECOSYSTEM/all.zip`) that affect some packages, and the records that can't be
 * read, because they can affect these packages.
 */
export async function* listOsvArchive(
  { host, packages }: OsvArchiveListInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<ListedOsvRecord[], void, undefined> {
  const followed = new Set(packages);
  const parts = createPartCollector<ListedOsvRecord>();
  for await (const { id, text } of readEntries(host, body, () => true)) {
    const record = text === null ? null : readRecord(id, text);
    const affected = [...new Set(record?.affected.map(packageKey))].filter((key) => followed.has(key));
    const isWanted = record === null ? !isWithoutPackages(id, text) : affected.length > 0;
    if (!isWanted) continue;
    const full = parts.add({ id, modified: record?.modified ?? null, packages: affected });
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
}

/** Reads records of an OSV archive. An ID without a record is returned with `null`. */
export async function* readOsvArchive(
  { host, ids, maxBytes }: OsvArchiveRecordsInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<FoundOsvRecord[], void, undefined> {
  const left = new Set(ids);
  const parts = createPartCollector<FoundOsvRecord>();
  let bytes = 0;
  for await (const { id, text } of readEntries(host, body, (each) => left.has(each))) {
    left.delete(id);
    const full = parts.add({ id, record: text === null ? null : readRecord(id, text) });
    if (full) yield full;
    bytes += text?.length ?? 0;
    if (bytes >= maxBytes) break;
  }
  if (bytes < maxBytes)
    for (const id of left) {
      const full = parts.add({ id, record: null });
      if (full) yield full;
    }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
}

/** True if this is the record with the ID, and it names no package. */
function isWithoutPackages(id: string, text: string | null): boolean {
  const value = toObject(text === null ? null : parseRecordLine(text));
  return value['id'] === id && readOsvRecord({ affected: [], ...value })?.affected.length === 0;
}

/**
 * Yields the text of the entries that are named like a wanted record, one at a time, or `null` for an entry above
 * `maxRecordBytes`.
 */
async function* readEntries(
  host: string,
  body: AsyncIterable<Uint8Array>,
  isWanted: (id: string) => boolean,
): AsyncGenerator<{ id: string; text: string | null }, void, undefined> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const archive = Buffer.concat(pieces);
  let entries = 0;
  let bytes = 0;
  try {
    const zip = await yauzl.fromBufferPromise(archive);
    for await (const entry of zip.eachEntry()) {
      if (++entries > maxEntries) throw tooLarge(host, `more than ${maxEntries} entries`);
      const [, id] = /^([^/\\]+)\.json$/.exec(entry.fileName) ?? [];
      if (id === undefined || !isWanted(id)) continue;
      if (entry.uncompressedSize > maxRecordBytes) {
        yield { id, text: null };
        continue;
      }
      bytes += entry.uncompressedSize;
      if (bytes > uncheckedBytes + maxRatio * archive.length)
        throw tooLarge(host, `more than ${maxRatio} times its size after decompression`);
      yield { id, text: await readText(await zip.openReadStreamPromise(entry)) };
    }
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(
      'invalid_index',
      `Can't read the vulnerability file of ${host}: it isn't a complete ZIP file.`,
      { cause: error },
    );
  }
}

function tooLarge(host: string, what: string): RunError {
  return new RunError('too_large', `The vulnerability file of ${host} has ${what}.`);
}

/** Reads an entry as text. The ZIP library checks that the content isn't larger than the entry declares. */
async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
