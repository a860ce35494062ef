import { ruleTypeTexts } from '../../../../src/domain/rules/rule-type-texts.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';

export const ruleTypeOptions = (Object.keys(ruleTypeTexts) as Schemas['MonitoringRuleType'][]).map(
  (value) => ({ value, label: ruleTypeTexts[value].label }),
);
