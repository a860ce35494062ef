/**
 * Events for notification channels. An event is written once, in the transaction of the change that it
 * reports. It contains everything that a message can include, so a delivery never needs further lookups.
 * Field names are the names that templates use and that the default body contains.
 */

import type { DeploymentChange } from '../deployments/deployment-change.ts';
import type { AlertReason } from '../rules/rule-type.ts';
import type { RuleTypeId } from '../rules/rule-types.ts';
import type { AlertSeverity } from '../rules/severity.ts';
import type { jobKindLabels } from '../runs/job-kind-labels.ts';

export type NotificationTemplateCategory = 'new_alert' | 'acknowledged' | 'resolved';
export type AlertStatus = 'unacknowledged' | 'acknowledged' | 'resolved';
export type AlertResolution = 'caught_up' | 'manual' | 'disabled' | 'reconfigured' | 'gone' | 'replaced';

interface EventTypeInfo {
  /**
   * Category of the templates for this event, or `null` if the event has no category and only general templates apply.
   */
  readonly category: NotificationTemplateCategory | null;
  /**
   * - `alert`: routed by the notification rules.
   * - `service`: about Pacekeeper itself. Sent to the default channel and to rules that list the event type.
   * - `direct`: created for certain channels and never routed.
   */
  readonly routing: 'alert' | 'service' | 'direct';
  /** True if the event is sent while its alert is snoozed. */
  readonly isSentWhileSnoozed: boolean;
}

/** All event types. The event `channel.test` shows a sample of a new alert, so it has the category `new_alert`. */
export const eventTypes = {
  'alert.created': { category: 'new_alert', routing: 'alert', isSentWhileSnoozed: false },
  'alert.escalated': { category: 'new_alert', routing: 'alert', isSentWhileSnoozed: true },
  'alert.acknowledged': { category: 'acknowledged', routing: 'alert', isSentWhileSnoozed: false },
  'alert.unacknowledged': { category: 'acknowledged', routing: 'alert', isSentWhileSnoozed: false },
  'alert.resolved': { category: 'resolved', routing: 'alert', isSentWhileSnoozed: true },
  'alert.reminder': { category: 'new_alert', routing: 'alert', isSentWhileSnoozed: false },
  digest: { category: null, routing: 'direct', isSentWhileSnoozed: true },
  'channel.test': { category: 'new_alert', routing: 'direct', isSentWhileSnoozed: true },
  'job.failing': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'job.recovered': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'agent.offline': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'agent.online': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'login_provider.failing': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'login_provider.recovered': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'target.missed': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'target.met': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'freshness.report': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'release.moved': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'deployment.changed': { category: null, routing: 'direct', isSentWhileSnoozed: true },
  'channel.disabled': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'channel.enabled': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'channel.failing': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'channel.recovered': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'delivery.failed': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'delivery.recovered': { category: null, routing: 'service', isSentWhileSnoozed: true },
} as const satisfies Record<string, EventTypeInfo>;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/**
 * Events that report a problem of Pacekeeper itself, each with the event that is sent when the problem is
 * over.
 */
export const recoveryEvents = {
  'job.failing': 'job.recovered',
  'agent.offline': 'agent.online',
  'login_provider.failing': 'login_provider.recovered',
  'target.missed': 'target.met',
  'channel.disabled': 'channel.enabled',
  'channel.failing': 'channel.recovered',
  'delivery.failed': 'delivery.recovered',
} as const satisfies Partial<Record<EventType, EventType>>;

export type ProblemEventType = keyof typeof recoveryEvents;
export type RecoveryEventType = (typeof recoveryEvents)[ProblemEventType];

const problemEventOf = new Map<EventType, ProblemEventType>(
  (Object.keys(recoveryEvents) as ProblemEventType[]).map((type) => [recoveryEvents[type], type]),
);

export function reportsProblem(eventType: EventType): eventType is ProblemEventType {
  return Object.hasOwn(recoveryEvents, eventType);
}

export function endsProblem(eventType: EventType): eventType is RecoveryEventType {
  return problemEventOf.has(eventType);
}

/**
 * Way in which a reported problem ended.
 * - `recovered`: the job succeeded, the agent, login provider, or channel works again, or the goal is met.
 * - `disabled`: the channel or target was disabled, so Pacekeeper no longer checks for the problem.
 * - `reconfigured`: a change to the job or target ended the problem. Nothing has succeeded since.
 * - `deleted`: the job, agent, channel, or target was deleted, or the login provider was removed.
 */
export type ProblemResolution = 'recovered' | 'disabled' | 'reconfigured' | 'deleted';

/** Fields of an event that identify its subject. */
type EventSubject =
  | { job: Pick<JobEventData['job'], 'kind' | 'id'> }
  | { agent: Pick<AgentEventData['agent'], 'id'> }
  | { target: Pick<TargetEventData['target'], 'id'> }
  | { channel: Pick<ChannelEventData['channel'], 'id'> }
  | { alert: object }
  | { report: object }
  | { release: object }
  | { deployment: object }
  | { provider: Pick<LoginProviderEventData['provider'], 'id'> }
  | { events: readonly object[] };

/**
 * Returns the key that an event about a problem shares with the event about its end, such as `gather-job/4`,
 * or `null` for other events. A channel can have several problems at the same time.
 */
export function problemKey(eventType: EventType, data: EventSubject): string | null {
  const problem = reportsProblem(eventType) ? eventType : problemEventOf.get(eventType);
  if (problem === undefined) return null;
  if ('job' in data) return `${data.job.kind}-job/${data.job.id}`;
  if ('agent' in data) return `agent/${data.agent.id}`;
  if ('target' in data) return `target/${data.target.id}`;
  if ('provider' in data) return `login-provider/${data.provider.id}`;
  if (!('channel' in data)) return null;
  const key = `channel/${data.channel.id}`;
  if (problem === 'channel.disabled') return `${key}/disabled`;
  return problem === 'delivery.failed' ? `${key}/deliveries` : key;
}

export type AlertEventType = Extract<EventType, `alert.${string}`>;

/** Event types of each template category, as listed in the description of a template. */
export const categoryEvents: Readonly<Record<NotificationTemplateCategory, readonly AlertEventType[]>> = {
  new_alert: ['alert.created', 'alert.escalated', 'alert.reminder'],
  acknowledged: ['alert.acknowledged', 'alert.unacknowledged'],
  resolved: ['alert.resolved'],
};

export const templateCategories = Object.keys(categoryEvents) as NotificationTemplateCategory[];

/** Returns the category of the templates that render the event, or `null` if it has no category. */
export function eventCategory(eventType: EventType): NotificationTemplateCategory | null {
  return eventTypes[eventType].category;
}

/**
 * True if the event is sent while its alert is snoozed. For alert events, this includes only escalations and
 * resolutions.
 */
export function isSentWhileSnoozed(eventType: EventType): boolean {
  return eventTypes[eventType].isSentWhileSnoozed;
}

/** State of an alert at the time of the event. URLs are http or https. */
export interface AlertData {
  id: number;
  /** URL of the alert page. */
  url: string;
  config_name: string;
  rule_name: string;
  rule_type: RuleTypeId;
  severity: AlertSeverity;
  /** Severity before an escalation, otherwise `null`. */
  previous_severity: AlertSeverity | null;
  status: AlertStatus;
  /** Way in which the alert was resolved. `null` while the alert is open. */
  resolution: AlertResolution | 'deleted' | null;
  reason: AlertReason;
  /** Deployed version that the alert is about. */
  discovered_version: string;
  /** Version that was deployed when the alert was resolved, or `null` if it isn't known. */
  resolved_version: string | null;
  latest_version: string | null;
  /**
   * Lag in days, major versions, or minor versions, depending on `rule_type`. `null` if the lag can't be
   * determined.
   */
  behind_by: number | null;
  /**
   * Days until the end of support, negative after it. `null` for other rules, and if the date isn't known.
   */
  days_left: number | null;
  /**
   * IDs of vulnerabilities of the deployed version that are known to be exploited: at most five, separated by commas. `null` if
   * none is known, and for events that no evaluation caused, such as reminders.
   */
  known_exploited: string | null;
  artifact_name: string;
  repository_url: string | null;
  target_file: string | null;
  release_url: string | null;
  /**
   * Number of releases after the deployed version, up to and including the latest one. `null` if they can't
   * be counted.
   */
  release_count: number | null;
  /**
   * Lines that the release notes mark as breaking, at most five. `null` if no lines are marked or the notes
   * aren't known.
   */
  breaking_changes: string | null;
  /** URL of the page with the release notes, or `null` if no notes exist. */
  notes_url: string | null;
  labels: Record<string, string>;
}

interface EventBase {
  event_id: string;
  /** Position among the events of the same alert, starting at 1. `null` for events without an alert. */
  sequence: number | null;
  /** Time of the event in RFC 3339 format, UTC, with milliseconds. */
  timestamp: string;
  /** Time zone of the channel, in which messages show times. */
  timezone: string;
  /** The `webhook-id` of the message. It's the same for every attempt. */
  idempotency_key: string;
  /** URL that acknowledges the alert with one click, or `null` if the event has no alert to acknowledge. */
  acknowledge_url: string | null;
  is_acknowledged: boolean;
  /** The person or key that caused the event. The name is `null` for Pacekeeper itself. */
  actor: { name: string | null };
  organization: { name: string };
}

export interface AlertEventData extends EventBase {
  event: AlertEventType;
  alert: AlertData;
}

/**
 * An event that is sent on request with a sample alert, to test a template or preset the way a real alert
 * would use it.
 */
export interface ChannelTestEventData extends EventBase {
  event: 'channel.test';
  alert: AlertData;
  channel: { id: number; name: string; reason: null; resolution: null };
}

export interface JobEventData extends EventBase {
  event: 'job.failing' | 'job.recovered';
  job: {
    id: number;
    kind: keyof typeof jobKindLabels;
    name: string;
    /** URL of the job page. */
    url: string;
    /** Code and message of the last failure. `null` after a recovery. */
    error_code: string | null;
    error_message: string | null;
    /** Time of the last successful run in RFC 3339 format, or `null` if the job has never succeeded. */
    last_success_at: string | null;
    /** `null` while the job fails. */
    resolution: ProblemResolution | null;
  };
}

export interface AgentEventData extends EventBase {
  event: 'agent.offline' | 'agent.online';
  agent: {
    id: number;
    name: string;
    hostname: string;
    last_heartbeat_at: string | null;
    /** `null` while the agent is offline. */
    resolution: ProblemResolution | null;
  };
}

export interface LoginProviderEventData extends EventBase {
  event: 'login_provider.failing' | 'login_provider.recovered';
  /**
   * A provider of single sign-on that doesn't accept Pacekeeper's credentials. `reason` is a sentence, or
   * `null` after a recovery. `resolution` is `null` before a recovery.
   */
  provider: { id: string; name: string; reason: string | null; resolution: ProblemResolution | null };
}

export interface TargetEventData extends EventBase {
  event: 'target.missed' | 'target.met';
  /** The freshness target. The event is sent after the goal has been missed, or met again, for a day. */
  target: {
    id: number;
    name: string;
    /** URL of the freshness page. */
    url: string;
    metric: 'libyears' | 'exposure_days' | 'majors' | 'minors';
    limit: number;
    goal_percent: number;
    /**
     * Percentage of deployed versions within the limit, rounded down to one decimal place. `null` without
     * data.
     */
    now_percent: number | null;
    out_of_target: number;
    /** `null` while the goal is missed. */
    resolution: ProblemResolution | null;
  };
}

export interface FreshnessReportEventData extends EventBase {
  event: 'freshness.report';
  /** Freshness at the end of a month and at the end of the month before. Unknown values are `null`. */
  report: {
    /** Month of the report, such as `2026-02`. */
    month: string;
    /** URL of the report page. */
    url: string;
    /** Number of deployed versions that are known and compared with a source. */
    things: number;
    libyears: number;
    libyears_before: number | null;
    /**
     * Percentage of deployed versions within their target, rounded down, among those with a target. `null` if
     * none has a target.
     */
    within_percent: number | null;
    within_percent_before: number | null;
    targets_met: number;
    target_count: number;
    /**
     * The deployed versions that were furthest behind when the report was sent, one per line, at most five.
     * `null` if none is behind.
     */
    furthest_behind: string | null;
  };
}

export interface ReleaseMovedEventData extends EventBase {
  event: 'release.moved';
  /**
   * A published version whose commit or digest changed. If several versions of a source changed in one run,
   * this is a deployed one if possible, otherwise the highest.
   */
  release: {
    id: number;
    /** URL of the release page. */
    url: string;
    artifact_name: string;
    version: string;
    kind: 'commit' | 'digest';
    from: string;
    to: string;
    /** Time at which a run noticed the change. The release can have changed earlier. */
    noticed_at: string;
    /** Number of other versions of the source that changed in the same run. */
    other_count: number;
    /**
     * The other changed versions with shortened values, one per line, at most five. `null` if no others
     * changed.
     */
    others: string | null;
    /** Number of monitors whose deployed version is one of the changed versions. */
    place_count: number;
    /**
     * Monitors with one of the changed versions, each with that version, one per line, at most five. `null`
     * for no monitors.
     */
    places: string | null;
  };
}

export interface DeploymentEventData extends EventBase {
  event: 'deployment.changed';
  /** A deployed version that changed. Only channels with the preset `cdevents` receive it. */
  deployment: {
    /** ID of the scrape job. */
    id: number;
    /** URL of the page of the scrape job. */
    url: string;
    /** Identifies the organization on this server as the sender. The URL has no page. */
    sender_url: string;
    /** The service, followed by the component if the scrape job has one. */
    service: string;
    environment: string;
    version: string;
    /** `null` for the first version. */
    previous_version: string | null;
    change: DeploymentChange;
    /** Artifact of the report, or `null` if no report set the version. */
    artifact: string | null;
    commit: string | null;
    /** Time of the deployment in RFC 3339 format, or the time at which the version was found. */
    deployed_at: string;
  };
}

/** An event about a channel. The channel itself never receives it. */
export interface ChannelEventData extends EventBase {
  /**
   * - `channel.disabled`: the receiver permanently rejects messages, so the channel was disabled.
   * - `channel.enabled`: after `channel.disabled`, someone enabled the channel again.
   * - `channel.failing`: no attempt has succeeded for half an hour.
   * - `channel.recovered`: after `channel.failing`, an attempt has succeeded.
   * - `delivery.failed`: a message became a dead letter.
   * - `delivery.recovered`: the channel has delivered since its last dead letter.
   */
  event: (typeof channelEvents)[number];
  /**
   * The channel. `reason` is a sentence about why the channel was disabled, or about the last error. After a
   * recovery, `reason` is `null`; before it, `resolution` is `null`.
   */
  channel: { id: number; name: string; reason: string | null; resolution: ProblemResolution | null };
}

export const channelEvents = [
  'channel.disabled',
  'channel.enabled',
  'channel.failing',
  'channel.recovered',
  'delivery.failed',
  'delivery.recovered',
] as const satisfies EventType[];

export type SingleEventData =
  | AlertEventData
  | ChannelTestEventData
  | JobEventData
  | AgentEventData
  | LoginProviderEventData
  | TargetEventData
  | FreshnessReportEventData
  | ReleaseMovedEventData
  | DeploymentEventData
  | ChannelEventData;

/**
 * Maximum number of events in a digest. This many events of maximum size fit into 64 KiB. Further events are
 * sent in the next digest.
 */
export const maxEventsOfDigest = 50;

/**
 * Cause of a digest.
 * - `reading_changed`: all changes in the first evaluation after an upgrade to a Pacekeeper release that
 *   parses versions differently.
 * - `silence_ended`: alerts that opened or escalated during a silence and are still open when it ends.
 * - `opened_together`: alerts that one change opened, such as accepted items, a new rule, or a release.
 */
export const digestCauses = ['reading_changed', 'silence_ended', 'opened_together'] as const;
export type DigestCause = (typeof digestCauses)[number];

/**
 * Several events in one message, in chronological order. Alerts that opened together begin with the most
 * severe ones.
 */
export interface DigestEventData extends EventBase {
  event: 'digest';
  /** Cause of the digest. `null` for a regular digest that collects events over a period of time. */
  cause: DigestCause | null;
  events: SingleEventData[];
}

export type EventData = SingleEventData | DigestEventData;
