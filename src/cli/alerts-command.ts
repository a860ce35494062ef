import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../client/api-client.ts';
import { type Item, type Listed, listItems } from './call-operation.ts';
import {
  addConnectionOptions,
  addOutputOption,
  type CliCommand,
  type OutputOptions,
  severityOption,
  wholeNumber,
} from './cli-command.ts';
import { usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { ConnectionOptions } from './connect.ts';
import { printItems, tableOf } from './output/print-result.ts';
import { resourceByName } from './resources/find-resource.ts';
import { shapeOf } from './resources/get-command.ts';

interface AlertsOptions extends ConnectionOptions, OutputOptions {
  severity?: string;
  resolved?: boolean;
  unacknowledged?: boolean;
  label?: string;
  search?: string;
  all?: boolean;
  limit: number;
  watch?: boolean;
  interval: number;
}

/** `alerts` */
export const alertsCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command))
    .addOption(severityOption('--severity <severity>', 'Filter by severity'))
    .option('--unacknowledged', 'Unacknowledged alerts only')
    .option('--resolved', 'Show resolved alerts instead of open ones')
    .option('--label <key=value>', 'Filter by label')
    .option('-q, --search <text>', 'Filter by name')
    .option('--all', 'Fetch all pages')
    .option('--limit <n>', 'Maximum number of results', wholeNumber, 50)
    .option('-w, --watch', 'Watch for changes')
    .option('--interval <seconds>', 'Polling interval for --watch, in seconds', wholeNumber, 10)
    .action(async (options: AlertsOptions) => {
      if (options.watch && options.output !== 'table')
        throw usageError('--watch supports table output only.');
      const { api } = await connect(options);
      if (options.watch) return watch(io, api, options);
      const { items, total, totalIsExact } = await listAlerts(api, options);
      await printItems(io, options.output, items, shapeOf(resource));
      if (total > items.length)
        io.stderr(
          `Showing ${items.length} of ${totalIsExact ? '' : 'more than '}${total}. Use --all to show all.\n`,
        );
    });
};

const resource = resourceByName('alerts');

function listAlerts(api: ApiClient, options: AlertsOptions): Promise<Listed> {
  const query: Item = {
    ...(options.severity && { severity: options.severity }),
    ...(options.unacknowledged && { unacknowledged_only: true }),
    ...(options.label && { label: options.label }),
    ...(options.search && { q: options.search }),
  };
  return listItems(api, options.resolved ? 'listResolvedAlerts' : 'listAlerts', {
    query,
    hasPages: true,
    limit: options.limit,
    ...(options.all && { all: true }),
  });
}

/** On a terminal the table is drawn anew; in a log each change is a line. */
async function watch(io: CliIo, api: ApiClient, options: AlertsOptions): Promise<void> {
  let before = new Map<unknown, string>();
  for (;;) {
    const { items } = await listAlerts(api, options);
    const now = new Map(items.map((item) => [item['id'], JSON.stringify(item)]));
    if (io.isOutputTerminal) io.stdout(`\u001b[2J\u001b[H${tableOf(io, items, resource)}`);
    else {
      const changed = items.filter((item) => before.get(item['id']) !== now.get(item['id']));
      if (changed.length > 0) io.stdout(tableOf(io, changed, resource));
      for (const id of before.keys()) if (!now.has(id)) io.stdout(`Alert ${String(id)} left the list\n`);
    }
    before = now;
    await sleep(options.interval * 1_000, undefined, { signal: io.signal }).catch(() => {
      throw io.signal.reason;
    });
  }
}
