import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import type { Pairs } from './population-queries.ts';

interface MeasuredValues {
  readonly id: number;
  readonly libyears: number | null;
  readonly exposedSinceMs: number | null;
  readonly majors: number | null;
  readonly minors: number | null;
  readonly releases: number | null;
  readonly isKnown: boolean;
  readonly isEstimate: boolean;
  readonly isLowerBound: boolean;
}

/** Values of a measured pair that are written. */
export interface PairMeasurementRow extends MeasuredValues {
  readonly fingerprint: string;
  readonly deployedVersion: string;
  readonly latestVersion: string | null;
}

/** Values of a measured pair that are read for the summary. */
export interface StoredMeasurement extends MeasuredValues {
  readonly labels: Readonly<Record<string, string>>;
  readonly isWithinTarget: boolean | null;
}

/** Stores the measurements of pairs whose alert configurations still exist. */
export async function writeMeasurements(
  db: Database,
  organizationId: number,
  things: readonly PairMeasurementRow[],
): Promise<void> {
  if (things.length === 0) return;
  const column = <Value>(read: (thing: PairMeasurementRow) => Value) => things.map(read);
  await sql`
    INSERT INTO freshness_things (organization_id, alert_config_id, fingerprint, deployed_version, latest_version, libyears,
      exposed_since, majors, minors, releases, is_known, is_estimate, is_lower_bound)
    SELECT ${organizationId}, c.id, fingerprint, measured.deployed_version, measured.latest_version, libyears,
      to_timestamp(exposed_since_ms / 1000), majors, minors, releases, is_known, is_estimate,
      is_lower_bound
    FROM unnest(
      ${column(({ id }) => id)}::bigint[], ${column(({ fingerprint }) => fingerprint)}::text[],
      ${column(({ deployedVersion }) => deployedVersion)}::text[], ${column(({ latestVersion }) => latestVersion)}::text[],
      ${column(({ libyears }) => libyears)}::float8[], ${column(({ exposedSinceMs }) => exposedSinceMs)}::float8[],
      ${column(({ majors }) => majors)}::integer[], ${column(({ minors }) => minors)}::integer[],
      ${column(({ releases }) => releases)}::integer[], ${column(({ isKnown }) => isKnown)}::boolean[],
      ${column(({ isEstimate }) => isEstimate)}::boolean[], ${column(({ isLowerBound }) => isLowerBound)}::boolean[]
    ) AS measured (id, fingerprint, deployed_version, latest_version, libyears, exposed_since_ms, majors, minors, releases,
      is_known, is_estimate, is_lower_bound)
    JOIN alert_configs c ON c.organization_id = ${organizationId} AND c.id = measured.id
    ORDER BY c.id
    ON CONFLICT (organization_id, alert_config_id) DO UPDATE SET
      fingerprint = excluded.fingerprint, deployed_version = excluded.deployed_version,
      latest_version = excluded.latest_version, libyears = excluded.libyears, exposed_since = excluded.exposed_since,
      majors = excluded.majors, minors = excluded.minors, releases = excluded.releases, is_known = excluded.is_known,
      is_estimate = excluded.is_estimate, is_lower_bound = excluded.is_lower_bound`.execute(db);
}

/** Maximum number of measurements per statement, because an organization can have 100,000. */
const measurementBatchSize = 2_000;

/** Reads the stored measurements of all pairs in the order of their IDs. */
export async function readMeasurements(
  db: Database,
  organizationId: number,
  read: (thing: StoredMeasurement) => void,
): Promise<void> {
  for (let afterId = 0; ; ) {
    const { rows } = await sql<StoredMeasurement>`
      SELECT t.alert_config_id AS id, c.effective_labels AS labels, t.libyears,
        (extract(epoch FROM t.exposed_since) * 1000)::bigint AS "exposedSinceMs",
        t.majors, t.minors, t.releases, t.is_known AS "isKnown", t.is_estimate AS "isEstimate",
        t.is_lower_bound AS "isLowerBound", t.is_within_target AS "isWithinTarget"
      FROM freshness_things t
      JOIN alert_configs c ON c.organization_id = t.organization_id AND c.id = t.alert_config_id
      WHERE t.organization_id = ${organizationId} AND t.alert_config_id > ${afterId}
      ORDER BY t.alert_config_id LIMIT ${sql.lit(measurementBatchSize)}`.execute(db);
    rows.forEach(read);
    if (rows.length < measurementBatchSize) return;
    afterId = rows.at(-1)!.id;
  }
}

export async function storeTargetResults(
  db: Database,
  organizationId: number,
  changed: readonly { readonly id: number; readonly isWithinTarget: boolean | null }[],
): Promise<void> {
  for (let at = 0; at < changed.length; at += measurementBatchSize) {
    const some = changed.slice(at, at + measurementBatchSize);
    await sql`
      UPDATE freshness_things t SET is_within_target = changed.is_within_target
      FROM unnest(${some.map(({ id }) => id)}::bigint[],
        ${some.map(({ isWithinTarget }) => isWithinTarget)}::boolean[]) AS changed (id, is_within_target)
      WHERE t.organization_id = ${organizationId} AND t.alert_config_id = changed.id`.execute(db);
  }
}

/** Stores the labels of each pair that the stored days were computed with. */
export async function writeBackfilledLabels(
  db: Database,
  organizationId: number,
  { ids, labels }: Pairs,
): Promise<void> {
  for (let at = 0; at < ids.length; at += measurementBatchSize) {
    const texts = labels.slice(at, at + measurementBatchSize).map((each) => JSON.stringify(each));
    await sql`
      UPDATE freshness_things t SET filled_labels = pair.labels
      FROM unnest(${ids.slice(at, at + measurementBatchSize)}::bigint[], ${texts}::jsonb[]) AS pair (id, labels)
      WHERE t.organization_id = ${organizationId} AND t.alert_config_id = pair.id
        AND t.filled_labels IS DISTINCT FROM pair.labels`.execute(db);
  }
}
