import { Option } from 'commander';
import type { ApiClient } from '../client/api-client.ts';
import { describeIncompleteComparison } from '../domain/environments/incomplete-comparison.ts';
import type { Schemas } from '../generated/client-api.ts';
import { type Item, readPagesWith } from './call-operation.ts';
import { addConnectionOptions, type CliCommand, labelOption, type OutputOptions } from './cli-command.ts';
import type { ConnectionOptions } from './connect.ts';
import { printItems } from './output/print-result.ts';

type Matrix = Schemas['EnvironmentMatrix'];
type Cell = Schemas['EnvironmentMatrixCell'];

interface EnvironmentsOptions extends ConnectionOptions, OutputOptions {
  drift?: 'any' | 'behind' | 'ahead' | 'different' | 'missing';
  environments?: string;
  label?: string;
  query?: string;
}

/** `environments`: lists the deployed version of each service in each environment. */
export const environmentsCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .addOption(
      new Option('--drift <kind>', 'Filter by difference from the previous environment').choices([
        'any',
        'behind',
        'ahead',
        'different',
        'missing',
      ]),
    )
    .option('--environments <names>', 'Environments to show, separated by commas')
    .addOption(labelOption('Filter by label'))
    .option('-q, --query <text>', 'Filter by name')
    .addOption(
      new Option('-o, --output <format>', 'Output format')
        .choices(['table', 'json', 'yaml', 'csv'])
        .default('table'),
    )
    .action(async (options: EnvironmentsOptions) => {
      const { api } = await connect(options);
      const { environments, is_complete, items } = await readMatrix(api, options);
      for (const sentence of describeIncompleteComparison(is_complete, items, 'scrape jobs'))
        io.stderr(`Note: ${sentence}\n`);
      const isForPeople = options.output === 'table' || options.output === 'csv';
      await printItems(
        io,
        options.output,
        items.map((item) => (isForPeople ? rowOf(item) : ({ ...item } as Item))),
        {
          columns: [
            { title: 'SERVICE', value: ({ service }) => service },
            ...environments.map((name) => ({
              title: name.toUpperCase(),
              value: (item: Item) => item[name],
            })),
          ],
          nameOf: ({ service }) => String(service),
        },
      );
    });
};

async function readMatrix(
  api: ApiClient,
  { drift, environments, label, query: q }: EnvironmentsOptions,
): Promise<Pick<Matrix, 'environments' | 'is_complete' | 'items'>> {
  const query = {
    ...(drift && { drift }),
    ...(environments && { environments }),
    ...(label && { label }),
    ...(q && { q }),
  };
  const { items, page } = await readPagesWith(
    'getEnvironmentMatrix',
    (position) => api.send('getEnvironmentMatrix', { query: { ...query, ...position } }),
    (matrix) => matrix.items,
  );
  return { ...page, items };
}

function rowOf({ service, component, cells }: Matrix['items'][number]): Item {
  return {
    service: component === null ? service : `${service}/${component}`,
    ...Object.fromEntries(cells.map((cell) => [cell.environment, textOf(cell)])),
  };
}

function textOf({ versions, relation, releases_behind }: Cell): string {
  const text = versions.map(({ version }) => version).join(' ');
  if (relation === 'behind') return `${text} (${releases_behind} behind)`;
  return relation === 'ahead' || relation === 'different' ? `${text} (${relation})` : text;
}
