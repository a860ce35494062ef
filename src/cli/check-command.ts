import { Option } from 'commander';
import type { ApiClient } from '../client/api-client.ts';
import { type AlertSeverity, alertSeverities } from '../domain/rules/severity.ts';
import { type Item, listItems } from './call-operation.ts';
import {
  addConnectionOptions,
  type CliCommand,
  collect,
  labelsOption,
  type OutputOptions,
} from './cli-command.ts';
import { CliError, describeError, exitCodes, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { ConnectionOptions } from './connect.ts';
import { hasLabels, readLabels } from './labels.ts';
import { counted } from './output/counted.ts';
import { printItem, tableOf } from './output/print-result.ts';
import { findKey, resourceByName } from './resources/find-resource.ts';

type Action = 'fail' | 'warn' | 'ignore';

interface CheckOptions extends ConnectionOptions, OutputOptions {
  maxSeverity: 'none' | AlertSeverity;
  label?: string[];
  config?: string[];
  rule?: string;
  onNoData: Action;
  onStale: Action;
  ignoreAcknowledged?: boolean;
  ignoreSnoozed?: boolean;
  allowEmpty?: boolean;
}

/**
 * `check`: checks if any open alert exceeds the severity that a pipeline allows. The exit code is 1 if one
 * does and 0 if none does. It's 2 for every error, so that an error never passes the check.
 */
export const checkCommand: CliCommand = (command, { io, connect }) => {
  const actions: Action[] = ['fail', 'warn', 'ignore'];
  addConnectionOptions(command)
    .addOption(
      new Option('--max-severity <severity>', 'Highest severity that passes; "none" fails on any open alert')
        .choices(['none', ...alertSeverities])
        .default('none'),
    )
    .addOption(labelsOption('Filter by label; repeatable, and all must match'))
    .option('--config <id-or-name>', 'Alert configuration ID or name; repeatable', collect)
    .option('--rule <id-or-name>', 'Only alert configurations of this rule')
    .addOption(
      new Option('--on-no-data <action>', 'What to do if an alert configuration has no data')
        .choices(actions)
        .default('warn'),
    )
    .addOption(
      new Option('--on-stale <action>', 'What to do if the source of an alert configuration is failing')
        .choices(actions)
        .default('warn'),
    )
    .option('--ignore-acknowledged', 'Ignore acknowledged alerts')
    .option('--ignore-snoozed', 'Ignore snoozed alerts')
    .option('--allow-empty', 'Pass when no alert configuration matches')
    .addOption(
      new Option('-o, --output <format>', 'Output format')
        .choices(['table', 'json', 'yaml'])
        .default('table'),
    )
    .action(async (options: CheckOptions) => {
      let result: CheckResult;
      try {
        const { api } = await connect(options);
        result = await check(api, options);
        await printCheck(io, options, result);
      } catch (error) {
        throw new CliError(describeError(error), exitCodes.usage);
      }
      if (result.result === 'failed') throw new CliError(result.failures.join(' '), exitCodes.refused);
    });
};

interface CheckResult extends Item {
  result: 'passed' | 'failed';
  max_severity: string;
  alert_config_count: number;
  /** Reasons for the failure, as sentences. `warnings` contains the findings that don't fail the check. */
  failures: string[];
  warnings: string[];
  alerts: Item[];
  no_data: Item[];
  stale: Item[];
}

async function check(api: ApiClient, options: CheckOptions): Promise<CheckResult> {
  const configs = await matchingConfigs(api, options);
  if (configs.length === 0 && !options.allowEmpty)
    throw usageError('No enabled alert configuration matches. Use --allow-empty if that is expected.');
  const alerts = await exceedingAlerts(api, options, new Set(configs.map(({ id }) => id)));
  const inState = (state: string) => configs.filter((config) => config['state'] === state);
  const failures: string[] = [];
  const warnings: string[] = [];
  if (alerts.length > 0) failures.push(alertSentence(alerts, options.maxSeverity));
  const judge = (items: readonly Item[], action: Action, verb: (count: number) => string) => {
    if (items.length === 0 || action === 'ignore') return;
    const sentence = `${counted(items.length, 'alert configuration')} ${verb(items.length)}.`;
    (action === 'fail' ? failures : warnings).push(sentence);
  };
  const noData = inState('no_data');
  const stale = inState('stale');
  judge(noData, options.onNoData, (count) => (count === 1 ? 'has no data' : 'have no data'));
  judge(stale, options.onStale, (count) => (count === 1 ? 'is stale' : 'are stale'));
  return {
    result: failures.length > 0 ? 'failed' : 'passed',
    max_severity: options.maxSeverity,
    alert_config_count: configs.length,
    failures,
    warnings,
    alerts,
    no_data: noData.map(toReason),
    stale: stale.map(toReason),
  };
}

/**
 * Returns the enabled configurations that match. Disabled configurations are never evaluated, so they can't
 * pass a check.
 */
async function matchingConfigs(api: ApiClient, { label = [], config, rule }: CheckOptions): Promise<Item[]> {
  const labels = readLabels(label);
  const ruleId = rule && (await findKey(api, resourceByName('rules'), rule));
  const ids = new Set<string>();
  for (const reference of config ?? [])
    ids.add(await findKey(api, resourceByName('alert-configs'), reference));
  const { items } = await listItems(api, 'listAlertConfigs', {
    query: {
      is_active: true,
      ...(label[0] && { label: label[0] }),
      ...(ruleId && { rule_id: ruleId }),
    },
    all: true,
    hasPages: true,
    matches: (item) => hasLabels(item, labels) && (!config || ids.has(String(item['id']))),
  });
  return items.filter(({ state }) => state !== 'inactive');
}

/** Returns the open alerts of these configurations that exceed the allowed severity, most severe first. */
async function exceedingAlerts(
  api: ApiClient,
  options: CheckOptions,
  configIds: ReadonlySet<unknown>,
): Promise<Item[]> {
  const worse = alertSeverities.slice(
    alertSeverities.findIndex((severity) => severity === options.maxSeverity) + 1,
  );
  const alerts: Item[] = [];
  for (const severity of worse.toReversed()) {
    const { items } = await listItems(api, 'listAlerts', {
      query: { severity },
      all: true,
      hasPages: true,
    });
    alerts.push(...items.filter((alert) => configIds.has(alert['alert_config_id'])));
  }
  return alerts.filter(
    (alert) =>
      !(options.ignoreAcknowledged && alert['status'] === 'acknowledged') &&
      !(options.ignoreSnoozed && (alert['snoozed_until'] || alert['snoozed_until_version_changes'])),
  );
}

function alertSentence(alerts: readonly Item[], maxSeverity: string): string {
  const counts = alertSeverities
    .toReversed()
    .map((severity) => [alerts.filter((alert) => alert['severity'] === severity).length, severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) => `${count} ${severity}`);
  const above = maxSeverity === 'none' ? '' : ` above ${maxSeverity}`;
  return `${counted(alerts.length, 'open alert')}${above} (${counts.join(', ')}).`;
}

function toReason({ id, name, state_reason }: Item): Item {
  return { id, name, state_reason };
}

async function printCheck(io: CliIo, { output }: CheckOptions, result: CheckResult): Promise<void> {
  if (output !== 'table') return printItem(io, output, result, { columns: [], nameOf: () => 'check' });
  if (result.alerts.length > 0) io.stdout(tableOf(io, result.alerts, resourceByName('alerts')));
  const unknown = [
    ...result.no_data.map((config) => ({ ...config, state: 'no_data' })),
    ...result.stale.map((config) => ({ ...config, state: 'stale' })),
  ];
  if (unknown.length > 0 && result.failures.length + result.warnings.length > 0)
    io.stdout(tableOf(io, unknown, { columns: stateColumns }));
  for (const warning of result.warnings) io.stderr(`Warning: ${warning}\n`);
  if (result.result === 'passed') io.stdout(`Passed: ${describeChecked(result)}.\n`);
}

/** Excludes configurations that couldn't be evaluated, because nothing is known about their lag. */
function describeChecked({ alert_config_count: total, no_data, stale }: CheckResult): string {
  const all = counted(total, 'alert configuration');
  const unknown = [
    ...(no_data.length > 0 ? [`${no_data.length} without data`] : []),
    ...(stale.length > 0 ? [`${stale.length} stale`] : []),
  ];
  if (unknown.length === 0) return `${all} checked`;
  return `${total - no_data.length - stale.length} of ${all} checked (${unknown.join(', ')})`;
}

const stateColumns = [
  { title: 'ID', value: ({ id }: Item) => id },
  { title: 'CONFIGURATION', value: ({ name }: Item) => name },
  { title: 'STATE', value: (item: Item) => item['state'] },
  { title: 'REASON', value: ({ state_reason }: Item) => state_reason },
];
