import type { RuleTypeId } from './rule-type.ts';

/** The names of rule types and their units on the page, in messages, on badges, and in the CLI. */
export interface RuleTypeText {
  label: string;
  description: string;
  /** The unit of its thresholds and of `behind_by`. */
  unit: readonly [one: string, many: string];
  /** Short form. */
  shortUnit: readonly [one: string, many: string];
}

export const ruleTypeTexts: Readonly<Record<RuleTypeId, RuleTypeText>> = {
  days_behind: {
    label: 'Days behind',
    description: 'Days since the first newer release, or the age of the deployed release.',
    unit: ['day', 'days'],
    shortUnit: ['day', 'days'],
  },
  majors_behind: {
    label: 'Major versions behind',
    description: 'Number of newer major versions.',
    unit: ['major version', 'major versions'],
    shortUnit: ['major', 'majors'],
  },
  minors_behind: {
    label: 'Minor versions behind',
    description: 'Number of newer minor versions, across all majors.',
    unit: ['minor version', 'minor versions'],
    shortUnit: ['minor', 'minors'],
  },
};
