export type EmbeddedPostgresProblem =
  | 'already_running'
  | 'unsupported_platform'
  | 'folder_not_usable'
  | 'other_major_version'
  | 'disk_full'
  | 'not_started';

/** Why the embedded PostgreSQL cannot run. The message is for the operator and says what to do. */
export class EmbeddedPostgresError extends Error {
  readonly problem: EmbeddedPostgresProblem;

  constructor(problem: EmbeddedPostgresProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddedPostgresError';
    this.problem = problem;
  }
}

/** Appended where the embedded PostgreSQL cannot be made to work. */
export const otherwiseNameAServer = 'Or set DATABASE_URL to a PostgreSQL server (14 or later).';
