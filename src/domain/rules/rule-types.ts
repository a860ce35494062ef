import type { RuleType } from './rule-type.ts';
import { daysBehind } from './types/days-behind.ts';
import { endOfLife } from './types/end-of-life.ts';
import { knownVulnerabilities } from './types/known-vulnerabilities.ts';
import { majorsBehind } from './types/majors-behind.ts';
import { minorsBehind } from './types/minors-behind.ts';
import { releaseIntegrity } from './types/release-integrity.ts';
import { upstreamSilent } from './types/upstream-silent.ts';
import { vulnerabilityAge } from './types/vulnerability-age.ts';

/** All rule types. Alerts that are sorted by lag are grouped by unit, with the units in this order. */
export const ruleTypes = {
  days_behind: daysBehind,
  majors_behind: majorsBehind,
  minors_behind: minorsBehind,
  upstream_silent: upstreamSilent,
  end_of_life: endOfLife,
  known_vulnerabilities: knownVulnerabilities,
  release_integrity: releaseIntegrity,
  vulnerability_age: vulnerabilityAge,
} satisfies Readonly<Record<string, RuleType>>;

export type RuleTypeId = keyof typeof ruleTypes;
export const ruleTypeIds = Object.keys(ruleTypes) as RuleTypeId[];

/** Rule types of the kind `support`. */
export const supportRuleTypeIds = ruleTypeIds.filter((id) => ruleTypes[id].kind === 'support');

/** Rule types of the kind `vulnerabilities`. */
export const vulnerabilityRuleTypeIds = ruleTypeIds.filter((id) => ruleTypes[id].kind === 'vulnerabilities');
