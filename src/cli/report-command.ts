import { ApiCallError, type ApiClient } from '../client/api-client.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import type { Schemas } from '../generated/client-api.ts';
import {
  addConnectionOptions,
  addOutputOption,
  type CliCommand,
  collect,
  labelsOption,
  type OutputOptions,
} from './cli-command.ts';
import { CliError, exitCodes, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { ConnectionOptions } from './connect.ts';
import { connectAsJob } from './connect-as-job.ts';
import { readLabels } from './labels.ts';
import { counted } from './output/counted.ts';
import { type OutputFormat, printItem } from './output/print-result.ts';
import { readTextFile } from './read-text-file.ts';
import { findKey, resourceByName } from './resources/find-resource.ts';
import { resultShapeOf } from './resources/get-command.ts';

type ReportedBom = NonNullable<Schemas['ReportDeploymentRequest']['sbom']>;
type Component = Schemas['ReportedBomComponent'];

interface ReportOptions extends ConnectionOptions, OutputOptions {
  artifact?: string;
  gatherJob?: string;
  commit?: string;
  url?: string;
  time?: string;
  label?: string[];
  sbom?: string;
  component?: string[];
  trust?: string;
  audience?: string;
}

/**
 * `report SERVICE ENVIRONMENT VERSION`: reports a deployment. Designed for pipelines, with little output and meaningful
 * exit codes.
 */
export const reportCommand: CliCommand = (command, { env, io, connect }) => {
  addOutputOption(addConnectionOptions(command))
    .argument('<service>', 'Deployed service')
    .argument('<environment>', 'Environment that it was deployed to')
    .argument('<version>', 'Deployed version')
    .option('--artifact <artifact>', 'Image reference, chart, Git repository, or package URL')
    .option(
      '--gather-job <id-or-name>',
      'Gather job to compare with; takes precedence over --artifact. With a trust or a key with the reporter role, use its ID',
    )
    .option('--commit <sha>', 'Git commit of the version')
    .option('--url <url>', 'Page about the deployment, such as the pipeline run')
    .option('--time <time>', 'When it was deployed (RFC 3339; default: now)')
    .addOption(labelsOption('Label of the scrape job; repeatable'))
    .option('--sbom <file>', 'CycloneDX or SPDX document in JSON; - reads standard input')
    .option(
      '--component <purl-or-name>',
      'Component of the document whose version is reported, as a package URL, NAME, or GROUP:NAME; repeatable',
      collect,
    )
    .option('--trust <code>', 'Code of a trust; uses the ID token of the CI job (default: PACEKEEPER_TRUST)')
    .option('--audience <audience>', "Audience of the trust, if it isn't the server URL")
    .action(async (service: string, environment: string, version: string, options: ReportOptions) => {
      const labels = readLabels(options.label ?? []);
      const time = options.time === undefined ? null : readTime(options.time);
      const trust = trustOf(options, env);
      const api =
        trust === null
          ? (await connect(options)).api
          : await connectAsJob(options, { trust, audience: options.audience }, env, io);
      const sbom = await readBom(io, options);
      const { artifact = null, commit = null, url = null, gatherJob } = options;
      const gather_job_id = gatherJob === undefined ? null : await findGatherJob(api, gatherJob);
      const result = await api.call('reportDeployment', {
        body: { service, environment, version, artifact, gather_job_id, commit, url, time, labels, sbom },
      });
      const { not_compared, duplicate, warning } = result;
      if (warning !== null) io.stderr(`Warning: ${cleanLine(warning, 1_000)}\n`);
      if (not_compared !== null) io.stderr(`Not compared: ${cleanLine(not_compared.message, 1_000)}\n`);
      if (duplicate) io.stderr(`Warning: ${cleanLine(duplicate.message, 1_000)}\n`);
      const lost = result.components.filter(({ status }) => status !== 'recorded');
      for (const each of lost)
        io.stderr(`Not reported: ${cleanLine(each.name)}: ${cleanLine(each.message ?? '', 1_000)}\n`);
      for (const each of result.components) noteVersions(io, each);
      await printReport(io, options.output, result);
      if (lost.length > 0)
        throw new CliError(
          `${counted(lost.length, 'component')} of the document ${lost.length === 1 ? "wasn't" : "weren't"} reported.`,
        );
    });
};

function printReport(
  io: CliIo,
  output: OutputFormat,
  result: Schemas['ReportDeploymentResponse'],
): void | Promise<void> {
  const { deployment, components } = result;
  const shape = resultShapeOf(resourceByName('deployments'));
  if (output === 'json' || output === 'yaml') return printItem(io, output, { ...result }, shape);
  if (output !== 'table') return printItem(io, output, { ...deployment }, shape);
  const place = `${cleanLine(deployment.service)} in ${cleanLine(deployment.environment)}`;
  const note = result.is_repeat ? ' (already reported)' : deployment.is_late ? ' (late)' : '';
  io.stdout(`${place}: ${cleanLine(deployment.version)} reported${note}\n`);
  for (const { name, version, is_repeat } of components)
    if (version !== null)
      io.stdout(
        `  ${cleanLine(name)}: ${cleanLine(version)} reported${is_repeat ? ' (already reported)' : ''}\n`,
      );
}

/** Prints which of several versions of a component was reported. */
function noteVersions(io: CliIo, { name, version, choice, other_versions }: Component): void {
  if (choice === null || version === null) return;
  const others = other_versions.slice(0, 5).map((each) => cleanLine(each));
  const reason = choice === 'lowest' ? 'the lowest one' : "the first one, because they can't be compared";
  io.stderr(
    `Note: The document contains several versions of ${cleanLine(name)}. Reported ${cleanLine(version)}, ${reason}; not reported: ${others.join(', ')}${other_versions.length > others.length ? ', …' : ''}.\n`,
  );
}

/** Reads the bill of materials of `--sbom` and the selection of `--component`, which require each other. */
async function readBom(io: CliIo, { sbom, component = [] }: ReportOptions): Promise<ReportedBom | null> {
  if (sbom === undefined && component.length === 0) return null;
  if (sbom === undefined) throw usageError('--component requires --sbom.');
  if (component.length === 0) throw usageError('--sbom requires at least one --component.');
  return { document: await readTextFile(io, sbom), components: component.map(toSelection) };
}

function toSelection(text: string): Schemas['SelectedBomComponent'] {
  if (/^pkg:/i.test(text)) return { purl: text };
  const colon = text.indexOf(':');
  return colon < 0 ? { name: text } : { group: text.slice(0, colon), name: text.slice(colon + 1) };
}

/**
 * Returns the trust to use instead of a key, or `null`. An explicit key file takes precedence over the
 * environment. In the environment, a trust takes precedence over a key.
 */
function trustOf({ trust, apiKeyFile, audience }: ReportOptions, env: NodeJS.ProcessEnv): string | null {
  if (trust !== undefined && apiKeyFile !== undefined)
    throw usageError('Use either --trust or --api-key-file, not both.');
  const chosen = trust ?? (apiKeyFile === undefined ? env['PACEKEEPER_TRUST']?.trim() : undefined) ?? '';
  if (chosen === '' && audience !== undefined) throw usageError('--audience requires --trust.');
  return chosen === '' ? null : chosen;
}

/** Finds the ID of a gather job. A reporter key and a trust can report an ID, but can't look up a name. */
async function findGatherJob(api: ApiClient, reference: string): Promise<number> {
  try {
    return Number(await findKey(api, resourceByName('gather-jobs'), reference));
  } catch (error) {
    if (!(error instanceof ApiCallError) || error.code !== 'forbidden') throw error;
    throw new CliError(
      `Names of gather jobs require the viewer role. With a key of the reporter role or a trust, use the ID instead of "${cleanLine(reference)}".`,
      exitCodes.notAllowed,
    );
  }
}

function readTime(text: string): string {
  if (Number.isNaN(Date.parse(text)))
    throw usageError(`Invalid time "${cleanLine(text)}". Use RFC 3339, for example 2026-11-21T05:10:00Z.`);
  return text;
}
