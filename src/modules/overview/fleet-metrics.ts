import { Gauge, Registry } from 'prom-client';
import { type Database, isDatabaseUnavailable } from '../../platform/database/index.ts';
import { type FleetRow, listFleetAcrossOrganizations } from './fleet-metrics-queries.ts';

/** In all organizations together: each is two series, which somebody has to keep. */
const shownConfigs = 10_000;

/**
 * What organizations that want it tell of their alert configurations: how far behind each one is, and what runs where.
 * Nothing while the database is away. The names of the labels are what the organizations have chosen, so that each time
 * has a registry of its own.
 */
export async function fleetMetricsText(db: Database, limit = shownConfigs): Promise<string> {
  let rows: FleetRow[];
  try {
    rows = await listFleetAcrossOrganizations(db, limit);
  } catch (error) {
    if (isDatabaseUnavailable(error)) return '';
    throw error;
  }
  const registers = [new Registry()];
  const labelNames = labelNamesByOrganization(rows);
  const chosen = new Set([...labelNames.values()].flatMap((names) => [...names.values()]));
  const identity = ['organization', 'alert_config_id', 'alert_config', 'rule_type', ...chosen];
  const behind = new Gauge({
    name: 'pacekeeper_alert_config_behind',
    help: 'Lag in days, majors, or minors, depending on rule_type. Absent if unknown.',
    labelNames: identity,
    registers,
  });
  const info = new Gauge({
    name: 'pacekeeper_alert_config_info',
    help: 'Deployed and latest versions by alert configuration. Always 1.',
    labelNames: [...identity, 'deployed', 'latest', 'latest_stable', 'state', 'severity'],
    registers,
  });
  const leftOut = new Gauge({
    name: 'pacekeeper_alert_configs_left_out',
    help: `Alert configurations not exported because of the ${limit} limit.`,
    registers,
  });
  for (const row of rows) {
    const labels: Record<string, string | number> = {
      organization: row.organization_name,
      alert_config_id: row.id,
      alert_config: row.name,
      rule_type: row.rule_type,
    };
    for (const [key, name] of labelNames.get(row.organization_id)!) {
      const value = row.labels[key];
      if (value !== undefined) labels[name] = value;
    }
    if (row.behind_by !== null) behind.set(labels, row.behind_by);
    const versions = {
      deployed: row.deployed_version ?? '',
      latest: row.latest_version ?? '',
      latest_stable: row.latest_stable_version ?? '',
    };
    info.set({ ...labels, ...versions, state: row.state, severity: row.severity ?? 'none' }, 1);
  }
  leftOut.set((rows[0]?.total ?? 0) - rows.length);
  return registers[0]!.metrics();
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
