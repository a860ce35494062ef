import { z } from 'zod';

/**
 * State of an installation at one point in time, as a stream. Its source and its destination are each a database or a
 * file. The *header* describes the backup before any other part is used, the *rows* follow table by table, and the
 * *manifest* at the end lists the expected content. A truncated stream has no manifest.
 */
export interface BackupStream {
  header: BackupHeader;
  /** Key that encrypts the secrets. `null` if the backup doesn't contain it. */
  secretKey: Buffer | null;
  parts: AsyncIterable<RowsPart | ManifestPart>;
}

/** Some rows of a table, in the text format of `COPY`. All rows of a table are in consecutive parts. */
export interface RowsPart {
  type: 'rows';
  table: string;
  bytes: Buffer;
}

/** Last part of the stream. */
export interface ManifestPart {
  type: 'manifest';
  manifest: BackupManifest;
}

/**
 * Version of the backup format. Increase it when earlier versions of Pacekeeper can't read the new format.
 */
export const backupFormat = 1;

const table = z.object({ name: z.string(), columns: z.array(z.string()).min(1) });

export const backupHeader = z.object({
  format: z.literal(backupFormat),
  programVersion: z.string(),
  postgresVersion: z.string(),
  /** Time of the snapshot according to the database clock. */
  takenAt: z.iso.datetime(),
  /** Migrations that were applied to the database, in order. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  secretKeyFingerprint: z.string(),
  hasSecretKey: z.boolean(),
  tables: z.array(table).min(1),
});

export const backupManifest = backupHeader.extend({
  tables: z
    .array(table.extend({ rows: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
    .min(1),
  /** Sequence values are strings, because they can exceed 2^53. */
  sequences: z.array(
    z.object({ name: z.string(), lastValue: z.string().regex(/^\d+$/), isCalled: z.boolean() }),
  ),
});

export type BackupHeader = z.output<typeof backupHeader>;
export type BackupManifest = z.output<typeof backupManifest>;

/** A backup can't be taken, read, or restored. The message is a sentence for the operator. */
export class BackupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BackupError';
  }
}

/** Returns the header fields that the manifest repeats. */
export function headerOf(manifest: BackupManifest): BackupHeader {
  return backupHeader.parse(manifest);
}

export function rowCount({ tables }: BackupManifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}
