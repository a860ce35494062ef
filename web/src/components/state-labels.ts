import { describeStateReason } from '../../../src/domain/alerts/state-reasons.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import type { MarkTone } from '../ui/mark.tsx';

type State = Schemas['AlertConfigState'];
type Reason = Schemas['StateReason'];

/** Labels, tones, and descriptions of alert configuration states. */
export const stateLabels: Record<State, { label: string; tone: MarkTone; about: string }> = {
  ok: { label: 'OK', tone: 'ok', about: "The deployed version is within the rule's thresholds." },
  alerting: {
    label: 'Alerting',
    tone: 'high',
    about: 'The deployed version is further behind than the rule allows.',
  },
  no_data: { label: 'No data', tone: 'muted', about: 'Not enough data to compare yet.' },
  stale: {
    label: 'Stale',
    tone: 'moderate',
    about: "A source hasn't updated for too long. This data may be out of date.",
  },
  inactive: { label: 'Disabled', tone: 'muted', about: 'The monitor or its rule is disabled.' },
};

export const stateOptions = (Object.keys(stateLabels) as State[]).map((value) => ({
  value,
  label: stateLabels[value].label,
}));

/** Returns the reason for a monitor's state and its remedy as sentences. */
export function reasonSentences(reason: Reason): string {
  return describeStateReason(reason, 'ui');
}
