import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { extract as createExtract, type Header } from 'tar-stream';
import { type ZodType, z } from 'zod';
import { parseSecretKey } from '../../platform/secrets/index.ts';
import {
  BackupError,
  type BackupStream,
  backupFormat,
  backupHeader,
  backupManifest,
} from './backup-stream.ts';
import { archiveEntryNames } from './write-archive.ts';

type Entry = AsyncIterable<Buffer> & { header: Header };

/** Maximum size of the header and of the manifest. A database with a thousand tables needs less. */
const maxJsonBytes = 16 * 1_048_576;

/**
 * Reads a gzipped archive that `writeArchive` created. Only the header and the key are read before the parts
 * are requested.
 *
 * @param name Name of the file, for messages.
 * @throws BackupError if the file isn't a backup, was written by a newer version, or is corrupt. Reading the
 * parts can also throw it.
 */
export async function readArchive(file: Readable, name: string): Promise<BackupStream> {
  const entries = readEntries(file, name);
  const first = await entries.next();
  if (first.done || first.value.header.name !== archiveEntryNames.header)
    throw new BackupError(`${name} isn't a Pacekeeper backup.`);
  const headerJson = await readJson(first.value, name);
  // Parse only the two fields that every format has, because a newer format can change the others.
  const { data } = z.object({ format: z.int(), programVersion: z.string() }).safeParse(headerJson);
  if (data && data.format > backupFormat) {
    throw new BackupError(
      `${name} uses backup format ${data.format}; this version supports up to ${backupFormat}. ` +
        `Restore it with Pacekeeper ${data.programVersion} or later.`,
    );
  }
  const header = check(backupHeader, headerJson, name);
  const secretKey = header.hasSecretKey ? await readKey(entries, name) : null;
  return { header, secretKey, parts: readParts(entries, name) };
}

async function* readParts(entries: AsyncIterator<Entry>, name: string): BackupStream['parts'] {
  for (let next = await entries.next(); !next.done; next = await entries.next()) {
    const entry = next.value;
    if (entry.header.name === archiveEntryNames.manifest) {
      yield { type: 'manifest', manifest: check(backupManifest, await readJson(entry, name), name) };
      continue;
    }
    const [, table] = /^tables\/([^/]+)\/\d+\.copy$/.exec(entry.header.name) ?? [];
    if (table === undefined)
      throw corruptBackupError(name, `it contains ${JSON.stringify(entry.header.name)}`);
    for await (const bytes of contentOf(entry, name)) yield { type: 'rows', table, bytes };
  }
}

/** Yields the entries of the archive. The file is read only as fast as its entries are consumed. */
async function* readEntries(file: Readable, name: string): AsyncGenerator<Entry> {
  const gunzip = createGunzip();
  const extract = createExtract();
  file.on('error', (error) => gunzip.destroy(error));
  gunzip.on('error', (error) => extract.destroy(error));
  file.pipe(gunzip).pipe(extract);
  try {
    yield* extract as AsyncIterable<Entry>;
  } catch (error) {
    throw explain(error, name);
  } finally {
    file.destroy();
  }
}

/** Yields the bytes of an entry. Converts errors here too, because a corrupt file can fail at any point. */
async function* contentOf(entry: Entry, name: string): AsyncGenerator<Buffer> {
  try {
    yield* entry;
  } catch (error) {
    throw explain(error, name);
  }
}

function explain(error: unknown, name: string): BackupError {
  if (error instanceof BackupError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('E') && !code.startsWith('ERR_'))
    return new BackupError(`Can't read ${name} (${code}).`, error);
  const reason = error instanceof Error ? error.message : String(error);
  return /incorrect header check/.test(reason)
    ? new BackupError(`${name} isn't a Pacekeeper backup.`, error)
    : corruptBackupError(name, reason, error);
}

async function readKey(entries: AsyncIterator<Entry>, name: string): Promise<Buffer> {
  const next = await entries.next();
  if (next.done || next.value.header.name !== archiveEntryNames.secretKey)
    throw corruptBackupError(name, 'its key is missing');
  return parseSecretKey((await readAll(next.value, name)).toString('utf8'), `The key in ${name}`);
}

async function readJson(entry: Entry, name: string): Promise<unknown> {
  const text = (await readAll(entry, name)).toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw corruptBackupError(name, `its ${entry.header.name} isn't valid JSON`, error);
  }
}

async function readAll(entry: Entry, name: string): Promise<Buffer> {
  const size = entry.header.size ?? 0;
  if (size > maxJsonBytes) throw corruptBackupError(name, `its ${entry.header.name} has ${size} bytes`);
  return buffer(contentOf(entry, name));
}

function check<T>(schema: ZodType<T>, json: unknown, name: string): T {
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const [issue] = error.issues;
  throw corruptBackupError(name, `${issue?.path.join('.')}: ${issue?.message}`, error);
}

export function corruptBackupError(name: string, reason: string, cause?: unknown): BackupError {
  return new BackupError(`${name} is corrupt or incomplete (${reason}).`, cause);
}
