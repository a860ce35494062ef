import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** For tests: what an OSV record has. */
export interface OsvTestRecord {
  readonly id: string;
  readonly package?: string;
  readonly ecosystem?: string;
  readonly introduced?: string;
  readonly fixed?: string;
  readonly severity?: string;
  readonly aliases?: readonly string[];
  readonly modified?: string;
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
  withdrawn,
}: OsvTestRecord): object {
  const events = [{ introduced }, ...(fixed === undefined ? [] : [{ fixed }])];
  return {
    schema_version: '1.6.2',
    id,
    aliases,
    modified,
    summary: `About ${id}`,
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

/** JSON lines. @returns the path of the file */
export function writeOsvFile(records: readonly object[]): string {
  const file = path.join(temporaryFolder(), 'records.jsonl');
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

/** For `loadVulnerabilities`. */
export function osvBatches(records: readonly object[]): () => AsyncGenerator<readonly unknown[]> {
  return async function* batches() {
    yield records;
  };
}
