import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { parseRecordLine } from '../../domain/vulnerabilities/read-vulnerability.ts';
import { unreadableFile } from './unreadable-file.ts';

const recordsPerBatch = 500;
/** Maximum size of one record. Real records have at most a tenth of this size. */
const maxRecordBytes = 2_000_000;

/**
 * Yields the records of a file in batches, so that large files need little memory. The file is an OSV ZIP
 * file with one JSON file per record, or JSON lines.
 */
export async function* readOsvFile(file: string): AsyncGenerator<unknown[], void, undefined> {
  const records = (await isZip(file)) ? readZip(file) : readLines(file);
  let batch: unknown[] = [];
  try {
    for await (const text of records) {
      batch.push(parseRecordLine(text));
      if (batch.length < recordsPerBatch) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    throw unreadableFile(file, error);
  }
  yield batch;
}

async function isZip(file: string): Promise<boolean> {
  try {
    const handle = await open(file);
    try {
      const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
      return buffer.toString('latin1') === 'PK';
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unreadableFile(file, error);
  }
}

async function* readLines(file: string): AsyncGenerator<string, void, undefined> {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
  for await (const line of lines) if (line !== '') yield line;
}

async function* readZip(file: string): AsyncGenerator<string, void, undefined> {
  const zip = await yauzl.openPromise(file);
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('.json')) continue;
      if (entry.uncompressedSize > maxRecordBytes) throw new Error(`${entry.fileName} is too large`);
      yield await readText(await zip.openReadStreamPromise(entry));
    }
  } finally {
    zip.close();
  }
}

/** Reads an entry as text. The ZIP library checks that the content isn't larger than the entry declares. */
async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
