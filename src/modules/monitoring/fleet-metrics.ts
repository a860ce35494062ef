import { setImmediate as nextTurn } from 'node:timers/promises';
import { ownValue } from '../../domain/json/own-value.ts';
import { type Database, isDatabaseUnavailable } from '../../platform/database/index.ts';
import {
  type FleetBatch,
  type FleetRow,
  listFleetBatchesAcrossOrganizations,
  readFleetBatchAcrossOrganizations,
} from './fleet-metrics-queries.ts';

/**
 * Maximum number of alert configurations across all organizations. Each adds two series that Prometheus has
 * to store.
 */
const maxConfigs = 10_000;
/**
 * Number of alert configurations per batch. Reading a batch and writing its text takes 2 ms and blocks the
 * event loop.
 */
const batchSize = 500;

export interface FleetMetrics {
  /**
   * Returns the metrics of the alert configurations of all organizations that opted in: their lag and their
   * versions. Empty while the database is unavailable. Returned in pieces, because a single text of 4 MB
   * would be copied for each collector.
   */
  read(): Promise<readonly Buffer[]>;
}

interface BatchText {
  readonly fingerprint: string;
  readonly behind: Buffer;
  readonly info: Buffer;
}

/**
 * Caches the text of each batch, 4 MB in total at most, until the batch changes. Reading and writing the same
 * text again for each collector took most of the time. The text is written without a metrics registry. A
 * registry would take five times as long, and would hold every label of every series only to discard them
 * immediately.
 */
export function createFleetMetrics(
  db: Database,
  { limit = maxConfigs, atOnce = batchSize } = {},
): FleetMetrics {
  let texts: readonly BatchText[] = [];

  async function readBatches(): Promise<{ batches: FleetBatch[]; written: readonly BatchText[] }> {
    const batches = await listFleetBatchesAcrossOrganizations(db, limit, atOnce);
    const before = texts;
    const after: BatchText[] = [];
    for (const [place, batch] of batches.entries()) {
      const known = before[place];
      if (known?.fingerprint === batch.fingerprint) {
        after.push(known);
        continue;
      }
      after.push(writeBatch(batch.fingerprint, await readFleetBatchAcrossOrganizations(db, batch)));
      // Yield so that other requests can run.
      await nextTurn();
    }
    texts = after;
    return { batches, written: after };
  }

  return {
    async read() {
      try {
        // Use the text returned by this call, because a concurrent request can store older text.
        const { batches, written } = await readBatches();
        const shown = batches.reduce((sum, { size }) => sum + size, 0);
        return joinText(written, limit, (batches[0]?.total ?? 0) - shown);
      } catch (error) {
        if (isDatabaseUnavailable(error)) return [];
        throw error;
      }
    },
  };
}

function joinText(texts: readonly BatchText[], limit: number, excludedCount: number): Buffer[] {
  const head = (name: string, help: string) => Buffer.from(`# HELP ${name} ${help}\n# TYPE ${name} gauge\n`);
  return [
    head(
      'pacekeeper_alert_config_behind',
      'Lag in days, majors, or minors, depending on rule_type. Absent if unknown.',
    ),
    ...texts.map(({ behind }) => behind),
    newline,
    head('pacekeeper_alert_config_info', 'Deployed and latest versions by alert configuration. Always 1.'),
    ...texts.map(({ info }) => info),
    newline,
    head(
      'pacekeeper_alert_configs_left_out',
      `Alert configurations not exported because of the ${limit} limit.`,
    ),
    Buffer.from(`pacekeeper_alert_configs_left_out ${excludedCount}\n`),
  ];
}

const newline = Buffer.from('\n');

function writeBatch(fingerprint: string, rows: readonly FleetRow[]): BatchText {
  const labelNames = labelNamesByOrganization(rows);
  let behind = '';
  let info = '';
  for (const row of rows) {
    let labels = `organization="${escapeValue(row.organization_name)}",alert_config_id="${row.id}"`;
    labels += `,alert_config="${escapeValue(row.name)}",rule_type="${row.rule_type}"`;
    for (const [key, name] of labelNames.get(row.organization_id)!) {
      const value = ownValue(row.labels, key);
      if (value !== undefined) labels += `,${name}="${escapeValue(value)}"`;
    }
    if (row.behind_by !== null) behind += `pacekeeper_alert_config_behind{${labels}} ${row.behind_by}\n`;
    labels += `,deployed="${escapeValue(row.deployed_version ?? '')}",latest="${escapeValue(row.latest_version ?? '')}"`;
    labels += `,latest_stable="${escapeValue(row.latest_stable_version ?? '')}"`;
    labels += `,state="${row.state}",severity="${row.severity ?? 'none'}"`;
    info += `pacekeeper_alert_config_info{${labels}} 1\n`;
  }
  return { fingerprint, behind: Buffer.from(behind), info: Buffer.from(info) };
}

/** Escapes a label value for the Prometheus text format. */
function escapeValue(value: string): string {
  if (!/[\\\n"]/.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

/** Returns the Prometheus label names by organization and label key. */
function labelNamesByOrganization(rows: readonly FleetRow[]): Map<number, ReadonlyMap<string, string>> {
  const names = new Map<number, ReadonlyMap<string, string>>();
  for (const { organization_id, label_keys } of rows) {
    if (!names.has(organization_id)) names.set(organization_id, prometheusNames(label_keys));
  }
  return names;
}

/**
 * Converts label keys to Prometheus names, such as `team` to `label_team`. Prometheus allows letters, digits,
 * and `_`. If two keys result in the same name, the later one gets a number.
 */
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
