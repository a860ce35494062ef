import { formatLag } from '../../../../src/domain/rules/format-lag.ts';
import { judge, type Verdict } from '../../../../src/domain/rules/judge.ts';
import {
  prepareReleases,
  type ReleaseSet,
  type ReleaseSetOptions,
} from '../../../../src/domain/rules/release-set.ts';
import { defaultDaysBasis } from '../../../../src/domain/rules/rule-type.ts';
import type { AlertSeverity } from '../../../../src/domain/rules/severity.ts';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';

export interface RulePreviewInput {
  deployedVersion: string;
  releases: ReleaseSet;
  /** Settings of the gather job that affect the comparison. */
  listed?: Pick<Schemas['GatherJob'], 'ignored_versions' | 'counted_versions' | 'is_archived'> | undefined;
  /** True if the releases come from a test of the source, so their dates might be missing. */
  isPreview?: boolean;
  /** True if only part of the source's releases are known. */
  isPart?: boolean;
}

type PreviewedRule = Pick<Schemas['CreateMonitoringRuleRequest'], 'rule_type' | 'thresholds'> &
  Partial<
    Pick<Schemas['MonitoringRule'], 'stable_only' | 'days_basis' | 'support_phase' | 'min_release_age_days'>
  >;

type PreviewedRelease = Schemas['PreviewGatherSourceResponse']['releases'][number] &
  Partial<Pick<Schemas['Release'], 'discovered_at' | 'is_withdrawn'>>;

/** Current result of a rule for a deployed version and the releases. */
export interface RulePreview {
  severity: AlertSeverity | null;
  text: string;
}

export function toReleaseSet(
  scheme: Schemas['VersionScheme'],
  releases: readonly PreviewedRelease[],
  options: ReleaseSetOptions = {},
): ReleaseSet {
  const now = new Date().toISOString();
  return prepareReleases(
    scheme,
    releases.map((release) => ({
      version: release.version,
      releasedAtMs: release.released_at === null ? null : Date.parse(release.released_at),
      discoveredAtMs: Date.parse(release.discovered_at ?? now),
      isPrerelease: release.is_prerelease,
      isYanked: release.is_yanked,
      isWithdrawn: release.is_withdrawn ?? false,
      url: release.url,
    })),
    options,
  );
}

/** Evaluates a rule before anything is saved. Uses the same function as the server. */
export function previewRule(rule: PreviewedRule, pair: RulePreviewInput, nowMs: number): RulePreview {
  const { deployedVersion, releases, listed } = pair;
  const { moderate, high, critical } = rule.thresholds;
  const { stable_only, min_release_age_days } = { ...bodyDefaults.createRule, ...rule };
  const verdict = judge({
    rule: {
      type: rule.rule_type,
      thresholds: {
        moderate: moderate ?? null,
        high: high ?? null,
        critical: critical ?? null,
      },
      stableOnly: stable_only,
      daysBasis: rule.days_basis ?? defaultDaysBasis,
      minReleaseAgeDays: min_release_age_days,
    },
    options: {
      candidatePattern: null,
      ignoredVersions: listed?.ignored_versions ?? [],
      countedVersions: (listed?.counted_versions ?? []).map((version) => ({
        version,
        sinceMs: 0,
      })),
    },
    deployedVersion,
    releases,
    nowMs,
    isArchived: listed?.is_archived === true,
  });
  if (!isCertain(verdict, pair)) {
    const why =
      pair.isPreview && verdict.isEstimate
        ? '. Releases without dates count from when they are first seen'
        : '';
    return { severity: null, text: `Known after the first run${why}` };
  }
  const lag = lagText(verdict, rule.rule_type);
  const { severity } = verdict;
  return { severity, text: severity === null ? `No alert: ${lag}` : `Would alert: ${severity}, ${lag}` };
}

/** True if the first run can't change the result. */
function isCertain({ evidence, isEstimate }: Verdict, { isPreview, isPart }: RulePreviewInput): boolean {
  if (isPreview && isEstimate) return false;
  return !isPart || evidence.match === 'exact' || evidence.match === 'same_version';
}

function lagText(
  { behindBy, reason, stateReason, deployedVersion, latestVersion, evidence }: Verdict,
  ruleType: Schemas['MonitoringRuleType'],
): string {
  if (reason === 'version_unparseable') return "the deployed version isn't one that can be compared";
  if (reason === 'version_not_found') return "the deployed version isn't listed upstream";
  if (evidence.isArchived) return 'the repository is archived';
  if (stateReason === 'ahead_of_upstream') return 'ahead of upstream';
  if (stateReason === 'variant_ended') return 'the last release of its variant';
  if (stateReason === 'numbering_ended') return 'a number that upstream no longer uses';
  if (behindBy === null) return 'not enough data yet';
  // A lag of 0 isn't enough: a rule that counts major versions reports it even if the version is minor
  // versions behind.
  if (behindBy === 0 && deployedVersion === latestVersion) return 'up to date';
  const lag = formatLag(behindBy, ruleType);
  return evidence.date?.source === 'discovered_at'
    ? `${lag}, counted from when Pacekeeper first saw the release, because it has no date`
    : lag;
}
