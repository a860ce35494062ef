import type {
  AgentEventData,
  AlertData,
  ChannelEventData,
  DeploymentEventData,
  EventType,
  FreshnessReportEventData,
  JobEventData,
  LoginProviderEventData,
  ProblemResolution,
  ReleaseMovedEventData,
  TargetEventData,
} from '../../../../domain/routing/notification-event.ts';

/** An event as stored in its audit entry. */
export interface StoredEvent {
  eventId: string;
  eventType: EventType;
  sequence: number | null;
  /** `null` if the alert was deleted. */
  alertId: number | null;
  at: Date;
  data: StoredAlertEvent | StoredServiceEvent | StoredDeploymentEvent;
}

/** Fields that are determined when a message is rendered. */
export type AddedField = 'release_count' | 'breaking_changes' | 'notes_url';

/**
 * The stored data of an alert event in its audit entry. Rendering adds URLs, the name of the organization,
 * and the IDs of the message.
 */
export interface StoredAlertEvent {
  alert: Omit<AlertData, 'url' | 'known_exploited' | AddedField> & { known_exploited?: string };
  is_acknowledged: boolean;
  actor: { name: string | null };
}

/** Data of an event about a problem. Only the event about its end has a resolution. */
interface StoredProblem {
  job: Omit<JobEventData['job'], 'url' | 'resolution'>;
  agent: Omit<AgentEventData['agent'], 'resolution'>;
  target: Omit<TargetEventData['target'], 'url' | 'resolution'>;
  channel: Omit<ChannelEventData['channel'], 'resolution'>;
  provider: Omit<LoginProviderEventData['provider'], 'resolution'>;
}
export type ProblemData<Subject extends keyof StoredProblem> = {
  [Name in Subject]: StoredProblem[Name] & { resolution?: ProblemResolution };
};

/**
 * An event about Pacekeeper itself. The default channel receives it, or the channels of notification rules
 * that include its type. An event about the end of a problem goes to the channels that received its report
 * instead.
 */
export type ServiceEvent =
  | { type: JobEventData['event']; data: ProblemData<'job'>; subjectOrganizationId?: number }
  | { type: AgentEventData['event']; data: ProblemData<'agent'> }
  | { type: LoginProviderEventData['event']; data: ProblemData<'provider'> }
  | { type: TargetEventData['event']; data: ProblemData<'target'> }
  | { type: 'freshness.report'; data: { report: Omit<FreshnessReportEventData['report'], 'url'> } }
  | { type: 'release.moved'; data: { release: Omit<ReleaseMovedEventData['release'], 'url'> } }
  | { type: ChannelEventData['event']; data: ProblemData<'channel'> };

export type StoredServiceEvent = ServiceEvent['data'];

/** Stored data of an event about a changed deployed version. Rendering adds the URLs. */
export interface StoredDeploymentEvent {
  deployment: Omit<DeploymentEventData['deployment'], 'url' | 'sender_url'>;
}
