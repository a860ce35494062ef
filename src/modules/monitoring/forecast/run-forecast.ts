import { type Crossing, CrossingLog } from '../../../domain/replay/crossings.ts';
import type { ReplaySubject } from '../../../domain/replay/replay.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import { dayMs } from '../../../domain/rules/stored-lag.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  type Database,
  type PageCursor,
  pageOfItems,
  type SortValues,
} from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { candidatePattern } from '../evaluation/candidate-pattern.ts';
import type { ReleaseCache } from '../evaluation/release-cache.ts';
import { replaySubjects } from '../simulation/replay-subjects.ts';
import { readNowMs } from '../simulation/simulation-queries.ts';
import {
  countWithoutData,
  type ForecastConfig,
  type ForecastFilters,
  maxForecastConfigs,
  selectForecastConfigs,
} from './forecast-queries.ts';

export interface ForecastedTime {
  readonly organizationId: number;
  readonly days: number;
  readonly filters: ForecastFilters;
  /** Severity to include, or null for all severities. */
  readonly severity: AlertSeverity | null;
}

export interface ForecastRequest extends ForecastedTime {
  readonly limit: number;
  readonly offset: number;
  /** Position after the last item of the previous page. */
  readonly after: SortValues | null;
}

export interface ForecastPage {
  readonly forecast: Schemas['Forecast'];
  /** Position after the last item of this page. `null` if it's the last page. */
  readonly next: SortValues | null;
}

interface ForecastSubject extends ReplaySubject {
  readonly config: ForecastConfig;
}

export type ForecastCrossing = Crossing<ForecastSubject>;

export interface CrossingForecast {
  readonly fromMs: number;
  readonly toMs: number;
  /** Crossings, earliest first. */
  readonly crossings: readonly ForecastCrossing[];
  readonly isComplete: boolean;
}

/** Finds the threshold crossings from now on if nothing is upgraded or released. Read-only. */
export async function findCrossings(
  db: Database,
  releaseCache: ReleaseCache,
  { organizationId, days, filters, severity }: ForecastedTime,
  signal: AbortSignal,
  longestMs = 10_000,
): Promise<CrossingForecast> {
  const slices = new TimeSlices(signal, longestMs);
  const fromMs = await readNowMs(db);
  const toMs = fromMs + days * dayMs;
  const configs = await selectForecastConfigs(db, organizationId, toMs, filters);
  signal.throwIfAborted();
  const subjects = configs.slice(0, maxForecastConfigs).map(toSubject);
  const log = new CrossingLog<ForecastSubject>();
  // Use releases from the time they were first seen, as in the evaluations that this forecast predicts.
  const replayed = await replaySubjects(
    db,
    releaseCache,
    { subjects, birth: 'seen', fromMs, toMs },
    slices,
    (step) => log.add(step),
  );
  const crossings = log.crossings
    .filter((each) => replayed.has(each.subject) && (severity === null || each.severity === severity))
    .toSorted((a, b) => a.atMs - b.atMs || a.subject.config.id - b.subject.config.id);
  return { fromMs, toMs, crossings, isComplete: replayed.size === configs.length };
}

function toSubject(config: ForecastConfig): ForecastSubject {
  return {
    config,
    rule: config.rule.compared,
    isArchived: config.isArchived,
    listDoubt: config.listDoubt,
    options: {
      candidatePattern: candidatePattern(config.candidatePattern),
      ignoredVersions: config.ignoredVersions,
      countedVersions: config.countedVersions,
    },
    // The start time doesn't matter, because the version is already deployed.
    versions: [{ atMs: 0, version: config.deployedVersion }],
  };
}

/** Returns one page of crossings and their total number. */
export async function runForecast(
  db: Database,
  releaseCache: ReleaseCache,
  request: ForecastRequest,
  signal: AbortSignal,
): Promise<ForecastPage> {
  const { fromMs, toMs, crossings, isComplete } = await findCrossings(db, releaseCache, request, signal);
  const withoutData = await countWithoutData(db, request.organizationId, request.filters);
  const { limit, offset, after } = request;
  const cursor: PageCursor = { after, next: null };
  const items = pageOfItems(crossings, { limit, offset, cursor }, idOf).map(toItem);
  const bySeverity = { moderate: 0, high: 0, critical: 0 };
  for (const { severity } of crossings) bySeverity[severity]++;
  const forecast = {
    from: toTime(fromMs),
    to: toTime(toMs),
    things: new Set(crossings.map(({ subject }) => subject)).size,
    no_data: withoutData,
    by_severity: bySeverity,
    by_day: byDay(crossings, fromMs, toMs),
    is_complete: isComplete,
    items,
    total: crossings.length,
    total_is_exact: isComplete,
    limit,
    offset,
  };
  return { forecast, next: cursor.next };
}

function idOf({ subject, severity, atMs }: ForecastCrossing): string {
  return `${subject.config.id}/${severity}/${atMs}`;
}

function byDay(
  crossings: readonly ForecastCrossing[],
  fromMs: number,
  toMs: number,
): Schemas['Forecast']['by_day'] {
  const firstDay = Math.floor(fromMs / dayMs);
  const days = Array.from({ length: Math.floor(toMs / dayMs) - firstDay + 1 }, (_, index) => ({
    date: toTime((firstDay + index) * dayMs).slice(0, 10),
    moderate: 0,
    high: 0,
    critical: 0,
  }));
  for (const { atMs, severity } of crossings) days[Math.floor(atMs / dayMs) - firstDay]![severity]++;
  return days;
}

function toItem({ subject: { config }, ...crossing }: ForecastCrossing): Schemas['ForecastCrossing'] {
  return {
    at: toTime(crossing.atMs),
    severity: crossing.severity,
    current_severity: crossing.currentSeverity,
    alert_config: { id: config.id, name: config.name },
    rule: { id: config.rule.id, name: config.rule.name },
    artifact_name: config.artifactName,
    deployed_version: config.deployedVersion,
    latest_version: crossing.latestVersion,
  };
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
