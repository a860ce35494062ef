import { EmbeddedPostgresError, otherwiseNameAServer } from './embedded-postgres-error.ts';

/** Turns what PostgreSQL or initdb wrote before it gave up into a message that says what to do. */
export function explainPostgresFailure(output: string, dataDir: string): EmbeddedPostgresError {
  for (const [pattern, problem, remedy] of knownFailures) {
    if (pattern.test(output)) return new EmbeddedPostgresError(problem, remedy(dataDir, telling(output)));
  }
  return new EmbeddedPostgresError(
    'not_started',
    `The embedded PostgreSQL did not start: ${telling(output)} (more in ${dataDir}/postgres.log). ${otherwiseNameAServer}`,
  );
}

/** Backends of a killed server are still ending. To be tried again shortly. */
export function isStillEnding(output: string): boolean {
  return /pre-existing shared memory block|is already in use by another|Is another postmaster/i.test(output);
}

const knownFailures: [RegExp, EmbeddedPostgresError['problem'], (dataDir: string, line: string) => string][] =
  [
    [
      /No space left on device|Disk quota exceeded/i,
      'disk_full',
      (dataDir) =>
        `The disk that holds ${dataDir} is full. Make room on it, then start Pacekeeper again; the data is unharmed.`,
    ],
    [
      /could not look up effective user ID/i,
      'folder_not_usable',
      () =>
        `PostgreSQL needs an entry in /etc/passwd for the user that it runs as (uid ${process.getuid?.()}). ` +
        `Start Pacekeeper as a user that has one. ${otherwiseNameAServer}`,
    ],
    [
      /Permission denied|Read-only file system|Operation not permitted/i,
      'folder_not_usable',
      (dataDir, line) =>
        `PostgreSQL cannot write its data in ${dataDir}: ${line}. Make the folder writable, or set PACEKEEPER_DATA_DIR.`,
    ],
    [
      /incompatible with server|was initialized by PostgreSQL version/i,
      'other_major_version',
      (dataDir, line) => `The database in ${dataDir} was made by another PostgreSQL: ${line}.`,
    ],
    [
      /Cannot allocate memory|could not (map|resize|create) shared memory/i,
      'not_started',
      (_, line) => `There is not enough memory for the embedded PostgreSQL: ${line}. It needs about 100 MB.`,
    ],
  ];

/** The last line that tells why; what follows it is farewell. */
function telling(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const reason =
    lines.findLast((line) => /\b(FATAL|PANIC|error|ERROR):/.test(line)) ?? lines.findLast(Boolean);
  return (reason ?? 'it wrote nothing').replace(/^.*?\b(FATAL|PANIC|ERROR|error):\s*/, '').replace(/\.$/, '');
}
