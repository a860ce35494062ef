import { Option } from 'commander';
import { isBreakingHint } from '../domain/notes/breaking-changes.ts';
import { describeUnread } from '../domain/notes/unread-notes.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import { capitalized } from '../domain/text/capitalized.ts';
import type { Schemas } from '../generated/client-api.ts';
import type { Item } from './call-operation.ts';
import { addConnectionOptions, type CliCommand, type OutputOptions } from './cli-command.ts';
import type { ConnectionOptions } from './connect.ts';
import { counted, withSeparators } from './output/counted.ts';
import { printItems } from './output/print-result.ts';
import { findKey, resourceByName } from './resources/find-resource.ts';

interface ReleaseNotesOptions extends ConnectionOptions, OutputOptions {
  from?: string;
  to?: string;
}

type ReleaseWithNotes = Schemas['ReleaseWithNotes'];

/**
 * `release-notes CONFIG`: lists the releases between the deployed and the latest version, with the changes that are
 * marked in their notes.
 */
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
      const { releases, totals } = await api.call('getAlertConfigReleaseNotes', { path: { id }, query });
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
      if (isForPeople) for (const line of missingLines(releases, totals)) io.stderr(`${line}\n`);
    });
};

/** Describes the releases and notes that the table doesn't show. */
function missingLines(
  releases: readonly ReleaseWithNotes[],
  totals: Schemas['ReleaseNotes']['totals'],
): string[] {
  const lines: string[] = [];
  if (releases.length < totals.releases || !totals.is_exact) {
    const all = `${totals.is_exact ? '' : 'at least '}${counted(totals.releases, 'release')}`;
    const unlisted = totals.breaking - releases.filter(({ hints }) => hints.some(isBreakingHint)).length;
    const marked =
      unlisted > 0
        ? ` Of the others, ${withSeparators(unlisted)} ${isOrAre(unlisted)} marked as breaking.`
        : '';
    lines.push(`Showing the newest ${withSeparators(releases.length)} of ${all}.${marked}`);
  }
  const unread = describeUnread(totals);
  if (unread !== null) lines.push(`${capitalized(unread)}.`);
  return lines;
}

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are');

function rowOf({ version, released_at, hints }: ReleaseWithNotes): Item {
  const marked = hints.map(({ kind, text, line }) => {
    const label = kind.replaceAll('_', ' ');
    return line === null ? label : `${label}: ${cleanLine(text, 80)}`;
  });
  return { version, released_at, marked: marked.join('; ') };
}
