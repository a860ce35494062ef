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
import { findItem, resourceByName } from './find-resource.ts';
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
    .argument('<resource>', `one of: ${resources.map(({ name }) => name).join(', ')}`)
    .argument('[id-or-name]', 'one of them; without it, the list')
    .option('--all', 'all pages of the list')
    .option('--limit <n>', 'how many of the list', wholeNumber)
    .option('-q, --search <text>', 'only those whose name holds this')
    .option(
      '--filter <key=value>',
      'a filter of the list in the API, such as status=failed; may be repeated',
      collect,
    )
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
        io.stderr(`These are ${items.length} of ${count}; --all shows all.\n`);
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
    if (key === '') throw usageError(`"${filter}" is no filter. It looks like status=failed.`);
    if (Object.hasOwn(query, key)) throw usageError(`The filter ${key} can be given once only.`);
    query[key] = value;
  }
  return query;
}
