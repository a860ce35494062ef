import { formatAmount } from '../../../src/domain/rules/format-lag.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';

/** "45 days", "1 major version". @param behindBy null: unknown. */
export function formatBehindBy(behindBy: number | null, ruleType: Schemas['MonitoringRuleType']): string {
  return behindBy === null ? 'unknown' : formatAmount(behindBy, ruleType);
}
