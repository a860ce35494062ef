import type { ConfigStateReason } from '../alerts/config-evaluation.ts';
import { describeStateReason, type StateReasonTerms } from '../alerts/state-reasons.ts';

/** Returns one sentence for each reason why the end of support of deployed versions isn't known. */
export function describeUnknownSupport(
  unknown: readonly { readonly reason: ConfigStateReason; readonly count: number }[],
  terms: StateReasonTerms,
): string[] {
  return unknown.map(
    ({ reason, count }) =>
      `${count.toLocaleString('en-US')} without a date: ${describeStateReason(reason, terms)}`,
  );
}
