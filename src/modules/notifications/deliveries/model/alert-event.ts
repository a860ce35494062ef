import { behindByAt, type StoredLag } from '../../../../domain/rules/stored-lag.ts';
import { daysLeft } from '../../../../domain/support/support-phases.ts';
import type { StoredAlertEvent } from './stored-events.ts';

type StoredAlert = StoredAlertEvent['alert'];
/** Fields that only some events have. */
type Changed = 'previous_severity' | 'resolution' | 'resolved_version';

/** An alert as an event reports it, with the values from which its lag and its days left are computed. */
export interface ReportedAlert
  extends Omit<StoredAlert, 'behind_by' | 'days_left' | Changed>,
    Partial<Pick<StoredAlert, Changed>> {
  lag: StoredLag;
  endsAtMs: number | null;
}

/** Returns the data of an event about an alert. */
export function toAlertEvent(
  { lag, endsAtMs, ...alert }: ReportedAlert,
  nowMs: number,
  { isAcknowledged = false, actorName = null }: { isAcknowledged?: boolean; actorName?: string | null } = {},
): StoredAlertEvent {
  return {
    alert: {
      previous_severity: null,
      resolution: null,
      resolved_version: null,
      ...alert,
      behind_by: behindByAt(lag, nowMs),
      days_left: endsAtMs === null ? null : daysLeft(endsAtMs, nowMs),
    },
    is_acknowledged: isAcknowledged,
    actor: { name: actorName },
  };
}
