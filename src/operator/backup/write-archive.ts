import { pack as createPack, type Pack } from 'tar-stream';
import type { BackupStream } from './backup-stream.ts';

export const archiveNames = {
  header: 'backup.json',
  secretKey: 'secret-key',
  manifest: 'manifest.json',
  rows: (table: string, part: number) => `tables/${table}/${String(part).padStart(6, '0')}.copy`,
} as const;

/**
 * The bytes of a tar: `backup.json`, `secret-key` where there is one, `tables/NAME/000001.copy` and so on, and
 * `manifest.json` at its end. Every part is an entry of its own, since a tar has the size of an entry before its content.
 */
export async function* writeArchive({ header, secretKey, parts }: BackupStream): AsyncGenerator<Buffer> {
  const pack = createPack();
  const entry = (name: string, content: Buffer | string) => {
    pack.entry({ name, mtime: new Date(header.takenAt), mode: 0o600 }, content);
    return takeOut(pack);
  };
  yield* entry(archiveNames.header, json(header));
  if (secretKey) yield* entry(archiveNames.secretKey, `${secretKey.toString('base64')}\n`);
  const counts = new Map<string, number>();
  for await (const part of parts) {
    if (part.type === 'manifest') {
      yield* entry(archiveNames.manifest, json(part.manifest));
      continue;
    }
    const count = (counts.get(part.table) ?? 0) + 1;
    counts.set(part.table, count);
    yield* entry(archiveNames.rows(part.table, count), part.bytes);
  }
  pack.finalize();
  yield* takeOut(pack);
}

/** What is packed so far, so that no more than one part is in memory. */
function* takeOut(pack: Pack): Generator<Buffer> {
  for (let bytes = pack.read(); bytes !== null; bytes = pack.read()) yield bytes as Buffer;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
