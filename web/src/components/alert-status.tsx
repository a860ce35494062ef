import { Text } from '@mantine/core';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark } from '../ui/mark.tsx';
import { alertStatusWords, resolutionWords } from './alert-words.ts';

type Alert = Pick<
  Schemas['Alert'],
  'status' | 'acknowledged_by' | 'resolved_by' | 'resolution' | 'snoozed_until'
>;

/** Where an alert stands, and by whom. */
export function AlertStatus({ alert }: { alert: Alert }) {
  const { label, tone, about } = alertStatusWords[alert.status];
  const more =
    alert.status === 'resolved'
      ? alert.resolution && resolutionWords[alert.resolution]
      : alert.status === 'acknowledged'
        ? alert.acknowledged_by && `by ${alert.acknowledged_by.name}`
        : null;
  const by = alert.resolution === 'manual' && alert.resolved_by ? ` (${alert.resolved_by.name})` : '';
  return (
    <span title={about}>
      <Mark tone={tone}>{label}</Mark>
      {more && (
        <Text span inherit c="var(--text-muted)">
          {` ${more}${by}`}
        </Text>
      )}
      {alert.status !== 'resolved' && alert.snoozed_until && (
        <Text span inherit c="var(--text-muted)">
          {' · snoozed'}
        </Text>
      )}
    </span>
  );
}
