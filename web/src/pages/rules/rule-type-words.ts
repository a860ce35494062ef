import type { Schemas } from '../../../../src/generated/client-api.ts';

type RuleType = Schemas['MonitoringRuleType'];

export const ruleTypes: Record<RuleType, { label: string; unit: string; about: string }> = {
  days_behind: {
    label: 'Days behind',
    unit: 'days',
    about: 'How old the deployed release is while a newer one exists.',
  },
  majors_behind: {
    label: 'Major versions behind',
    unit: 'major versions',
    about: 'How many major versions exist above the deployed one.',
  },
  minors_behind: {
    label: 'Minor versions behind',
    unit: 'minor versions',
    about: 'How many minor versions exist above the deployed one, of any major.',
  },
};

export const ruleTypeOptions = (Object.keys(ruleTypes) as RuleType[]).map((value) => ({
  value,
  label: ruleTypes[value].label,
}));
