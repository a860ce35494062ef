import type { ConfigStateReason } from '../alerts/config-evaluation.ts';
import { describeStateReason, type StateReasonTerms } from '../alerts/state-reasons.ts';

/** Describes why the end of support isn't known for some deployed versions, in one sentence per reason. */
export function describeUnknownSupport(
  unknown: readonly { readonly reason: ConfigStateReason; readonly count: number }[],
  terms: StateReasonTerms,
): string[] {
  return unknown.map(
    ({ reason, count }) =>
      `${count.toLocaleString('en-US')} without a date: ${describeStateReason(reason, terms)}`,
  );
}
