import type { ApiClient } from '../client/api-client.ts';
import { stateSentences } from '../domain/explanations/state-sentences.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import { withoutTrailing } from '../domain/text/trailing.ts';
import { escapeControls } from '../domain/text/visible-controls.ts';
import type { Schemas } from '../generated/client-api.ts';
import { addConnectionOptions, addOutputOption, type CliCommand, type OutputOptions } from './cli-command.ts';
import { CliError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { ConnectionOptions } from './connect.ts';
import { serverTimeOf } from './durations.ts';
import { formatTime } from './output/format-time.ts';
import { printItem } from './output/print-result.ts';
import { findItem, findKey, idNumberOf, resourceByName, splitReference } from './resources/find-resource.ts';

interface ExplainOptions extends ConnectionOptions, OutputOptions {}

/**
 * `explain CONFIG|alerts/ID|software/ID`: explains the state of an alert configuration with the same sentences as its
 * page, and the last errors of its jobs.
 */
export const explainCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command), { hasNames: false })
    .argument(
      '<alert-config>',
      'Alert configuration ID or name, an alert such as alerts/7, software such as software/7, or the URL of a page',
    )
    .action(async (reference: string, { output, ...options }: ExplainOptions) => {
      const { api } = await connect(options);
      const found = await findConfig(api, io, reference);
      if ('unmonitored' in found) {
        if (output !== 'table') throw new CliError(`No alert configuration compares ${found.unmonitored}.`);
        return io.stdout(`${found.unmonitored}: unmonitored\n\n${unmonitoredText}\n`);
      }
      const { id } = found;
      const { headers, body } = await api.send('getAlertConfigExplanation', { path: { id } });
      if (output !== 'table') return printItem(io, output, { ...body }, plainShape);
      const config = await api.call('getAlertConfig', { path: { id } });
      const nowMs = serverTimeOf(headers, 'Use -o json instead.');
      const severity = config.severity === null ? '' : ` (${config.severity})`;
      io.stdout(`${cleanLine(config.name)}: ${config.state}${severity}\n\n`);
      for (const sentence of stateSentences(config, body, nowMs))
        io.stdout(`${escapeControls(sentence, '')}\n`);
      for (const sentence of await failingJobs(api, config)) io.stdout(`${escapeControls(sentence, '')}\n`);
      if (body.explanation !== null)
        io.stdout(`\nLast evaluated: ${String(formatTime(body.evaluated_at))}\n`);
    });
};

/** Matches the page URL of an alert, alert configuration, or software. The server URL can contain a path. */
const page = /^https?:\/\/[^?#]*\/((?:alerts|alert-configs|software)\/\d+)\/?(?:[?#]|$)/i;

const unmonitoredText = `Nothing compares its version, because no alert configuration uses this scrape job.
Create one with a gather job and a rule: 'pacekeeper create alert-config'. Accepted items of discovery jobs and reported
deployments get one automatically when their gather job is known and the setting default_rule_id is set.`;

/** Finds an alert configuration, or deployed software that has none. */
async function findConfig(
  api: ApiClient,
  io: CliIo,
  given: string,
): Promise<{ id: number } | { unmonitored: string }> {
  const reference = page.exec(given)?.[1] ?? given;
  const kind = splitReference(reference)?.resource;
  const alertId = kind?.name === 'alerts' ? idNumberOf(kind, reference) : null;
  if (alertId !== null) {
    const { id, alert_config_id, status } = await api.call('getAlert', { path: { id: alertId } });
    if (status === 'resolved')
      io.stderr(
        `Alert ${id} is resolved. The explanation is about the current state of its alert configuration.\n`,
      );
    return { id: alert_config_id };
  }
  if (kind?.name === 'software' || kind?.name === 'scrape-jobs')
    return findConfigOf(api, reference.slice(reference.indexOf('/') + 1));
  const configs = resourceByName('alert-configs');
  try {
    return { id: Number(await findKey(api, configs, reference)) };
  } catch (error) {
    if (!(error instanceof CliError) || kind !== undefined) throw error;
    // If neither has this name, the error about alert configurations suggests similar names.
    return await findConfigOf(api, `name:${reference.replace(/^name:/, '')}`).catch(() =>
      Promise.reject(error),
    );
  }
}

/** Finds the alert configuration of a scrape job. */
async function findConfigOf(
  api: ApiClient,
  reference: string,
): Promise<{ id: number } | { unmonitored: string }> {
  const job = await findItem(api, resourceByName('scrape-jobs'), reference);
  const { items } = await api.call('listAlertConfigs', { query: { scrape_job_id: Number(job['id']) } });
  const [only] = items;
  if (only === undefined) return { unmonitored: cleanLine(String(job['name'])) };
  if (items.length === 1) return { id: only.id };
  const lines = items.map(({ id, name }) => `  alert-configs/${id}  ${cleanLine(name)}`);
  throw new CliError(`Several alert configurations use this scrape job. Use one of:\n${lines.join('\n')}`);
}

/**
 * Returns a sentence for each job of an alert configuration whose last run failed, because a comparison of what an
 * earlier run found, or of nothing, doesn't show it.
 */
async function failingJobs(
  api: ApiClient,
  { gather_job_id: gatherJobId, scrape_job_id: scrapeJobId }: Schemas['AlertConfig'],
): Promise<string[]> {
  const jobs = [
    {
      ...(await api.call('getGatherJob', { path: { id: gatherJobId } })),
      name: `gather-jobs/${gatherJobId}`,
    },
    {
      ...(await api.call('getScrapeJob', { path: { id: scrapeJobId } })),
      name: `scrape-jobs/${scrapeJobId}`,
    },
  ];
  return jobs.flatMap(({ name, status, last_run }) => {
    if (status !== 'failed') return [];
    const error = last_run?.error ? `: ${withoutTrailing(cleanLine(last_run.error.message), '.')}` : '';
    return [`The last run of ${name} failed${error}. 'pacekeeper logs ${name}' lists its runs.`];
  });
}

/** Output shape without columns and names, for results that aren't resources. */
const plainShape = { columns: [], nameOf: () => '' };
