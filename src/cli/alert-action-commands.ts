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

interface CommentOptions extends ConnectionOptions {
  comment?: string;
}

/** `ack ID…`: acknowledges alerts. */
export const ackCommand: CliCommand = (command, { io, connect }) => {
  addTargets(addConnectionOptions(command))
    .option('-m, --comment <text>', 'Comment for the activity log')
    .action(async (texts: string[], { comment, ...options }: CommentOptions) => {
      const targets = targetsOf(texts);
      const ids = targets.flatMap((target) => ('alertId' in target ? [target.alertId] : []));
      const { api } = await connect(options);
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
      await eachTarget(io, upgrades, {
        api,
        report: 'acknowledged',
        change: { action: 'acknowledge', ...(comment !== undefined && { comment }) },
      });
      if (notFound.length > 0) throw new CliError(`No open alert with ID ${notFound.join(', ')}.`);
    });
};

/** `comment ID… -m TEXT`: adds a comment to alerts. */
export const commentCommand: CliCommand = (command, { io, connect }) => {
  addTargets(addConnectionOptions(command))
    .requiredOption('-m, --comment <text>', 'Text of the comment')
    .action(async (texts: string[], { comment = '', ...options }: CommentOptions) => {
      const targets = targetsOf(texts);
      const { api } = await connect(options);
      await eachTarget(io, targets, {
        api,
        report: 'commented on',
        alert: (path) => api.call('commentOnAlert', { path, body: { comment } }),
        change: { action: 'comment', comment },
      });
    });
};

interface AssignOptions extends ConnectionOptions {
  to?: string;
  none?: boolean;
}

/** `assign ID… --to EMAIL`: assigns alerts to a member. */
export const assignCommand: CliCommand = (command, { io, connect }) => {
  addTargets(addConnectionOptions(command))
    .option('--to <email>', 'Email address of a member')
    .option('--none', 'Remove the assignee')
    .action(async (texts: string[], { to, none = false, ...options }: AssignOptions) => {
      if ((to === undefined) !== none) throw usageError('Use either --to EMAIL or --none.');
      const targets = targetsOf(texts);
      const { api } = await connect(options);
      const members = to === undefined ? [] : await api.call('listOrgMembersDropdown');
      const member = members.find(({ email }) => email.toLowerCase() === to?.toLowerCase());
      if (to !== undefined && !member) throw new CliError(`No member with the email address ${to}.`);
      const body = { member_id: member?.id ?? null };
      await eachTarget(io, targets, {
        api,
        report: member ? `assigned to ${cleanLine(member.name)}` : 'unassigned',
        alert: (path) => api.call('assignAlert', { path, body }),
        change: { action: 'assign', ...body },
      });
    });
};

/** `unack ID…`: removes the acknowledgment of alerts. */
export const unackCommand: CliCommand = (command, { io, connect }) => {
  addTargets(addConnectionOptions(command)).action(async (texts: string[], options: ConnectionOptions) => {
    const targets = targetsOf(texts);
    const { api } = await connect(options);
    await eachTarget(io, targets, {
      api,
      report: 'unacknowledged',
      alert: (path) => api.call('unacknowledgeAlert', { path }),
      change: { action: 'unacknowledge' },
    });
  });
};

/** `resolve ID…`: resolves alerts. */
export const resolveCommand: CliCommand = (command, { io, connect }) => {
  addTargets(addConnectionOptions(command)).action(async (texts: string[], options: ConnectionOptions) => {
    const targets = targetsOf(texts);
    const { api } = await connect(options);
    await eachTarget(io, targets, {
      api,
      report: 'resolved',
      alert: (path) => api.call('resolveAlert', { path }),
      change: { action: 'resolve' },
    });
  });
};

interface SnoozeOptions extends ConnectionOptions {
  for?: string;
  until?: string;
  untilVersionChanges?: boolean;
}

/** `snooze ID…`: snoozes alerts. */
export const snoozeCommand: CliCommand = (command, { io, connect }) => {
  addTargets(addConnectionOptions(command))
    .option('--for <duration>', 'Duration: 90m, 12h, 7d, 2w')
    .option('--until <time>', 'End time, such as 2027-01-31T08:00:00Z')
    .option('--until-version-changes', 'Until the deployed or latest version changes')
    .action(async (texts: string[], options: SnoozeOptions) => {
      if (options.for !== undefined && options.until !== undefined)
        throw usageError('Use either --for or --until, not both.');
      if (options.for === undefined && options.until === undefined && !options.untilVersionChanges)
        throw usageError('Specify a duration: --for 7d, --until TIME, or --until-version-changes.');
      const duration = options.for === undefined ? null : readDuration(options.for);
      const targets = targetsOf(texts);
      const { api } = await connect(options);
      const until = duration === null ? options.until : await serverTimeIn(api, duration);
      const body = {
        ...(until !== undefined && { until }),
        ...(options.untilVersionChanges && { until_version_changes: true }),
      };
      await eachTarget(io, targets, {
        api,
        report: 'snoozed',
        alert: (path) => api.call('snoozeAlert', { path, body }),
        change: { action: 'snooze', ...body },
      });
    });
};

/** `unsnooze ID…`: ends the snooze of alerts. */
export const unsnoozeCommand: CliCommand = (command, { io, connect }) => {
  addTargets(addConnectionOptions(command)).action(async (texts: string[], options: ConnectionOptions) => {
    const targets = targetsOf(texts);
    const { api } = await connect(options);
    await eachTarget(io, targets, {
      api,
      report: 'unsnoozed',
      alert: (path) => api.call('unsnoozeAlert', { path }),
      change: { action: 'unsnooze' },
    });
  });
};

interface Action {
  api: ApiClient;
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
async function eachTarget(
  io: CliIo,
  targets: readonly Target[],
  { api, report, alert, change }: Action,
): Promise<void> {
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

function addTargets(command: Command): Command {
  return command.argument(
    '<id...>',
    'Alert IDs, such as 7 or alerts/7, or upgrades, such as upgrades/4-55c26ee94b13657a, for all of their open alerts',
  );
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
