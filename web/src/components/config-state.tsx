import { Text } from '@mantine/core';
import { stateReasonOnPage } from '../../../src/domain/alerts/state-reasons.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark } from '../ui/mark.tsx';
import { reasonSentences, stateLabels } from './state-labels.ts';

type Config = Pick<Schemas['AlertConfig'], 'state' | 'state_reason' | 'severity'>;

/** The state of an alert configuration at a glance, with its reason in words. */
export function ConfigState({ config: { state, state_reason, severity } }: { config: Config }) {
  const { label, tone, about } = stateLabels[state];
  const isWarning = state_reason === 'ahead_of_upstream' || state_reason === 'variant_ended';
  const shownTone = isWarning ? 'moderate' : (state === 'alerting' && severity) || tone;
  return (
    <span title={state_reason === null ? about : reasonSentences(state_reason)}>
      <Mark tone={shownTone}>{label}</Mark>
      {state_reason && (
        <Text span inherit c="var(--text-muted)">
          {` · ${stateReasonOnPage(state_reason).short}`}
        </Text>
      )}
    </span>
  );
}
