import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark } from '../ui/mark.tsx';
import { TwoLines } from '../ui/two-lines.tsx';
import {
  alertStatusLabels,
  isSnoozedAlert,
  resolutionLabels,
  type Snooze,
  toneOfResolution,
} from './alert-labels.ts';

type Alert = Pick<
  Schemas['Alert'],
  'status' | 'acknowledged_by' | 'assignee' | 'resolved_by' | 'resolution' | 'silence'
> &
  Snooze;

/** Status of an alert, with details such as the assignee below it. */
export function AlertStatus({ alert, withAssignee = false }: { alert: Alert; withAssignee?: boolean }) {
  const { label, tone, about } = alertStatusLabels[alert.status];
  const details = detailsOf(alert, withAssignee);
  return (
    <TwoLines second={details === '' ? null : <span title={details}>{details}</span>}>
      <Mark tone={alert.status === 'resolved' ? toneOfResolution(alert.resolution) : tone} title={about}>
        {label}
      </Mark>
    </TwoLines>
  );
}

function detailsOf(alert: Alert, withAssignee: boolean): string {
  if (alert.status === 'resolved') return formatResolution(alert);
  const parts = [
    alert.status === 'acknowledged' && alert.acknowledged_by && `by ${alert.acknowledged_by.name}`,
    withAssignee && alert.assignee && `assigned to ${alert.assignee.name}`,
    isSnoozedAlert(alert) && 'snoozed',
    alert.silence !== null && 'silenced',
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Formats the resolution of an alert and the user who resolved it. */
export function formatResolution({
  resolution,
  resolved_by,
}: Pick<Alert, 'resolution' | 'resolved_by'>): string {
  if (resolution === null) return '';
  const who = resolved_by && resolved_by.type !== 'system' ? ` by ${resolved_by.name}` : '';
  return `${resolutionLabels[resolution]}${who}`;
}
