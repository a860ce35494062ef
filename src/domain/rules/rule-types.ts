import type { RuleType } from './rule-type.ts';
import { daysBehind } from './types/days-behind.ts';
import { majorsBehind } from './types/majors-behind.ts';
import { minorsBehind } from './types/minors-behind.ts';

/** Every rule type, in the order in which lists show their units. */
export const ruleTypes = {
  days_behind: daysBehind,
  majors_behind: majorsBehind,
  minors_behind: minorsBehind,
} satisfies Readonly<Record<string, RuleType>>;

export type RuleTypeId = keyof typeof ruleTypes;
export const ruleTypeIds = Object.keys(ruleTypes) as RuleTypeId[];
