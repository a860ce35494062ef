import { countsDays } from '../../../../src/domain/rules/rule-type.ts';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { lagText } from '../../components/behind-by.ts';
import { severityLabels } from '../../components/severity.tsx';
import { reasonSentences } from '../../components/state-labels.ts';
import { countOf } from '../../ui/format.ts';

type Config = Pick<
  Schemas['AlertConfig'],
  | 'state'
  | 'state_reason'
  | 'severity'
  | 'rule_type'
  | 'deployed_version'
  | 'latest_version'
  | 'unaffected_version'
  | 'behind_by'
>;

type DaysBasis = Schemas['DaysBasis'] | null | undefined;

/**
 * Describes the result of a monitor in a sentence. A reason for the state adds its remedy. Missing data is never
 * described as a good result.
 * @param behindBy Result of `formatConfigLag`.
 * @param daysBasis Release whose age a `days_behind` rule measures. Null for other rules. Undefined while the rule
 * loads.
 */
export function describeVerdict(config: Config, behindBy: string, daysBasis: DaysBasis): string {
  const { state, state_reason, severity } = config;
  const reason = state_reason === null ? null : reasonSentences(state_reason);
  if (state === 'inactive') return 'Not compared: the monitor or its rule is disabled.';
  if (state === 'no_data') return reason === null ? 'Not compared yet.' : `Not compared. ${reason}`;
  const comparison = describeComparison(config, behindBy, daysBasis);
  if (state === 'stale')
    return `Out of date. ${reason ?? "A source hasn't updated for too long."} Last known: ${comparison}.`;
  const verdict = `${severity === null ? '' : `${severityLabels[severity]}: `}${comparison}`;
  return reason === null || comparedReasons.has(state_reason) ? `${verdict}.` : `${verdict}. ${reason}`;
}

/** Reasons that the comparison states already, or that the state of the alert shows. */
const comparedReasons: ReadonlySet<Config['state_reason']> = new Set([
  'end_of_life',
  'fix_available',
  'known_vulnerabilities',
  'release_moved',
  'upstream_silent',
  'snoozed',
]);

/** Describes the deployed version of software that no monitor compares. */
export function describeUnmonitored(deployed: string | null): string {
  return deployed === null
    ? 'No version has been read yet, and no monitor compares it.'
    : `${deployed} is deployed. Not compared: no monitor uses this version.`;
}

function describeComparison(
  { rule_type, severity, deployed_version, latest_version, unaffected_version, behind_by }: Config,
  behindBy: string,
  daysBasis: DaysBasis,
): string {
  const deployed = `${deployed_version ?? 'an unknown version'} is deployed`;
  const { kind } = ruleTypes[rule_type];
  if (kind === 'support') return `${deployed}; its support: ${behindBy}`;
  if (kind === 'vulnerabilities') {
    if (behind_by === null) return `${deployed}; its vulnerabilities aren't known`;
    if (countsDays(ruleTypes[rule_type]))
      return behind_by === 0
        ? `${deployed}; no fix for a known vulnerability has been available for a full day`
        : `${deployed}; a fix for a known vulnerability has been available for ${behindBy}`;
    const remedy = unaffected_version === null ? '' : `; ${unaffected_version} has none`;
    return behind_by === 0
      ? `${deployed} and has no known vulnerability`
      : `${deployed} and has ${countOf(behind_by, 'known vulnerability', 'known vulnerabilities')}${remedy}`;
  }
  if (behind_by === null) return deployed;
  if (kind === 'release_moves')
    return behind_by === 0
      ? `${deployed}; no change to this release has been detected`
      : `${deployed}; it changed ${countOf(behind_by, 'time', 'times')} after it was published`;
  if (kind === 'upstream_activity') return `${deployed}; upstream: ${behindBy}`;
  if (behind_by === 0)
    return deployed_version === latest_version
      ? `${deployed} and up to date`
      : `${deployed}; ${latest_version ?? 'no newer release'} is available, within the rule`;
  const lag = describeLag(behindBy, rule_type, daysBasis);
  if (lag === null) return deployed;
  const comparison =
    measuredFrom(rule_type, daysBasis) === 'deployed_release'
      ? `${deployed}. It was ${lag}; the latest is ${latest_version ?? 'unknown'}`
      : `${deployed}, ${lag} ${latest_version ?? 'upstream'}`;
  return severity === null ? `${comparison}, within the rule` : comparison;
}

/**
 * Describes a lag: "45 days behind", or "released 400 days ago" if the rule measures the age of the deployed release.
 * Returns `null` while it isn't known which of the two the rule measures.
 */
export function describeLag(
  behindBy: string,
  ruleType: Config['rule_type'],
  daysBasis: DaysBasis,
): string | null {
  const basis = measuredFrom(ruleType, daysBasis);
  if (basis === undefined) return null;
  return basis === 'deployed_release' ? `released ${behindBy} ago` : lagText(behindBy, ruleType);
}

/** Only rules about the age of versions have a basis, so the rule needn't be loaded for the others. */
function measuredFrom(ruleType: Config['rule_type'], daysBasis: DaysBasis): DaysBasis {
  return ruleTypes[ruleType].kind === 'version_age' ? daysBasis : null;
}
