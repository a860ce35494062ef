import { ApiCallError, type ApiClient } from '../client/api-client.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import {
  addConnectionOptions,
  addOutputOption,
  type CliCommand,
  labelsOption,
  type OutputOptions,
} from './cli-command.ts';
import { CliError, exitCodes, usageError } from './cli-error.ts';
import type { ConnectionOptions } from './connect.ts';
import { connectAsJob } from './connect-as-job.ts';
import { readLabels } from './labels.ts';
import { printItem } from './output/print-result.ts';
import { findKey, resourceByName } from './resources/find-resource.ts';
import { shapeOf } from './resources/get-command.ts';

interface ReportOptions extends ConnectionOptions, OutputOptions {
  artifact?: string;
  gatherJob?: string;
  commit?: string;
  url?: string;
  time?: string;
  label?: string[];
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
      'Gather job to compare with; takes precedence over --artifact. Keys of the reporter role and trusts need its ID',
    )
    .option('--commit <sha>', 'Git commit of the version')
    .option('--url <url>', 'Page about the deployment, such as the pipeline run')
    .option('--time <time>', 'When it was deployed (RFC 3339; default: now)')
    .addOption(labelsOption('Label of the scrape job; repeatable'))
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
      const { artifact = null, commit = null, url = null, gatherJob } = options;
      const gather_job_id = gatherJob === undefined ? null : await findGatherJob(api, gatherJob);
      const result = await api.call('reportDeployment', {
        body: { service, environment, version, artifact, gather_job_id, commit, url, time, labels },
      });
      const { deployment, not_compared, warning } = result;
      if (warning !== null) io.stderr(`Warning: ${cleanLine(warning, 1_000)}\n`);
      if (not_compared !== null) io.stderr(`Not compared: ${cleanLine(not_compared.message, 1_000)}\n`);
      if (options.output === 'json' || options.output === 'yaml')
        return printItem(io, options.output, { ...result }, shapeOf(resourceByName('deployments')));
      if (options.output !== 'table')
        return printItem(io, options.output, { ...deployment }, shapeOf(resourceByName('deployments')));
      const place = `${cleanLine(deployment.service)} in ${cleanLine(deployment.environment)}`;
      const note = result.is_repeat ? ' (already reported)' : deployment.is_late ? ' (late)' : '';
      io.stdout(`${place}: ${cleanLine(deployment.version)} reported${note}\n`);
    });
};

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
