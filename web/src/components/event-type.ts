import type { Schemas } from '../../../src/generated/client-api.ts';

type EventType = Schemas['NotificationEventType'];

const eventLabels: Record<EventType, string> = {
  'alert.created': 'New alert',
  'alert.escalated': 'Alert escalated',
  'alert.acknowledged': 'Alert acknowledged',
  'alert.unacknowledged': 'Alert unacknowledged',
  'alert.resolved': 'Alert resolved',
  'alert.reminder': 'Alert reminder',
  digest: 'Digest',
  'channel.test': 'Test message',
  'job.failing': 'Job failing',
  'job.recovered': 'Job recovered',
  'agent.offline': 'Agent offline',
  'agent.online': 'Agent online',
  'login_provider.failing': 'Login provider failing',
  'login_provider.recovered': 'Login provider recovered',
  'target.missed': 'Freshness target missed',
  'target.met': 'Freshness target met',
  'freshness.report': 'Freshness report',
  'release.moved': 'Published version changed',
  'deployment.changed': 'Deployed version changed',
  'channel.disabled': 'Channel disabled',
  'channel.enabled': 'Channel enabled',
  'channel.failing': 'Channel failing',
  'channel.recovered': 'Channel recovered',
  'delivery.failed': 'Message not delivered',
  'delivery.recovered': 'Delivering messages again',
};

export function formatEvent(event: EventType): string {
  return eventLabels[event];
}

export const eventTypeOptions = (Object.keys(eventLabels) as EventType[]).map((value) => ({
  value,
  label: eventLabels[value],
}));

/** Event types that notification rules can match. */
export const alertEventOptions = eventTypeOptions.filter(
  (option): option is { value: Schemas['AlertEventType']; label: string } =>
    option.value.startsWith('alert.'),
);
