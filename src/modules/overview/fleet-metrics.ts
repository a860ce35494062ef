import { type Database, isDatabaseUnavailable } from '../../platform/database/index.ts';
import { type FleetRow, listFleetAcrossOrganizations } from './fleet-metrics-queries.ts';

/** In all organizations together: each is two series, which somebody has to keep. */
const shownConfigs = 10_000;

/**
 * What organizations that want it tell of their alert configurations: how far behind each one is, and what runs where.
 * Nothing while the database is away. The text is written directly: a registry would hold every label of every series
 * to forget them at once, which takes five times as long.
 */
export async function fleetMetricsText(db: Database, limit = shownConfigs): Promise<string> {
  let rows: FleetRow[];
  try {
    rows = await listFleetAcrossOrganizations(db, limit);
  } catch (error) {
    if (isDatabaseUnavailable(error)) return '';
    throw error;
  }
  const labelNames = labelNamesByOrganization(rows);
  let behind = metric(
    'pacekeeper_alert_config_behind',
    'Lag in days, majors, or minors, depending on rule_type. Absent if unknown.',
  );
  let info = metric(
    'pacekeeper_alert_config_info',
    'Deployed and latest versions by alert configuration. Always 1.',
  );
  for (const row of rows) {
    let labels = `organization="${escapeValue(row.organization_name)}",alert_config_id="${row.id}"`;
    labels += `,alert_config="${escapeValue(row.name)}",rule_type="${row.rule_type}"`;
    for (const [key, name] of labelNames.get(row.organization_id)!) {
      const value = row.labels[key];
      if (value !== undefined) labels += `,${name}="${escapeValue(value)}"`;
    }
    if (row.behind_by !== null) behind += `pacekeeper_alert_config_behind{${labels}} ${row.behind_by}\n`;
    labels += `,deployed="${escapeValue(row.deployed_version ?? '')}",latest="${escapeValue(row.latest_version ?? '')}"`;
    labels += `,latest_stable="${escapeValue(row.latest_stable_version ?? '')}"`;
    labels += `,state="${row.state}",severity="${row.severity ?? 'none'}"`;
    info += `pacekeeper_alert_config_info{${labels}} 1\n`;
  }
  const leftOut = metric(
    'pacekeeper_alert_configs_left_out',
    `Alert configurations not exported because of the ${limit} limit.`,
  );
  return `${behind}\n${info}\n${leftOut}pacekeeper_alert_configs_left_out ${(rows[0]?.total ?? 0) - rows.length}\n`;
}

function metric(name: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;
}

/** What Prometheus reads as the value that it was. */
function escapeValue(value: string): string {
  if (!/[\\\n"]/.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

/** For each organization, by the key of a label, how it is called here. */
function labelNamesByOrganization(rows: readonly FleetRow[]): Map<number, ReadonlyMap<string, string>> {
  const names = new Map<number, ReadonlyMap<string, string>>();
  for (const { organization_id, label_keys } of rows) {
    if (!names.has(organization_id)) names.set(organization_id, prometheusNames(label_keys));
  }
  return names;
}

/** `team` → `label_team`. Prometheus knows letters, digits and `_`; of two keys that become the same, the later is numbered. */
function prometheusNames(keys: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const key of keys) {
    const plain = `label_${key.replaceAll(/[^A-Za-z0-9_]/g, '_')}`;
    let name = plain;
    for (let count = 2; taken.has(name); count++) name = `${plain}_${count}`;
    names.set(key, name);
    taken.add(name);
  }
  return names;
}
