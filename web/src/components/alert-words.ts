import type { Schemas } from '../../../src/generated/client-api.ts';
import type { MarkTone } from '../ui/mark.tsx';

type Alert = Schemas['Alert'];

export const alertStatusWords: Record<Alert['status'], { label: string; tone: MarkTone; about: string }> = {
  unacknowledged: {
    label: 'Unacknowledged',
    tone: 'high',
    about: 'Nobody has said yet that they take care of it.',
  },
  acknowledged: { label: 'Acknowledged', tone: 'busy', about: 'Somebody has seen it and takes care of it.' },
  resolved: { label: 'Resolved', tone: 'ok', about: 'It is over.' },
};

export const openStatusOptions = (['unacknowledged', 'acknowledged'] as const).map((value) => ({
  value,
  label: alertStatusWords[value].label,
}));

export const resolutionWords: Record<NonNullable<Alert['resolution']>, string> = {
  caught_up: 'caught up',
  manual: 'by hand',
  disabled: 'rule or configuration turned off',
  reconfigured: 'configuration compares other things',
};

export const alertReasonWords: Record<Alert['reason'], string> = {
  behind: 'Newer releases exist.',
  version_not_found: 'The deployed version is unknown upstream.',
  version_unparseable: 'What is deployed is not a version that can be compared.',
};

export type Snooze = Pick<Alert, 'snoozed_until' | 'snoozed_until_version_changes'>;

export function isSnoozedAlert({ snoozed_until, snoozed_until_version_changes }: Snooze): boolean {
  return snoozed_until !== null || snoozed_until_version_changes;
}
