import { Option } from 'commander';
import { ApiCallError } from '../client/api-client.ts';
import {
  type FreshnessMetric,
  freshnessMetricNames,
  withUnit,
} from '../domain/freshness/freshness-metrics.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import type { Schemas } from '../generated/client-api.ts';
import { addConnectionOptions, addOutputOption, type CliCommand, type OutputOptions } from './cli-command.ts';
import { CliError, exitCodeOf } from './cli-error.ts';
import type { ConnectionOptions } from './connect.ts';
import { counted } from './output/counted.ts';
import { printItem, printItems, type ResultShape } from './output/print-result.ts';

interface FreshnessOptions extends ConnectionOptions, OutputOptions {
  metric: FreshnessMetric;
  by?: string;
}

/**
 * `freshness`: shows how far all deployed versions are behind, now and 90 days ago. With `--by`, shows the
 * same for each value of a label.
 */
export const freshnessCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command), { hasNames: false })
    .addOption(
      new Option('--metric <metric>', 'Metric to show').choices(freshnessMetricNames).default('libyears'),
    )
    .option('--by <label>', 'Group by a label in the setting freshness.labels')
    .action(async ({ metric, by, output, ...connection }: FreshnessOptions) => {
      const { api } = await connect(connection);
      const query = { metric, ...(by !== undefined && { group_by: by }) };
      const freshness = await api.call('getFreshness', { query }).catch((error: unknown) => {
        throw by === undefined ? error : toOptionError(error);
      });
      const shape = shapeOf(by ?? 'GROUP');
      if (output !== 'table' && output !== 'wide') return printItem(io, output, { ...freshness }, shape);
      const { now, before, groups } = freshness;
      if (now === null) {
        io.stdout('Nothing measured yet. Freshness is measured within a few minutes.\n');
        return;
      }
      io.stdout(`${describe(freshness, now)}\n`);
      if (before !== null) io.stdout(`90 days ago: ${amount(metric, before.sum)}\n`);
      if (groups.length === 0) return;
      io.stdout('\n');
      await printItems(io, output, groups.map(toItem), shape);
    });
};

/**
 * Replaces the API parameter in an error with the option of the CLI, which is the name that the user typed.
 */
function toOptionError(error: unknown): unknown {
  const problem =
    error instanceof ApiCallError ? error.errors.find(({ field }) => field === 'group_by') : undefined;
  if (problem === undefined) return error;
  const message = cleanLine(problem.message, 1_000);
  const sentence = /^(?:must|isn't) /.test(message) ? `--by ${message}` : `--by: ${message}`;
  return new CliError(/[.?]$/.test(sentence) ? sentence : `${sentence}.`, exitCodeOf(error));
}

function describe({ metric }: Schemas['Freshness'], now: Schemas['FreshnessPoint']): string {
  const within = now.targeted === 0 ? '' : `, ${now.within_target} of ${now.targeted} within target`;
  return `${amount(metric, now.sum)} behind across ${counted(now.things, 'deployed version')}${within} (unknown: ${now.unknown}, estimated: ${now.estimated})`;
}

function amount(metric: FreshnessMetric, value: number): string {
  return withUnit(metric, String(round(value)));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function toItem({ value, now, before }: Schemas['FreshnessGroup']) {
  return {
    value: value ?? '',
    things: now.things,
    sum: round(now.sum),
    median: round(now.median),
    within: now.targeted === 0 ? null : `${now.within_target}/${now.targeted}`,
    before: before === null ? null : round(before.sum),
  };
}

const shapeOf = (label: string): ResultShape => ({
  columns: [
    { title: label.toUpperCase(), value: (item) => item['value'] },
    { title: 'DEPLOYED', value: (item) => item['things'], kind: 'count' },
    { title: 'SUM', value: (item) => item['sum'] },
    { title: 'MEDIAN', value: (item) => item['median'] },
    { title: 'WITHIN TARGET', value: (item) => item['within'] },
    { title: '90 DAYS AGO', value: (item) => item['before'] },
  ],
  nameOf: () => '',
});
