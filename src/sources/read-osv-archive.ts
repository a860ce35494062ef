import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import yauzl from 'yauzl';
import { toObject } from '../domain/json/foreign-json.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { packageKey } from '../domain/vulnerabilities/osv-package.ts';
import { readOsvRecord } from '../domain/vulnerabilities/read-osv-record.ts';
import { parseRecordLine } from '../domain/vulnerabilities/read-vulnerability.ts';
import { createPartCollector } from './collect-parts.ts';
import { type FoundOsvRecord, readRecord } from './read-osv-records.ts';

export interface OsvArchiveInput {
  /** Host for error messages. */
  host: string;
  /** ZIP file. It's read in place, because it can be larger than the memory of a process. */
  file: string;
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
/** Maximum number of listed records, which the agent keeps in memory at about 100 bytes each. */
const maxListed = 250_000;
/**
 * Maximum number of records that can't be read. A file with more of them is rejected, because it must be in
 * another format.
 */
const maxUnreadable = 10_000;
/**
 * Maximum ratio of the decompressed size of all entries to the size of the file. OSV records have a ratio of 3 to 8.
 * Entries of a ZIP file can overlap, so a limit for the size of the file isn't sufficient.
 */
const maxRatio = 60;
const uncheckedBytes = 16 * 1024 * 1024;

/**
 * Lists the records of an OSV archive (`ECOSYSTEM/all.zip`) that affect the given packages, and the records that can't
 * be read, because they can affect these packages, too.
 */
export async function* listOsvArchive({
  packages,
  ...archive
}: OsvArchiveListInput): AsyncGenerator<ListedOsvRecord[], void, undefined> {
  const followed = new Set(packages);
  const parts = createPartCollector<ListedOsvRecord>();
  let listed = 0;
  let unreadable = 0;
  for await (const { id, text } of readEntries(archive, () => true)) {
    const record = text === null ? null : readRecord(id, text);
    const affected = [...new Set(record?.affected.map(packageKey))].filter((key) => followed.has(key));
    const isWanted = record === null ? !isWithoutPackages(id, text) : affected.length > 0;
    if (!isWanted) continue;
    if (++listed > maxListed)
      throw tooLarge(archive.host, `more than ${maxListed} records of tracked packages`);
    if (record === null && ++unreadable > maxUnreadable)
      throw new RunError(
        'invalid_index',
        `The vulnerability file of ${archive.host} has more than ${maxUnreadable} records that can't be read.`,
      );
    const full = parts.add({ id, modified: record?.modified ?? null, packages: affected });
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
}

/** Reads records of an OSV archive. An ID without a record is returned with `null`. */
export async function* readOsvArchive({
  ids,
  maxBytes,
  ...archive
}: OsvArchiveRecordsInput): AsyncGenerator<FoundOsvRecord[], void, undefined> {
  const left = new Set(ids);
  const parts = createPartCollector<FoundOsvRecord>();
  let bytes = 0;
  for await (const { id, text } of readEntries(archive, (each) => left.has(each))) {
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

/** True if the text is the record with this ID, and the record specifies no package. */
function isWithoutPackages(id: string, text: string | null): boolean {
  const value = toObject(text === null ? null : parseRecordLine(text));
  return value['id'] === id && readOsvRecord({ affected: [], ...value })?.affected.length === 0;
}

/**
 * Yields the text of the entries whose names are those of requested records, one at a time, or `null` for an
 * entry above `maxRecordBytes`. Entries are read and decompressed synchronously, because only one job uses
 * this process: with a stream for each entry, 60,000 records took 36 s instead of 6 s.
 */
async function* readEntries(
  { host, file }: OsvArchiveInput,
  isWanted: (id: string) => boolean,
): AsyncGenerator<{ id: string; text: string | null }, void, undefined> {
  let entries = 0;
  let bytes = 0;
  const reader = new FileReader(file);
  try {
    const zip = await yauzl.fromRandomAccessReaderPromise(reader, reader.bytes, { autoClose: false });
    const maxBytes = uncheckedBytes + maxRatio * zip.fileSize;
    for await (const entry of zip.eachEntry()) {
      if (++entries > maxEntries) throw tooLarge(host, `more than ${maxEntries} entries`);
      const [, id] = /^([^/\\]+)\.json$/.exec(entry.fileName) ?? [];
      if (id === undefined || !isWanted(id)) continue;
      if (entry.uncompressedSize > maxRecordBytes || entry.compressedSize > maxRecordBytes) {
        yield { id, text: null };
        continue;
      }
      bytes += entry.uncompressedSize;
      if (bytes > maxBytes) throw tooLarge(host, `more than ${maxRatio} times its size after decompression`);
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      yield { id, text: readText(reader.readBytes(fileDataStart, entry.compressedSize), entry) };
    }
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(
      'invalid_index',
      `Can't read the vulnerability file of ${host}: it isn't a complete ZIP file.`,
      { cause: error },
    );
  } finally {
    reader.end();
  }
}

function tooLarge(host: string, what: string): RunError {
  return new RunError('too_large', `The vulnerability file of ${host} has ${what}.`);
}

/**
 * Returns the text of an entry.
 * @throws Error If the content doesn't have the size that the entry declares.
 */
function readText(data: Uint8Array, entry: yauzl.Entry): string {
  if (!entry.canDecodeFileData()) throw new Error(`unsupported compression of ${entry.fileName}`);
  const { uncompressedSize: bytes } = entry;
  const content =
    entry.compressionMethod === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, bytes) });
  if (content.byteLength !== bytes) throw new Error(`wrong size of ${entry.fileName}`);
  return Buffer.from(content.buffer, content.byteOffset, bytes).toString('utf8');
}

/** Reads parts of a file for the ZIP library. */
class FileReader extends yauzl.RandomAccessReader {
  private readonly descriptor: number;
  /** Size of the file. */
  readonly bytes: number;

  constructor(file: string) {
    super();
    this.descriptor = openSync(file, 'r');
    this.bytes = fstatSync(this.descriptor).size;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const isComplete = readSync(this.descriptor, buffer, offset, length, position) === length;
    callback(isComplete ? null : new Error('the file is cut'));
  }

  readBytes(position: number, length: number): Uint8Array {
    const buffer = Buffer.allocUnsafe(length);
    if (readSync(this.descriptor, buffer, 0, length, position) !== length) throw new Error('the file is cut');
    return buffer;
  }

  end(): void {
    closeSync(this.descriptor);
  }

  /** The ZIP library calls this only for streams of entries, which aren't used. */
  override _readStreamForRange(): never {
    throw new Error('Entries are read without streams.');
  }
}
