import { sql } from 'kysely';
import { freshnessMetricNames } from '../../domain/freshness/freshness-metrics.ts';
import { type Database, isDatabaseUnavailable } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import type { SettingKey } from '../settings/index.ts';

/** Maximum number of organizations in the whole installation. Each organization has nine series. */
const maxOrganizations = 1_000;

const optIn = 'metrics.alert_configs' satisfies SettingKey;

type Row = Record<(typeof freshnessMetricNames)[number], number[]> & {
  name: string;
  things: number;
  unknown: number;
  targeted: number;
  within_target: number;
};

const counts = {
  things: 'Deployed versions whose freshness is measured.',
  unknown: 'Deployed versions whose freshness is unknown.',
  targeted: 'Deployed versions with a freshness target.',
  within_target: 'Deployed versions within all of their freshness targets.',
} as const;

/**
 * Returns the last measured freshness of organizations that opted in to metrics. Returns an empty string
 * while the database is unavailable.
 */
export async function freshnessMetricsText(db: Database): Promise<string> {
  let rows: Row[];
  try {
    rows = await listLatestPointsAcrossOrganizations(db);
  } catch (error) {
    if (isDatabaseUnavailable(error)) return '';
    throw error;
  }
  const families = [
    ...Object.entries(counts).map(([name, help]) =>
      family(name, help, rows, (row) => row[name as keyof typeof counts]),
    ),
    ...freshnessMetricNames.map((name) =>
      family(
        name,
        `Sum of ${name.replace('_', ' ')} of all deployed versions.`,
        rows,
        (row) => row[name][1] ?? 0,
      ),
    ),
  ];
  return families.join('\n');
}

function family(name: string, help: string, rows: readonly Row[], valueOf: (row: Row) => number): string {
  const metric = `pacekeeper_freshness_${name}`;
  const samples = rows.map((row) => `${metric}{organization="${escapeValue(row.name)}"} ${valueOf(row)}\n`);
  return `# HELP ${metric} ${help}\n# TYPE ${metric} gauge\n${samples.join('')}`;
}

/** Escapes a label value for the Prometheus text format. */
function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

async function listLatestPointsAcrossOrganizations(db: Database): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT o.name, p.*
    FROM organizations o
    CROSS JOIN LATERAL (
      SELECT things, unknown, targeted, within_target, ${sql.join(freshnessMetricNames.map((name) => sql.ref(name)))}
      FROM freshness_points
      WHERE organization_id = o.id AND grouping = 'all' AND group_key = '' AND group_value = ''
        AND day >= (pacekeeper_now() AT TIME ZONE 'UTC')::date - 1
      ORDER BY day DESC LIMIT 1
    ) AS p
    WHERE coalesce(
      (SELECT value FROM settings WHERE organization_id = o.id AND key = ${optIn}),
      (SELECT value FROM settings WHERE organization_id = ${systemOrganizationId} AND key = ${optIn})) = 'true'
    ORDER BY o.id LIMIT ${sql.lit(maxOrganizations)}`.execute(db);
  return rows;
}
