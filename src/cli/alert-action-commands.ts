import { cleanLine } from '../domain/templates/clean-text.ts';
import { addConnectionOptions, type CliCommand } from './cli-command.ts';
import { CliError, describeError, exitCodeOf, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { ConnectionOptions } from './connect.ts';
import { readDuration, serverTimeIn } from './durations.ts';
import { idNumberOf, resourceByName } from './resources/find-resource.ts';

/** Maximum number of alerts per call to the bulk operation. */
const bulkSize = 500;

interface CommentOptions extends ConnectionOptions {
  comment?: string;
}

/** `ack ID…`: acknowledges alerts. */
export const ackCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'Alert IDs, such as 7 or alerts/7')
    .option('-m, --comment <text>', 'Comment for the activity log')
    .action(async (texts: string[], { comment, ...options }: CommentOptions) => {
      const ids = alertIds(texts);
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
      if (notFound.length > 0) throw new CliError(`No open alert with ID ${notFound.join(', ')}.`);
    });
};

/** `comment ID… -m TEXT`: adds a comment to alerts. */
export const commentCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'Alert IDs')
    .requiredOption('-m, --comment <text>', 'Text of the comment')
    .action(async (texts: string[], { comment = '', ...options }: CommentOptions) => {
      const { api } = await connect(options);
      const body = { comment };
      await eachAlert(io, texts, 'Comment added to alert ID', (id) =>
        api.call('commentOnAlert', { path: { id }, body }),
      );
    });
};

interface AssignOptions extends ConnectionOptions {
  to?: string;
  none?: boolean;
}

/** `assign ID… --to EMAIL`: assigns alerts to a member. */
export const assignCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'Alert IDs')
    .option('--to <email>', 'Email address of a member')
    .option('--none', 'Remove the assignee')
    .action(async (texts: string[], { to, none = false, ...options }: AssignOptions) => {
      if ((to === undefined) !== none) throw usageError('Use either --to EMAIL or --none.');
      const { api } = await connect(options);
      const members = to === undefined ? [] : await api.call('listOrgMembersDropdown');
      const member = members.find(({ email }) => email.toLowerCase() === to?.toLowerCase());
      if (to !== undefined && !member) throw new CliError(`No member with the email address ${to}.`);
      const body = { member_id: member?.id ?? null };
      const done = member ? `assigned to ${cleanLine(member.name)}` : 'unassigned';
      await eachAlert(io, texts, `Alert ID ${done}`, (id) => api.call('assignAlert', { path: { id }, body }));
    });
};

/** `unack ID…`: removes the acknowledgment of alerts. */
export const unackCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'Alert IDs')
    .action(async (texts: string[], options: ConnectionOptions) => {
      const { api } = await connect(options);
      await eachAlert(io, texts, 'Alert ID unacknowledged', (id) =>
        api.call('unacknowledgeAlert', { path: { id } }),
      );
    });
};

/** `resolve ID…`: resolves alerts. */
export const resolveCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'Alert IDs')
    .action(async (texts: string[], options: ConnectionOptions) => {
      const { api } = await connect(options);
      await eachAlert(io, texts, 'Alert ID resolved', (id) => api.call('resolveAlert', { path: { id } }));
    });
};

interface SnoozeOptions extends ConnectionOptions {
  for?: string;
  until?: string;
  untilVersionChanges?: boolean;
}

/** `snooze ID…`: snoozes alerts. */
export const snoozeCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'Alert IDs')
    .option('--for <duration>', 'Duration: 90m, 12h, 7d, 2w')
    .option('--until <time>', 'End time, such as 2027-01-31T08:00:00Z')
    .option('--until-version-changes', 'Until the deployed or latest version changes')
    .action(async (texts: string[], options: SnoozeOptions) => {
      if (options.for !== undefined && options.until !== undefined)
        throw usageError('Use either --for or --until, not both.');
      if (options.for === undefined && options.until === undefined && !options.untilVersionChanges)
        throw usageError('Specify a duration: --for 7d, --until TIME, or --until-version-changes.');
      const duration = options.for === undefined ? null : readDuration(options.for);
      const { api } = await connect(options);
      const until = duration === null ? options.until : await serverTimeIn(api, duration);
      const body = {
        ...(until !== undefined && { until }),
        ...(options.untilVersionChanges && { until_version_changes: true }),
      };
      await eachAlert(io, texts, 'Alert ID snoozed', (id) => api.call('snoozeAlert', { path: { id }, body }));
    });
};

/** `unsnooze ID…`: ends the snooze of alerts. */
export const unsnoozeCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'Alert IDs')
    .action(async (texts: string[], options: ConnectionOptions) => {
      const { api } = await connect(options);
      await eachAlert(io, texts, 'Alert ID unsnoozed', (id) => api.call('unsnoozeAlert', { path: { id } }));
    });
};

/**
 * Runs `act` for one alert after another. A failure is reported without stopping the others, and the first failure sets
 * the exit code.
 * @param report Line to print for each alert. `ID` is replaced with the ID of the alert.
 */
async function eachAlert(
  io: CliIo,
  texts: readonly string[],
  report: string,
  act: (id: number) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const id of alertIds(texts)) {
    try {
      await act(id);
      io.stdout(`${report.replace('ID', String(id))}\n`);
    } catch (error) {
      failures.push(error);
      io.stderr(`Alert ${id}: ${describeError(error)}\n`);
    }
  }
  if (failures.length > 0)
    throw new CliError(`${failures.length} of ${texts.length} failed.`, exitCodeOf(failures[0]));
}

function alertIds(texts: readonly string[]): number[] {
  return texts.map((text) => {
    const id = idNumberOf(resourceByName('alerts'), text);
    if (id === null) throw usageError(`Invalid alert ID "${text}". Run 'pacekeeper alerts' to list IDs.`);
    return id;
  });
}
