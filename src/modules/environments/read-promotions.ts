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
import type { Database, PageRequest } from '../../platform/database/index.ts';
import {
  listChanges,
  listEnvironments,
  listJobsOfServices,
  listServices,
  type PlacedJob,
} from './environment-queries.ts';
import { type EnvironmentSettings, readEnvironmentSettings } from './environment-settings.ts';
import { type KeptAnswers, readDeployedRevision } from './kept-answers.ts';

type PromotionList = Schemas['ListPromotionsResponse'];

export interface PromotionFilters {
  service?: string | undefined;
  q?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sinceMs?: number | undefined;
}

/** Changes of versions that are read for one page. */
const maxChanges = 100_000;
/** Versions that a row names at most, the newest. */
const maxNamed = 20;

/**
 * How versions moved from one environment to another: from the first to the last one that a service has, in the configured
 * order, unless they are given.
 */
export async function readPromotions(
  db: Database,
  kept: KeptAnswers,
  organizationId: number,
  filters: PromotionFilters,
  page: PageRequest,
): Promise<PromotionList> {
  const [settings, revision] = await Promise.all([
    readEnvironmentSettings(db, organizationId),
    readDeployedRevision(db, organizationId),
  ]);
  return kept.read(
    { organizationId, revision, about: [settings.key, 'promotions', filters, page] },
    () => computePromotions(db, organizationId, settings, filters, page),
    ({ items }) => items.length * (1 + maxNamed),
  );
}

async function computePromotions(
  db: Database,
  organizationId: number,
  settings: EnvironmentSettings,
  { from, to, sinceMs, ...filters }: PromotionFilters,
  page: PageRequest,
): Promise<PromotionList> {
  const [names, services] = await Promise.all([
    listEnvironments(db, organizationId, settings),
    listServices(db, organizationId, settings, filters, page),
  ]);
  const environments = orderEnvironments(names, settings.order);
  const jobs = await listJobsOfServices(db, organizationId, settings, services.items, environments);
  const jobsOf = Map.groupBy(jobs, ({ service, component }) => `${service}\0${component}`);
  const pairs = services.items.flatMap(({ service, component }): Pair[] => {
    const own = jobsOf.get(`${service}\0${component}`) ?? [];
    const names = environments.filter((name) => own.some((job) => job.environment === name));
    const ends = { from: from ?? names[0], to: to ?? names.at(-1) };
    if (ends.from === undefined || ends.to === undefined || ends.from === ends.to) return [];
    const compared = own.filter(({ environment }) => environment === ends.from || environment === ends.to);
    const idsOf = (environment: string) =>
      compared.filter((job) => job.environment === environment).map(({ scrapeJobId }) => scrapeJobId);
    return [
      {
        ...{ service, component: component === '' ? null : component, from: ends.from, to: ends.to },
        interval_seconds: longestInterval(compared.map(intervalOf)),
        ...{ fromIds: idsOf(ends.from), toIds: idsOf(ends.to) },
      },
    ];
  });
  const changes = await listChanges(
    db,
    organizationId,
    pairs.flatMap(({ fromIds, toIds }) => [...fromIds, ...toIds]),
    maxChanges,
  );

  const lagsMs: number[] = [];
  const items: PromotionList['items'] = [];
  for (const { fromIds, toIds, ...pair } of pairs) {
    const seenBy = (ids: readonly number[]) => ids.flatMap((id) => changes.get(id) ?? []);
    const promotions = measure(seenBy(fromIds), seenBy(toIds), sinceMs);
    for (const lag of promotions.lagsMs) lagsMs.push(lag);
    items.push({ ...pair, ...figuresOf(promotions) });
    await pause();
  }
  const { items: _, ...rest } = services;
  return { items, summary: summarize(items, lagsMs), ...rest };
}

/** A service, and the scrape jobs of the two environments. */
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

type PairField = 'service' | 'component' | 'from' | 'to' | 'interval_seconds';
type Figures = Omit<PromotionList['items'][number], PairField>;

function figuresOf({ lagsMs, reversed, skipped, inFlight }: Promotions): Figures {
  const named = (versions: readonly FirstSeen[]) =>
    versions
      .slice(-maxNamed)
      .toReversed()
      .map(({ version, atMs }) => ({ version, since: new Date(atMs).toISOString() }));
  return {
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

function summarize(items: PromotionList['items'], lagsMs: number[]): PromotionList['summary'] {
  lagsMs.sort((a, b) => a - b);
  const total = (field: 'reversed' | 'skipped' | 'in_flight_count') =>
    items.reduce((sum, item) => sum + item[field], 0);
  return {
    promoted: lagsMs.length,
    median_seconds: secondsOf(percentile(lagsMs, 0.5)),
    p90_seconds: secondsOf(percentile(lagsMs, 0.9)),
    reversed: total('reversed'),
    skipped: total('skipped'),
    in_flight_count: total('in_flight_count'),
    interval_seconds: longestInterval(items.map(({ interval_seconds }) => interval_seconds)),
  };
}

/** How late a version can be seen. `null` if the job runs only when someone requests it. */
function intervalOf({ isManual, schedule }: PlacedJob): number | null {
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
