import { pack as createPack, type Pack } from 'tar-stream';
import type { BackupStream } from './backup-stream.ts';

export const archiveEntryNames = {
  header: 'backup.json',
  secretKey: 'secret-key',
  manifest: 'manifest.json',
  rows: (table: string, part: number) => `tables/${table}/${String(part).padStart(6, '0')}.copy`,
} as const;

/**
 * Yields the bytes of a tar archive: `backup.json`, `secret-key` if the backup contains it,
 * `tables/NAME/000001.copy` and so on, and `manifest.json` at the end. Every part is a separate entry,
 * because tar stores the size of an entry before its content.
 */
export async function* writeArchive({ header, secretKey, parts }: BackupStream): AsyncGenerator<Buffer> {
  const pack = createPack();
  const entry = (name: string, content: Buffer | string) => {
    pack.entry({ name, mtime: new Date(header.takenAt), mode: 0o600 }, content);
    return drain(pack);
  };
  yield* entry(archiveEntryNames.header, json(header));
  if (secretKey) yield* entry(archiveEntryNames.secretKey, `${secretKey.toString('base64')}\n`);
  const counts = new Map<string, number>();
  for await (const part of parts) {
    if (part.type === 'manifest') {
      yield* entry(archiveEntryNames.manifest, json(part.manifest));
      continue;
    }
    const count = (counts.get(part.table) ?? 0) + 1;
    counts.set(part.table, count);
    yield* entry(archiveEntryNames.rows(part.table, count), part.bytes);
  }
  pack.finalize();
  yield* drain(pack);
}

/** Yields the bytes that have been packed, so that memory contains no more than one part. */
function* drain(pack: Pack): Generator<Buffer> {
  for (let bytes = pack.read(); bytes !== null; bytes = pack.read()) yield bytes as Buffer;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
