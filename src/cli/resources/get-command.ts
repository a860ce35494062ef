import type { ApiClient } from '../../client/api-client.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { nearestName } from '../../domain/text/nearest-name.ts';
import { pluralOf } from '../../domain/text/plural.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { type Item, type Listed, listItems } from '../call-operation.ts';
import {
  addConnectionOptions,
  addListOptions,
  addOutputOption,
  type CliCommand,
  collect,
  type ListCommandOptions,
  type OutputOptions,
} from '../cli-command.ts';
import { usageError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import type { ConnectionOptions } from '../connect.ts';
import { sortFieldsOf, sortNamesOf } from '../contract-document.ts';
import { hasLabels, readLabels } from '../labels.ts';
import { counted, withSeparators } from '../output/counted.ts';
import { formatTime } from '../output/format-time.ts';
import { printItem, printItems, type ResultShape } from '../output/print-result.ts';
import { findItem, resourceArgument, resourceByName, splitReference } from './find-resource.ts';
import { type Resource, resources } from './resource-table.ts';

interface GetOptions extends ConnectionOptions, OutputOptions, ListCommandOptions {
  filter?: string[];
}

/** `get RESOURCE [ID|NAME]`: shows a resource, or lists all resources of a kind. */
export const getCommand: CliCommand = (command, { io, connect }) => {
  addListOptions(addOutputOption(addConnectionOptions(command), { hasWide: true }))
    .addArgument(resourceArgument(resources.map(({ name }) => name)))
    .argument('[id-or-name]', 'ID or name; omit to list all. RESOURCE/ID and RESOURCE/NAME are also valid')
    .addHelpText('after', sortHelp)
    .option('--filter <key=value>', 'API list filter, such as status=failed; repeatable', collect)
    .action(async (name: string, separate: string | undefined, options: GetOptions) => {
      const joined = separate === undefined ? splitReference(name) : null;
      const { resource, reference } = joined ?? { resource: resourceByName(name), reference: separate };
      const query = reference === undefined ? listQuery(resource, options) : {};
      const { api } = await connect(options);
      if (reference !== undefined) {
        const item = await findItem(api, resource, reference);
        return printItem(io, options.output, item, resultShapeOf(resource));
      }
      const listed = await listItems(api, resource.list, {
        query: {
          ...(resource.defaultSort && { sort: resource.defaultSort }),
          ...parseFilters(options.filter ?? []),
          ...query,
        },
        hasPages: resource.hasPages,
        ...pageOptionsOf(options),
      });
      const shape = resultShapeOf(resource);
      const isFiltered = options.filter !== undefined || Object.keys(query).some((key) => key !== 'sort');
      const plural = isFiltered ? `matching ${shape.plural}` : shape.plural;
      const isForPeople = options.output === 'table' || options.output === 'wide';
      const isNamed = isForPeople && resource.name === 'notification-rules' && listed.items.length > 0;
      const items = isNamed ? await withChannelNames(api, listed.items) : listed.items;
      await printItems(io, options.output, items, { ...shape, plural });
      if (resource.name === 'discovered-items' && listed.items.length === 0 && isForPeople)
        await explainNoItems(api, io);
      printRemainingNote(io, listed);
    });
};

/** Replaces channel IDs with names, because notification rules contain only the IDs. */
async function withChannelNames(api: ApiClient, rules: readonly Item[]): Promise<Item[]> {
  const channels = await api.call('listNotificationChannelsDropdown');
  const names = new Map<unknown, string>(channels.map(({ id, name }) => [id, name]));
  return rules.map(({ channel_ids: ids, ...rule }) => ({
    ...rule,
    channel_ids: Array.isArray(ids) ? ids.map((id: unknown) => names.get(id) ?? id) : ids,
  }));
}

/** Lists the resources that can be sorted, with the fields of each. */
function sortHelp(): string {
  const lines = resources.flatMap(({ name, list }) => {
    const fields = sortNamesOf(list);
    return fields.length === 0 ? [] : [`\n  ${name}: ${fields.join(', ')}`];
  });
  return `\nFields for --sort:${lines.join('')}`;
}

/**
 * Reports discovery jobs without a completed scan, because an empty list doesn't mean that their scans will find
 * nothing.
 */
async function explainNoItems(api: ApiClient, io: CliIo): Promise<void> {
  const { items } = await api.call('listDiscoveryJobs', { query: { limit: 200 } });
  const open = items.filter(({ status }) => status !== 'completed');
  for (const job of open.slice(0, maxExplained))
    io.stderr(`Discovery job "${cleanLine(job.name)}": ${describeScan(job)}\n`);
  if (open.length > maxExplained)
    io.stderr(
      `${counted(open.length - maxExplained, 'more discovery job')} without a successful scan. To list them, run 'pacekeeper get discovery-jobs'.\n`,
    );
}

const maxExplained = 5;

function describeScan(job: Schemas['DiscoveryJob']): string {
  const { status, waiting_for, waiting_until, credential_name, last_run } = job;
  if (status === 'failed')
    return `the scan failed${last_run?.error ? `: ${cleanLine(last_run.error.message, 1_000)}` : '.'}`;
  if (status === 'in_progress') return 'the scan is in progress.';
  if (waiting_for === 'agent') {
    const credential =
      credential_name === null ? '' : ` that has the credential "${cleanLine(credential_name)}"`;
    return `the scan is waiting for an agent${credential}. To list the agents, run 'pacekeeper get agents'.`;
  }
  if (waiting_for === 'host_limit')
    return `the scan is waiting for a rate limit to end at ${String(formatTime(waiting_until))}.`;
  return last_run === null ? 'not scanned yet.' : 'the scan is pending.';
}

export function resultShapeOf(resource: Resource): ResultShape {
  const nameOf = (item: Item) => `${resource.name}/${String(item[resource.key])}`;
  const { columns, wideColumns, word, listedWord = word } = resource;
  return { columns, nameOf, plural: pluralOf(listedWord), ...(wideColumns && { wideColumns }) };
}

/**
 * Converts list options to query parameters. Throws an error for an option that the list doesn't support,
 * before any request.
 */
export function listQuery(resource: Resource, options: ListCommandOptions, list = resource.list): Item {
  const { label = [], search, sort } = options;
  if (label.length > 0 && !resource.hasLabels)
    throw usageError(
      `${resource.name} can't be filtered by label. Only ${new Intl.ListFormat('en-US').format(labeled)} can.`,
    );
  if (search !== undefined && !resource.canSearch)
    throw usageError(`${resource.name} can't be filtered by name.`);
  if (sort !== undefined) checkSort(resource, sort, list);
  readLabels(label);
  return {
    ...(label[0] !== undefined && { label: label[0] }),
    ...(search && { q: search }),
    ...(sort && { sort }),
  };
}

/**
 * Returns the options for reading pages. The API filters by only one label, so additional labels are checked
 * here.
 */
export function pageOptionsOf({ all, limit, label = [] }: ListCommandOptions) {
  const labels = readLabels(label);
  return {
    ...(all && { all: true }),
    ...(limit !== undefined && { limit }),
    ...(label.length > 1 && { matches: (item: Item) => hasLabels(item, labels) }),
  };
}

/** Prints a note if the list has more items than shown. */
export function printRemainingNote(io: CliIo, { items, total, totalIsExact }: Listed): void {
  if (total <= items.length) return;
  const count = `${totalIsExact ? '' : 'more than '}${withSeparators(total)}`;
  io.stderr(`Showing ${withSeparators(items.length)} of ${count}. Use --all to show all.\n`);
}

const labeled = resources.filter(({ hasLabels: can }) => can).map(({ name }) => name);

function checkSort(resource: Resource, sort: string, list: Resource['list']): void {
  const fields = sortFieldsOf(list);
  if (fields.includes(sort)) return;
  if (fields.length === 0) throw usageError(`${resource.name} can't be sorted.`);
  const near = nearestName(sort, fields);
  throw usageError(
    `${resource.name} can't be sorted by "${sort}".${near ? ` Did you mean ${near}?` : ''} Available: ${fields.join(', ')}.`,
  );
}

/** Parses filters such as `status=failed`. The server checks if the list supports them. */
function parseFilters(filters: readonly string[]): Item {
  const query: Item = {};
  for (const filter of filters) {
    const [, key = '', value = ''] = /^([a-z_]+)=(.*)$/s.exec(filter) ?? [];
    if (key === '') throw usageError(`Invalid filter "${filter}". Use key=value, for example status=failed.`);
    if (Object.hasOwn(query, key)) throw usageError(`Filter ${key} can be used only once.`);
    query[key] = value;
  }
  return query;
}
