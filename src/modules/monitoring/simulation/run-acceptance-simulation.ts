import { EpisodeLog } from '../../../domain/replay/episodes.ts';
import type { ReleaseSet } from '../../../domain/rules/release-set.ts';
import type { Rule } from '../../../domain/rules/rule-type.ts';
import { dayMs } from '../../../domain/rules/stored-lag.ts';
import type { Database } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { countMessagesByChannel } from '../../notifications/index.ts';
import type { ReleaseCache } from '../evaluation/release-cache.ts';
import { unstoredRuleId } from '../rules/given-rule.ts';
import { gatherJobKey, replaySubjects } from './replay-subjects.ts';
import { type SimulatedSubject, toReplaySubject } from './run-simulation.ts';
import { createConfigsForGatherJobs, readActiveRules, readNowMs } from './simulation-queries.ts';

export interface AcceptanceSimulationRequest {
  readonly organizationId: number;
  readonly comparisons: readonly {
    readonly ruleId: number;
    readonly gatherJobId: number;
    readonly deployedVersion: string | null;
    readonly labels: Readonly<Record<string, string>>;
  }[];
  /** Rule of the comparisons whose rule ID is `unstoredRuleId`. Null if no comparison has this ID. */
  readonly unstoredRule: Rule | null;
}

/** Result of the simulation, or `null` if no comparison has usable dates. */
export interface TypicalMessages {
  readonly per_week: number;
  readonly days: number;
  /** Number of comparisons that were simulated. */
  readonly alert_configs: number;
}

const days = 91;
const maxDurationMs = 5_000;

/**
 * Counts the messages that new alert configurations would have caused per week if their versions had been
 * deployed for the last 91 days. Alerts that were already open 91 days ago aren't counted. A comparison
 * without dated releases in these 91 days is excluded, because Pacekeeper can't know when it would have
 * caused messages. Read-only.
 */
export async function runAcceptanceSimulation(
  db: Database,
  releaseCache: ReleaseCache,
  { organizationId, comparisons, unstoredRule }: AcceptanceSimulationRequest,
  signal: AbortSignal,
): Promise<TypicalMessages | null> {
  const slices = new TimeSlices(signal, maxDurationMs);
  const toMs = await readNowMs(db);
  const time = { fromMs: toMs - days * dayMs, toMs };
  const rules = await readActiveRules(db, organizationId);
  if (unstoredRule !== null) rules.set(unstoredRuleId, unstoredRule);
  const configs = await createConfigsForGatherJobs(db, organizationId, [
    ...new Set(comparisons.map(({ gatherJobId }) => gatherJobId)),
  ]);
  signal.throwIfAborted();
  const subjects = comparisons.flatMap(
    ({ ruleId, gatherJobId, deployedVersion, labels }, index): SimulatedSubject[] => {
      const [compared, config] = [rules.get(ruleId), configs.get(gatherJobId)];
      if (compared === undefined || config === undefined || deployedVersion === null) return [];
      return [
        {
          // Negative IDs distinguish the comparisons from each other and from stored configurations, so no notification
          // rule selects them.
          config: { ...config, id: -1 - index, labels },
          ruleId,
          isBefore: false,
          versions: [{ atMs: time.fromMs - 1, version: deployedVersion }],
          ...toReplaySubject(config, { id: ruleId, compared }),
        },
      ];
    },
  );
  const dated = await findDatedJobs(db, releaseCache, subjects, time.fromMs, slices);
  const log = new EpisodeLog<SimulatedSubject>(time.fromMs);
  const replayed = await replaySubjects(
    db,
    releaseCache,
    {
      subjects: subjects.filter(({ config }) => dated.has(gatherJobKey(config.gatherJob))),
      birth: 'released',
      ...time,
    },
    slices,
    (step) => log.add(step),
  );
  if (replayed.size === 0) return null;
  const events = log.events
    .filter(({ subject }) => replayed.has(subject))
    .map(({ subject: { config, ruleId }, atMs, eventType, severity }) => ({
      atMs,
      cause: gatherJobKey(config.gatherJob),
      subject: { eventType, severity, ruleId, alertConfigId: config.id, labels: config.labels },
    }));
  const messages = await countMessagesByChannel(db, organizationId, events, () => slices.pause(), {
    assumesChannel: true,
  });
  const count = messages.reduce((sum, channel) => sum + channel.count, 0);
  return { per_week: Math.round((count * 70) / days) / 10, days, alert_configs: replayed.size };
}

/** Returns the keys of the gather jobs that have releases and whose releases since `sinceMs` all have a known date. */
async function findDatedJobs(
  db: Database,
  releaseCache: ReleaseCache,
  subjects: readonly SimulatedSubject[],
  sinceMs: number,
  slices: TimeSlices,
): Promise<Set<string>> {
  const jobs = new Map(subjects.map(({ config: { gatherJob } }) => [gatherJobKey(gatherJob), gatherJob]));
  const dated = new Set<string>();
  for (const [key, job] of jobs) {
    const releasesOf = await releaseCache.load(db, [job]);
    if (areDatesKnown(releasesOf(job), sinceMs)) dated.add(key);
    await slices.pause();
    if (!slices.isTimeLeft) break;
  }
  return dated;
}

function areDatesKnown({ size, comparable, incomparable }: ReleaseSet, sinceMs: number): boolean {
  const isKnown = ({ dateMs, dateSource }: (typeof incomparable)[number]) =>
    dateMs < sinceMs || dateSource === 'released_at';
  return size > 0 && comparable.every(isKnown) && incomparable.every(isKnown);
}
