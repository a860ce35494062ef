import { stateReasons } from '../../../src/domain/alerts/state-reasons.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import type { MarkTone } from '../ui/mark.tsx';

type Alert = Schemas['Alert'];

export const alertStatusLabels: Record<Alert['status'], { label: string; tone: MarkTone; about: string }> = {
  unacknowledged: {
    label: 'Unacknowledged',
    tone: 'high',
    about: 'No one has acknowledged this alert yet.',
  },
  acknowledged: { label: 'Acknowledged', tone: 'busy', about: 'Someone is working on it.' },
  resolved: { label: 'Resolved', tone: 'muted', about: 'This alert is closed.' },
};

export const openStatusOptions = (['unacknowledged', 'acknowledged'] as const).map((value) => ({
  value,
  label: alertStatusLabels[value].label,
}));

export const resolutionLabels: Record<NonNullable<Alert['resolution']>, string> = {
  caught_up: 'no longer too far behind',
  manual: 'manually',
  disabled: 'rule or monitor disabled',
  reconfigured: 'rule or monitor reconfigured',
  gone: 'deployment removed',
  replaced: 'other software took its place',
};

/**
 * Returns the tone of a resolved alert. Only an alert whose cause is gone is a good result: after every other
 * resolution, the cause can remain.
 * @param resolution Resolution of an alert, or the detail of the entry about it in the audit trail.
 */
export function toneOfResolution(resolution: string | null): MarkTone {
  return resolution === 'caught_up' ? 'ok' : 'muted';
}

export const alertReasonLabels: Record<Alert['reason'], string> = {
  behind: 'A newer release is available.',
  end_of_life: stateReasons.end_of_life.message,
  fix_available: stateReasons.fix_available.message,
  known_vulnerabilities: stateReasons.known_vulnerabilities.message,
  release_moved: stateReasons.release_moved.message,
  upstream_silent: stateReasons.upstream_silent.message,
  version_not_found: stateReasons.version_not_found.message,
  version_unparseable: stateReasons.version_unparseable.message,
};

export type Snooze = Pick<Alert, 'snoozed_until' | 'snoozed_until_version_changes'>;

export function isSnoozedAlert({ snoozed_until, snoozed_until_version_changes }: Snooze): boolean {
  return snoozed_until !== null || snoozed_until_version_changes;
}
