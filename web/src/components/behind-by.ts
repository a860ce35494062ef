import { ruleTypeTexts } from '../../../src/domain/rules/rule-type-texts.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { countOf } from '../ui/format.ts';

/** "45 days", "1 major version". @param behindBy null: unknown. */
export function behindInWords(behindBy: number | null, ruleType: Schemas['MonitoringRuleType']): string {
  return behindBy === null ? 'unknown' : countOf(behindBy, ...ruleTypeTexts[ruleType].unit);
}
