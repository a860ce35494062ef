import { type Item, listItems } from '../call-operation.ts';
import {
  addConnectionOptions,
  addOutputOption,
  type CliCommand,
  collect,
  type OutputOptions,
  wholeNumber,
} from '../cli-command.ts';
import { usageError } from '../cli-error.ts';
import type { ConnectionOptions } from '../connect.ts';
import { printItem, printItems } from '../output/print-result.ts';
import { findItem, resourceArgument, resourceByName } from './find-resource.ts';
import { type Resource, resources } from './resource-table.ts';

interface GetOptions extends ConnectionOptions, OutputOptions {
  all?: boolean;
  limit?: number;
  search?: string;
  filter?: string[];
}

/** `get RESOURCE [ID|NAME]` */
export const getCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command))
    .addArgument(resourceArgument(resources.map(({ name }) => name)))
    .argument('[id-or-name]', 'ID or name; omit to list all')
    .option('--all', 'Fetch all pages')
    .option('--limit <n>', 'Maximum number of results', wholeNumber)
    .option('-q, --search <text>', 'Filter by name')
    .option('--filter <key=value>', 'API list filter, such as status=failed; repeatable', collect)
    .action(async (name: string, reference: string | undefined, options: GetOptions) => {
      const resource = resourceByName(name);
      const { api } = await connect(options);
      if (reference !== undefined) {
        const item = await findItem(api, resource, reference);
        return printItem(io, options.output, item, shapeOf(resource));
      }
      const { items, total, totalIsExact } = await listItems(api, resource.list, {
        query: { ...parseFilters(options.filter ?? []), ...(options.search && { q: options.search }) },
        hasPages: resource.hasPages,
        ...(options.all && { all: true }),
        ...(options.limit !== undefined && { limit: options.limit }),
      });
      await printItems(io, options.output, items, shapeOf(resource));
      if (total > items.length) {
        const count = totalIsExact ? String(total) : `more than ${total}`;
        io.stderr(`Showing ${items.length} of ${count}. Use --all to show all.\n`);
      }
    });
};

export function shapeOf(resource: Resource) {
  const nameOf = (item: Item) => `${resource.name}/${String(item[resource.key])}`;
  return { columns: resource.columns, nameOf };
}

/** `status=failed` as a query. The server says which filters a list has. */
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
