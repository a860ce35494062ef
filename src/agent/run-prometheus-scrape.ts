import { createVersionPicker, type Series } from '../domain/prometheus/prometheus-series.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { requestQuery } from '../sources/scrape-requests.ts';
import type { createSourceHttp, SourceHttp, SourceUsage } from '../sources/source-http.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import type { StartBodyReading } from './body-reading.ts';
import {
  completeScrape,
  createFailureReporter,
  createSharedSignal,
  parseScrapedVersion,
} from './complete-scrape.ts';
import type { OpenCredential } from './open-credential.ts';
import type { ParseFile } from './parse-files.ts';

export interface PrometheusScrapeDeps {
  sourceHttp: ReturnType<typeof createSourceHttp>;
  startReading: StartBodyReading;
  parseFile: ParseFile;
  recentSeries: SeriesCache;
  openCredential: OpenCredential;
}

/**
 * Runs tasks of one server, query, organization, and credential with one query.
 * @param key Key that the tasks have in common.
 */
export async function runPrometheusScrapes(
  tasks: readonly HeldTask<TaskOf<'scrape'>>[],
  key: string,
  deps: PrometheusScrapeDeps,
): Promise<void> {
  const fail = createFailureReporter();
  try {
    const { series, usage } = await readSeries(tasks, key, deps);
    const pick = createVersionPicker(series);
    await Promise.all(
      tasks.map(async (held) => {
        try {
          held.signal.throwIfAborted();
          const { label, series: wanted = {} } = held.task.spec;
          if (label == null) throw new RunError('internal', 'The task names no label.');
          const picked = pick({ label, series: wanted });
          if (!picked.ok) throw new RunError('parse_failed', `No version found: ${picked.message}.`);
          const found = await parseScrapedVersion(
            held,
            { content: picked.version, place: label },
            deps.parseFile,
          );
          await completeScrape(held, found, { commitSha: null, usage });
        } catch (error) {
          await fail(held, error);
        }
      }),
    );
  } catch (error) {
    await Promise.all(tasks.map((held) => fail(held, error)));
  }
}

async function readSeries(
  tasks: readonly HeldTask<TaskOf<'scrape'>>[],
  key: string,
  { sourceHttp, startReading, recentSeries, openCredential }: PrometheusScrapeDeps,
): Promise<{ series: readonly Series[]; usage: SourceUsage }> {
  const [first] = tasks;
  const { url, query } = first?.task.spec ?? {};
  if (!first || url == null || query == null) throw new RunError('internal', 'The task names no query.');
  const maxAgeSeconds = Math.min(...tasks.map(({ task }) => task.spec.max_age_seconds ?? 0));
  const known = recentSeries.find(key, maxAgeSeconds * 1_000);
  if (known) return { series: known, usage: { requests: 0, waitedMs: 0 } };
  const fairKey = String(first.task.organization_id);
  const signal = createSharedSignal(tasks);
  const credential = await openCredential(first.task);
  const http: SourceHttp = sourceHttp.forJob({ credential, signal, fairKey });
  try {
    const answer = await requestQuery(http, { url, query });
    const { read } = startReading({ fairKey, signal, criteria: null });
    const origin = { host: new URL(url).host, what: 'the query' };
    const series: Series[] = [];
    for await (const part of read('prometheus_series', origin, answer.body)) series.push(...part);
    recentSeries.keep(key, series);
    return { series, usage: http.usage };
  } finally {
    http.end();
  }
}

/**
 * Maximum number of cached labels, across all series of all queries. This is the number of labels in two
 * responses of the maximum size.
 */
const maxKeptLabels = 200_000;

/**
 * Creates a cache of recent query results, so that consecutive tasks share a response.
 * @param elapsedMs A monotonic clock.
 */
export function createSeriesCache(elapsedMs: () => number = () => performance.now()) {
  const recent = new Map<string, { atMs: number; series: readonly Series[]; labels: number }>();
  let count = 0;

  function forget(key: string): void {
    count -= recent.get(key)?.labels ?? 0;
    recent.delete(key);
  }

  return {
    /** Returns the cached series, or null if they're missing or too old. */
    find(key: string, maxAgeMs: number): readonly Series[] | null {
      const found = recent.get(key);
      return found && elapsedMs() - found.atMs <= maxAgeMs && maxAgeMs > 0 ? found.series : null;
    },
    keep(key: string, series: readonly Series[]): void {
      forget(key);
      // A series without labels takes memory too, so it counts as one label.
      const labels = series.reduce((sum, one) => sum + Math.max(1, Object.keys(one).length), 0);
      recent.set(key, { atMs: elapsedMs(), series, labels });
      count += labels;
      for (const oldest of recent.keys()) {
        if (count <= maxKeptLabels && recent.size <= 100) break;
        forget(oldest);
      }
    },
  };
}

export type SeriesCache = ReturnType<typeof createSeriesCache>;
