import { randomUUID } from 'node:crypto';
import { systemActor } from '../../../../domain/audit/actor.ts';
import type {
  AgentOfflineEventData,
  ChannelDisabledEventData,
  FreshnessReportEventData,
  JobFailingEventData,
  TargetEventData,
} from '../../../../domain/routing/notification-event.ts';
import type { Tx, WakeUps } from '../../../../platform/database/index.ts';
import { writeEntries } from '../../../audit/index.ts';
import { type DeliveryPlan, planDeliveries } from './plan-deliveries.ts';

/**
 * An event about Pacekeeper itself. The default channel receives it, or the channels of notification rules
 * that include its type.
 */
export type ServiceEvent =
  | { type: 'job.failing'; data: { job: Omit<JobFailingEventData['job'], 'url'> } }
  | { type: 'agent.offline'; data: Pick<AgentOfflineEventData, 'agent'> }
  | { type: 'target.missed' | 'target.met'; data: { target: Omit<TargetEventData['target'], 'url'> } }
  | { type: 'freshness.report'; data: { report: Omit<FreshnessReportEventData['report'], 'url'> } }
  | { type: 'channel.disabled'; data: Pick<ChannelDisabledEventData, 'channel'> };

export type StoredServiceEvent = ServiceEvent['data'];

/** Writes a service event and its deliveries in the transaction that caused the event. */
export async function planServiceEvent(
  tx: Tx,
  organizationId: number,
  { type, data }: ServiceEvent,
  wakeUps: WakeUps,
): Promise<DeliveryPlan> {
  const eventId = randomUUID();
  const [entry] = await writeEntries(tx, organizationId, [
    { alertId: null, action: type, actor: systemActor, event: { type, id: eventId, sequence: null, data } },
  ]);
  const subject = { eventType: type, severity: null, ruleId: null, alertConfigId: null, labels: {} };
  const event = {
    entryId: entry!.id,
    eventId,
    eventType: type,
    alertId: null,
    sequence: null,
    subject,
    isSilenced: false,
  };
  const [plan] = await planDeliveries(tx, organizationId, [event], wakeUps);
  return plan!;
}
