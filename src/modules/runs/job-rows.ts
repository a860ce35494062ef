import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import { toApiTimestamp } from '../../platform/database/index.ts';
import type { JobTable } from './job-kind.ts';
import { lastRunSql, type RunJson, toJobStatus, toRun, waitingForSql } from './run-queries.ts';

/**
 * A job of the API as read from its table, which has the alias `jobs`. Times are dates, and the last run is
 * JSON. Fields that the API derives from them are missing.
 */
export type JobRow<Job> = {
  [Field in keyof Omit<Job, 'scope' | 'status' | 'waiting_until'>]: Field extends 'last_run'
    ? RunJson | null
    : Field extends `${string}_at`
      ? Date | Exclude<Job[Field], string>
      : Job[Field];
};

/**
 * Returns the columns that every job has and the columns that requests set.
 * @param fields Fields of the API request that creates a job.
 */
export function jobColumns<Field extends string>(fields: readonly Field[]) {
  return (['id', ...fields, 'created_at', 'updated_at', 'revision'] as const).map(
    (column) => `jobs.${column}` as const,
  );
}

/**
 * Returns the columns of a job's state: its next run, its last run, and the reason that its open run is
 * waiting.
 */
export function jobStateColumns(kind: JobTable) {
  return [
    sql<Date | null>`nullif(jobs.due_at, 'infinity')`.as('next_run_at'),
    lastRunSql(kind).as('last_run'),
    waitingForSql(kind).as('waiting_for'),
  ] as const;
}

/** Returns the values of a row after an update. Fields that the request omits keep their values. */
export function changedValues<Row extends object, Field extends keyof Row>(
  row: Row,
  fields: readonly Field[],
  changes: { [Each in Field]?: Row[Each] | undefined },
): Pick<Row, Field> {
  return Object.fromEntries(
    fields.map((field) => [field, changes[field] === undefined ? row[field] : changes[field]]),
  ) as Pick<Row, Field>;
}

type JobOf<Row> = {
  [Field in keyof Row]: Field extends 'last_run'
    ? Schemas['Run'] | null
    : Row[Field] extends Date
      ? string
      : Row[Field] extends Date | null
        ? string | null
        : Row[Field];
} & { status: Schemas['JobStatus']; waiting_until: string | null };

type WaitingRow = {
  waiting_for: Schemas['GatherJob']['waiting_for'];
  last_run: RunJson | null;
};

/**
 * Returns the time until which a job waits, or null if it doesn't wait for a time. The last run is the waiting one,
 * because a job has only one open run.
 */
function waitingUntil({ waiting_for, last_run }: WaitingRow): string | null {
  return (waiting_for === 'time' || waiting_for === 'host_limit') && last_run?.status === 'queued'
    ? toApiTimestamp(last_run.due_at)
    : null;
}

/** Converts a row to the job of the API. */
export function toJob<Row extends WaitingRow>(row: Row): JobOf<Row> {
  const job: Record<string, unknown> = {
    ...row,
    status: toJobStatus(row.last_run),
    waiting_until: waitingUntil(row),
    last_run: row.last_run && toRun(row.last_run),
  };
  // A page of jobs has a thousand fields in total. Creating a list of entries for each row would take three times as
  // long.
  for (const field of Object.keys(job)) {
    const value = job[field];
    if (value instanceof Date) job[field] = value.toISOString();
  }
  return job as JobOf<Row>;
}
