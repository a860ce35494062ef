import type { ApiClient } from '../client/api-client.ts';
import { addConnectionOptions, type CliCommand } from './cli-command.ts';
import { CliError, describeError, exitCodeOf, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { ConnectionOptions } from './connect.ts';
import { idOf, resourceByName } from './resources/find-resource.ts';

/** The most that the bulk operation takes at once. */
const bulkSize = 500;

/** `ack ID…` */
export const ackCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'ids of alerts, as 7 or alerts/7')
    .action(async (texts: string[], options: ConnectionOptions) => {
      const ids = alertIds(texts);
      const { api } = await connect(options);
      const notFound: number[] = [];
      for (let start = 0; start < ids.length; start += bulkSize) {
        const result = await api.call('bulkAcknowledgeAlerts', {
          body: { alert_ids: ids.slice(start, start + bulkSize) },
        });
        for (const id of result.acknowledged) io.stdout(`alert ${id} acknowledged\n`);
        for (const id of result.already_acknowledged) io.stdout(`alert ${id} was acknowledged already\n`);
        notFound.push(...result.not_found);
      }
      if (notFound.length > 0) throw new CliError(`No open alert has the id ${notFound.join(', ')}.`);
    });
};

/** `unack ID…` */
export const unackCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'ids of alerts')
    .action(async (texts: string[], options: ConnectionOptions) => {
      const { api } = await connect(options);
      await eachAlert(io, texts, 'is unacknowledged', (id) =>
        api.call('unacknowledgeAlert', { path: { id } }),
      );
    });
};

/** `resolve ID…` */
export const resolveCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'ids of alerts')
    .action(async (texts: string[], options: ConnectionOptions) => {
      const { api } = await connect(options);
      await eachAlert(io, texts, 'resolved', (id) => api.call('resolveAlert', { path: { id } }));
    });
};

interface SnoozeOptions extends ConnectionOptions {
  for?: string;
  until?: string;
  untilVersionChanges?: boolean;
}

/** `snooze ID…` */
export const snoozeCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'ids of alerts')
    .option('--for <duration>', 'for so long: 90m, 12h, 7d, 2w')
    .option('--until <time>', 'until then: 2027-01-31T08:00:00Z')
    .option('--until-version-changes', 'until another version is deployed')
    .action(async (texts: string[], options: SnoozeOptions) => {
      if (options.for !== undefined && options.until !== undefined)
        throw usageError('Give --for or --until, not both.');
      if (options.for === undefined && options.until === undefined && !options.untilVersionChanges)
        throw usageError('Say how long: --for 7d, --until TIME or --until-version-changes.');
      const duration = options.for === undefined ? null : readDuration(options.for);
      const { api } = await connect(options);
      const until = duration === null ? options.until : await serverTimeIn(api, duration);
      const body = {
        ...(until !== undefined && { until }),
        ...(options.untilVersionChanges && { until_version_changes: true }),
      };
      await eachAlert(io, texts, 'snoozed', (id) => api.call('snoozeAlert', { path: { id }, body }));
    });
};

/** `unsnooze ID…` */
export const unsnoozeCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'ids of alerts')
    .action(async (texts: string[], options: ConnectionOptions) => {
      const { api } = await connect(options);
      await eachAlert(io, texts, 'is no longer snoozed', (id) => api.call('unsnoozeAlert', { path: { id } }));
    });
};

/** One after the other; what fails is told, and the rest goes on. The first failure gives the exit code. */
async function eachAlert(
  io: CliIo,
  texts: readonly string[],
  done: string,
  act: (id: number) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const id of alertIds(texts)) {
    try {
      await act(id);
      io.stdout(`alert ${id} ${done}\n`);
    } catch (error) {
      failures.push(error);
      io.stderr(`alert ${id}: ${describeError(error)}\n`);
    }
  }
  if (failures.length > 0)
    throw new CliError(`${failures.length} of ${texts.length} could not be done.`, exitCodeOf(failures[0]));
}

function alertIds(texts: readonly string[]): number[] {
  return texts.map((text) => {
    const id = idOf(resourceByName('alerts'), text);
    if (id === null) throw usageError(`"${text}" is no id of an alert. pacekeeper alerts shows them.`);
    return Number(id);
  });
}

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

function readDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count === undefined) throw usageError(`"${text}" is no duration. It looks like 90m, 12h, 7d or 2w.`);
  return Number(count) * unitSeconds[unit]!;
}

/** By the server's clock: the one here may be wrong. */
async function serverTimeIn(api: ApiClient, seconds: number): Promise<string> {
  const { headers } = await api.send('getAlertSummary');
  const now = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(now)) throw new CliError('The server does not say what time it is. Give --until TIME.');
  return new Date(now + seconds * 1_000).toISOString();
}
