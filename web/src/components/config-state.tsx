import { Text } from '@mantine/core';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark } from '../ui/mark.tsx';
import { reasonWords, stateWords } from './state-words.ts';

type Config = Pick<Schemas['AlertConfig'], 'state' | 'state_reason' | 'severity'>;

/** The state of an alert configuration at a glance, with its reason in words. */
export function ConfigState({ config: { state, state_reason, severity } }: { config: Config }) {
  const { label, tone, about } = stateWords[state];
  const reason = state_reason === null ? null : reasonWords[state_reason];
  const isWarning = state_reason === 'ahead_of_upstream' || state_reason === 'variant_ended';
  const shownTone = isWarning ? 'moderate' : (state === 'alerting' && severity) || tone;
  return (
    <span title={reason === null ? about : `${reason.about} ${reason.remedy}`}>
      <Mark tone={shownTone}>{label}</Mark>
      {reason && (
        <Text span inherit c="var(--text-muted)">
          {` · ${reason.short}`}
        </Text>
      )}
    </span>
  );
}
