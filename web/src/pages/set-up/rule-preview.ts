import { formatLag } from '../../../../src/domain/rules/format-lag.ts';
import { judge, type Verdict } from '../../../../src/domain/rules/judge.ts';
import {
  prepareReleases,
  type ReleaseSet,
  type ReleaseSetOptions,
} from '../../../../src/domain/rules/release-set.ts';
import { defaultDaysBasis } from '../../../../src/domain/rules/rule-type.ts';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';

export interface Pair {
  deployedVersion: string;
  releases: ReleaseSet;
  /** Of the gather job. */
  listed?: Pick<Schemas['GatherJob'], 'ignored_versions' | 'counted_versions'> | undefined;
}

type PreviewedRule = Pick<Schemas['CreateMonitoringRuleRequest'], 'rule_type' | 'thresholds'> &
  Partial<Pick<Schemas['MonitoringRule'], 'stable_only' | 'days_basis' | 'min_release_age_days'>>;

export function toReleaseSet(
  scheme: Schemas['VersionScheme'],
  releases: readonly Schemas['Release'][],
  options: ReleaseSetOptions = {},
): ReleaseSet {
  return prepareReleases(
    scheme,
    releases.map((release) => ({
      version: release.version,
      releasedAtMs: release.released_at === null ? null : Date.parse(release.released_at),
      discoveredAtMs: Date.parse(release.discovered_at),
      isPrerelease: release.is_prerelease,
      isYanked: release.is_yanked,
      isWithdrawn: release.is_withdrawn,
      url: release.url,
    })),
    options,
  );
}

/** What a rule says about a pair now, before anything is saved: the same judgment as the server's. */
export function previewRule(rule: PreviewedRule, pair: Pair, nowMs: number): string {
  const { deployedVersion, releases, listed } = pair;
  const { moderate, high, critical } = rule.thresholds;
  const { stable_only, min_release_age_days } = { ...bodyDefaults.createRule, ...rule };
  const verdict = judge({
    rule: {
      type: rule.rule_type,
      thresholds: { moderate: moderate ?? null, high: high ?? null, critical: critical ?? null },
      stableOnly: stable_only,
      daysBasis: rule.days_basis ?? defaultDaysBasis,
      minReleaseAgeDays: min_release_age_days,
    },
    options: {
      candidatePattern: null,
      ignoredVersions: listed?.ignored_versions ?? [],
      countedVersions: (listed?.counted_versions ?? []).map((version) => ({ version, sinceMs: 0 })),
    },
    deployedVersion,
    releases,
    nowMs,
  });
  return `${lagText(verdict, rule.rule_type)}: ${outcomeText(verdict)}`;
}

function lagText(
  { behindBy, reason, stateReason, deployedVersion, latestVersion }: Verdict,
  ruleType: Schemas['MonitoringRuleType'],
): string {
  if (reason === 'version_unparseable') return "The deployed version isn't one that can be compared";
  if (reason === 'version_not_found') return "The deployed version isn't listed upstream";
  if (stateReason === 'ahead_of_upstream') return 'Ahead of upstream';
  if (stateReason === 'variant_ended') return 'The last release of its variant';
  if (behindBy === null) return 'Not enough data yet';
  // A rule that counts majors says 0 also of what is minors behind.
  return behindBy === 0 && deployedVersion === latestVersion ? 'Up to date' : formatLag(behindBy, ruleType);
}

function outcomeText({ severity }: Verdict): string {
  return severity === null
    ? 'no alert now.'
    : `opens ${severity === 'moderate' ? 'a moderate' : `a ${severity}`} alert now.`;
}
