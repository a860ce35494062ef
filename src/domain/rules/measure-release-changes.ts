import type { Candidates } from './candidates.ts';
import type { JudgeInput } from './judge.ts';
import { noRelease, noVersion } from './measure-lag.ts';
import { type Measurement, measurement, noData, withSeverity } from './measurement.ts';
import { maxCheckedTags } from './release-changes.ts';
import type { Release, ReleaseSet } from './release-set.ts';
import type { ResolvedDeployed } from './resolve-deployed.ts';
import type { ReleaseMovesRuleType } from './rule-type.ts';

/**
 * Counts the changes to the deployed release that have no known reason. Changes before the deployment are
 * included, because it isn't known which content is deployed. Only a release that upstream lists and whose
 * commit or digest is known can be checked.
 */
export function measureReleaseChanges(
  input: JudgeInput,
  { match, release }: ResolvedDeployed,
  candidates: Candidates,
  type: ReleaseMovesRuleType,
): Measurement {
  const { rule, deployedVersion, releases, nowMs } = input;
  const { nextChangeAtMs } = candidates;
  if (deployedVersion === null) return noVersion(input, candidates);
  if (releases.size === 0) return noRelease(input, match, candidates);
  const moves = release?.moves?.filter(({ atMs }) => atMs <= nowMs) ?? null;
  if (release === null || moves === null || (moves.length === 0 && !isChecked(release, releases)))
    return noData('release_unchecked', match, release, nextChangeAtMs);
  const severity = type.thresholds.severityOf(moves.length, rule.thresholds);
  const threshold = severity === null ? null : (rule.thresholds[severity] ?? null);
  return measurement({
    outcome: withSeverity(severity, type.reason, null),
    match,
    matched: release,
    behindBy: moves.length,
    moves,
    crossedAtMs: threshold === null ? null : (moves[threshold - 1]?.atMs ?? null),
    nextCrossingAtMs: nextChangeAtMs,
    // If the deployed release is missing from an incomplete list, changes to it aren't noticed.
    requiresCompleteList: severity === null,
  });
}

/** True if runs notice when the release changes: upstream lists it and, for an image, it's among the highest tags. */
function isChecked(release: Release, releases: ReleaseSet): boolean {
  if (release.isWithdrawn) return false;
  if (!releases.isImage) return true;
  let higher = 0;
  for (const other of releases.comparable) {
    if (other === release) return true;
    if (other.moves !== null) higher += 1;
    if (higher === maxCheckedTags) return false;
  }
  return true;
}
