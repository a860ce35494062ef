import type { Schemas } from '../../../src/generated/client-api.ts';
import { countOf } from '../ui/format.ts';

const units: Record<Schemas['MonitoringRuleType'], [one: string, many: string]> = {
  days_behind: ['day', 'days'],
  majors_behind: ['major version', 'major versions'],
  minors_behind: ['minor version', 'minor versions'],
};

/** "45 days", "1 major version". @param behindBy null: unknown. */
export function behindInWords(behindBy: number | null, ruleType: Schemas['MonitoringRuleType']): string {
  if (behindBy === null) return 'unknown';
  const [one, many] = units[ruleType];
  return countOf(behindBy, one, many);
}

/** "major version" */
export function unitOf(ruleType: Schemas['MonitoringRuleType']): string {
  return units[ruleType][0];
}
