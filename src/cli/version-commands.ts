import type { ApiClient } from '../client/api-client.ts';
import { patternForMajorVersion, patternForSameFormat } from '../domain/patterns/pattern-like.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import type { Schemas } from '../generated/client-api.ts';
import { addConnectionOptions, type CliCommand } from './cli-command.ts';
import { usageError } from './cli-error.ts';
import type { ConnectionOptions } from './connect.ts';
import { findKey, resourceByName } from './resources/find-resource.ts';

interface UndoOptions extends ConnectionOptions {
  undo?: boolean;
}

interface ListOptions extends UndoOptions {
  gatherJob?: boolean;
}

interface FollowOptions extends UndoOptions {
  major?: boolean;
}

const configHelp = 'Alert configuration ID or name';

/**
 * `ignore-version CONFIG VERSION…`: excludes releases from the comparison, as a button on the page of an
 * alert configuration does.
 */
export const ignoreVersionCommand: CliCommand = listCommand(
  'ignored_versions',
  'Releases to ignore',
  'Stop ignoring these releases',
);

/**
 * `count-version CONFIG VERSION…`: includes releases in the comparison even though their format differs from the
 * others.
 */
export const countVersionCommand: CliCommand = listCommand(
  'counted_versions',
  'Releases to compare even though their version numbers are unusual',
  'Stop counting these releases',
);

/**
 * Creates a command that adds versions to a list of an alert configuration or gather job, or removes them.
 */
function listCommand(
  field: 'ignored_versions' | 'counted_versions',
  versionsHelp: string,
  undoHelp: string,
): CliCommand {
  return (command, { io, connect }) => {
    addConnectionOptions(command)
      .argument('<alert-config>', `${configHelp}, or of a gather job with --gather-job`)
      .argument('<version...>', versionsHelp)
      .option('--gather-job', 'In all alert configurations that use a gather job')
      .option('--undo', undoHelp)
      .action(async (reference: string, versions: string[], options: ListOptions) => {
        const { api } = await connect(options);
        const find = options.gatherJob ? findGatherJob : findConfig;
        const found = await find(api, reference);
        const changed = options.undo
          ? found[field].filter((version) => !versions.includes(version))
          : [...new Set([...found[field], ...versions])];
        const operation = options.gatherJob ? 'updateGatherJob' : 'updateAlertConfig';
        await api.call(operation, { ...pathOf(found), body: { [field]: changed } });
        const list = changed.length === 0 ? 'none' : changed.map((version) => cleanLine(version)).join(', ');
        io.stdout(`${cleanLine(found.name)}: ${field.replace('_', ' ')}: ${list}\n`);
      });
  };
}

/**
 * `follow-version CONFIG RELEASE`: sets the version filter to a pattern for releases with the same format.
 */
export const followVersionCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<alert-config>', configHelp)
    .argument('[release]', 'An example of the releases to compare with, such as 4.2.0-alpine3.24')
    .option('--major', 'Only releases with the same major version')
    .option('--undo', 'Remove the version filter')
    .action(async (reference: string, release: string | undefined, options: FollowOptions) => {
      if ((release === undefined) !== (options.undo ?? false))
        throw usageError('Specify either a release to follow or --undo.');
      const { api } = await connect(options);
      const config = await findConfig(api, reference);
      const candidate_pattern = release === undefined ? null : patternFor(release, options);
      await api.call('updateAlertConfig', { ...pathOf(config), body: { candidate_pattern } });
      const before = filterText(config.candidate_pattern);
      io.stdout(
        `${cleanLine(config.name)}: version filter: ${filterText(candidate_pattern)} (was: ${before})\n`,
      );
    });
};

function patternFor(release: string, { major }: FollowOptions): string {
  if (!major) return patternForSameFormat(release);
  const found = patternForMajorVersion(release);
  if (found === null)
    throw usageError(`"${cleanLine(release, 60)}" has no major version. Use a release such as 15.2.`);
  return found.pattern;
}

async function findConfig(api: ApiClient, reference: string): Promise<Schemas['AlertConfig']> {
  const id = Number(await findKey(api, resourceByName('alert-configs'), reference));
  return api.call('getAlertConfig', { path: { id } });
}

async function findGatherJob(api: ApiClient, reference: string): Promise<Schemas['GatherJob']> {
  const id = Number(await findKey(api, resourceByName('gather-jobs'), reference));
  return api.call('getGatherJob', { path: { id } });
}

/**
 * Returns the path and the header that restricts the update to the revision that was read. Without the header, the
 * update could overwrite changes by other users.
 */
function pathOf({ id, revision }: { id: number; revision: number }) {
  return { path: { id }, headers: { 'if-match': `"${revision}"` } };
}

function filterText(pattern: string | null): string {
  return pattern === null ? 'none' : cleanLine(pattern, 1_000);
}
