import { Option } from 'commander';
import { cleanLine } from '../domain/templates/clean-text.ts';
import type { Schemas } from '../generated/client-api.ts';
import type { Item } from './call-operation.ts';
import { addConnectionOptions, type CliCommand, type OutputOptions } from './cli-command.ts';
import type { ConnectionOptions } from './connect.ts';
import { printItems } from './output/print-result.ts';
import { findKey, resourceByName } from './resources/find-resource.ts';

interface ReleaseNotesOptions extends ConnectionOptions, OutputOptions {
  from?: string;
  to?: string;
}

type ReleaseWithNotes = Schemas['ReleaseWithNotes'];

/** `release-notes CONFIG`: the releases between the deployed and the latest version, and what their notes mark. */
export const releaseNotesCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<alert-config>', 'Alert configuration ID or name')
    .option('--from <version>', 'List releases after this version (default: the deployed version)')
    .option('--to <version>', 'List releases up to this version (default: the latest version)')
    .addOption(
      new Option('-o, --output <format>', 'Output format')
        .choices(['table', 'json', 'yaml', 'csv'])
        .default('table'),
    )
    .action(async (reference: string, { from, to, ...options }: ReleaseNotesOptions) => {
      const { api } = await connect(options);
      const id = Number(await findKey(api, resourceByName('alert-configs'), reference));
      const query = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      const { releases } = await api.call('getAlertConfigReleaseNotes', { path: { id }, query });
      const isForPeople = options.output === 'table' || options.output === 'csv';
      await printItems(
        io,
        options.output,
        releases.map((release) => (isForPeople ? rowOf(release) : { ...release })),
        {
          columns: [
            { title: 'VERSION', value: ({ version }) => version },
            { title: 'RELEASED', value: ({ released_at }) => released_at, kind: 'time' },
            { title: 'MARKED', value: ({ marked }) => marked },
          ],
          nameOf: ({ version }) => String(version),
          plural: 'releases',
        },
      );
    });
};

function rowOf({ version, released_at, hints }: ReleaseWithNotes): Item {
  const marked = hints.map(({ kind, text, line }) => {
    const label = kind.replaceAll('_', ' ');
    return line === null ? label : `${label}: ${cleanLine(text, 80)}`;
  });
  return { version, released_at, marked: marked.join('; ') };
}
