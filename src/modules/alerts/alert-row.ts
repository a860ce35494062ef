import { type RawBuilder, sql } from 'kysely';
import type { AlertState } from '../../domain/alerts/open-alert.ts';
import { type Actor, actorOf } from '../../domain/audit/actor.ts';
import type { AlertResolution } from '../../domain/routing/notification-event.ts';
import type { AlertReason } from '../../domain/rules/rule-type.ts';
import type { AlertSeverity } from '../../domain/rules/severity.ts';

/**
 * Fields of an alert that decisions are based on, as PostgreSQL returns them within a JSON value. Timestamps
 * are strings.
 */
export interface OpenAlertRow {
  id: number;
  severity: AlertSeverity;
  reason: AlertReason;
  discovered_version: string;
  latest_version: string | null;
  release_url: string | null;
  behind_by: number | null;
  behind_since: string | null;
  ends_at: string | null;
  crossed_at: string | null;
  is_estimate: boolean;
  acknowledged_at: string | null;
  acknowledged_by_type: Actor['type'] | null;
  acknowledged_by_id: number | null;
  acknowledged_by_name: string | null;
  escalated_at: string | null;
  snoozed_until: string | null;
  is_snoozed_until_version_changes: boolean;
  resolved_at: string | null;
  resolved_by_type: Actor['type'] | null;
  resolved_by_id: number | null;
  resolved_by_name: string | null;
  resolution: AlertResolution | null;
  last_sequence: number;
  last_notified_at: string | null;
}

const decisionColumns: readonly (keyof OpenAlertRow)[] = [
  'id',
  'severity',
  'reason',
  'discovered_version',
  'latest_version',
  'release_url',
  'behind_by',
  'behind_since',
  'ends_at',
  'crossed_at',
  'is_estimate',
  'acknowledged_at',
  'acknowledged_by_type',
  'acknowledged_by_id',
  'acknowledged_by_name',
  'escalated_at',
  'snoozed_until',
  'is_snoozed_until_version_changes',
  'resolved_at',
  'resolved_by_type',
  'resolved_by_id',
  'resolved_by_name',
  'resolution',
  'last_sequence',
  'last_notified_at',
];

/** Selects an `OpenAlertRow` from the `alerts` table with this alias as one JSON value. */
export function openAlertColumns(alias: string): RawBuilder<OpenAlertRow> {
  const members = decisionColumns.flatMap((column) => [sql.lit(column), sql.ref(`${alias}.${column}`)]);
  return sql<OpenAlertRow>`jsonb_build_object(${sql.join(members)})`;
}

export function toAlertState(row: OpenAlertRow): AlertState {
  return {
    severity: row.severity,
    reason: row.reason,
    discoveredVersion: row.discovered_version,
    latestVersion: row.latest_version,
    releaseUrl: row.release_url,
    behindBy: row.behind_by,
    behindSinceMs: toMs(row.behind_since),
    endsAtMs: toMs(row.ends_at),
    crossedAtMs: toMs(row.crossed_at),
    isEstimate: row.is_estimate,
    acknowledgedAtMs: toMs(row.acknowledged_at),
    acknowledgedBy: actorOf(row.acknowledged_by_type, row.acknowledged_by_id, row.acknowledged_by_name),
    escalatedAtMs: toMs(row.escalated_at),
    snoozedUntilMs: toMs(row.snoozed_until),
    isSnoozedUntilVersionChanges: row.is_snoozed_until_version_changes,
    resolvedAtMs: toMs(row.resolved_at),
    resolvedBy: actorOf(row.resolved_by_type, row.resolved_by_id, row.resolved_by_name),
    resolution: row.resolution,
  };
}

/** Converts an alert's state to its columns, for a JSON value that PostgreSQL reads. */
export function toAlertColumns(state: AlertState) {
  return {
    severity: state.severity,
    reason: state.reason,
    discovered_version: state.discoveredVersion,
    latest_version: state.latestVersion,
    release_url: state.releaseUrl,
    behind_by: state.behindBy,
    behind_since: toInstant(state.behindSinceMs),
    ends_at: toInstant(state.endsAtMs),
    crossed_at: toInstant(state.crossedAtMs),
    is_estimate: state.isEstimate,
    acknowledged_at: toInstant(state.acknowledgedAtMs),
    acknowledged_by_type: state.acknowledgedBy?.type ?? null,
    acknowledged_by_id: state.acknowledgedBy?.id ?? null,
    acknowledged_by_name: state.acknowledgedBy?.name ?? null,
    escalated_at: toInstant(state.escalatedAtMs),
    snoozed_until: toInstant(state.snoozedUntilMs),
    is_snoozed_until_version_changes: state.isSnoozedUntilVersionChanges,
    resolved_at: toInstant(state.resolvedAtMs),
    resolved_by_type: state.resolvedBy?.type ?? null,
    resolved_by_id: state.resolvedBy?.id ?? null,
    resolved_by_name: state.resolvedBy?.name ?? null,
    resolution: state.resolution,
  };
}

function toMs(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function toInstant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
