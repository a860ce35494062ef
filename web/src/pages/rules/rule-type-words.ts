import type { Schemas } from '../../../../src/generated/client-api.ts';

type RuleType = Schemas['MonitoringRuleType'];

export const ruleTypes: Record<RuleType, { label: string; unit: string; about: string }> = {
  days_behind: {
    label: 'Days behind',
    unit: 'days',
    about: 'Age of the deployed release when a newer one is available.',
  },
  majors_behind: {
    label: 'Major versions behind',
    unit: 'major versions',
    about: 'Number of newer major versions.',
  },
  minors_behind: {
    label: 'Minor versions behind',
    unit: 'minor versions',
    about: 'Number of newer minor versions, across all majors.',
  },
};

export const ruleTypeOptions = (Object.keys(ruleTypes) as RuleType[]).map((value) => ({
  value,
  label: ruleTypes[value].label,
}));
