import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FreshnessSubject } from '../../../domain/freshness/freshness-timeline.ts';
import type { ReleaseSet } from '../../../domain/rules/release-set.ts';
import type { Database } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import {
  candidatePattern,
  type ReleaseCache,
  readVersionChanges,
  type SimulatedConfig,
  selectConfigs,
} from '../../monitoring/index.ts';

/** Maximum number of pairs that one statement reads, with their versions. */
const pairsAtOnce = 1_000;
/** Number of gather jobs whose releases the release cache loads at a time. */
const jobsAtOnce = 20;

export interface MeasuredPair extends FreshnessSubject {
  /** Index of this pair in the IDs passed to `readPairs`. */
  readonly index: number;
}

/**
 * Reads pairs and the releases that they are compared with, one gather job at a time.
 *
 * @param ids IDs of pairs. The pairs of a gather job must be adjacent.
 * @param fromMs time from which versions are read, including the version that was deployed at this time
 */
export async function* readPairs(
  db: Database,
  releaseCache: ReleaseCache,
  organizationId: number,
  ids: readonly number[],
  fromMs: number,
): AsyncGenerator<{ releases: ReleaseSet; pairs: MeasuredPair[] }> {
  for (let at = 0; at < ids.length; at += pairsAtOnce) {
    const some = ids.slice(at, at + pairsAtOnce);
    const indexes = new Map(some.map((id, index) => [id, at + index]));
    const slices = new TimeSlices();
    const { configs } = await selectConfigs(db, organizationId, { kind: 'ids', ids: some }, slices);
    const scrapeJobs = configs.map(({ scrapeJobId }) => scrapeJobId);
    const changes = await readVersionChanges(db, organizationId, scrapeJobs, fromMs, slices, Infinity);
    const jobs = [
      ...Map.groupBy(configs, ({ gatherJob }) => `${gatherJob.organizationId}/${gatherJob.id}`).values(),
    ];
    for (let first = 0; first < jobs.length; first += jobsAtOnce) {
      const together = jobs.slice(first, first + jobsAtOnce);
      const releasesOf = await releaseCache.load(
        db,
        together.map(([config]) => config!.gatherJob),
      );
      for (const ofJob of together) {
        yield {
          releases: releasesOf(ofJob[0]!.gatherJob),
          pairs: ofJob.map((config) => toPair(indexes.get(config.id!)!, config, changes)),
        };
        // Yield to the event loop, so that other events are processed, such as a request to stop.
        await nextTurn();
      }
    }
  }
}

function toPair(
  index: number,
  config: SimulatedConfig,
  changes: Awaited<ReturnType<typeof readVersionChanges>>,
): MeasuredPair {
  const { ignoredVersions, countedVersions } = config;
  return {
    index,
    options: {
      candidatePattern: candidatePattern(config.candidatePattern),
      ignoredVersions,
      countedVersions,
    },
    versions: changes.get(config.scrapeJobId) ?? [],
    doubtedSinceMs: config.listDoubt?.sinceMs ?? null,
  };
}
