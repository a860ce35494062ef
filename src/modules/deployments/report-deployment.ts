import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { chooseJob, jobNames } from '../../domain/deployments/choose-job.ts';
import { createNameAllocator } from '../../domain/discovery/name-items.ts';
import type { UpstreamSource } from '../../domain/discovery/upstream-source.ts';
import { ownValue } from '../../domain/json/own-value.ts';
import { matchesAny } from '../../domain/trusts/trust-pattern.ts';
import { incomparableVersionWarning } from '../../domain/versions/incomparable-version.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { type Database, type Tx, transaction } from '../../platform/database/index.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import type { ApiRequest, Caller, EditContext } from '../../platform/http/index.ts';
import { publishChanges } from '../audit/index.ts';
import { checkNewScrapeJob, recordVersion, scrapeJobEdits } from '../deployed/index.ts';
import { findTakenNames, findUpstream } from '../discovery/index.ts';
import { type EnvironmentSettings, environmentSettingsOf } from '../environments/index.ts';
import { alertConfigEdits, changeInTurn, type TurnDeps } from '../monitoring/index.ts';
import { lockRule, readSettings, type SettingValues } from '../settings/index.ts';
import { findGatherJob } from '../upstream/index.ts';
import {
  type DeploymentRow,
  type DeploymentTarget,
  findDeployment,
  findJobWithSameUpstream,
  findReportOfEvent,
  findRetriedReport,
  findSameReport,
  hadAlertConfig,
  insertDeployment,
  listAlertConfigsOfJob,
  listJobsOfTarget,
  lockDeploymentTarget,
  lockVersion,
  type NewDeployment,
  recordAlertConfig,
} from './deployment-queries.ts';

export type Report = ApiRequest<'reportDeployment'>['body'];
type Response = Schemas['ReportDeploymentResponse'];
type NotCompared = NonNullable<Response['not_compared']>;
type Reference = Schemas['NamedReference'];
type Compared = Pick<Response, 'gather_job' | 'alert_config' | 'not_compared'> & { isNew: boolean };

/** Maximum time by which the clock of a sender can be ahead. */
const maxAheadMs = 5 * 60_000;
/** Maximum number of labels of a job. */
const maxLabels = 20;
/**
 * Highest number that is added to a name to make it unique. Duplicates of names with higher numbers aren't
 * found.
 */
const numberedNames = 20;

/**
 * Stores the report of a deployment in one transaction. Also sets the version of its scrape job, unless a
 * later version is known, and compares the version with the gather job that the report leads to. Only reports
 * of the same target wait for each other.
 *
 * @param eventKey Identifies the event that contains the report. An event is stored only once.
 */
export async function reportDeployment(
  deps: TurnDeps,
  request: Pick<ApiRequest<'reportDeployment'>, 'caller' | 'requestId'>,
  report: Report,
  eventKey: Buffer | null = null,
): Promise<Omit<Response, 'deployment' | 'components'> & { row: DeploymentRow }> {
  const { db } = deps;
  const { organizationId } = request.caller;
  assertReportable(request.caller, report);
  const settings = await readSettings(db, organizationId);
  const { place, labels } = placeOf(settings, report);
  const job = await findJob(db, organizationId, environmentSettingsOf(settings), place, labels);
  const store = () => storeReport(deps, request, report, eventKey);
  return job === null ? store() : changeInTurn(deps, organizationId, { scrapeJobId: job.id }, store);
}

async function storeReport(
  { db }: { db: Database },
  request: Pick<ApiRequest<'reportDeployment'>, 'caller' | 'requestId'>,
  report: Report,
  eventKey: Buffer | null,
): ReturnType<typeof reportDeployment> {
  const { organizationId, actor } = request.caller;
  checkUrl(report.url);
  // A report changes several resources, so a precondition for one of them has no meaning.
  const context: EditContext = { caller: request.caller, requestId: request.requestId, ifMatch: null };
  return transaction(db, async (tx) => {
    const settings = await readSettings(tx, organizationId);
    const { place, labels } = placeOf(settings, report);
    await lockDeploymentTarget(tx, organizationId, place);
    const stored = eventKey && (await findReportOfEvent(tx, organizationId, eventKey));
    if (stored) return repeatReport(tx, context, stored, report, settings);
    const { now, reportedAt } = await readTime(tx, report.time);
    const latest = new Date(now.getTime() + maxAheadMs);
    if (reportedAt !== null && reportedAt > latest)
      throw invalidField(
        'time',
        `is more than five minutes after ${now.toISOString()}, the time of the server. Correct the clock of the sender, or omit the time`,
      );
    const job = await lockJob(tx, organizationId, environmentSettingsOf(settings), place, labels);
    // Ignore a stored time in the future. It was stored while the clock of the server was ahead, and would
    // make every correct report late.
    const knownAt = job?.deployed_at != null && job.deployed_at <= latest ? job.deployed_at : null;
    // A report without a time is the latest one, because it arrived last, even if the clock of another sender
    // is ahead.
    const deployedAt = reportedAt ?? (knownAt !== null && knownAt > now ? knownAt : now);
    const isLate = knownAt !== null && deployedAt < knownAt;
    const isNewJob = job === null;
    const scrapeJob = isNewJob
      ? await createJob(tx, context, place, { settings, labels })
      : isLate
        ? job
        : await addLabels(tx, context, job, labels);
    const deployment: NewDeployment = {
      scrape_job_id: scrapeJob.id,
      service: place.service,
      environment: place.environment,
      version: report.version,
      artifact: report.artifact,
      commit_sha: report.commit,
      url: report.url,
      labels: report.labels,
      deployed_at: deployedAt,
      is_late: isLate,
      event_key: eventKey,
    };
    const findRepeated = report.time === null ? findRetriedReport : findSameReport;
    const repeated = isNewJob ? undefined : await findRepeated(tx, organizationId, deployment);
    if (repeated === undefined && !isLate)
      await recordVersion(tx, 'manual', {
        organizationId,
        scrapeJobId: scrapeJob.id,
        rawVersion: report.version,
        commitSha: report.commit,
        deployedAt,
        artifact: report.artifact,
        isFromEvent: eventKey !== null,
      });
    const id = repeated ?? (await insertDeployment(tx, organizationId, deployment, actor));
    // Recording a version also publishes the change to its scrape job, but a late report doesn't record a
    // version.
    if (isLate) publishChanges(tx, organizationId, 'scrape_job', [scrapeJob.id], 'updated');
    const { isNew, ...compared } = await compare(tx, context, scrapeJob, report, {
      ruleId: settings.default_rule_id,
      isLate,
    });
    return {
      row: (await findDeployment(tx, organizationId, id))!,
      is_repeat: repeated !== undefined,
      created: { scrape_job: isNewJob, alert_config: isNew },
      ...compared,
      duplicate: await findDuplicate(tx, organizationId, report, settings, { scrapeJob, ...compared }),
      warning: incomparableVersionWarning(report.version),
    };
  });
}

/**
 * Returns the stored report of an event, and creates its alert configuration if that wasn't possible when the
 * event arrived first.
 */
async function repeatReport(
  tx: Tx,
  context: EditContext,
  row: DeploymentRow & { scrape_job_id: number },
  report: Report,
  settings: SettingValues,
): ReturnType<typeof reportDeployment> {
  const scrapeJob = { id: row.scrape_job_id, name: row.scrape_job_name ?? '' };
  const { isNew, ...compared } = await compare(tx, context, scrapeJob, report, {
    ruleId: settings.default_rule_id,
    isLate: row.is_late,
  });
  return {
    row,
    is_repeat: true,
    created: { scrape_job: false, alert_config: isNew },
    ...compared,
    duplicate: await findDuplicate(tx, context.caller.organizationId, report, settings, {
      scrapeJob,
      ...compared,
    }),
    warning: incomparableVersionWarning(row.version),
  };
}

/** Throws 403 if the caller has a trust that doesn't allow the service or the environment. */
export function assertReportable(
  { deploymentLimits: limits }: Pick<Caller, 'deploymentLimits'>,
  { service, environment }: Pick<Report, 'service' | 'environment'>,
): void {
  if (limits === undefined) return;
  for (const [field, patterns, value] of [
    ['service', limits.services, service],
    ['environment', limits.environments, environment],
  ] as const)
    if (!matchesAny(patterns, value))
      throw new ApiError(
        'forbidden',
        `The trust doesn't allow reports of the ${field} ${value}. Ask an administrator to add it to the trust.`,
      );
}

/**
 * Rejects an invalid URL, and one with a user name or password, because everyone in the organization can read
 * the URL.
 */
function checkUrl(text: string | null): void {
  if (text === null) return;
  const url = URL.parse(text);
  if (url === null) throw invalidField('url', 'must be a valid URL');
  if (url.username !== '' || url.password !== '')
    throw invalidField('url', 'must not contain a user name or password');
}

/** Returns the deployment target of a report, and all labels of its scrape job. */
function placeOf(
  settings: SettingValues,
  { service, environment, labels }: Report,
): { place: DeploymentTarget; labels: Record<string, string> } {
  const named = {
    [settings['environments.service_label']]: service,
    [settings['environments.label']]: environment,
  };
  for (const [key, value] of Object.entries(named))
    if ((ownValue(labels, key) ?? value) !== value)
      throw invalidField('labels', `must not have another value for ${key}, which the report already names`);
  const all = { ...labels, ...named };
  const component = ownValue(all, settings['environments.component_label']) ?? '';
  return { place: { service, component, environment }, labels: all };
}

async function readTime(tx: Tx, time: string | null): Promise<{ now: Date; reportedAt: Date | null }> {
  const { rows } = await sql<{ now: Date; reportedAt: Date | null }>`
    SELECT pacekeeper_now() AS now, ${time}::timestamptz AS "reportedAt"`.execute(tx);
  return rows[0]!;
}

/**
 * Finds the scrape job of a report and locks it. Another request may change the labels of the job before it's
 * locked, so they're read again until they're equal to those of the locked job.
 */
async function lockJob(
  tx: Tx,
  organizationId: number,
  settings: EnvironmentSettings,
  place: DeploymentTarget,
  labels: Record<string, string>,
) {
  for (let attempts = 0; attempts < maxLockAttempts; attempts++) {
    const job = await findJob(tx, organizationId, settings, place, labels);
    if (job === null) return null;
    const locked = await lockVersion(tx, organizationId, job.id);
    if (locked && isDeepStrictEqual(locked.labels, job.labels)) return { ...job, ...locked };
  }
  throw new ApiError(
    'conflict',
    'The labels of the scrape job are being changed. Report the deployment again.',
  );
}

/**
 * Maximum number of searches for the scrape job of a report. Two are enough unless its labels change twice.
 */
const maxLockAttempts = 5;

async function findJob(
  db: Database | Tx,
  organizationId: number,
  settings: EnvironmentSettings,
  place: DeploymentTarget,
  labels: Record<string, string>,
) {
  const chosen = chooseJob(await listJobsOfTarget(db, organizationId, settings, place, labels), labels);
  if ('job' in chosen) return chosen.job;
  const { ambiguous } = chosen;
  const ids = ambiguous.map(({ id }) => id);
  const shown = ids.slice(0, maxNamedJobs).join(', ');
  const more = ids.length > maxNamedJobs ? ` and ${ids.length - maxNamedJobs} more` : '';
  throw new ApiError(
    'conflict',
    `Several manual scrape jobs track this service in this environment: ${shown}${more}. Add a label to the report that only one of them has.`,
  );
}

const maxNamedJobs = 5;

async function createJob(
  tx: Tx,
  context: EditContext,
  place: DeploymentTarget,
  { settings, labels }: { settings: SettingValues; labels: Record<string, string> },
): Promise<Reference> {
  assertCount(labels);
  const placeLabels = [
    settings['environments.service_label'],
    settings['environments.label'],
    settings['environments.component_label'],
  ];
  const others = Object.fromEntries(Object.entries(labels).filter(([key]) => !placeLabels.includes(key)));
  const names = jobNames(place, others);
  const numbers = Array.from({ length: numberedNames - 1 }, (_, index) => `${names.at(-1)} #${index + 2}`);
  const taken = await findTakenNames(tx, 'scrape_jobs', context.caller.organizationId, [
    ...names,
    ...numbers,
  ]);
  const values = checkNewScrapeJob({
    name: createNameAllocator(taken)(names),
    parser_type: 'manual',
    source: 'git',
    repository_url: null,
    target_file: null,
    url: null,
    query: null,
    label: null,
    series: {},
    parse_expression: null,
    version_transform: 'none',
    credential_name: null,
    cron_expression: null,
    cron_timezone: 'UTC',
    history_limit: 100,
    labels,
    is_active: true,
  });
  const [row] = await scrapeJobEdits.create(tx, context, [values]);
  return row!;
}

/** Adds the labels that a scrape job doesn't have yet. Its other labels don't change. */
async function addLabels(
  tx: Tx,
  context: EditContext,
  job: Reference & { labels: Record<string, string> },
  labels: Record<string, string>,
): Promise<Reference> {
  const all = { ...labels, ...job.labels };
  if (Object.keys(all).length === Object.keys(job.labels).length) return job;
  assertCount(all);
  return scrapeJobEdits.update(tx, context, job.id, { labels: all });
}

function assertCount(labels: Record<string, string>): void {
  if (Object.keys(labels).length > maxLabels)
    throw invalidField(
      'labels',
      `must have at most ${maxLabels} labels, including those of the service, of the environment, and of the scrape job`,
    );
}

/**
 * Finds the alert configuration that compares the scrape job with the gather job of a report, or creates it with the
 * default rule.
 */
async function compare(
  tx: Tx,
  context: EditContext,
  scrapeJob: Reference,
  report: Report,
  { ruleId, isLate }: { ruleId: number | null; isLate: boolean },
): Promise<Compared> {
  const { organizationId } = context.caller;
  const configs = await listAlertConfigsOfJob(tx, organizationId, scrapeJob.id);
  const found = await findGatherJobOf(tx, organizationId, report);
  const gatherJob = 'job' in found ? { id: found.job.id, name: found.job.name } : null;
  const existing =
    gatherJob === null ? configs[0] : configs.find((each) => each.gather_job_id === gatherJob.id);
  if (existing) {
    const alert_config = { id: existing.id, name: existing.name };
    return { gather_job: gatherJob, alert_config, not_compared: null, isNew: false };
  }
  const without = (not_compared: NotCompared): Compared => ({
    gather_job: gatherJob,
    alert_config: null,
    not_compared,
    isNew: false,
  });
  if (isLate) return without(notCompared.late_report);
  if (!('job' in found)) return without(found.problem);
  // The rule can have been deleted since the settings were read.
  if (ruleId === null || !(await lockRule(tx, organizationId, ruleId)))
    return without(notCompared.no_default_rule);
  const comparison = { scrape_job_id: scrapeJob.id, gather_job_id: found.job.id };
  if (await hadAlertConfig(tx, organizationId, comparison)) return without(notCompared.alert_config_deleted);
  const [config] = await alertConfigEdits.create(tx, context, [
    {
      ...comparison,
      name: scrapeJob.name,
      rule_id: ruleId,
      labels: {},
      candidate_pattern: null,
      lifecycle_override: null,
      ignored_vulnerabilities: [],
      ignored_versions: [],
      counted_versions: [],
      is_active: true,
    },
  ]);
  await recordAlertConfig(tx, organizationId, { ...comparison, rule_id: ruleId });
  const alert_config = { id: config!.id, name: config!.name };
  return { gather_job: gatherJob, alert_config, not_compared: null, isNew: true };
}

/**
 * Finds another scrape job that tracks the same upstream for the same service and environment. For example, a discovery
 * job feeds it, or its component differs from that of the report.
 */
async function findDuplicate(
  tx: Tx,
  organizationId: number,
  report: Report,
  settings: SettingValues,
  { scrapeJob, gather_job }: { scrapeJob: Reference; gather_job: Reference | null },
): Promise<Response['duplicate']> {
  if (gather_job === null) return null;
  const { place, labels } = placeOf(settings, report);
  const found = await findJobWithSameUpstream(tx, organizationId, environmentSettingsOf(settings), {
    place,
    labels,
    scrapeJobId: scrapeJob.id,
    gatherJobId: gather_job.id,
  });
  if (found === undefined) return null;
  const { isManual, ...scrape_job } = found;
  const remedy = isManual
    ? `To track the version once, delete one of them. To keep ${scrape_job.name}, set its version with set-version instead of reporting it.`
    : `${scrape_job.name} reads its version from its source. To track the version once, delete one of them.`;
  return {
    scrape_job,
    message: `The scrape jobs ${scrapeJob.name} and ${scrape_job.name} both track ${gather_job.name} for this service and environment. ${remedy}`,
  };
}

/**
 * Returns the gather job of a report, or the reason why it has none. Throws 400 if `gather_job_id` doesn't
 * exist.
 */
async function findGatherJobOf(
  tx: Tx,
  organizationId: number,
  { gather_job_id, artifact, version }: Report,
): Promise<{ job: Reference } | { problem: NotCompared }> {
  if (gather_job_id !== null) {
    const job = await findGatherJob(tx, organizationId, gather_job_id);
    if (!job) throw invalidField('gather_job_id', 'gather job not found');
    return { job };
  }
  if (artifact === null) return { problem: notCompared.no_upstream };
  const found = await findUpstream(tx, organizationId, { artifact, version });
  if ('job' in found) return found;
  if ('sources' in found) return { problem: unservedBy(found.reason, found.sources) };
  return { problem: notCompared[found.reason] };
}

function unservedBy(
  code: 'no_gather_job' | 'several_gather_jobs',
  sources: readonly UpstreamSource[],
): NotCompared {
  if (code === 'several_gather_jobs')
    return { code, message: 'Several gather jobs can read the artifact. Report the gather_job_id.' };
  const [source] = sources;
  const shown =
    sources.length === 1 ? `${source!.artifact_name} from ${source!.source_type}` : 'the artifact';
  return { code, message: `No gather job reads ${shown}. Create one, and report the deployment again.` };
}

/** Reasons why no alert configuration was created. */
const notCompared = {
  late_report: {
    code: 'late_report',
    message: 'A version with a later time is already known, so the report changes nothing.',
  },
  no_upstream: {
    code: 'no_upstream',
    message: 'The report has no artifact and no gather job. Add one of them to compare the version.',
  },
  unknown_artifact: {
    code: 'unknown_artifact',
    message:
      'The artifact leads to no upstream source. Only images, charts, Git repositories, and package URLs of these do. Correct it, or report the gather_job_id.',
  },
  own_software: {
    code: 'own_software',
    message:
      'A correction says that the artifact has no upstream. Change the correction to compare the version.',
  },
  no_default_rule: {
    code: 'no_default_rule',
    message: 'The organization has no default rule. Set default_rule_id, and report the deployment again.',
  },
  alert_config_deleted: {
    code: 'alert_config_deleted',
    message:
      'Someone deleted the alert configuration that an earlier report created. Create one to compare the version again.',
  },
} as const satisfies Partial<Record<NotCompared['code'], NotCompared>>;
