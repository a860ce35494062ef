import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** Fields of an OSV record that tests can set. */
export interface OsvTestRecord {
  readonly id: string;
  readonly package?: string;
  readonly ecosystem?: string;
  readonly introduced?: string;
  readonly fixed?: string;
  readonly severity?: string;
  readonly aliases?: readonly string[];
  readonly modified?: string;
  readonly published?: string;
  readonly withdrawn?: string;
}

export function osvRecord({
  id,
  package: name = 'nginx',
  ecosystem = 'Bitnami',
  introduced = '0',
  fixed,
  severity,
  aliases = [],
  modified = '2026-11-01T00:00:00Z',
  published,
  withdrawn,
}: OsvTestRecord): object {
  const events = [{ introduced }, ...(fixed === undefined ? [] : [{ fixed }])];
  return {
    schema_version: '1.6.2',
    id,
    aliases,
    modified,
    summary: `About ${id}`,
    ...(published !== undefined && { published }),
    ...(withdrawn !== undefined && { withdrawn }),
    ...(severity !== undefined && { database_specific: { severity } }),
    affected: [
      {
        package: {
          ecosystem,
          name,
        },
        ranges: [
          {
            type: 'SEMVER',
            events,
          },
        ],
      },
    ],
  };
}

/**
 * Writes the records as JSON Lines.
 * @returns The path of the file.
 */
export function writeOsvFile(records: readonly object[]): string {
  const file = path.join(temporaryFolder(), 'records.jsonl');
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

/** Returns the records as a single batch, in the form that `loadVulnerabilities` takes. */
export function osvBatches(records: readonly object[]): () => AsyncGenerator<readonly unknown[]> {
  return async function* batches() {
    yield records;
  };
}
