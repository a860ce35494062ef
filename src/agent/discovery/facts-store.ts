import { readSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { factsVersion } from '../../domain/discovery/facts-version.ts';
import type { ChosenFile, FileFactsHeader } from './scan-jobs.ts';

/**
 * Facts that were extracted from files, keyed by content and role. They're kept in a directory between scans,
 * and only an index is in memory, because there can be 100,000 files. A record has two lines: the key, and
 * JSON that isn't parsed here.
 */
export interface FactsStore {
  has(file: ChosenFile): boolean;
  /**
   * Adds the facts of a file.
   * @param json JSON on one line.
   * @returns `false` if the scan has reached its limit.
   */
  add(file: ChosenFile, json: string): Promise<boolean>;
  /**
   * Yields a header and the facts of each file, in the format of `linkTreeFiles`. Skips files that weren't
   * read.
   */
  read(files: readonly ChosenFile[]): Generator<Uint8Array, void, undefined>;
  /** Stores the facts of these files for the next scan and deletes all others. */
  keep(files: readonly ChosenFile[]): Promise<void>;
  close(): Promise<void>;
}

/** Maximum size of the stored facts of a repository. Every scan rereads the files beyond this limit. */
const maxBytes = 64 * 1024 * 1024;
const pieceBytes = 256 * 1024;
/** Maximum size of the facts that one scan adds. 50,000 versions take 20 MB. */
const maxAddedBytes = 256 * 1024 * 1024;

interface Place {
  handle: FileHandle;
  at: number;
  length: number;
}

export async function openFactsStore(folder: string): Promise<FactsStore> {
  const file = path.join(folder, `facts-${factsVersion}`);
  const addedFile = path.join(folder, 'facts-added');
  const index = new Map<string, Place>();
  const kept = await open(file, 'r').catch(() => null);
  if (kept) await readIndex(kept, index);
  const keptCount = index.size;
  const added = await open(addedFile, 'w+');
  let addedBytes = 0;

  function* read(files: readonly ChosenFile[]): Generator<Uint8Array, void, undefined> {
    for (const each of files) {
      const place = index.get(keyOf(each));
      if (!place) continue;
      const head: FileFactsHeader = { path: each.path, oid: each.oid };
      yield Buffer.from(`${JSON.stringify(head)}\n`);
      yield readPlace(place);
    }
  }

  return {
    has: (each) => index.has(keyOf(each)),

    async add(each, json) {
      const key = keyOf(each);
      if (index.has(key)) return true;
      const record = Buffer.from(`${key}\n${json}\n`);
      if (addedBytes + record.byteLength > maxAddedBytes) return false;
      const at = addedBytes;
      addedBytes += record.byteLength;
      const keyBytes = Buffer.byteLength(key) + 1;
      index.set(key, { handle: added, at: at + keyBytes, length: record.byteLength - keyBytes });
      await added.write(record, 0, record.byteLength, at);
      return true;
    },

    read,

    async keep(files) {
      const keys = new Set(files.map(keyOf).filter((key) => index.has(key)));
      if (addedBytes === 0 && keys.size === keptCount) return;
      const next = `${file}.next`;
      const output = await open(next, 'w');
      try {
        let pieces: Uint8Array[] = [];
        let [pending, written] = [0, 0];
        for (const key of keys) {
          const place = index.get(key)!;
          if (written + pending + place.length > maxBytes) continue;
          pieces.push(Buffer.from(`${key}\n`), readPlace(place));
          pending += place.length;
          if (pending < pieceBytes) continue;
          written += pending;
          await output.write(Buffer.concat(pieces));
          [pieces, pending] = [[], 0];
        }
        await output.write(Buffer.concat(pieces));
      } finally {
        await output.close();
      }
      await rename(next, file);
    },

    async close() {
      await Promise.all([kept?.close(), added.close()]);
      await rm(addedFile, { force: true });
    },
  };
}

/** Returns the key of a file. It's always one line, because paths contain no control characters. */
function keyOf({ oid, role }: ChosenFile): string {
  return `${oid} ${role}`;
}

/** Reads a record synchronously, because it's usually in the page cache: it was written or read shortly before. */
function readPlace({ handle, at, length }: Place): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  readSync(handle.fd, bytes, 0, length, at);
  return bytes;
}

/** Builds the index of the stored records. Skips a record that was truncated by a crash. */
async function readIndex(handle: FileHandle, index: Map<string, Place>): Promise<void> {
  let key: string | null = null;
  let open: Buffer[] = [];
  let lineAt = 0;
  let at = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at);
    if (bytesRead === 0) return;
    let from = 0;
    for (let end = buffer.indexOf(10); end >= 0 && end < bytesRead; end = buffer.indexOf(10, from)) {
      const next = at + end + 1;
      if (key === null) key = Buffer.concat([...open, buffer.subarray(from, end)]).toString('utf8');
      else {
        index.set(key, { handle, at: lineAt, length: next - lineAt });
        key = null;
      }
      open = [];
      lineAt = next;
      from = end + 1;
    }
    // Collect the pieces of a key. For a line with facts, only the position of its end is required.
    if (key === null) open.push(Buffer.from(buffer.subarray(from, bytesRead)));
    at += bytesRead;
  }
}
