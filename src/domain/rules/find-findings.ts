import { type FindingsVerdict, ignoredUntilBy } from '../verdicts/judge-findings.ts';
import { upstreamRank } from '../versions/auto-scheme.ts';
import { epochOfRank, withEpoch } from '../versions/precedence.ts';
import type { Candidates } from './candidates.ts';
import type { Rule, RuleType } from './rule-type.ts';
import type { VulnerabilityFacts } from './vulnerability-facts.ts';

/** The known vulnerabilities of the deployed version, and what it could be replaced with. */
export interface FoundFindings {
  readonly facts: VulnerabilityFacts;
  /** What was looked up: for charts, the version of the application. `null` if it isn't known. */
  readonly version: string | null;
  /** `null` if what was looked up isn't a version, or unknown. */
  readonly verdict: FindingsVerdict | null;
  /**
   * The lowest release from the deployed one on without any that counts. `null` if none counts, and if each of the first
   * 500 releases has one: what comes after them isn't looked at.
   */
  readonly lowestWithout: string | null;
}

/**
 * @param subject.version of the software, if the releases are those of it
 * @param subject.releaseText the release that the deployed version was matched with
 */
export function findFindings(
  measure: NonNullable<RuleType['measureFindings']>,
  facts: VulnerabilityFacts,
  rule: Rule,
  subject: { deployedVersion: string; movesTo: string | null; releaseText: string | null },
  candidates: Candidates,
  nowMs: number,
): FoundFindings {
  const { known, applicationVersions, ignored, validUntilMs } = facts;
  const { deployedVersion, movesTo, releaseText } = subject;
  const version =
    applicationVersions === null
      ? (movesTo ?? deployedVersion)
      : (applicationVersions.get(deployedVersion) ??
        (releaseText === null ? null : applicationVersions.get(releaseText)) ??
        null);
  const findings = version === null ? null : known.find(version);
  if (findings === null) return { facts, version, verdict: null, lowestWithout: null };
  // Data that is too old must not open or resolve alerts, so its clock is frozen.
  const isOld = validUntilMs !== null && nowMs > validUntilMs;
  const judgedAtMs = isOld ? validUntilMs : nowMs;
  const verdict = measure(findings, rule.thresholds, ignored, judgedAtMs);
  const ignoredUntil = ignoredUntilBy(ignored);
  const isClean = (release: string) => {
    const released = applicationVersions === null ? release : applicationVersions.get(release);
    return released !== undefined && known.isClean(released, (one) => ignoredUntil(one) > judgedAtMs);
  };
  return {
    facts,
    version,
    verdict: isOld ? { ...verdict, nextCrossingAtMs: null } : verdict,
    lowestWithout: verdict.counted.length === 0 ? null : lowestClean(deployedVersion, candidates, isClean),
  };
}

/** Each is compared with all records, so they aren't as many as an artifact can have. */
const maxTried = 500;

/** By the versions of the releases, which for charts aren't those of the software. */
function lowestClean(
  deployedVersion: string,
  { comparable }: Candidates,
  isClean: (release: string) => boolean,
): string | null {
  const deployed = upstreamRank(deployedVersion);
  if (deployed === null) return null;
  const deployedRank = withEpoch(deployed, epochOfRank(upstreamRank(comparable[0]?.text ?? '') ?? ''));
  let tried = 0;
  for (let at = comparable.length - 1; at >= 0 && tried < maxTried; at--) {
    const { text } = comparable[at]!;
    if ((upstreamRank(text) ?? '') < deployedRank) continue;
    if (isClean(text)) return text;
    tried++;
  }
  return null;
}
