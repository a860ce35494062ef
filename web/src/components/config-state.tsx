import { Text } from '@mantine/core';
import { stateReasonForUi } from '../../../src/domain/alerts/state-reasons.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark } from '../ui/mark.tsx';
import { TwoLines } from '../ui/two-lines.tsx';
import { reasonSentences, stateLabels } from './state-labels.ts';

type Config = Pick<Schemas['AlertConfig'], 'state' | 'state_reason' | 'severity'>;

const warningReasons: ReadonlySet<string> = new Set([
  'ahead_of_upstream',
  'variant_ended',
  'numbering_ended',
]);

/**
 * State of an alert configuration with its reason.
 * @param isStacked True to show the reason below the state, for narrow columns.
 */
export function ConfigState({
  config: { state, state_reason, severity },
  isStacked = false,
  isBesideSeverity = false,
}: {
  config: Config;
  isStacked?: boolean;
  /** True if the severity is shown next to the state. The state then doesn't repeat the severity's color. */
  isBesideSeverity?: boolean;
}) {
  const { label, tone, about } = stateLabels[state];
  const isWarning = state === 'ok' && state_reason !== null && warningReasons.has(state_reason);
  const shownTone = isWarning ? 'moderate' : (state === 'alerting' && severity) || tone;
  const reason = state_reason && stateReasonForUi(state_reason).short;
  return (
    <span title={state_reason === null ? about : reasonSentences(state_reason)}>
      <TwoLines second={isStacked && reason}>
        {isBesideSeverity && state === 'alerting' ? label : <Mark tone={shownTone}>{label}</Mark>}
      </TwoLines>
      {reason && !isStacked && (
        <Text span inherit c="var(--text-muted)">
          {` · ${reason}`}
        </Text>
      )}
    </span>
  );
}
