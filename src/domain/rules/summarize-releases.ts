import type { CountedVersion } from './candidates.ts';
import { countedOutliers } from './counted-outliers.ts';
import { createIgnoredReleaseMatcher } from './exclusion.ts';
import { judge } from './judge.ts';
import { findJump } from './jumps.ts';
import { ExclusionCounter, type LeftOut } from './left-out.ts';
import { latestOfJob } from './own-latest.ts';
import type { ComparableRelease, Release, ReleaseSet } from './release-set.ts';
import { resolveDeployed } from './resolve-deployed.ts';
import { type RuleTypeId, ruleTypeIds } from './rule-types.ts';

/**
 * Summary of a gather job's releases, which users see before they compare versions with these releases. Field names
 * match the API.
 */
export interface ReleasesSummary {
  readonly release_count: number;
  /** Latest release of the job. Versions without a line name or variant are compared with this release. */
  readonly latest: SummarizedRelease | null;
  /**
   * Combinations of line and variant. The first one is that of the deployed version, or of the latest release if no
   * version is deployed. The others are sorted by number of releases, highest first.
   */
  readonly lines: readonly SummarizedLine[];
  readonly line_count: number;
  readonly jump: { readonly from: string; readonly above: readonly string[] } | null;
  readonly left_out: readonly LeftOut[];
  readonly deployed: DeployedVersionSummary | null;
}

export interface SummarizedRelease {
  readonly version: string;
  readonly released_at: string | null;
}

export interface SummarizedLine {
  /** Name before the version numbers. Empty if the versions have none. */
  readonly line: string;
  /** Words after the version numbers. Empty if the versions have none. */
  readonly variant: string;
  readonly count: number;
  readonly latest: SummarizedRelease;
  readonly is_compared: boolean;
}

export interface DeployedVersionSummary {
  readonly match: string;
  readonly release: string | null;
  readonly adopted_line: string | null;
  readonly latest: string | null;
  /** Lag by rule type. `null` if the lag can't be measured. */
  readonly behind_by: Readonly<Record<RuleTypeId, number | null>>;
}

/** Maximum number of entries in `lines`. */
const maxLines = 50;

export interface SummaryOptions {
  readonly deployedVersion: string | null;
  /** Ignored versions of the gather job. `countedVersions` also belong to the gather job. */
  readonly ignoredVersions: readonly string[];
  readonly countedVersions: readonly string[];
  readonly nowMs: number;
}

export function summarizeReleases(set: ReleaseSet, options: SummaryOptions): ReleasesSummary {
  const { deployedVersion, ignoredVersions, nowMs } = options;
  const isIgnored = createIgnoredReleaseMatcher(set, ignoredVersions) ?? (() => false);
  const countedVersions = options.countedVersions.map((version) => ({ version, sinceMs: nowMs }));
  const counted = countedOutliers(set, countedVersions);
  const isCountedStable = (release: ComparableRelease) => isStable(release) && !isIgnored(release);
  const tally = new ExclusionCounter();
  for (const release of set.incomparable)
    tally.add(release.version === null ? 'not_a_version' : 'platform_tag', release);
  const variants = new Map<string, ComparableRelease[]>();
  for (const line of set.lines.values()) {
    for (const release of line.releases) {
      const reason = line.isMoving(release)
        ? 'moving_tag'
        : release.isWithdrawn
          ? 'withdrawn'
          : release.isYanked
            ? 'yanked'
            : isIgnored(release)
              ? 'ignored'
              : line.isOutlier(release) && !counted.has(release)
                ? 'outlier'
                : null;
      if (reason !== null) {
        tally.add(reason, release);
        continue;
      }
      const key = keyOf(release.version);
      const variant = variants.get(key);
      if (variant === undefined) variants.set(key, [release]);
      else variant.push(release);
    }
  }
  const latest =
    latestOfJob(set, isCountedStable, counted) ?? latestOfJob(set, (release) => !isIgnored(release), counted);
  const deployed = deployedVersion === null ? null : resolveDeployed(deployedVersion, set);
  const compared = deployed === null ? latest?.version : deployed.version;
  const comparedKey = compared == null ? null : keyOf(compared);
  const lines = [...variants].map(([key, releases]) => toLine(releases, key === comparedKey));
  lines.sort((a, b) => Number(b.is_compared) - Number(a.is_compared) || b.count - a.count);
  const jump = findJump((variants.get(comparedKey ?? '') ?? []).filter(isStable));
  return {
    release_count: set.size,
    latest: latest && toSummarized(latest),
    lines: lines.slice(0, maxLines),
    line_count: lines.length,
    jump: jump && { from: jump.from.text, above: jump.above.map(({ text }) => text) },
    left_out: tally.list(),
    deployed:
      deployedVersion === null
        ? null
        : judgeDeployed(set, deployedVersion, { ignoredVersions, countedVersions }, nowMs),
  };
}

function keyOf({ line, variant }: ComparableRelease['version']): string {
  return `${line}/${variant}`;
}

function isStable({ isPrerelease }: Release): boolean {
  return !isPrerelease;
}

function toLine(releases: readonly ComparableRelease[], isCompared: boolean): SummarizedLine {
  const latest = releases.find(isStable) ?? releases[0];
  if (latest === undefined) throw new Error('A line without releases');
  return {
    line: latest.version.line,
    variant: latest.version.variant,
    count: releases.length,
    latest: toSummarized(latest),
    is_compared: isCompared,
  };
}

function toSummarized({ text, dateMs, dateSource }: Release): SummarizedRelease {
  return {
    version: text,
    released_at: dateSource === 'released_at' ? new Date(dateMs).toISOString() : null,
  };
}

/** Returns the lag that a rule of each type would measure for the deployed version, with the defaults of new rules. */
function judgeDeployed(
  set: ReleaseSet,
  deployedVersion: string,
  listed: { ignoredVersions: readonly string[]; countedVersions: readonly CountedVersion[] },
  nowMs: number,
): DeployedVersionSummary {
  const verdictBy = (type: RuleTypeId) =>
    judge({
      rule: {
        type,
        thresholds: {},
        stableOnly: true,
        daysBasis: 'first_newer_release',
        minReleaseAgeDays: 0,
      },
      options: { candidatePattern: null, ...listed },
      deployedVersion,
      releases: set,
      nowMs,
    });
  const verdicts = ruleTypeIds.map((type) => [type, verdictBy(type)] as const);
  const { evidence, latestVersion } = verdictBy('days_behind');
  const behindBy = Object.fromEntries(verdicts.map(([type, verdict]) => [type, verdict.behindBy]));
  return {
    match: evidence.match,
    release: evidence.matched?.text ?? null,
    adopted_line: evidence.adoptedLine,
    latest: latestVersion,
    behind_by: behindBy as Record<RuleTypeId, number | null>,
  };
}
