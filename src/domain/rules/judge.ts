import type { Finding as Vulnerability } from '../vulnerabilities/find-vulnerabilities.ts';
import { type CandidateOptions, type Candidates, selectCandidates } from './candidates.ts';
import type { DataGap } from './data-gap.ts';
import { type Evidence, fingerprint } from './explanation.ts';
import type { SupportLookup } from './find-support.ts';
import { measureActivity, measureLag } from './measure-lag.ts';
import { measureSupport, measureVulnerabilities } from './measure-reference.ts';
import { measureReleaseChanges } from './measure-release-changes.ts';
import type { Measurement, VerdictOutcome } from './measurement.ts';
import type { ComparableRelease, Release, ReleaseSet } from './release-set.ts';
import { notComparable, type ResolvedDeployed, resolveDeployed } from './resolve-deployed.ts';
import { countsDays, type Rule, type RuleType } from './rule-type.ts';
import { ruleTypes } from './rule-types.ts';
import type { SupportFacts } from './support-facts.ts';
import type { VulnerabilityFacts } from './vulnerability-facts.ts';

export interface JudgeInput {
  readonly rule: Rule;
  /** Options from the alert configuration. */
  readonly options: Pick<CandidateOptions, 'candidatePattern' | 'ignoredVersions' | 'countedVersions'>;
  /** Deployed version after the transform, as scraped or set manually. `null` if it isn't known. */
  readonly deployedVersion: string | null;
  /** All releases of the gather job. */
  readonly releases: ReleaseSet;
  /** The releases of a mirror of the upstream. They don't affect the verdict. `null` if there's no mirror. */
  readonly mirrored?: ReleaseSet | null;
  /** Support data. Only for rule types of the kind `support`. `null` if no data is available (see `dataGap`). */
  readonly support?: SupportFacts | null;
  /** True if the repository is archived on its git platform. Affects only rule types of the kind `upstream_activity`. */
  readonly isArchived?: boolean;
  /** False if the source has only a lifecycle, so the job never has releases. Default: true. */
  readonly hasReleases?: boolean;
  /** Vulnerability data. Only for rule types of the kind `vulnerabilities`. `null` if no data is available (see `dataGap`). */
  readonly vulnerabilities?: VulnerabilityFacts | null;
  /**
   * Reason why `support` or `vulnerabilities` is `null`. `null` if neither is, or if the reason is that the
   * product or the packages aren't known.
   */
  readonly dataGap?: DataGap | null;
  readonly nowMs: number;
}

interface VerdictFacts {
  readonly deployedVersion: string | null;
  /** The highest candidate. For a stable-only rule, this is also the latest stable release. */
  readonly latestVersion: string | null;
  readonly latestStableVersion: string | null;
  /** The highest candidate that is in the mirror. `null` if none is, and without a mirror. */
  readonly mirrorVersion: string | null;
  /** URL of the latest release's page. */
  readonly releaseUrl: string | null;
  /** Lag at the time of the evaluation, in the unit of the rule type. `null` if it can't be determined. */
  readonly behindBy: number | null;
  /**
   * Start of the days in `behindBy`, for rule types that count days. `null` for other types, or if the deployed version
   * isn't behind.
   */
  readonly behindSinceMs: number | null;
  /**
   * First instant after the end of support, for rule types of the kind `support`. `null` for other types, or if the
   * date isn't known.
   */
  readonly endsAtMs: number | null;
  /**
   * Counted vulnerabilities, most severe first, for rule types that count vulnerabilities. `null` for other types, or
   * without data.
   */
  readonly vulnerabilities: readonly Vulnerability[] | null;
  readonly isEstimate: boolean;
  /**
   * Time at which the lag reached the threshold of `severity`. For a lag in days, it's that many days after
   * `behindSinceMs`. For other lags, it's the time of the release with which the lag reached the threshold.
   * `null` if the time isn't known or the verdict has no severity.
   */
  readonly crossedAtMs: number | null;
  /** Time at which this verdict changes next if no data changes until then. */
  readonly nextCrossingAtMs: number | null;
  /**
   * True if this verdict is certain only with a complete list of releases. Even an incomplete list can prove
   * that the deployed version is behind, but only a complete one proves that it isn't.
   */
  readonly requiresCompleteList: boolean;
  /** Input for `explain`. */
  readonly evidence: Evidence;
  /** Hash that changes when the explanation changes. Comparing it avoids reading the stored explanation. */
  readonly explanationFingerprint: string;
}

export type Verdict = VerdictFacts & VerdictOutcome;

/**
 * Evaluates how far the deployed version is behind. This is a pure function: the same input always returns
 * the same verdict.
 */
export function judge(input: JudgeInput): Verdict {
  const { deployedVersion, releases, nowMs } = input;
  const deployed =
    deployedVersion === null
      ? notComparable
      : resolveDeployed(deployedVersion, releases, input.options.candidatePattern);
  const options = {
    ...input.options,
    stableOnly: input.rule.stableOnly,
    minReleaseAgeDays: input.rule.minReleaseAgeDays,
  };
  const candidates = selectCandidates(releases, options, deployed, nowMs);
  return toVerdict(input, deployed, candidates, measure(input, deployed, candidates));
}

/** Measures the deployed version in the way that the kind of the rule type requires. */
function measure(input: JudgeInput, deployed: ResolvedDeployed, candidates: Candidates): Measurement {
  const type: RuleType = ruleTypes[input.rule.type];
  switch (type.kind) {
    case 'version_count':
      return measureLag(input, deployed, candidates, type, null);
    case 'version_age':
      return measureLag(input, deployed, candidates, type, type.measureByDate);
    case 'upstream_activity':
      return measureActivity(input, deployed, candidates, type);
    case 'support':
      return measureSupport(input, deployed, candidates, type);
    case 'vulnerabilities':
      return measureVulnerabilities(input, deployed, candidates, type);
    case 'release_moves':
      return measureReleaseChanges(input, deployed, candidates, type);
  }
}

function toVerdict(
  input: JudgeInput,
  deployed: ResolvedDeployed,
  candidates: Candidates,
  measured: Measurement,
): Verdict {
  const { rule, deployedVersion } = input;
  const { outcome, matched, behindBy, date, support, findings, moves, successor, isArchived } = measured;
  const { crossedAtMs, nextCrossingAtMs, requiresCompleteList } = measured;
  // A source without releases has no list that a version could be missing from.
  const isListed = input.hasReleases !== false || measured.match === 'no_version';
  const latest =
    support !== null
      ? latestSupported(support, candidates)
      : latestOf(candidates.latest, candidates.latestStable, measured.latest);
  const evidence: Evidence = {
    rule,
    deployedVersion,
    match: isListed ? measured.match : 'no_releases',
    matched,
    adoptedLine: deployed.adoptedLine,
    successor,
    latest: measured.latest ?? candidates.latest,
    candidates,
    jump: deployed.version === null ? null : candidates.jumpAbove(deployed.version),
    date,
    support,
    findings,
    moves,
    behindBy,
    isArchived,
    nextCrossingAtMs,
    outcome,
  };
  return {
    ...outcome,
    deployedVersion,
    ...latest,
    mirrorVersion: newestIn(input.mirrored ?? null, input.releases, candidates)?.text ?? null,
    behindBy,
    behindSinceMs: date?.atMs ?? null,
    endsAtMs: support?.verdict.end?.endsAtMs ?? null,
    vulnerabilities: countsDays(ruleTypes[rule.type]) ? null : (findings?.verdict?.counted ?? null),
    isEstimate: date?.isEstimate ?? false,
    crossedAtMs,
    nextCrossingAtMs,
    requiresCompleteList,
    evidence,
    explanationFingerprint: fingerprint(evidence),
  };
}

/**
 * Returns the highest candidate that also exists in the mirror. Releases that exist only in the mirror, such
 * as builds of the organization, aren't candidates.
 */
function newestIn(mirrored: ReleaseSet | null, releases: ReleaseSet, candidates: Candidates): Release | null {
  if (mirrored === null) return null;
  const isMirrored = ({ text, version }: Release): boolean => {
    const same = mirrored.withText(text);
    if (same !== null) return !same.isWithdrawn;
    // Different tags of an image are different images, even if their numbers are the same.
    if (version === null || releases.isImage || mirrored.scheme.id !== releases.scheme.id) return false;
    return mirrored.sameAs(version).some(({ isWithdrawn }) => !isWithdrawn);
  };
  return candidates.comparable.find(isMirrored) ?? candidates.incomparable.find(isMirrored) ?? null;
}

type Latest = Pick<VerdictFacts, 'latestVersion' | 'latestStableVersion' | 'releaseUrl'>;

/**
 * @param continuing The latest release of the current numbering, if the numbering of the deployed version has ended.
 */
function latestOf(
  latest: Release | null,
  latestStable: Release | null,
  continuing: ComparableRelease | null,
): Latest {
  const shown = continuing ?? latest;
  return {
    latestVersion: shown?.text ?? null,
    latestStableVersion: (continuing?.isPrerelease === false ? continuing : latestStable)?.text ?? null,
    releaseUrl: shown?.url ?? null,
  };
}

/**
 * Returns the newest supported line, which is the upgrade target. The deployed version of a chart is a chart
 * version, so for a chart, this returns the highest chart release whose application belongs to that line.
 */
function latestSupported({ facts, newest }: SupportLookup, candidates: Candidates): Latest {
  const { applicationVersions, lines } = facts;
  if (newest === null) return latestOf(null, null, null);
  if (applicationVersions !== null) {
    const release = candidates.comparable.find(({ text }) => {
      const found = lines.find(applicationVersions.get(text) ?? '');
      return found.kind === 'line' && found.line === newest;
    });
    return latestOf(release ?? null, release ?? null, null);
  }
  const version = newest.latest ?? newest.name;
  return { latestVersion: version, latestStableVersion: version, releaseUrl: null };
}
