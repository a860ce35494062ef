import { addConnectionOptions, type CliCommand } from '../cli-command.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import type { ConnectionOptions } from '../connect.ts';
import { idNumberOf, resourceByName } from '../resources/find-resource.ts';

/** Maximum number of items per API call. */
const bulkSize = 1_000;

/** `ignore ID…`: ignores discovered items. */
export const ignoreCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'Discovered item IDs, such as 7 or discovered-items/7')
    .option('--reason <text>', 'Reason for ignoring them')
    .action(async (texts: string[], { reason, ...options }: ConnectionOptions & { reason?: string }) => {
      const { api } = await connect(options);
      const problems: string[] = [];
      for (const item_ids of batchesOf(texts)) {
        const body = { item_ids, ...(reason !== undefined && { reason }) };
        const result = await api.call('ignoreDiscoveredItems', { body });
        printOutcome(io, result.ignored, 'ignored');
        printOutcome(io, result.already_ignored, 'was already ignored');
        if (result.accepted.length > 0)
          problems.push(`Accepted: ${result.accepted.join(', ')}. Delete their scrape jobs instead.`);
        if (result.not_found.length > 0) problems.push(notFound(result.not_found));
      }
      if (problems.length > 0) throw new CliError(problems.join(' '));
    });
};

/** `unignore ID…`: stops ignoring discovered items. */
export const unignoreCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'Discovered item IDs')
    .action(async (texts: string[], options: ConnectionOptions) => {
      const { api } = await connect(options);
      const missing: number[] = [];
      for (const item_ids of batchesOf(texts)) {
        const result = await api.call('restoreDiscoveredItems', { body: { item_ids } });
        printOutcome(io, result.restored, 'restored');
        printOutcome(io, result.not_ignored, "wasn't ignored");
        missing.push(...result.not_found);
      }
      if (missing.length > 0) throw new CliError(notFound(missing));
    });
};

/** `monitor ID…`: creates the alert configurations of accepted items again. */
export const monitorCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'Discovered item IDs')
    .action(async (texts: string[], options: ConnectionOptions) => {
      const { api } = await connect(options);
      const problems: string[] = [];
      for (const item_ids of batchesOf(texts)) {
        const result = await api.call('monitorDiscoveredItems', { body: { item_ids } });
        printOutcome(io, result.monitored, 'is monitored again');
        printOutcome(io, result.already_monitored, 'was already monitored');
        printOutcome(io, result.waiting, 'is monitored once its upstream and a rule are known');
        if (result.not_accepted.length > 0)
          problems.push(`Not accepted: ${result.not_accepted.join(', ')}. Use 'pacekeeper accept'.`);
        if (result.not_found.length > 0) problems.push(notFound(result.not_found));
      }
      if (problems.length > 0) throw new CliError(problems.join(' '));
    });
};

/**
 * Parses IDs and splits them into batches.
 * @throws CliError if one of `texts` isn't an ID
 */
export function* batchesOf(texts: readonly string[]): Generator<number[]> {
  const ids = texts.map((text) => {
    const id = idNumberOf(resourceByName('discovered-items'), text);
    if (id === null)
      throw usageError(`Invalid item ID "${text}". Run 'pacekeeper get discovered-items' to list IDs.`);
    return id;
  });
  for (let start = 0; start < ids.length; start += bulkSize) yield ids.slice(start, start + bulkSize);
}

function printOutcome(io: CliIo, ids: readonly number[], what: string): void {
  for (const id of ids) io.stdout(`Discovered item ${id} ${what}\n`);
}

function notFound(ids: readonly number[]): string {
  return `No discovered item with ID ${ids.join(', ')}.`;
}
