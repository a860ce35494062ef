import { daysBehind } from './days-behind.ts';
import { majorsBehind } from './majors-behind.ts';
import { minorsBehind } from './minors-behind.ts';
import type { RuleType, RuleTypeId } from './rule-type.ts';

/** All rule types. A new one is a file, a line here, and its name in the contract. */
export const ruleTypes: Readonly<Record<RuleTypeId, RuleType>> = {
  days_behind: daysBehind,
  majors_behind: majorsBehind,
  minors_behind: minorsBehind,
};
