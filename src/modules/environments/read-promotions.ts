import { setImmediate as pause } from 'node:timers/promises';
import { deployedOrder } from '../../domain/environments/deployed-order.ts';
import { orderEnvironments } from '../../domain/environments/order-environments.ts';
import {
  type FirstSeen,
  measurePromotions,
  type Promotions,
  percentile,
} from '../../domain/environments/promotions.ts';
import { scheduleIntervalMs } from '../../domain/scheduling/cron-schedule.ts';
import { versionScheme } from '../../domain/versions/versions.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { type Database, type PageRequest, pageOfItems } from '../../platform/database/index.ts';
import { createFairLimit } from '../../platform/fairness/index.ts';
import { type ResultCache, readRevision } from '../counts/index.ts';
import {
  type DeployedServiceJob,
  listChanges,
  listEnvironments,
  listJobsOfServices,
  listPromotedServices,
  type PromotionEnvironments,
  type ServiceKey,
  serviceKey,
} from './environment-queries.ts';
import { type EnvironmentSettings, readEnvironmentSettings } from './environment-settings.ts';
import { keyOfService } from './read-matrix.ts';

type PromotionList = Schemas['ListPromotionsResponse'];

export interface PromotionFilters extends PromotionEnvironments {
  service?: string | undefined;
  q?: string | undefined;
  sinceMs?: number | undefined;
}

/** Maximum number of services that are counted. If there are more, the total isn't exact. */
const maxServices = 10_000;
/** Number of services in one batch of the summary. */
const batchSize = 100;
/** Maximum number of version changes that are read for one page or batch. */
const maxChanges = 100_000;
/**
 * Maximum number of changes that are read for a summary, which takes about a second. Services beyond this
 * limit aren't included.
 */
const defaultSummaryChanges = 200_000;
/** Maximum number of versions that are listed for a service, newest first. */
const maxListedVersions = 20;
/**
 * Limits each organization to one summary at a time, so that the requests of one organization don't block the server's
 * thread.
 */
const summaryLimit = createFairLimit({ max: 4, maxPerKey: 1 });

/**
 * Returns the promotions of versions between two environments. If the filter doesn't specify them, these are the first
 * and the last environment of each service in the configured order.
 */
export async function readPromotions(
  db: Database,
  kept: ResultCache,
  organizationId: number,
  filters: PromotionFilters,
  page: PageRequest,
  maxSummaryChanges = defaultSummaryChanges,
): Promise<PromotionList> {
  const [settings, { revision }] = await Promise.all([
    readEnvironmentSettings(db, organizationId),
    readRevision(db, [organizationId], 'deployed_changes'),
  ]);
  const readCached = <T>(about: unknown[], compute: () => Promise<T>) =>
    kept.read({ organizationId, revision, about: [settings.key, ...about] }, compute);
  const { from, to, sinceMs, ...ofServices } = filters;
  const { environments, isComplete, services } = await readCached(
    ['promoted', { from, to, ...ofServices }],
    async () => {
      const { names, isComplete } = await listEnvironments(db, organizationId, settings);
      const environments = orderEnvironments(names, settings.order);
      const ends = { environments, from, to, limit: maxServices + 1 };
      return {
        environments,
        isComplete,
        services: await listPromotedServices(db, organizationId, settings, ofServices, ends),
      };
    },
  );
  const reader: Reader = { db, organizationId, settings, environments, from, to, sinceMs };
  const counted = services.slice(0, maxServices);
  const shown = pageOfItems(counted, page, keyOfService);
  const { limit, offset, cursor } = page;
  const items = await readCached(
    ['promotions', filters, { limit, offset, after: cursor?.after ?? null }],
    async () => {
      return (await measureServices(reader, shown)).measured.map(toItem);
    },
  );
  const summary = await readCached(['promotion summary', filters], () =>
    summaryLimit.run(String(organizationId), () => readSummary(reader, counted, maxSummaryChanges)),
  );
  return {
    items,
    summary,
    is_complete: isComplete,
    total: counted.length,
    total_is_exact: services.length <= maxServices,
    limit,
    offset,
  };
}

interface Reader extends PromotionEnvironments {
  db: Database;
  organizationId: number;
  settings: EnvironmentSettings;
  /** Environments in the order in which versions are deployed. */
  environments: readonly string[];
  sinceMs: number | undefined;
}

interface Measured extends Pick<PromotionList['items'][number], PairField> {
  promotions: Promotions;
}

async function measureServices(
  { db, organizationId, settings, environments, from, to, sinceMs }: Reader,
  services: readonly ServiceKey[],
): Promise<{ measured: Measured[]; changeCount: number }> {
  const found = await listJobsOfServices(
    db,
    organizationId,
    settings,
    services,
    environments,
    settings.maxServiceJobs,
  );
  const pairs = services.flatMap(({ service, component }): Pair[] => {
    const { jobs: own, isComplete } = found.get(serviceKey({ service, component })) ?? {
      jobs: [],
      isComplete: true,
    };
    const names = environments.filter((name) => own.some((job) => job.environment === name));
    const ends = { from: from ?? names[0], to: to ?? names.at(-1) };
    // Skip a service that lost one of its environments after the services were listed.
    if (ends.from === undefined || ends.to === undefined || ends.from === ends.to) return [];
    const compared = own.filter(({ environment }) => environment === ends.from || environment === ends.to);
    const idsOf = (environment: string) =>
      compared.filter((job) => job.environment === environment).map(({ scrapeJobId }) => scrapeJobId);
    return [
      {
        service,
        component: component === '' ? null : component,
        from: ends.from,
        to: ends.to,
        interval_seconds: longestInterval(compared.map(intervalOf)),
        is_complete: isComplete,
        fromIds: idsOf(ends.from),
        toIds: idsOf(ends.to),
      },
    ];
  });
  const changes = await listChanges(
    db,
    organizationId,
    pairs.flatMap(({ fromIds, toIds }) => [...fromIds, ...toIds]),
    maxChanges,
  );
  const measured: Measured[] = [];
  for (const { fromIds, toIds, ...pair } of pairs) {
    const seenBy = (ids: readonly number[]) => ids.flatMap((id) => changes.get(id) ?? []);
    measured.push({ ...pair, promotions: measure(seenBy(fromIds), seenBy(toIds), sinceMs) });
    await pause();
  }
  const changeCount = [...changes.values()].reduce((sum, { length }) => sum + length, 0);
  return { measured, changeCount };
}

/** Summarizes all services in their order, until the limit of changes is reached. */
async function readSummary(
  reader: Reader,
  services: readonly ServiceKey[],
  maxSummaryChanges: number,
): Promise<PromotionList['summary']> {
  const lagsMs: number[] = [];
  const sums = { reversed: 0, skipped: 0, in_flight_count: 0 };
  const intervals: (number | null)[] = [];
  let count = 0;
  let changeCount = 0;
  while (count < services.length && changeCount < maxSummaryChanges) {
    const batch = await measureServices(reader, services.slice(count, count + batchSize));
    for (const { promotions, interval_seconds } of batch.measured) {
      for (const lag of promotions.lagsMs) lagsMs.push(lag);
      sums.reversed += promotions.reversed;
      sums.skipped += promotions.skipped.length;
      sums.in_flight_count += promotions.inFlight.length;
      intervals.push(interval_seconds);
    }
    count = Math.min(count + batchSize, services.length);
    changeCount += batch.changeCount;
  }
  lagsMs.sort((a, b) => a - b);
  return {
    service_count: count,
    promoted: lagsMs.length,
    median_seconds: secondsOf(percentile(lagsMs, 0.5)),
    p90_seconds: secondsOf(percentile(lagsMs, 0.9)),
    ...sums,
    interval_seconds: longestInterval(intervals),
  };
}

/** A service and its scrape jobs in the two environments. */
interface Pair extends Pick<PromotionList['items'][number], PairField> {
  fromIds: readonly number[];
  toIds: readonly number[];
}

function measure(
  source: readonly FirstSeen[],
  target: readonly FirstSeen[],
  sinceMs: number | undefined,
): Promotions {
  const order = deployedOrder(
    versionScheme('auto'),
    [...source, ...target].map(({ version }) => version),
  );
  return measurePromotions(order, source, target, sinceMs);
}

type PairField = 'service' | 'component' | 'from' | 'to' | 'interval_seconds' | 'is_complete';

function toItem({ promotions, ...pair }: Measured): PromotionList['items'][number] {
  const { lagsMs, reversed, skipped, inFlight } = promotions;
  const named = (versions: readonly FirstSeen[]) =>
    versions
      .slice(-maxListedVersions)
      .toReversed()
      .map(({ version, atMs }) => ({ version, since: new Date(atMs).toISOString() }));
  return {
    ...pair,
    promoted: lagsMs.length,
    median_seconds: secondsOf(percentile(lagsMs, 0.5)),
    p90_seconds: secondsOf(percentile(lagsMs, 0.9)),
    reversed,
    skipped: skipped.length,
    skipped_versions: named(skipped),
    in_flight_count: inFlight.length,
    in_flight: named(inFlight),
  };
}

/**
 * Returns the maximum delay in seconds until a version is detected, or `null` if the job runs only on
 * request.
 */
function intervalOf({ isManual, schedule }: DeployedServiceJob): number | null {
  if (isManual) return 0;
  return schedule === null ? null : scheduleIntervalMs(schedule) / 1_000;
}

function longestInterval(intervals: readonly (number | null)[]): number | null {
  return intervals.reduce(
    (longest, each) => (longest === null || each === null ? null : Math.max(longest, each)),
    0,
  );
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 1_000);
}
