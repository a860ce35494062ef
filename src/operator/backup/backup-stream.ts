import { z } from 'zod';

/**
 * The state of an installation at one moment, as it streams from a database or a file into a file or a database:
 * the *header* says what it is before anything of it is used, the *rows* follow table by table, and the *manifest* at
 * its end says what there should have been. Whatever is cut off lacks the manifest.
 */
export interface BackupStream {
  header: BackupHeader;
  /** The key that the secrets are sealed with, where the backup carries it. */
  secretKey: Buffer | null;
  parts: AsyncIterable<RowsPart | ManifestPart>;
}

/** Some rows of a table, in the text format of `COPY`. Those of a table come one after another. */
export interface RowsPart {
  type: 'rows';
  table: string;
  bytes: Buffer;
}

/** The last part. */
export interface ManifestPart {
  type: 'manifest';
  manifest: BackupManifest;
}

/** Raised whenever an earlier version could not read what this one writes. */
export const backupFormat = 1;

const table = z.object({ name: z.string(), columns: z.array(z.string()).min(1) });

export const backupHeader = z.object({
  format: z.literal(backupFormat),
  programVersion: z.string(),
  postgresVersion: z.string(),
  /** By the clock of the database. */
  takenAt: z.iso.datetime(),
  /** What was applied to the database, in order. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  secretKeyFingerprint: z.string(),
  hasSecretKey: z.boolean(),
  tables: z.array(table).min(1),
});

export const backupManifest = backupHeader.extend({
  tables: z
    .array(table.extend({ rows: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
    .min(1),
  /** Text, since they may be above 2^53. */
  sequences: z.array(
    z.object({ name: z.string(), lastValue: z.string().regex(/^\d+$/), isCalled: z.boolean() }),
  ),
});

export type BackupHeader = z.output<typeof backupHeader>;
export type BackupManifest = z.output<typeof backupManifest>;

/** It cannot be taken, read or restored. The message is a sentence for the operator. */
export class BackupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BackupError';
  }
}

/** What the manifest repeats of the header. */
export function headerOf(manifest: BackupManifest): BackupHeader {
  return backupHeader.parse(manifest);
}

export function rowCount({ tables }: BackupManifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}
