import { sql } from 'kysely';
import type { FreshnessGroup } from '../../../domain/freshness/freshness-groups.ts';
import { type FreshnessMetric, freshnessMetricNames } from '../../../domain/freshness/freshness-metrics.ts';
import type { FreshnessSummary } from '../../../domain/freshness/summarize-freshness.ts';
import { type Database, type Tx, transaction } from '../../../platform/database/index.ts';

interface PointRow {
  readonly group: FreshnessGroup;
  readonly day: number;
  readonly summary: FreshnessSummary;
}

const writtenAtOnce = 2_000;

/**
 * Replaces the points of some days. Days without deployed versions have no points. Two servers that compute
 * the same days produce the same points, so concurrent writes are harmless.
 *
 * @param summaries one list per day, in the order of the groups
 */
export async function writePoints(
  db: Database,
  organizationId: number,
  days: { readonly fromDay: number; readonly toDay: number; readonly groups: readonly FreshnessGroup[] },
  summaries: readonly (readonly FreshnessSummary[])[],
): Promise<void> {
  const rows: PointRow[] = [];
  for (const [index, ofDay] of summaries.entries()) {
    for (const [place, summary] of ofDay.entries()) {
      if (summary.things > 0) rows.push({ group: days.groups[place]!, day: days.fromDay + index, summary });
    }
  }
  await transaction(db, async (tx) => {
    await sql`
      DELETE FROM freshness_points WHERE organization_id = ${organizationId}
        AND day BETWEEN date '1970-01-01' + ${days.fromDay}::integer AND date '1970-01-01' + ${days.toDay}::integer`.execute(
      tx,
    );
    for (let at = 0; at < rows.length; at += writtenAtOnce) {
      await insertPoints(tx, organizationId, rows.slice(at, at + writtenAtOnce));
    }
  });
}

async function insertPoints(tx: Tx, organizationId: number, rows: readonly PointRow[]): Promise<void> {
  const column = <Value>(read: (row: PointRow) => Value) => rows.map(read);
  const count = (read: (summary: FreshnessSummary) => number) =>
    sql`${column(({ summary }) => read(summary))}::integer[]`;
  // Send each array as text, because PostgreSQL would read an array of number arrays as one two-dimensional
  // array.
  const metrics = freshnessMetricNames.map(
    (name) => sql`${column(({ summary }) => toArray(summary, name))}::text[]`,
  );
  const columns = sql.join(freshnessMetricNames.map((name) => sql.ref(name)));
  await sql`
    INSERT INTO freshness_points (organization_id, grouping, group_key, group_value, day, things, unknown, estimated,
      targeted, within_target, ${columns})
    SELECT ${organizationId}, grouping, group_key, group_value, date '1970-01-01' + day, things, unknown, estimated,
      targeted, within_target, ${sql.join(freshnessMetricNames.map((name) => sql`${sql.ref(name)}::float8[]`))}
    FROM unnest(
      ${column(({ group }) => group.grouping)}::text[], ${column(({ group }) => group.key)}::text[],
      ${column(({ group }) => group.value)}::text[], ${column(({ day }) => day)}::integer[],
      ${count(({ things }) => things)}, ${count(({ unknown }) => unknown)}, ${count(({ estimated }) => estimated)},
      ${count(({ targeted }) => targeted)}, ${count(({ withinTarget }) => withinTarget)}, ${sql.join(metrics)}
    ) AS point (grouping, group_key, group_value, day, things, unknown, estimated, targeted, within_target, ${columns})
    ON CONFLICT DO NOTHING`.execute(tx);
}

function toArray({ metrics }: FreshnessSummary, name: FreshnessMetric): string {
  const { known, sum, median, p90 } = metrics[name];
  return `{${known},${sum},${median},${p90}}`;
}

/**
 * Deletes the points of labels and targets that are no longer computed, and the points of days that are too
 * old.
 */
export async function deleteOldPoints(
  db: Database,
  organizationId: number,
  {
    labelKeys,
    targetIds,
    beforeDay,
  }: {
    labelKeys: readonly string[];
    targetIds: readonly number[];
    beforeDay: number;
  },
): Promise<void> {
  await sql`
    DELETE FROM freshness_points WHERE organization_id = ${organizationId} AND (
      day < date '1970-01-01' + ${beforeDay}::integer
      OR (grouping = 'label' AND group_key <> ALL(${labelKeys}::text[]))
      OR (grouping = 'target' AND group_value <> ALL(${targetIds.map(String)}::text[])))`.execute(db);
}
