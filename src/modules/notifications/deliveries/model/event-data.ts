import type {
  AgentEventData,
  AlertData,
  AlertEventType,
  ChannelEventData,
  JobEventData,
  LoginProviderEventData,
  ProblemResolution,
  SingleEventData,
  TargetEventData,
} from '../../../../domain/routing/notification-event.ts';
import type { TokenSigner } from '../../../../platform/secrets/index.ts';
import type { AlertNotes } from '../../../notes/index.ts';
import { createAcknowledgeToken } from '../secrets/acknowledge-link.ts';
import type { StoredAlertEvent, StoredEvent } from './stored-events.ts';

export interface MessageContext {
  organizationId: number;
  organizationName: string;
  channelId: number;
  /** Time zone of the channel. */
  timezone: string;
  /** Time at which sending starts. The validity of acknowledge links starts at this time. */
  sentAt: Date;
  /** URL without a trailing slash. */
  baseUrl: string;
  acknowledgeSigner: TokenSigner;
  /** Release notes by alert ID. */
  notes: ReadonlyMap<number, AlertNotes>;
}

/** Returns the `webhook-id` of an event, which is the same for all attempts. */
export function webhookId(eventId: string): string {
  return `msg_${eventId}`;
}

/** Returns the URL that identifies an organization as the sender of events. No page exists at this URL. */
export function senderUrl(baseUrl: string, organizationId: number): string {
  return new URL(`${baseUrl}/organizations/${organizationId}`).href;
}

/** Returns all data of an event that a message can contain: the stored data, with URLs and names added. */
export function toEventData(event: StoredEvent, context: MessageContext): SingleEventData {
  const base = {
    event_id: event.eventId,
    sequence: event.sequence,
    timestamp: event.at.toISOString(),
    timezone: context.timezone,
    idempotency_key: webhookId(event.eventId),
    acknowledge_url: null,
    is_acknowledged: false,
    actor: { name: null },
    organization: { name: context.organizationName },
  };
  const { data } = event;
  if ('alert' in data) {
    return {
      // Only events of the alert types contain alert data.
      event: event.eventType as AlertEventType,
      ...base,
      alert: withNotes(
        data.alert,
        `${context.baseUrl}/alerts/${data.alert.id}`,
        context.notes.get(data.alert.id),
      ),
      acknowledge_url: acknowledgeUrl(event, data, context),
      is_acknowledged: data.is_acknowledged,
      actor: data.actor,
    };
  }
  if ('job' in data) {
    const page = `${data.job.kind.replaceAll('_', '-')}-jobs`;
    const job = withResolution({ ...data.job, url: `${context.baseUrl}/${page}/${data.job.id}` });
    return { event: event.eventType as JobEventData['event'], ...base, job };
  }
  if ('agent' in data)
    return {
      event: event.eventType as AgentEventData['event'],
      ...base,
      agent: withResolution(data.agent),
    };
  if ('provider' in data)
    return {
      event: event.eventType as LoginProviderEventData['event'],
      ...base,
      provider: withResolution(data.provider),
    };
  if ('target' in data) {
    const target = withResolution({ ...data.target, url: `${context.baseUrl}/freshness` });
    return { event: event.eventType as TargetEventData['event'], ...base, target };
  }
  if ('report' in data) {
    const report = { ...data.report, url: `${context.baseUrl}/freshness/report?month=${data.report.month}` };
    return { event: 'freshness.report', ...base, report };
  }
  if ('release' in data) {
    const { id, ...release } = data.release;
    const url = `${context.baseUrl}/releases/${id}`;
    return { event: 'release.moved', ...base, release: { id, url, ...release } };
  }
  if ('deployment' in data) {
    const { id, ...deployment } = data.deployment;
    const url = `${context.baseUrl}/scrape-jobs/${id}`;
    const sender_url = senderUrl(context.baseUrl, context.organizationId);
    return { event: 'deployment.changed', ...base, deployment: { id, url, sender_url, ...deployment } };
  }
  return {
    event: event.eventType as ChannelEventData['event'],
    ...base,
    channel: withResolution(data.channel),
  };
}

/** Adds the resolution, which is `null` unless the event is about the end of a problem. */
function withResolution<Subject extends { resolution?: ProblemResolution }>(
  subject: Subject,
): Subject & { resolution: ProblemResolution | null } {
  return { ...subject, resolution: subject.resolution ?? null };
}

/** Adds the URL and the release notes. The default body contains the fields in this order. */
function withNotes(
  { id, labels, resolution, resolved_version, ...alert }: StoredAlertEvent['alert'],
  url: string,
  notes: AlertNotes | undefined,
): AlertData {
  return {
    id,
    url,
    resolution,
    resolved_version,
    ...alert,
    known_exploited: alert.known_exploited ?? null,
    release_count: notes?.releaseCount ?? null,
    breaking_changes: notes?.breakingChanges ?? null,
    notes_url: notes === undefined || notes.releaseCount === 0 ? null : `${url}#release-notes`,
    labels,
  };
}

function acknowledgeUrl(event: StoredEvent, data: StoredAlertEvent, context: MessageContext): string | null {
  const isOpen = !data.is_acknowledged && data.alert.status === 'unacknowledged';
  if (!isOpen || event.alertId === null) return null;
  const { organizationId, channelId, sentAt, acknowledgeSigner } = context;
  const target = { organizationId, alertId: event.alertId, channelId };
  return `${context.baseUrl}/ack/${createAcknowledgeToken(acknowledgeSigner, target, sentAt)}`;
}
