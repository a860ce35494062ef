import type { Command } from 'commander';
import type { ApiClient } from '../client/api-client.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import type { Schemas } from '../generated/client-api.ts';
import { addConnectionOptions, type CliCommand } from './cli-command.ts';
import { CliError, describeError, exitCodeOf, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { ConnectionOptions } from './connect.ts';
import { readDuration, serverTimeIn } from './durations.ts';
import { counted } from './output/counted.ts';
import { idNumberOf, idOf, resourceByName } from './resources/find-resource.ts';

/** Maximum number of alerts per call to the bulk operation. */
const bulkSize = 500;

/** Alert that a command changes, or upgrade whose open alerts it changes. */
type Target = { alertId: number } | { upgradeId: string };

/** `ack ID…`: acknowledges alerts. */
export const ackCommand = alertCommand<{ comment?: string }>(
  (command) => command.option('-m, --comment <text>', 'Comment for the activity log'),
  ({ comment }) =>
    async ({ api, io, targets }) => {
      const ids = targets.flatMap((target) => ('alertId' in target ? [target.alertId] : []));
      const notFound: number[] = [];
      for (let start = 0; start < ids.length; start += bulkSize) {
        const result = await api.call('bulkAcknowledgeAlerts', {
          body: { alert_ids: ids.slice(start, start + bulkSize), ...(comment !== undefined && { comment }) },
        });
        for (const id of result.acknowledged) io.stdout(`Alert ${id} acknowledged\n`);
        for (const id of result.already_acknowledged) io.stdout(`Alert ${id} was already acknowledged\n`);
        notFound.push(...result.not_found);
      }
      const upgrades = targets.filter((target) => 'upgradeId' in target);
      await changeEach(
        { api, io, targets: upgrades },
        {
          report: 'acknowledged',
          change: { action: 'acknowledge', ...(comment !== undefined && { comment }) },
        },
      );
      if (notFound.length > 0) throw new CliError(`No open alert with ID ${notFound.join(', ')}.`);
    },
);

/** `comment ID… -m TEXT`: adds a comment to alerts. */
export const commentCommand = alertCommand<{ comment: string }>(
  (command) => command.requiredOption('-m, --comment <text>', 'Text of the comment'),
  ({ comment }) =>
    (call) =>
      changeEach(call, {
        report: 'commented on',
        alert: (path) => call.api.call('commentOnAlert', { path, body: { comment } }),
        change: { action: 'comment', comment },
      }),
);

/** `assign ID… --to EMAIL`: assigns alerts to a member. */
export const assignCommand = alertCommand<{ to?: string; none?: boolean }>(
  (command) =>
    command.option('--to <email>', 'Email address of a member').option('--none', 'Remove the assignee'),
  ({ to, none = false }) => {
    if ((to === undefined) !== none) throw usageError('Use either --to EMAIL or --none.');
    return async (call) => {
      const members = to === undefined ? [] : await call.api.call('listOrgMembersDropdown');
      const member = members.find(({ email }) => email.toLowerCase() === to?.toLowerCase());
      if (to !== undefined && !member) throw new CliError(`No member with the email address ${to}.`);
      const body = { member_id: member?.id ?? null };
      await changeEach(call, {
        report: member ? `assigned to ${cleanLine(member.name)}` : 'unassigned',
        alert: (path) => call.api.call('assignAlert', { path, body }),
        change: { action: 'assign', ...body },
      });
    };
  },
);

/** `unack ID…`: removes the acknowledgment of alerts. */
export const unackCommand = alertCommand(
  withoutOptions,
  () => (call) =>
    changeEach(call, {
      report: 'unacknowledged',
      alert: (path) => call.api.call('unacknowledgeAlert', { path }),
      change: { action: 'unacknowledge' },
    }),
);

/** `resolve ID…`: resolves alerts. */
export const resolveCommand = alertCommand(
  withoutOptions,
  () => (call) =>
    changeEach(call, {
      report: 'resolved',
      alert: (path) => call.api.call('resolveAlert', { path }),
      change: { action: 'resolve' },
    }),
);

/** `snooze ID…`: snoozes alerts. */
export const snoozeCommand = alertCommand<{ for?: string; until?: string; untilVersionChanges?: boolean }>(
  (command) =>
    command
      .option('--for <duration>', 'Duration: 90m, 12h, 7d, 2w')
      .option('--until <time>', 'End time, such as 2027-01-31T08:00:00Z')
      .option('--until-version-changes', 'Until the deployed or latest version changes'),
  (options) => {
    if (options.for !== undefined && options.until !== undefined)
      throw usageError('Use either --for or --until, not both.');
    if (options.for === undefined && options.until === undefined && !options.untilVersionChanges)
      throw usageError('Specify a duration: --for 7d, --until TIME, or --until-version-changes.');
    const duration = options.for === undefined ? null : readDuration(options.for);
    return async (call) => {
      const until = duration === null ? options.until : await serverTimeIn(call.api, duration);
      const body = {
        ...(until !== undefined && { until }),
        ...(options.untilVersionChanges && { until_version_changes: true }),
      };
      await changeEach(call, {
        report: 'snoozed',
        alert: (path) => call.api.call('snoozeAlert', { path, body }),
        change: { action: 'snooze', ...body },
      });
    };
  },
);

/** `unsnooze ID…`: ends the snooze of alerts. */
export const unsnoozeCommand = alertCommand(
  withoutOptions,
  () => (call) =>
    changeEach(call, {
      report: 'unsnoozed',
      alert: (path) => call.api.call('unsnoozeAlert', { path }),
      change: { action: 'unsnooze' },
    }),
);

/** The client and the targets of a command that has connected. */
interface Call {
  api: ApiClient;
  io: CliIo;
  targets: readonly Target[];
}

/**
 * Creates a command for alerts and upgrades.
 *
 * @param addOptions Adds the options of the command.
 * @param prepare Checks the options before the command connects, and returns the function that changes the targets.
 */
function alertCommand<Options>(
  addOptions: (command: Command) => Command,
  prepare: (options: Options) => (call: Call) => Promise<void>,
): CliCommand {
  return (command, { io, connect }) => {
    const withTargets = addConnectionOptions(command).argument(
      '<id...>',
      'Alert IDs, such as 7 or alerts/7, or upgrades, such as upgrades/4-55c26ee94b13657a, for all of their open alerts',
    );
    addOptions(withTargets).action(async (texts: string[], options: Options & ConnectionOptions) => {
      const run = prepare(options);
      const targets = targetsOf(texts);
      const { api } = await connect(options);
      await run({ api, io, targets });
    });
  };
}

function withoutOptions(command: Command): Command {
  return command;
}

interface Action {
  /** Participle for the change of an alert, such as `snoozed`. */
  report: string;
  /** Changes one alert. */
  alert?(path: { id: number }): Promise<unknown>;
  /** Change of the open alerts of an upgrade. */
  change: Schemas['ChangeUpgradeRequest'];
}

/**
 * Changes one alert or upgrade after another. A failure is reported without stopping the others, and the first failure
 * sets the exit code.
 */
async function changeEach({ api, io, targets }: Call, { report, alert, change }: Action): Promise<void> {
  const failures: unknown[] = [];
  for (const target of targets) {
    const name = 'alertId' in target ? `Alert ${target.alertId}` : `Upgrade ${target.upgradeId}`;
    try {
      if ('alertId' in target) {
        await alert?.({ id: target.alertId });
        io.stdout(`${name} ${report}\n`);
      } else {
        const path = { upgrade_id: target.upgradeId };
        const { changed, unchanged } = await api.call('changeUpgrade', { path, body: change });
        const others = unchanged === 0 ? '' : `, ${unchanged} unchanged`;
        io.stdout(`${name}: ${counted(changed, 'alert')} ${report}${others}\n`);
      }
    } catch (error) {
      failures.push(error);
      io.stderr(`${name}: ${describeError(error)}\n`);
    }
  }
  if (failures.length > 0)
    throw new CliError(`${failures.length} of ${targets.length} failed.`, exitCodeOf(failures[0]));
}

function targetsOf(texts: readonly string[]): Target[] {
  return texts.map((text) => {
    const upgradeId = idOf(resourceByName('upgrades'), text);
    if (upgradeId !== null) return { upgradeId };
    const alertId = idNumberOf(resourceByName('alerts'), text);
    if (alertId !== null) return { alertId };
    throw usageError(
      `Invalid alert ID "${text}". Run 'pacekeeper alerts' to list alerts, or 'pacekeeper get upgrades' to list upgrades.`,
    );
  });
}
