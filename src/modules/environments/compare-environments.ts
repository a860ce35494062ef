import { sql } from 'kysely';
import { artifactOfScrapeJob } from '../../domain/source-types/deployed-versions-source-type.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { type Database, type Tx, transaction } from '../../platform/database/index.ts';
import { invalidField } from '../../platform/errors.ts';
import type { EditContext } from '../../platform/http/index.ts';
import { alertConfigEdits, findRule } from '../monitoring/index.ts';
import { checkNewGatherJob, gatherJobEdits } from '../upstream/index.ts';
import { type DeployedServiceJob, listJobsOfServices, listServices } from './environment-queries.ts';
import { readEnvironmentSettings } from './environment-settings.ts';

type Request = Schemas['CompareEnvironmentsRequest'] & { dry_run: boolean };
type Response = Schemas['CompareEnvironmentsResponse'];

/** Maximum number of services that one request can compare. */
const maxServices = 5_000;
const maxPairs = 10_000;
const servicesPerPage = 200;
/** Maximum number of resources created by one statement. */
const batchSize = 1_000;
/** Maximum number of comparisons in a response. */
const maxListedPairs = 200;

/** A scrape job and the reference that it's compared with. */
interface Pair {
  job: DeployedServiceJob;
  reference: DeployedServiceJob;
}

/**
 * Creates the comparisons between the services of two environments in one transaction: a gather job for each
 * reference scrape job and an alert configuration for each compared scrape job. Existing gather jobs and
 * alert configurations are reused, and disabled ones stay disabled.
 */
export async function compareEnvironments(
  { db }: { db: Database },
  context: EditContext,
  body: Request,
): Promise<Response> {
  if (body.environment === body.compare_with)
    throw invalidField('compare_with', 'must be another environment');
  const { organizationId } = context.caller;
  if (!(await findRule(db, organizationId, body.rule_id))) throw invalidField('rule_id', 'rule not found');
  const { pairs, uncomparedCount } = await findPairs(db, organizationId, body);
  return transaction(db, async (tx) => {
    const gatherJobs = await findGatherJobs(tx, organizationId, pairs);
    const missing = distinct(pairs.map(({ reference }) => reference)).filter(
      ({ scrapeJobId }) => !gatherJobs.has(scrapeJobId),
    );
    if (!body.dry_run) {
      for (const jobs of batchesOf(missing)) {
        const rows = await gatherJobEdits.create(
          tx,
          context,
          jobs.map((job) => checkNewGatherJob(newGatherJob(job))),
        );
        rows.forEach(({ id }, index) => gatherJobs.set(jobs[index]!.scrapeJobId, id));
      }
    }
    const existing = await findConfigs(tx, organizationId, body.rule_id, pairs, gatherJobs);
    const added = pairs.filter(({ job }) => !existing.has(job.scrapeJobId));
    const created = new Map<number, number>();
    if (!body.dry_run) {
      for (const batch of batchesOf(added)) {
        const rows = await alertConfigEdits.create(
          tx,
          context,
          batch.map((pair) => newConfig(pair, body.rule_id, gatherJobs.get(pair.reference.scrapeJobId)!)),
        );
        rows.forEach(({ id }, index) => created.set(batch[index]!.job.scrapeJobId, id));
      }
    }
    return {
      created: { gather_jobs: missing.length, alert_configs: added.length },
      existing_count: [...existing.values()].filter(({ is_active }) => is_active).length,
      disabled_count: [...existing.values()].filter(({ is_active }) => !is_active).length,
      uncompared_count: uncomparedCount,
      items: pairs.slice(0, maxListedPairs).map(({ job, reference }) => ({
        service: job.service,
        component: job.component === '' ? null : job.component,
        scrape_job_id: job.scrapeJobId,
        compared_scrape_job_id: reference.scrapeJobId,
        gather_job_id: gatherJobs.get(reference.scrapeJobId) ?? null,
        alert_config_id: existing.get(job.scrapeJobId)?.id ?? created.get(job.scrapeJobId) ?? null,
        is_new: !existing.has(job.scrapeJobId),
      })),
    };
  });
}

/**
 * Pairs each scrape job with a reference in the other environment. If a service has several scrape jobs
 * there, such as one per cluster, the oldest one is the reference.
 */
async function findPairs(
  db: Database,
  organizationId: number,
  { environment, compare_with, service, label, q }: Request,
): Promise<{ pairs: Pair[]; uncomparedCount: number }> {
  const settings = await readEnvironmentSettings(db, organizationId);
  const pairs: Pair[] = [];
  let uncomparedCount = 0;
  for (let offset = 0; ; offset += servicesPerPage) {
    const page = { limit: servicesPerPage, offset };
    const services = await listServices(db, organizationId, settings, { service, label, q }, page);
    if (offset >= maxServices && services.items.length > 0)
      throw invalidField('q', `matches more than ${maxServices} services; filter them`);
    const names = [environment, compare_with];
    const found = await listJobsOfServices(db, organizationId, settings, services.items, names, maxPairs);
    for (const { jobs } of found.values()) {
      const reference = jobs.find((job) => job.environment === compare_with);
      const compared = jobs.filter((job) => job.environment === environment);
      if (reference === undefined) uncomparedCount += compared.length;
      else pairs.push(...compared.map((job) => ({ job, reference })));
    }
    if (pairs.length > maxPairs || [...found.values()].some(({ isComplete }) => !isComplete))
      throw invalidField('q', `matches more than ${maxPairs} scrape jobs; filter the services`);
    if (services.items.length < servicesPerPage) return { pairs, uncomparedCount };
  }
}

function newGatherJob(reference: DeployedServiceJob) {
  return {
    name: nameOf(`${titleOf(reference)} in ${reference.environment}`),
    source_type: 'deployed_versions' as const,
    artifact_name: artifactOfScrapeJob(reference.scrapeJobId),
    source_options: {},
    version_pattern: null,
    include_prereleases: true,
    max_releases: null,
    credential_name: null,
    cron_expression: null,
    cron_timezone: 'UTC',
    is_active: true,
    ignored_versions: [],
    counted_versions: [],
    purls: null,
    project_url: null,
    version_of: 'artifact' as const,
    lifecycle_product: null,
    vulnerability_packages: null,
    changelog_path: null,
  };
}

function newConfig({ job, reference }: Pair, ruleId: number, gatherJobId: number) {
  return {
    name: nameOf(`${titleOf(job)}: ${job.environment} behind ${reference.environment}`),
    scrape_job_id: job.scrapeJobId,
    gather_job_id: gatherJobId,
    rule_id: ruleId,
    labels: {},
    candidate_pattern: null,
    lifecycle_override: null,
    ignored_vulnerabilities: [],
    ignored_versions: [],
    counted_versions: [],
    is_active: true,
  };
}

function titleOf({ service, component }: DeployedServiceJob): string {
  return component === '' ? service : `${service} ${component}`;
}

function nameOf(text: string): string {
  return text.slice(0, 200).trim();
}

async function findGatherJobs(
  tx: Tx,
  organizationId: number,
  pairs: readonly Pair[],
): Promise<Map<number, number>> {
  const ids = pairs.map(({ reference }) => reference.scrapeJobId);
  const { rows } = await sql<{ scrape_job_id: number; id: number }>`
    SELECT DISTINCT ON (scrape_job_id) scrape_job_id, id FROM gather_jobs
    WHERE organization_id = ${organizationId} AND scrape_job_id = ANY(${ids}::bigint[])
    ORDER BY scrape_job_id, is_active DESC, id`.execute(tx);
  return new Map(rows.map((row) => [row.scrape_job_id, row.id]));
}

interface ExistingConfig {
  id: number;
  is_active: boolean;
}

/**
 * Returns the existing alert configurations that compare these pairs by the rule. The keys are the compared scrape
 * jobs.
 */
async function findConfigs(
  tx: Tx,
  organizationId: number,
  ruleId: number,
  pairs: readonly Pair[],
  gatherJobs: ReadonlyMap<number, number>,
): Promise<Map<number, ExistingConfig>> {
  const known = pairs.flatMap(({ job, reference }) => {
    const gatherJobId = gatherJobs.get(reference.scrapeJobId);
    return gatherJobId === undefined ? [] : [{ scrapeJobId: job.scrapeJobId, gatherJobId }];
  });
  const { rows } = await sql<ExistingConfig & { scrape_job_id: number }>`
    SELECT DISTINCT ON (c.scrape_job_id) c.scrape_job_id, c.id, c.is_active
    FROM unnest(
      ${known.map((pair) => pair.scrapeJobId)}::bigint[], ${known.map((pair) => pair.gatherJobId)}::bigint[]
    ) AS pair (scrape_job_id, gather_job_id)
    JOIN alert_configs c USING (scrape_job_id, gather_job_id)
    WHERE c.organization_id = ${organizationId} AND c.rule_id = ${ruleId} AND c.candidate_pattern IS NULL
    ORDER BY c.scrape_job_id, c.is_active DESC, c.id`.execute(tx);
  return new Map(rows.map(({ scrape_job_id, ...config }) => [scrape_job_id, config]));
}

function distinct(jobs: readonly DeployedServiceJob[]): DeployedServiceJob[] {
  return [...new Map(jobs.map((job) => [job.scrapeJobId, job])).values()];
}

function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += batchSize) yield items.slice(start, start + batchSize);
}
