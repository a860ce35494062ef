import { ruleTypeIds, ruleTypes } from '../../../../src/domain/rules/rule-types.ts';

export const ruleTypeOptions = ruleTypeIds.map((value) => ({ value, label: ruleTypes[value].label }));
