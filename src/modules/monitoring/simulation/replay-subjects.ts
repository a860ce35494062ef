import {
  type ReplayFacts,
  type ReplayInput,
  type ReplayStep,
  type ReplaySubject,
  replay,
} from '../../../domain/replay/replay.ts';
import { ruleTypes } from '../../../domain/rules/rule-types.ts';
import type { StoredIgnore } from '../../../domain/vulnerabilities/ignored-vulnerability.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { TimeSlices } from '../../../platform/time-slices.ts';
import type { GatherJobKey, ReleaseCache } from '../evaluation/release-cache.ts';
import { type LifecycleOverride, type LifecycleRow, supportFacts } from '../evaluation/support-queries.ts';
import { type VulnerabilityRow, vulnerabilityFacts } from '../evaluation/vulnerability-queries.ts';

/** Number of gather jobs whose releases the release cache loads at a time. */
const jobsAtOnce = 20;

/**
 * Replays configurations in time slices, one gather job at a time.
 *
 * @param take receives every step. If the time limit is reached, the steps of the current job are incomplete.
 * @returns The subjects that were replayed to the end.
 */
export async function replaySubjects<Subject extends ReplaySubject & { readonly config: ReplayedConfig }>(
  db: Database,
  releaseCache: ReleaseCache,
  { subjects, ...time }: Omit<ReplayInput<Subject>, 'releases'>,
  slices: TimeSlices,
  take: (step: ReplayStep<Subject>) => void,
): Promise<Set<Subject>> {
  const replayed = new Set<Subject>();
  const jobs = [...Map.groupBy(subjects, ({ config }) => gatherJobKey(config.gatherJob)).values()];
  for (let at = 0; at < jobs.length && slices.isTimeLeft; at += jobsAtOnce) {
    const some = jobs.slice(at, at + jobsAtOnce);
    const releasesOf = await releaseCache.load(
      db,
      some.map(([first]) => first!.config.gatherJob),
    );
    const factsOf = await loadFacts(db, releaseCache, some.flat());
    await slices.pause();
    for (const ofJob of some) {
      const releases = releasesOf(ofJob[0]!.config.gatherJob);
      for (const step of replay({ ...time, releases, subjects: ofJob, factsOf })) {
        take(step);
        const pause = slices.pause();
        if (pause === undefined) continue;
        await pause;
        if (!slices.isTimeLeft) return replayed;
      }
      for (const subject of ofJob) replayed.add(subject);
    }
  }
  return replayed;
}

interface ReplayedConfig {
  readonly gatherJob: GatherJobKey;
  readonly lifecycle: LifecycleRow | null;
  readonly lifecycleOverride: LifecycleOverride | null;
  readonly vulnerabilities: VulnerabilityRow | null;
  readonly ignoredVulnerabilities: readonly StoredIgnore[];
}

/** Loads reference data, which is considered current for the whole replayed period, in the past or the future. */
async function loadFacts<Subject extends ReplaySubject & { readonly config: ReplayedConfig }>(
  db: Database,
  { support, vulnerabilities }: ReleaseCache,
  subjects: readonly Subject[],
): Promise<(subject: Subject) => ReplayFacts> {
  const isAboutSupport = ({ rule }: Subject) => ruleTypes[rule.type].kind === 'support';
  const isAboutFindings = ({ rule }: Subject) => ruleTypes[rule.type].kind === 'vulnerabilities';
  const sharedSupport = await support.load(
    db,
    subjects.filter(isAboutSupport).map(({ config }) => config),
  );
  const sharedFindings = await vulnerabilities.load(
    db,
    subjects.filter(isAboutFindings).map(({ config }) => config),
  );
  return (subject) => {
    const { config } = subject;
    return {
      support: isAboutSupport(subject)
        ? supportFacts(sharedSupport(config), config.lifecycle, config.lifecycleOverride, true)
        : null,
      vulnerabilities: isAboutFindings(subject)
        ? vulnerabilityFacts(
            sharedFindings(config),
            config.vulnerabilities,
            config.ignoredVulnerabilities,
            true,
          )
        : null,
    };
  };
}

/** Returns a unique key of a gather job. */
export function gatherJobKey({ organizationId, id }: GatherJobKey): string {
  return `${organizationId}/${id}`;
}
