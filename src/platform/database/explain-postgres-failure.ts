import { EmbeddedPostgresError, externalServerRemedy } from './embedded-postgres-error.ts';

/** Converts the output of PostgreSQL or initdb before a failure to an error with a remedy. */
export function explainPostgresFailure(output: string, dataDir: string): EmbeddedPostgresError {
  for (const [pattern, problem, remedy] of knownFailures) {
    if (pattern.test(output)) return new EmbeddedPostgresError(problem, remedy(dataDir, reasonOf(output)));
  }
  return new EmbeddedPostgresError(
    'not_started',
    `The embedded PostgreSQL failed to start: ${reasonOf(output)} (see ${dataDir}/postgres.log). ${externalServerRemedy}`,
  );
}

/** True if processes of a killed server are still exiting. The caller retries shortly afterward. */
export function isStillExiting(output: string): boolean {
  return /pre-existing shared memory block|is already in use by another|Is another postmaster/i.test(output);
}

const knownFailures: [RegExp, EmbeddedPostgresError['problem'], (dataDir: string, line: string) => string][] =
  [
    [
      /No space left on device|Disk quota exceeded/i,
      'disk_full',
      (dataDir) =>
        `The disk that holds ${dataDir} is full. Free up space and restart Pacekeeper. Your data is safe.`,
    ],
    [
      /could not look up effective user ID/i,
      'folder_not_usable',
      () =>
        `PostgreSQL requires an /etc/passwd entry for its user (uid ${process.getuid?.()}). ` +
        `Run Pacekeeper as a user that has one. ${externalServerRemedy}`,
    ],
    [
      /Permission denied|Read-only file system|Operation not permitted/i,
      'folder_not_usable',
      (dataDir, line) =>
        `PostgreSQL can't write to ${dataDir}: ${line}. Make the directory writable or set PACEKEEPER_DATA_DIR.`,
    ],
    [
      /incompatible with server|was initialized by PostgreSQL version/i,
      'other_major_version',
      (dataDir, line) => `The database in ${dataDir} was created by a different PostgreSQL version: ${line}.`,
    ],
    [
      /Cannot allocate memory|could not (map|resize|create) shared memory/i,
      'not_started',
      (_, line) => `Not enough memory for the embedded PostgreSQL (about 100 MB required): ${line}.`,
    ],
  ];

/** Returns the last line that contains a reason. Later lines only report the shutdown. */
function reasonOf(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const reason =
    lines.findLast((line) => /\b(FATAL|PANIC|error|ERROR):/.test(line)) ?? lines.findLast(Boolean);
  return (reason ?? 'no output').replace(/^.*?\b(FATAL|PANIC|ERROR|error):\s*/, '').replace(/\.$/, '');
}
