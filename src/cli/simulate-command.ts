import { Option } from 'commander';
import { describeMessageCounts, describeMessages } from '../domain/replay/message-simulation-text.ts';
import { describeGaps, describeSimulation } from '../domain/replay/simulation-text.ts';
import { eventTypes } from '../domain/routing/notification-event.ts';
import type { Schemas } from '../generated/client-api.ts';
import { type Item, isItem } from './call-operation.ts';
import {
  addConnectionOptions,
  addOutputOption,
  type CliCommand,
  labelsOption,
  type OutputOptions,
  severityOption,
  wholeNumber,
} from './cli-command.ts';
import { CliError, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { Connection, ConnectionOptions } from './connect.ts';
import { readLabels } from './labels.ts';
import { counted } from './output/counted.ts';
import { printItem, printItems, type ResultShape } from './output/print-result.ts';
import { parseYamlFile } from './parse-yaml-file.ts';
import { readTextFile } from './read-text-file.ts';
import { findKey, resourceByName } from './resources/find-resource.ts';

interface SimulateOptions extends ConnectionOptions, OutputOptions {
  file?: string;
  days?: number;
  severity?: Schemas['AlertSeverity'];
  event?: Schemas['AlertEventType'];
  config?: string;
  label?: string[];
  messages?: boolean;
}

/**
 * `simulate [RULE] [-f FILE]`: applies a monitoring rule to past versions and releases. With `--severity`,
 * routes an alert through the notification rule RULE instead; the exit code is 1 if the rule doesn't match.
 * With `--messages`, replays the messages of notification rules.
 */
export const simulateCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command), { hasNames: false })
    .argument(
      '[rule]',
      'Monitoring rule ID or name; with --severity or --messages, notification rule ID or name',
    )
    .option('-f, --file <file>', 'Simulate the rule in this file; - reads standard input')
    .option('--days <n>', 'Days of history to simulate, up to 730 (default: 180)', wholeNumber)
    .addOption(
      severityOption(
        '--severity <severity>',
        'Simulate how a notification rule routes an alert of this severity',
      ),
    )
    .addOption(
      new Option('--event <type>', 'With --severity: event type (default: alert.created)').choices(
        Object.keys(eventTypes).filter((type) => type.startsWith('alert.')),
      ),
    )
    .option('--messages', 'Simulate the messages that notification rules would have sent')
    .option('--config <id-or-name>', 'Alert configuration ID or name')
    .addOption(labelsOption('Label of alert configurations, or of the alert; repeatable'))
    .action(async (reference: string | undefined, options: SimulateOptions) => {
      if (options.messages) return simulateMessages(io, connect, reference, options);
      if (options.severity === undefined) {
        if (options.event !== undefined) throw usageError('--event requires --severity.');
        if (reference === undefined && options.file === undefined)
          throw usageError('Specify a rule, or a file with -f.');
        return simulateOnHistory(io, await requestOf(io, options), connect, reference, options);
      }
      if (reference === undefined) throw usageError('Specify a notification rule.');
      if (options.file !== undefined || options.days !== undefined)
        throw usageError("-f and --days can't be combined with --severity.");
      return simulateNotification(io, await connect(options), reference, options, options.severity);
    });
};

type Request = Schemas['SimulateRuleRequest'];

/** A request whose rule can come from a file. The server validates its fields. */
type UncheckedRequest = Omit<Request, 'rule'> & { rule?: Item };

/** Returns the part of the request that doesn't require a server. */
async function requestOf(io: CliIo, { file, days, label }: SimulateOptions): Promise<UncheckedRequest> {
  const labels = label === undefined ? [] : Object.entries(readLabels(label));
  return {
    ...(file !== undefined && { rule: await readRule(io, file) }),
    ...(days !== undefined && { days }),
    ...(labels.length > 0 && {
      label_matchers: labels.map(([name, value]) => ({ label: name, operator: '=' as const, value })),
    }),
  };
}

/** Reads the fields of a rule. The server validates them. */
async function readRule(io: CliIo, file: string): Promise<Item> {
  const { value } = parseYamlFile(await readTextFile(io, file), file);
  if (!isItem(value)) throw usageError(`${file} must contain the fields of a rule.`);
  return value;
}

async function simulateOnHistory(
  io: CliIo,
  request: UncheckedRequest,
  connect: (options: ConnectionOptions) => Promise<Connection>,
  reference: string | undefined,
  options: SimulateOptions,
): Promise<void> {
  const { api } = await connect(options);
  const find = async (resource: string, of: string) =>
    Number(await findKey(api, resourceByName(resource), of));
  const body: UncheckedRequest = {
    ...request,
    ...(reference !== undefined && { rule_id: await find('rules', reference) }),
    ...(options.config !== undefined && { alert_config_ids: [await find('alert-configs', options.config)] }),
  };
  const { body: result } = await api.sendUnchecked('simulateRule', { body, timeoutMs: 60_000 });
  if (options.output !== 'table') return printItem(io, options.output, { ...result }, plainShape);
  io.stdout(`${describeSimulation(result, body.days ?? 180, noun)}\n`);
  for (const gap of describeGaps(result, noun)) io.stdout(`${gap}\n`);
  const messages = result.messages.map(({ name, count }) => `${name} (${counted(count, 'message')})`);
  if (messages.length > 0) io.stdout(`Would notify: ${messages.join(', ')}\n`);
  if (result.items.length === 0) return;
  io.stdout('\n');
  await printItems(io, 'table', result.items.map(toItem), alertsShape);
  const more = result.total - result.items.length;
  if (more > 0) io.stderr(`${counted(more, 'older alert')} not shown\n`);
}

/** Simulates messages. The rule in the file is added to the stored rules, or replaces the referenced one. */
async function simulateMessages(
  io: CliIo,
  connect: (options: ConnectionOptions) => Promise<Connection>,
  reference: string | undefined,
  { file, ...options }: SimulateOptions,
): Promise<void> {
  if ([options.severity, options.event, options.config, options.label].some((each) => each !== undefined))
    throw usageError("--severity, --event, --config, and --label can't be combined with --messages.");
  if (reference !== undefined && file === undefined)
    throw usageError('Specify a file with -f that replaces the notification rule.');
  const rule = file === undefined ? null : await readRule(io, file);
  const { api } = await connect(options);
  const id = reference && (await findKey(api, resourceByName('notification-rules'), reference));
  const body: Schemas['SimulateNotificationRulesRequest'] = {
    ...(rule !== null && { notification_rule: rule as Schemas['SimulatedNotificationRule'] }),
    ...(id && { notification_rule_id: Number(id) }),
    ...(options.days !== undefined && { days: options.days }),
  };
  const result = await api.call('simulateNotificationRules', { body, timeoutMs: 60_000 });
  if (options.output !== 'table') return printItem(io, options.output, { ...result }, plainShape);
  io.stdout(`${describeMessages(result, options.days ?? 180, 'alert configurations')}\n`);
  for (const line of describeMessageCounts(result)) io.stdout(`${line}\n`);
}

const noun = { one: 'alert configuration', many: 'alert configurations' };

function toItem(item: Schemas['SimulatedAlert']) {
  return {
    ...item,
    name: item.alert_config?.name ?? '',
    highest: item.escalations.at(-1)?.severity ?? item.severity,
  };
}

const alertsShape: ResultShape = {
  columns: [
    { title: 'ALERT CONFIGURATION', value: (item) => item['name'] },
    { title: 'SEVERITY', value: (item) => item['highest'] },
    { title: 'OPENED', value: (item) => item['opened_at'], kind: 'time' },
    { title: 'RESOLVED', value: (item) => item['resolved_at'], kind: 'time' },
    { title: 'DEPLOYED', value: (item) => item['discovered_version'] },
    { title: 'LATEST', value: (item) => item['latest_version'] },
  ],
  nameOf: () => '',
};

/** Output shape without columns and names, for results that aren't resources. */
const plainShape = { columns: [], nameOf: () => '' };

async function simulateNotification(
  io: CliIo,
  { api }: Connection,
  reference: string,
  options: SimulateOptions,
  severity: Schemas['AlertSeverity'],
): Promise<void> {
  const id = Number(await findKey(api, resourceByName('notification-rules'), reference));
  const config = options.config && (await findKey(api, resourceByName('alert-configs'), options.config));
  const result = await api.call('simulateNotificationRule', {
    path: { id },
    body: {
      severity,
      event_type: options.event ?? 'alert.created',
      ...(config && { alert_config_id: Number(config) }),
      ...(options.label && { labels: readLabels(options.label) }),
    },
  });
  await printItem(io, options.output, { ...result }, plainShape);
  if (!result.matched) throw new CliError("The rule doesn't match.");
}
