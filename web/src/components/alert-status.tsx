import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark } from '../ui/mark.tsx';
import { TwoLines } from '../ui/two-lines.tsx';
import { alertStatusLabels, isSnoozedAlert, resolutionLabels, type Snooze } from './alert-labels.ts';

type Alert = Pick<Schemas['Alert'], 'status' | 'acknowledged_by' | 'resolved_by' | 'resolution' | 'silence'> &
  Snooze;

/** Where an alert stands, and beneath it by whom and how. */
export function AlertStatus({ alert }: { alert: Alert }) {
  const { label, tone, about } = alertStatusLabels[alert.status];
  return (
    <TwoLines second={detailsOf(alert)}>
      <Mark tone={tone} title={about}>
        {label}
      </Mark>
    </TwoLines>
  );
}

function detailsOf(alert: Alert): string {
  if (alert.status === 'resolved') return formatResolution(alert);
  const parts = [
    alert.status === 'acknowledged' && alert.acknowledged_by && `by ${alert.acknowledged_by.name}`,
    isSnoozedAlert(alert) && 'snoozed',
    alert.silence !== null && 'silenced',
  ];
  return parts.filter(Boolean).join(' · ');
}

/** How an alert ended: "by hand, Ada". */
export function formatResolution({
  resolution,
  resolved_by,
}: Pick<Alert, 'resolution' | 'resolved_by'>): string {
  if (resolution === null) return '';
  const who = resolved_by && resolved_by.type !== 'system' ? ` by ${resolved_by.name}` : '';
  return `${resolutionLabels[resolution]}${who}`;
}
