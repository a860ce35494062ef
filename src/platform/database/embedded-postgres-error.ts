export type EmbeddedPostgresProblem =
  | 'already_running'
  | 'unsupported_platform'
  | 'folder_not_usable'
  | 'other_major_version'
  | 'disk_full'
  | 'not_started';

/** The embedded PostgreSQL can't run. The message contains the reason and a remedy for the operator. */
export class EmbeddedPostgresError extends Error {
  readonly problem: EmbeddedPostgresProblem;

  constructor(problem: EmbeddedPostgresProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddedPostgresError';
    this.problem = problem;
  }
}

/** Remedy that is appended if the embedded PostgreSQL can't run on this machine. */
export const externalServerRemedy = 'Or set DATABASE_URL to a PostgreSQL server (14 or later).';
