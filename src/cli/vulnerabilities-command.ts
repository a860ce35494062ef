import { Option } from 'commander';
import { exploitationStates } from '../domain/vulnerabilities/exploits.ts';
import type { Schemas } from '../generated/client-api.ts';
import type { Item } from './call-operation.ts';
import { addConnectionOptions, type CliCommand, type OutputOptions } from './cli-command.ts';
import type { ConnectionOptions } from './connect.ts';
import { withSeparators } from './output/counted.ts';
import { printItem, printItems, type ResultShape } from './output/print-result.ts';
import { findKey, resourceByName } from './resources/find-resource.ts';

interface VulnerabilitiesOptions extends ConnectionOptions, OutputOptions {
  exploitation?: Schemas['ExploitationState'];
  minEpss?: string;
  breached?: true;
  sort: (typeof orders)[number];
}

const orders = ['-exploitation', '-severity', '-epss', 'due_at'] as const;
const limit = 200;

/** `vulnerabilities CONFIG`: lists the known vulnerabilities of the deployed version, known exploited ones first. */
export const vulnerabilitiesCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<alert-config>', 'Alert configuration ID or name')
    .addOption(
      new Option('--exploitation <state>', "Only vulnerabilities with this state in CISA's catalog").choices(
        exploitationStates,
      ),
    )
    .option('--min-epss <score>', 'Only vulnerabilities with at least this EPSS score, from 0 to 1')
    .option('--breached', 'Only vulnerabilities that are overdue')
    .addOption(new Option('--sort <order>', 'Order of the list').choices(orders).default('-exploitation'))
    .addOption(
      new Option('-o, --output <format>', 'Output format')
        .choices(['table', 'json', 'yaml', 'csv'])
        .default('table'),
    )
    .action(async (reference: string, options: VulnerabilitiesOptions) => {
      const { exploitation, minEpss, breached, sort } = options;
      const { api } = await connect(options);
      const id = Number(await findKey(api, resourceByName('alert-configs'), reference));
      const query = {
        limit,
        sort,
        ...(exploitation !== undefined && { exploitation }),
        // The server rejects numbers outside the range.
        ...(minEpss !== undefined && { min_epss: Number(minEpss) }),
        ...(breached && { is_breached: true }),
      };
      const found = await api.call('listAlertConfigVulnerabilities', { path: { id }, query });
      const { output } = options;
      const isFiltered = exploitation !== undefined || minEpss !== undefined || breached === true;
      if (output !== 'table' && output !== 'csv') return printItem(io, output, { ...found }, shape);
      // An empty list of unknown vulnerabilities isn't a list without vulnerabilities.
      if (output === 'csv' || found.is_known || found.items.length > 0)
        await printItems(io, output, found.items.map(rowOf), {
          ...shape,
          plural: isFiltered ? 'matching vulnerabilities' : 'vulnerabilities',
        });
      for (const line of notes(found)) io.stderr(`${line}\n`);
    });
};

const shape: ResultShape = {
  columns: [
    { title: 'ID', value: (row) => row['id'] },
    { title: 'SEVERITY', value: (row) => row['severity'] },
    { title: 'EXPLOITED SINCE', value: (row) => row['exploited_since'], kind: 'time' },
    { title: 'EPSS', value: (row) => row['epss'] },
    { title: 'FIXED IN', value: (row) => row['fixed_in'] },
    { title: 'DUE', value: (row) => row['due_at'], kind: 'time' },
    { title: 'BREACHED', value: (row) => row['is_breached'] },
  ],
  nameOf: (row) => String(row['id']),
};

function rowOf(item: Schemas['Vulnerability']): Item {
  const { id, severity, known_exploited_since, epss, fixed_in, due_at, is_breached } = item;
  const exploited_since = known_exploited_since;
  return { id, severity, exploited_since, epss: epss?.score ?? null, fixed_in, due_at, is_breached };
}

/** Describes what the table doesn't show. */
function notes({
  items,
  total,
  is_known,
  known_exploited_as_of,
  epss_as_of,
}: Schemas['ListVulnerabilitiesResponse']): string[] {
  return [
    ...(is_known ? [] : ["The vulnerabilities of the deployed version aren't known."]),
    ...(total > items.length
      ? [`Showing the first ${withSeparators(items.length)} of ${withSeparators(total)}.`]
      : []),
    ...(known_exploited_as_of === null
      ? ["It isn't known which vulnerabilities are exploited, because CISA's catalog isn't loaded."]
      : []),
    ...(epss_as_of === null ? ['EPSS scores are missing, because none are loaded.'] : []),
  ];
}
