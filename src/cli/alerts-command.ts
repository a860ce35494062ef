import { setTimeout as sleep } from 'node:timers/promises';
import { type Listed, listItems } from './call-operation.ts';
import {
  addConnectionOptions,
  addListOptions,
  addOutputOption,
  type CliCommand,
  type ListCommandOptions,
  type OutputOptions,
  severityOption,
  wholeNumber,
} from './cli-command.ts';
import { usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { ConnectionOptions } from './connect.ts';
import { sortNamesOf } from './contract-document.ts';
import { printItems, tableOf } from './output/print-result.ts';
import { resourceByName } from './resources/find-resource.ts';
import { listQuery, pageOptionsOf, printRemainingNote, resultShapeOf } from './resources/get-command.ts';

const sortHelp = () => `
Fields for --sort:
  open alerts (default: worst): ${sortNamesOf('listAlerts').join(', ')}
  resolved alerts: ${sortNamesOf('listResolvedAlerts').join(', ')}`;

interface AlertsOptions extends ConnectionOptions, OutputOptions, ListCommandOptions {
  severity?: string;
  resolved?: boolean;
  unacknowledged?: boolean;
  watch?: boolean;
  interval: number;
}

/** `alerts`: lists alerts. */
export const alertsCommand: CliCommand = (command, { io, connect }) => {
  addListOptions(addOutputOption(addConnectionOptions(command), { hasWide: true }))
    .addHelpText('after', sortHelp)
    .addOption(severityOption('--severity <severity>', 'Filter by severity'))
    .option('--unacknowledged', 'Unacknowledged alerts only')
    .option('--resolved', 'Show resolved alerts instead of open ones')
    .option('-w, --watch', 'Watch for changes')
    .option('--interval <seconds>', 'Polling interval for --watch, in seconds', wholeNumber, 10)
    .action(async (options: AlertsOptions) => {
      if (options.watch && options.output !== 'table')
        throw usageError('--watch supports table output only.');
      const list = options.resolved ? 'listResolvedAlerts' : 'listAlerts';
      const query = {
        ...(!options.resolved && { sort: resource.defaultSort }),
        ...listQuery(resource, options, list),
        ...(options.severity && { severity: options.severity }),
        ...(options.unacknowledged && { unacknowledged_only: true }),
      };
      const { api } = await connect(options);
      const read = () => listItems(api, list, { query, hasPages: true, ...pageOptionsOf(options) });
      const isFiltered = Object.keys(query).some((key) => key !== 'sort');
      const plural = `${isFiltered ? 'matching ' : ''}${options.resolved ? 'resolved' : 'open'} alerts`;
      if (options.watch) return watch(io, read, plural, options.interval);
      const listed = await read();
      await printItems(io, options.output, listed.items, { ...resultShapeOf(resource), plural });
      printRemainingNote(io, listed);
    });
};

const resource = resourceByName('alerts');

/** Prints the alerts repeatedly. A terminal shows the whole table; a log gets only the changed alerts. */
async function watch(
  io: CliIo,
  read: () => Promise<Listed>,
  plural: string,
  intervalSeconds: number,
): Promise<void> {
  let before = new Map<unknown, string>();
  for (;;) {
    const { items } = await read();
    const now = new Map(items.map((item) => [item['id'], JSON.stringify(item)]));
    if (io.isOutputTerminal)
      io.stdout(`\u001b[2J\u001b[H${items.length === 0 ? `No ${plural}.\n` : tableOf(io, items, resource)}`);
    else {
      const changed = items.filter((item) => before.get(item['id']) !== now.get(item['id']));
      if (changed.length > 0) io.stdout(tableOf(io, changed, resource));
      for (const id of before.keys())
        if (!now.has(id)) io.stdout(`Alert ${String(id)} is no longer listed\n`);
    }
    before = now;
    const signal = io.outputClosed ? AbortSignal.any([io.signal, io.outputClosed]) : io.signal;
    await sleep(intervalSeconds * 1_000, undefined, { signal }).catch(() => {
      if (io.signal.aborted) throw io.signal.reason;
    });
    if (io.outputClosed?.aborted) return;
  }
}
