import { type RawBuilder, sql } from 'kysely';
import {
  type ProblemEventType,
  type ProblemResolution,
  recoveryEvents,
} from '../../../../domain/routing/notification-event.ts';
import type { Tx } from '../../../../platform/database/index.ts';
import type { ServiceEvent } from '../model/stored-events.ts';
import { planServiceEvent } from './plan-service-event.ts';

/** A reported problem that is over. */
export interface EndedProblem {
  organizationId: number;
  key: string;
  subjectOrganizationId: number;
  subjectId: number;
  resolution: ProblemResolution;
  /** Data of the subject that has changed since the report. */
  changes: Readonly<Record<string, unknown>>;
}

/** Conditions on the subject of a problem, with the alias `s`. */
export interface ProblemEnd {
  type: ProblemEventType;
  /** Kind and table of the subject. */
  subjectKind: string;
  table: string;
  /** True if the problem itself is over. */
  isOver: RawBuilder<boolean>;
  /**
   * True if something succeeded since the problem began. Otherwise, a change to the subject ended the
   * problem.
   */
  hasRecovered?: RawBuilder<boolean>;
  /** True if the problem is no longer watched. */
  isDisabled?: RawBuilder<boolean>;
  /** JSON object with the data that has changed since the report. */
  changes?: RawBuilder<unknown>;
}

/** Locks and returns the reported problems of a kind that are over. See `findEndedProblems`. */
export function lockEndedProblems(
  tx: Tx,
  organizationId: number | null,
  end: ProblemEnd,
  limit: number,
): Promise<EndedProblem[]> {
  return findEndedProblems(tx, organizationId, end, limit, sql`FOR UPDATE OF t SKIP LOCKED`);
}

/**
 * Returns the reported problems of a kind that are over, because their subject recovered, was disabled, or was deleted.
 *
 * @param organizationId Organization that got the reports, or `null` for all.
 */
export async function findEndedProblems(
  tx: Tx,
  organizationId: number | null,
  end: ProblemEnd,
  limit: number,
  lock: RawBuilder<unknown> = sql``,
): Promise<EndedProblem[]> {
  const {
    type,
    subjectKind,
    table,
    isOver,
    hasRecovered = sql`true`,
    isDisabled = sql`false`,
    changes = sql`'{}'::jsonb`,
  } = end;
  const { rows } = await sql<EndedProblem>`
    SELECT t.organization_id AS "organizationId", t.key,
      t.subject_organization_id AS "subjectOrganizationId", t.subject_id AS "subjectId",
      CASE WHEN s.id IS NULL THEN 'deleted' WHEN ${isDisabled} THEN 'disabled'
        WHEN ${hasRecovered} THEN 'recovered' ELSE 'reconfigured' END AS resolution,
      CASE WHEN s.id IS NULL THEN '{}' ELSE ${changes} END AS changes
    FROM reported_troubles t
    LEFT JOIN ${sql.table(table)} s ON s.organization_id = t.subject_organization_id AND s.id = t.subject_id
    WHERE t.event_type = ${type} AND t.subject_kind = ${subjectKind}
      AND ${organizationId === null ? sql`true` : sql`t.organization_id = ${organizationId}`}
      AND (s.id IS NULL OR ${isDisabled} OR ${isOver})
    ORDER BY t.organization_id, t.key LIMIT ${limit} ${lock}`.execute(tx);
  return rows;
}

/**
 * Reports the end of a problem to the channels that received its report, and to the channels of notification
 * rules that list the event. Does nothing if the problem wasn't reported.
 */
export async function endProblem(
  tx: Tx,
  { organizationId, key, resolution, changes }: Omit<EndedProblem, 'subjectId' | 'subjectOrganizationId'>,
): Promise<void> {
  const { rows } = await sql<StoredReport>`
    DELETE FROM reported_troubles WHERE organization_id = ${organizationId} AND key = ${key}
    RETURNING event_type AS type, data, channel_ids AS "channelIds", is_mailed AS "isMailed"`.execute(tx);
  const [report] = rows;
  if (report === undefined) return;
  const event = toRecovery(report, { ...changes, resolution });
  await planServiceEvent(tx, organizationId, event, report);
}

/** Returns the event about the end of a problem, which has the same subject as the report. */
function toRecovery({ type, data }: StoredReport, changes: { resolution: ProblemResolution }): ServiceEvent {
  switch (type) {
    case 'job.failing':
      return { type: recoveryEvents[type], data: { job: { ...data.job, ...changes } } };
    case 'agent.offline':
      return { type: recoveryEvents[type], data: { agent: { ...data.agent, ...changes } } };
    case 'login_provider.failing':
      return { type: recoveryEvents[type], data: { provider: { ...data.provider, ...changes } } };
    case 'target.missed':
      return { type: recoveryEvents[type], data: { target: { ...data.target, ...changes } } };
    case 'channel.disabled':
    case 'channel.failing':
    case 'delivery.failed':
      return { type: recoveryEvents[type], data: { channel: { ...data.channel, ...changes } } };
  }
}

/** Converts a time to the format that the data of events has. */
export function isoTime(time: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Data of the events of a type. */
type DataOf<Type, Event> = Event extends { type: infer Types; data: infer Data }
  ? Type extends Types
    ? Data
    : never
  : never;

type StoredReport = {
  [Type in ProblemEventType]: { type: Type; data: DataOf<Type, ServiceEvent> };
}[ProblemEventType] & {
  channelIds: number[];
  isMailed: boolean;
};
