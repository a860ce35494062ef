/**
 * What can be told to a notification channel. An event is written once, in the transaction of the change,
 * and holds everything that a message may say, so that a delivery never has to look anything up again.
 * Its members are named as templates read them and as the default body shows them.
 */

import type { AlertResolution } from '../alerts/open-alert.ts';
import type { TargetMetric } from '../freshness/freshness-metrics.ts';
import type { AlertReason } from '../rules/rule-type.ts';
import type { RuleTypeId } from '../rules/rule-types.ts';
import type { AlertSeverity } from '../rules/severity.ts';

export type NotificationTemplateCategory = 'new_alert' | 'acknowledged' | 'resolved';
export type AlertStatus = 'unacknowledged' | 'acknowledged' | 'resolved';

interface EventTypeInfo {
  /** The template category whose templates apply; `null` where only a template for every event can. */
  readonly category: NotificationTemplateCategory | null;
  /**
   * - `alert`: goes where the notification rules say.
   * - `service`: about Pacekeeper itself; goes to the default channel, and to rules that name it.
   * - `direct`: made for one channel; never routed.
   */
  readonly routing: 'alert' | 'service' | 'direct';
  /** Whether it is sent of an alert that is snoozed. */
  readonly isSentWhileSnoozed: boolean;
}

/** Every event type. A test of a channel shows what a new alert will look like, so it takes that category. */
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
  'agent.offline': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'target.missed': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'target.met': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'freshness.report': { category: null, routing: 'service', isSentWhileSnoozed: true },
  'channel.disabled': { category: null, routing: 'service', isSentWhileSnoozed: true },
} as const satisfies Record<string, EventTypeInfo>;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as EventType[];

export type AlertEventType = Extract<EventType, `alert.${string}`>;

/** The event types that a category of templates is for, as the description of the template shows them. */
export const categoryEvents: Readonly<Record<NotificationTemplateCategory, readonly AlertEventType[]>> = {
  new_alert: ['alert.created', 'alert.escalated', 'alert.reminder'],
  acknowledged: ['alert.acknowledged', 'alert.unacknowledged'],
  resolved: ['alert.resolved'],
};

export const templateCategories = Object.keys(categoryEvents) as NotificationTemplateCategory[];

/** The category whose templates render the event, or `null`. */
export function eventCategory(eventType: EventType): NotificationTemplateCategory | null {
  return eventTypes[eventType].category;
}

/** While an alert is snoozed, only that it got worse or is over is worth a message. */
export function isSentWhileSnoozed(eventType: EventType): boolean {
  return eventTypes[eventType].isSentWhileSnoozed;
}

/** One alert as it was when the event happened. URLs are http or https. */
export interface AlertData {
  id: number;
  /** The page of the alert. */
  url: string;
  config_name: string;
  rule_name: string;
  rule_type: RuleTypeId;
  severity: AlertSeverity;
  /** The severity before an escalation; otherwise `null`. */
  previous_severity: AlertSeverity | null;
  status: AlertStatus;
  /** Why it was resolved; `null` while it is open, and in events of earlier versions of Pacekeeper. */
  resolution: AlertResolution | 'deleted' | null;
  reason: AlertReason;
  /** The deployed version that the alert is about. */
  discovered_version: string;
  /** The version that was deployed when it was resolved; `null` if that isn't known. */
  resolved_version: string | null;
  latest_version: string | null;
  /** In days, major or minor versions, as `rule_type` says; `null` where it cannot be counted. */
  behind_by: number | null;
  /** Days until the support ends, negative after it; `null` for other rules, and if the day isn't known. */
  days_left: number | null;
  artifact_name: string;
  repository_url: string | null;
  target_file: string | null;
  release_url: string | null;
  /** The releases after the deployed version, up to the latest one; `null` where they can't be counted. */
  release_count: number | null;
  /** Lines that their notes mark as breaking, at most five; `null` if none are marked or the notes aren't known. */
  breaking_changes: string | null;
  /** The page with their notes; `null` without any. */
  notes_url: string | null;
  labels: Record<string, string>;
}

interface EventBase {
  event_id: string;
  /** The place of the event among those of its alert, from 1; `null` where there is no alert. */
  sequence: number | null;
  /** When it happened: RFC 3339, UTC, milliseconds. */
  timestamp: string;
  /** The `webhook-id` of the message; the same on every attempt. */
  idempotency_key: string;
  /** Where a click acknowledges the alert; `null` when there is nothing to acknowledge. */
  acknowledge_url: string | null;
  is_acknowledged: boolean;
  /** Who caused it; `null` for Pacekeeper itself. */
  actor: { name: string | null };
  organization: { name: string };
}

export interface AlertEventData extends EventBase {
  event: AlertEventType;
  alert: AlertData;
}

/** Sent on request, with an invented alert, so that a template or preset is tried as a real alert would. */
export interface ChannelTestEventData extends EventBase {
  event: 'channel.test';
  alert: AlertData;
  channel: { id: number; name: string; reason: null };
}

export interface JobFailingEventData extends EventBase {
  event: 'job.failing';
  job: {
    id: number;
    kind: 'gather' | 'scrape' | 'helm_sync' | 'discovery';
    name: string;
    /** The page of the job. */
    url: string;
    /** The code and sentence of the last failure. */
    error_code: string | null;
    error_message: string | null;
    /** RFC 3339; `null` when it never succeeded. */
    last_success_at: string | null;
  };
}

export interface AgentOfflineEventData extends EventBase {
  event: 'agent.offline';
  agent: { id: number; name: string; hostname: string; last_heartbeat_at: string | null };
}

export interface TargetEventData extends EventBase {
  event: 'target.missed' | 'target.met';
  /** A freshness target whose goal has been missed, or met again, for a day. */
  target: {
    id: number;
    name: string;
    /** The page of freshness. */
    url: string;
    metric: TargetMetric;
    limit: number;
    goal_percent: number;
    /** The share within the limit, rounded down to a tenth; `null` when nothing is known. */
    now_percent: number | null;
    out_of_target: number;
  };
}

export interface FreshnessReportEventData extends EventBase {
  event: 'freshness.report';
  /** Freshness at the end of a month and of the month before, `null` where that isn't known. */
  report: {
    /** `2026-02`. */
    month: string;
    /** The page of the report. */
    url: string;
    /** Pairs with a deployed version. */
    things: number;
    libyears: number;
    libyears_before: number | null;
    /** Of those that have a target, rounded down; `null` where none has one. */
    within_percent: number | null;
    within_percent_before: number | null;
    targets_met: number;
    target_count: number;
    /** Those furthest behind when the report was sent, one in a line, at most five; `null` if nothing is behind. */
    furthest_behind: string | null;
  };
}

export interface ChannelDisabledEventData extends EventBase {
  event: 'channel.disabled';
  /** `reason` is the sentence that says why the channel was turned off. */
  channel: { id: number; name: string; reason: string | null };
}

export type SingleEventData =
  | AlertEventData
  | ChannelTestEventData
  | JobFailingEventData
  | AgentOfflineEventData
  | TargetEventData
  | FreshnessReportEventData
  | ChannelDisabledEventData;

/** With all that a message may hold, so many fit into 64 KiB. What is left goes out with the next one. */
export const maxEventsOfDigest = 50;

/**
 * What a digest is about.
 * - `reading_changed`: all that the first evaluation after an upgrade changed that reads versions in another way.
 * - `silence_ended`: what was opened or escalated during a silence and is still open at its end.
 */
export const digestCauses = ['reading_changed', 'silence_ended'] as const;
export type DigestCause = (typeof digestCauses)[number];

/** Several events in one message, in the order in which they happened. */
export interface DigestEventData extends EventBase {
  event: 'digest';
  /** Null: it collects what happens for some time. */
  cause: DigestCause | null;
  events: SingleEventData[];
}

export type EventData = SingleEventData | DigestEventData;
