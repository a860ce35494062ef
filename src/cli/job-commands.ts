import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../client/api-client.ts';
import { isItem } from '../domain/json/json-item.ts';
import { describeRunResult } from '../domain/runs/describe-run-result.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import { nearestName } from '../domain/text/nearest-name.ts';
import type { Schemas } from '../generated/client-api.ts';
import { callOperation, type Item, listItems, readPagesWith } from './call-operation.ts';
import {
  addConnectionOptions,
  addOutputOption,
  type CliCommand,
  type OutputOptions,
  wholeNumber,
} from './cli-command.ts';
import { CliError, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { ConnectionOptions } from './connect.ts';
import { counted } from './output/counted.ts';
import { formatTime } from './output/format-time.ts';
import { printItem, printItems, type ResultShape } from './output/print-result.ts';
import { findKey, resourceByName, similarName, splitReference } from './resources/find-resource.ts';
import { resultShapeOf } from './resources/get-command.ts';
import { type JobOperations, type Resource, resources } from './resources/resource-table.ts';

type Run = Schemas['Run'];

interface JobKind extends JobOperations {
  resource: Resource;
}

const jobKinds: readonly JobKind[] = resources.flatMap((resource) =>
  resource.job ? [{ ...resource.job, resource }] : [],
);

interface Job {
  kind: JobKind;
  id: string;
}

interface RunOptions extends ConnectionOptions, WaitOptions {
  wait?: boolean;
}

interface WaitOptions {
  /** Also wait for the retries of failed attempts. A rate limit can delay them for an hour. */
  allAttempts?: boolean;
  /** Maximum seconds to wait. */
  timeout: number;
}

const jobHelp = 'KIND/ID or KIND/NAME, such as gather-jobs/7 or "scrape-jobs/web in production"';

/** `run KIND/JOB`: starts a run. */
export const runCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<job>', jobHelp)
    .option('--wait', 'Wait for the run to finish; exit with code 1 if its first attempt fails')
    .option('--all-attempts', 'With --wait: also wait for the retries of failed attempts')
    .option('--timeout <seconds>', 'With --wait: maximum seconds to wait', wholeNumber, 600)
    .action(async (text: string, options: RunOptions) => {
      if (options.allAttempts && !options.wait) throw usageError('--all-attempts requires --wait.');
      const { api } = await connect(options);
      const job = await findJob(api, text);
      const before = await newestRun(api, job);
      const started = await callOperation(api, job.kind.run, { path: { id: job.id } });
      // A `deployed_versions` source doesn't require an agent, so its releases are already updated when the server
      // responds.
      if (isItem(started) && started['source_type'] === 'deployed_versions') {
        const count = counted(Number(started['release_count']), 'release');
        io.stdout(`Releases of gather job ${job.id} updated from deployed versions: ${count}\n`);
        return;
      }
      if (!options.wait) {
        io.stderr(`Run queued for ${job.kind.resource.word} ${job.id}.\n`);
        return;
      }
      const run = await waitForRun(api, io, job, before, options);
      if (run.status !== 'succeeded') {
        throw new CliError(`Run ${run.id} ${run.status}${failureText(run)}`);
      }
      io.stdout(`Run ${run.id} succeeded: ${resultOf(run, job.kind)}\n`);
    });
};

/**
 * `set-version JOB VERSION`: sets the version of a manual scrape job. Designed for pipelines, with little
 * output and meaningful exit codes.
 */
export const setVersionCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command))
    .argument('<job>', 'Manual scrape job ID or name')
    .argument('<version>', 'Deployed version')
    .action(async (reference: string, version: string, options: ConnectionOptions & OutputOptions) => {
      const { api } = await connect(options);
      const id = await findKey(api, resourceByName('scrape-jobs'), reference);
      const stored = await api.call('setScrapeJobVersion', { path: { id: Number(id) }, body: { version } });
      if (stored.warning !== null) io.stderr(`Warning: ${cleanLine(stored.warning, 1_000)}\n`);
      if (options.output !== 'table')
        return printItem(io, options.output, stored, resultShapeOf(resourceByName('versions')));
      const changed = stored.is_change ? '' : ' (unchanged)';
      io.stdout(
        `${cleanLine(stored.scrape_job_name)}: version set to ${cleanLine(stored.version)}${changed}\n`,
      );
    });
};

/** `logs KIND/JOB`: lists the runs of a job. */
export const logsCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command))
    .argument('<job>', jobHelp)
    .option('--limit <n>', 'Maximum number of runs', wholeNumber, 20)
    .option('--all', 'Show all retained runs')
    .action(
      async (text: string, options: ConnectionOptions & OutputOptions & { limit: number; all?: boolean }) => {
        const { api } = await connect(options);
        const job = await findJob(api, text);
        const runs = await listRuns(api, job, options);
        await printItems(io, options.output, runs, runShapeOf(job.kind));
      },
    );
};

const runShapeOf = (kind: JobKind): ResultShape => ({
  nameOf: ({ id }) => `runs/${String(id)}`,
  plural: 'runs',
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'STATUS', value: ({ status }) => status },
    { title: 'TRIGGER', value: ({ trigger }) => trigger },
    { title: 'STARTED', kind: 'time', value: ({ started_at }) => started_at },
    { title: 'ENDED', kind: 'time', value: ({ last_finished_at }) => last_finished_at },
    { title: 'MS', kind: 'count', value: ({ duration_ms }) => duration_ms },
    { title: 'ATTEMPT', value: ({ attempt }) => attempt },
    { title: 'RESULT', value: (run: Run) => resultOf(run, kind) },
  ],
});

function resultOf({ error, summary, checks }: Run, { finds }: JobKind): string {
  if (error) return `${error.code}: ${error.message}`;
  if (!summary) return '';
  return cleanLine(describeRunResult(summary, finds, checks), 1_000);
}

/** Finds a job by `KIND/ID`, `KIND/NAME`, or a name that only one job has. */
async function findJob(api: ApiClient, text: string): Promise<Job> {
  const split = splitReference(text);
  const kind = jobKinds.find(({ resource }) => resource === split?.resource);
  if (kind && split) return { kind, id: await findKey(api, kind.resource, split.reference) };
  if (/^\d+$/.test(text)) {
    const names = jobKinds.map(({ resource }) => `${resource.name}/${text}`);
    const list = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(names);
    throw usageError(`Specify the kind for job ${text}: ${list}.`);
  }
  const found: Job[] = [];
  for (const each of jobKinds) {
    const { items } = await listItems(api, each.resource.list, {
      query: { q: text.slice(0, 200) },
      all: true,
      hasPages: true,
    });
    for (const item of items)
      if (item['name'] === text.trim()) found.push({ kind: each, id: String(item['id']) });
  }
  const [only] = found;
  if (only && found.length === 1) return only;
  if (!only) throw new CliError(`No job named "${cleanLine(text)}".${await similarJob(api, text.trim())}`);
  const list = found.map(({ kind: { resource }, id }) => `  ${resource.name}/${id}`).join('\n');
  throw new CliError(`${found.length} jobs are named "${cleanLine(text)}". Specify one:\n${list}`);
}

/** Suggests the closest kind or name for a job that wasn't found. */
async function similarJob(api: ApiClient, jobName: string): Promise<string> {
  const kindName = jobName.includes('/') ? jobName.slice(0, jobName.indexOf('/')).toLowerCase() : '';
  const nearKind = nearestName(
    kindName,
    jobKinds.flatMap(({ resource: { name, singular } }) => [name, singular]),
  );
  if (kindName !== '' && nearKind !== null)
    return ` Did you mean ${nearKind}${cleanLine(jobName.slice(jobName.indexOf('/')))}?`;
  for (const { resource } of jobKinds) {
    const near = await similarName(api, resource, jobName);
    if (near !== null) return ` Did you mean ${resource.name}/${cleanLine(near)}?`;
  }
  return '';
}

async function listRuns(
  api: ApiClient,
  { kind, id }: Job,
  options: { limit?: number; all?: boolean },
): Promise<Run[]> {
  const read = (query: { limit: number; cursor?: string }) =>
    api.send(kind.listRuns, { path: { id: Number(id) }, query });
  if (!options.all) return (await read({ limit: Math.min(200, options.limit ?? 20) })).body.items;
  return (await readPagesWith(kind.listRuns, read, ({ items }) => items)).items;
}

async function newestRun(api: ApiClient, job: Job): Promise<Run | null> {
  const [run] = await listRuns(api, job, { limit: 1 });
  return run ?? null;
}

/**
 * Waits for the requested run, which is either the run in progress or the first one after `before`.
 *
 * @throws CliError if an attempt fails, even if it's retried, because retries can take longer than a pipeline should
 * wait. With `allAttempts`, reports each failed attempt and continues to wait.
 */
async function waitForRun(
  api: ApiClient,
  io: CliIo,
  job: Job,
  before: Run | null,
  { allAttempts = false, timeout: timeoutSeconds }: WaitOptions,
): Promise<Run> {
  const began = performance.now();
  const wasInProgress = before !== null && before.finished_at === null;
  const clearLine = io.isErrorTerminal ? '\r\u001b[K' : '';
  let reportedState = '';
  // Attempts that failed before the request aren't results of it.
  let reportedAttempt = wasInProgress ? (failedAttemptOf(before)?.attempt ?? 0) : 0;
  let isWaitReported = false;
  for (;;) {
    const run = await newestRun(api, job);
    const isFinal = run !== null && ['succeeded', 'failed', 'canceled'].includes(run.status);
    const isRequested = run !== null && (run.id !== before?.id || wasInProgress);
    if (isRequested && isFinal) {
      io.stderr(clearLine);
      return run;
    }
    const failedAttempt = isRequested ? failedAttemptOf(run) : null;
    if (failedAttempt !== null && failedAttempt.attempt > reportedAttempt) {
      const failure = `Attempt ${failedAttempt.attempt} failed${failedAttempt.why}.`;
      io.stderr(clearLine);
      if (!allAttempts) {
        const { waiting_until } = await readJob(api, job);
        throw new CliError(`${failure} ${retryNote(waiting_until)}`);
      }
      io.stderr(`${failure} Retrying.\n`);
      reportedAttempt = failedAttempt.attempt;
    }
    // A rate limit ends an attempt without counting it.
    if (!allAttempts && isRequested && run.status === 'queued' && run.error?.code === 'rate_limited') {
      const { waiting_for, waiting_until } = await readJob(api, job);
      if (waiting_for === 'host_limit') {
        io.stderr(clearLine);
        throw new CliError(`The attempt failed${attemptFailureText(run)}. ${retryNote(waiting_until)}`);
      }
    }
    const seconds = Math.floor((performance.now() - began) / 1_000);
    if (seconds >= timeoutSeconds)
      throw new CliError(
        `The run didn't finish within ${timeoutSeconds} s and is still in progress. Check 'pacekeeper logs'.`,
      );
    const isStarted = isRequested && run.status === 'in_progress';
    const state = isStarted
      ? `Run ${run.id} in progress`
      : `Run queued for ${job.kind.resource.word} ${job.id}`;
    if (!isStarted && !isWaitReported && seconds >= 2) {
      isWaitReported = true;
      const wait = await describeWait(api, job);
      if (wait !== null) io.stderr(`${clearLine}${wait}\n`);
    }
    // A terminal shows one line that is updated in place. A log gets a line per state.
    if (io.isErrorTerminal) io.stderr(`${clearLine}${state} (${seconds} s)…`);
    else if (state !== reportedState) io.stderr(`${state}.\n`);
    reportedState = state;
    await sleep(seconds < 5 ? 200 : 1_000, undefined, { signal: io.signal });
  }
}

/**
 * Returns the reason why a run doesn't start yet, if the user must act or the wait has a known end. `null` otherwise.
 */
async function describeWait(api: ApiClient, { kind, id }: Job): Promise<string | null> {
  const job = await readJob(api, { kind, id });
  if (job['waiting_for'] === 'host_limit')
    return `Waiting for a rate limit to end at ${String(formatTime(job['waiting_until']))}.`;
  if (job['waiting_for'] !== 'agent') return null;
  const name = job['credential_name'];
  const credential = typeof name === 'string' ? ` that has the credential "${cleanLine(name)}"` : '';
  return `Waiting for an agent${credential}. To list the agents, run 'pacekeeper get agents'.`;
}

function retryNote(at: unknown): string {
  const when = typeof at === 'string' ? ` at ${String(formatTime(at))}` : '';
  return `Pacekeeper retries${when}. To wait for retries, use --all-attempts.`;
}

async function readJob(api: ApiClient, { kind, id }: Job): Promise<Item> {
  const job = await callOperation(api, kind.resource.get!, { path: { id } });
  return isItem(job) ? job : {};
}

/** Returns the last failed attempt of a run that is still active. `null` if no attempt failed. */
function failedAttemptOf(run: Run): { attempt: number; why: string } | null {
  if (run.error === null) return null;
  const attempt = run.status === 'queued' ? run.attempt : run.attempt - 1;
  return { attempt, why: attemptFailureText(run) };
}

/** Returns the failure without the period of its message, because a sentence continues after it. */
function attemptFailureText(run: Run): string {
  return failureText(run).replace(/\.(?= \()/, '');
}

function failureText({ error }: Run): string {
  return error === null ? '' : `: ${cleanLine(error.message, 1_000)} (${error.code})`;
}
