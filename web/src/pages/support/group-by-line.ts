import { suggestedLifecycleRule } from '../../../../src/domain/discovery/suggested-rule.ts';
import { alertSeverities } from '../../../../src/domain/rules/severity.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import type { MarkTone } from '../../ui/mark.tsx';

type SupportEnd = Schemas['SupportEnd'];

/** Deployed versions of a release line. */
export interface SupportedLine {
  /** Key of the line. Lines that end on different days, for example with paid support, are separate. */
  key: string;
  name: string;
  tone: MarkTone;
  ends: readonly [SupportEnd, ...SupportEnd[]];
}

/** Groups ends of support by release line. Keeps their order, so that the line that ends first is first. */
export function groupByLine(ends: readonly SupportEnd[]): SupportedLine[] {
  const keyOf = ({ label, line, ends_on, has_ended, is_paid }: SupportEnd) =>
    [label, line, ends_on, has_ended, is_paid].join(' ');
  return [...Map.groupBy(ends, keyOf)].map(([key, [first, ...others]]) => ({
    key,
    name: `${first!.label} ${first!.line}`,
    tone: urgencyOf(first!),
    ends: [first!, ...others],
  }));
}

/** Returns the severity that an alert about the end would have with the suggested rule. */
export function urgencyOf({ has_ended, days_left }: Pick<SupportEnd, 'has_ended' | 'days_left'>): MarkTone {
  if (has_ended) return 'critical';
  if (days_left === null) return 'ok';
  const { thresholds } = suggestedLifecycleRule;
  return alertSeverities.findLast((severity) => days_left <= thresholds[severity]) ?? 'ok';
}
