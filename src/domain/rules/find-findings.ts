import type { Version } from '../versions/version-scheme.ts';
import type { Candidates } from './candidates.ts';
import { createIgnoredUntilLookup, type FindingsVerdict, judgeFindings } from './judge-findings.ts';
import { withEpochOf } from './resolve-deployed.ts';
import type { Rule } from './rule-type.ts';
import type { VulnerabilityFacts } from './vulnerability-facts.ts';

/** Known vulnerabilities of the deployed version, and a release that can replace it. */
export interface FindingsLookup {
  readonly facts: VulnerabilityFacts;
  /**
   * The version that was looked up, which for charts is the version of the application. `null` if it isn't
   * known.
   */
  readonly version: string | null;
  /** The result of the evaluation. `null` if the version that was looked up isn't valid or isn't known. */
  readonly verdict: FindingsVerdict | null;
  /**
   * The lowest release, starting at the deployed one, without counted vulnerabilities. `null` if the deployed
   * version has no vulnerabilities, or if each of the first 500 releases has some. Further releases aren't
   * checked.
   */
  readonly lowestWithout: string | null;
  /** Number of counted vulnerabilities that don't count for the rule because of its minimum EPSS score. */
  readonly belowMinimumCount: number;
  /** The known exploited vulnerability whose deadline comes first. `null` without a deadline, or if none has a fix. */
  readonly exploitedFix: ExploitedFix | null;
}

/** A known exploited vulnerability with a fix, and the deadline of the rule for it. */
export interface ExploitedFix {
  readonly id: string;
  /** The lowest release without the vulnerability. */
  readonly version: string;
  /** Time since which the vulnerability has been known to be exploited, with a fix available. */
  readonly sinceMs: number;
  readonly dueAtMs: number;
  /** True if the deadline ended before the catalog became too old to be used. */
  readonly isOverdue: boolean;
}

const noDeadline = { belowMinimumCount: 0, exploitedFix: null } as const;

/** @param deployed.lookup The version to look up. `null` if the deployed text doesn't contain one. */
export function findFindings(
  facts: VulnerabilityFacts,
  rule: Rule,
  { version: deployed, lookup: version }: { version: Version | null; lookup: string | null },
  candidates: Candidates,
  nowMs: number,
): FindingsLookup {
  const { known, applicationVersions, ignored, validUntilMs } = facts;
  const findings = version === null ? null : known.find(version);
  if (findings === null) return { facts, version, verdict: null, lowestWithout: null, ...noDeadline };
  // Outdated data must not open or resolve alerts, so it's evaluated as of the end of its validity.
  const isOld = validUntilMs !== null && nowMs > validUntilMs;
  const judgedAtMs = isOld ? validUntilMs : nowMs;
  const verdict = judgeFindings(findings, rule.thresholds, ignored, judgedAtMs);
  const ignoredUntil = createIgnoredUntilLookup(ignored);
  const isClean = (release: string) => {
    const released = applicationVersions === null ? release : applicationVersions.get(release);
    return released !== undefined && known.isClean(released, (one) => ignoredUntil(one) > judgedAtMs);
  };
  return {
    facts,
    version,
    verdict: isOld ? { ...verdict, nextCrossingAtMs: null } : verdict,
    lowestWithout: verdict.counted.length === 0 ? null : lowestClean(deployed, candidates, isClean),
    ...noDeadline,
  };
}

/**
 * Maximum number of releases to check. Each release is compared with all records, and an artifact can have
 * many more releases.
 */
const maxTried = 500;

/**
 * Finds the lowest release without counted vulnerabilities. Releases are ordered by their own version. For
 * charts, that's the version of the chart, not of the application.
 */
function lowestClean(
  deployed: Version | null,
  { comparable }: Candidates,
  isClean: (release: string) => boolean,
): string | null {
  if (deployed === null) return null;
  const { upstreamRank } = deployed;
  let checkedCount = 0;
  for (let at = comparable.length - 1; at >= 0 && checkedCount < maxTried; at--) {
    const { text, version } = comparable[at]!;
    if (withEpochOf(version, deployed).upstreamRank < upstreamRank) continue;
    if (isClean(text)) return text;
    checkedCount++;
  }
  return null;
}

/** A release above the deployed version. */
export interface HigherRelease {
  readonly text: string;
  /** The version to look up, which for charts is the version of the application. */
  readonly version: string;
  readonly dateMs: number;
  readonly isEstimate: boolean;
}

/** Returns the candidates that aren't below the deployed version and have a version to look up, lowest first. */
export function* higherReleases(
  deployed: Version,
  { comparable }: Pick<Candidates, 'comparable'>,
  applicationVersions: ReadonlyMap<string, string> | null,
): Generator<HigherRelease, void, undefined> {
  for (let at = comparable.length - 1; at >= 0; at--) {
    const { text, version, dateMs, dateSource } = comparable[at]!;
    if (withEpochOf(version, deployed).upstreamRank < deployed.upstreamRank) continue;
    const lookup = applicationVersions === null ? text : applicationVersions.get(text);
    if (lookup !== undefined)
      yield { text, version: lookup, dateMs, isEstimate: dateSource !== 'released_at' };
  }
}
