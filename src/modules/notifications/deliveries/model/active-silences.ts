import { sql } from 'kysely';
import { createSilenceFinder, type FindSilence, type Silence } from '../../../../domain/routing/silence.ts';
import type { AlertSeverity } from '../../../../domain/rules/severity.ts';
import type { Schemas } from '../../../../generated/client-api.ts';
import type { Database, Tx } from '../../../../platform/database/index.ts';

/** Silences of an organization that are active at `nowMs`, for one batch of alerts. */
export interface ActiveSilences {
  findSilence: FindSilence;
  nowMs: number;
}

/** Columns of a `Silence`. */
export const silenceColumns = sql`id, label_matchers AS "labelMatchers", rule_ids AS "ruleIds", severities, reason,
  (extract(epoch FROM starts_at) * 1000)::float8 AS "startsAtMs",
  (extract(epoch FROM ends_at) * 1000)::float8 AS "endsAtMs"`;
export const isActiveSilence = sql<boolean>`ends_at > pacekeeper_now() AND starts_at <= pacekeeper_now()`;

export async function readActiveSilences(db: Database | Tx, organizationId: number): Promise<ActiveSilences> {
  const { rows } = await sql<{ silences: Silence[]; now: Date }>`
    SELECT pacekeeper_now() AS now, coalesce((
      SELECT jsonb_agg(to_jsonb(active)) FROM (
        SELECT ${silenceColumns} FROM silences WHERE organization_id = ${organizationId} AND ${isActiveSilence}
      ) AS active), '[]') AS silences`.execute(db);
  const { silences, now } = rows[0]!;
  return { findSilence: createSilenceFinder(silences, now.getTime()), nowMs: now.getTime() };
}

/** Fields of an alert that silences match. */
interface SilencedAlert {
  severity: AlertSeverity;
  rule_id: number;
  labels: Readonly<Record<string, string>>;
}

/** Returns the active silence that matches an open alert, in the format of the API. */
export function toAlertSilence(
  { findSilence }: ActiveSilences,
  { severity, rule_id, labels }: SilencedAlert,
): Schemas['AlertSilence'] | null {
  const found = findSilence({ severity, ruleId: rule_id, labels });
  return found && { id: found.id, reason: found.reason, ends_at: new Date(found.endsAtMs).toISOString() };
}
