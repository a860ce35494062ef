import { type SendingTimes } from '../channels/sending-times.ts';
import type { ChannelIndex, OwningChannel } from '../routing/channel-index.ts';
import type { RoutingRule, RoutingSubject } from '../routing/match-rule.ts';
import { type NotifiedChannel, openAlertEvents, receivesResolution } from '../routing/notified-channels.ts';
import { type RoutingDefaults, routeEvent } from '../routing/route-event.ts';
import { MessageQueue } from './message-queue.ts';

export interface MessageChannel extends SendingTimes, OwningChannel {
  /** True if the channel, such as an issue tracker, sends each event individually. */
  readonly neverCombines?: boolean;
}

export interface RoutedEvent {
  readonly atMs: number;
  readonly subject: RoutingSubject;
  /** Alerts that open at the same time because of the same cause are sent together. */
  readonly cause?: string;
}

/** Rules, defaults, and channels that determine where events are routed. */
export interface MessageRouting {
  readonly rules: readonly RoutingRule[];
  readonly defaults: RoutingDefaults;
  readonly channels: ChannelIndex<MessageChannel>;
}

/** Counts the messages that channels receive for events. A digest counts as one message. */
export class MessageCount {
  readonly #routing: MessageRouting;
  readonly #queues = new Map<number, MessageQueue>();
  /** Generated ID of the open alert of each alert configuration, by the ID of the configuration. */
  readonly #alerts = new Map<number, number>();
  #alertCount = 0;
  /** Channels that were notified about each open alert, by alert ID. */
  readonly #notified = new Map<number, Map<number, NotifiedChannel>>();

  constructor(routing: MessageRouting) {
    this.#routing = routing;
  }

  /**
   * Adds an event. Events must be added in chronological order.
   *
   * @returns The IDs of the notification rules that matched.
   */
  add({ atMs, subject, cause }: RoutedEvent): readonly number[] {
    const { rules, defaults, channels } = this.#routing;
    const { targets, matchedRuleIds } = routeEvent(rules, subject, defaults, channels);
    const { eventType, severity } = subject;
    const alertId = this.#alertOf(subject);
    const event = { eventType, severity, alertId };
    const channelIds = targets.flatMap(({ channelId, isActive }) => (isActive ? channelId : []));
    if (eventType === 'alert.resolved' && alertId !== null)
      for (const queue of this.#queues.values()) queue.resolve(atMs, alertId);
    for (const channelId of [...channelIds, ...this.#notifiedOfEnd(atMs, alertId, subject, channelIds)]) {
      this.#noteNotified(alertId, subject, channelId, matchedRuleIds);
      const queue = this.#queues.get(channelId) ?? new MessageQueue(channels.byId.get(channelId)!);
      this.#queues.set(channelId, queue);
      const isCombined = channels.byId.get(channelId)?.neverCombines !== true;
      queue.add(atMs, { ...event, ...(isCombined && cause !== undefined && { cause }) });
    }
    return matchedRuleIds;
  }

  /** Number of messages by channel ID. Channels without messages aren't included. */
  get byChannel(): Map<number, number> {
    return new Map([...this.#queues].map(([id, queue]) => [id, queue.count]));
  }

  #noteNotified(
    alertId: number | null,
    { eventType }: RoutingSubject,
    channelId: number,
    matchedRuleIds: readonly number[],
  ): void {
    if (alertId === null || !openAlertEvents.some((type) => type === eventType)) return;
    const notified = this.#notified.get(alertId) ?? new Map<number, NotifiedChannel>();
    this.#notified.set(alertId, notified);
    const ruleIds = new Set([...(notified.get(channelId)?.ruleIds ?? []), ...matchedRuleIds]);
    notified.set(channelId, { channelId, ruleIds: [...ruleIds] });
  }

  /**
   * Returns the channels that receive the resolution of an alert in addition to the channels that the rules
   * choose.
   */
  #notifiedOfEnd(
    atMs: number,
    alertId: number | null,
    { eventType }: RoutingSubject,
    chosen: readonly number[],
  ): readonly number[] {
    if (alertId === null || eventType !== 'alert.resolved') return [];
    const notified = [...(this.#notified.get(alertId)?.values() ?? [])];
    this.#notified.delete(alertId);
    const { rules, defaults } = this.#routing;
    return notified.flatMap((each) =>
      !chosen.includes(each.channelId) &&
      this.#queues.get(each.channelId)?.wasNotifiedOf(atMs, alertId) &&
      receivesResolution(each, rules, defaults)
        ? each.channelId
        : [],
    );
  }

  #alertOf({ alertConfigId, eventType }: RoutingSubject): number | null {
    if (alertConfigId === null) return null;
    const alertId = eventType === 'alert.created' ? undefined : this.#alerts.get(alertConfigId);
    if (alertId !== undefined) return alertId;
    this.#alerts.set(alertConfigId, ++this.#alertCount);
    return this.#alertCount;
  }
}
