import type { ChannelIndex, OwningChannel } from '../routing/channel-index.ts';
import type { RoutingRule, RoutingSubject } from '../routing/match-rule.ts';
import { type RoutingDefaults, routeEvent } from '../routing/route-event.ts';
import { MessageQueue, type SendingTimes } from './message-queue.ts';

export interface MessageChannel extends SendingTimes, OwningChannel {}

export interface RoutedEvent {
  readonly atMs: number;
  readonly subject: RoutingSubject;
}

/** How events are routed. */
export interface MessageRouting {
  readonly rules: readonly RoutingRule[];
  readonly defaults: RoutingDefaults;
  readonly channels: ChannelIndex<MessageChannel>;
}

/** Counts the messages that channels receive of events, a digest as one. */
export class MessageCount {
  readonly #routing: MessageRouting;
  readonly #queues = new Map<number, MessageQueue>();
  /** The open alert of each configuration, by a number of its own. */
  readonly #alerts = new Map<number, number>();
  #alertCount = 0;

  constructor(routing: MessageRouting) {
    this.#routing = routing;
  }

  /**
   * Events have to be added in order of time.
   *
   * @returns The notification rules that matched.
   */
  add({ atMs, subject }: RoutedEvent): readonly number[] {
    const { rules, defaults, channels } = this.#routing;
    const { targets, matchedRuleIds } = routeEvent(rules, subject, defaults, channels);
    const { eventType, severity } = subject;
    const event = { eventType, severity, alertId: this.#alertOf(subject) };
    if (eventType === 'alert.resolved' && event.alertId !== null)
      for (const queue of this.#queues.values()) queue.resolve(atMs, event.alertId);
    for (const { channelId, isActive } of targets) {
      if (!isActive) continue;
      const queue = this.#queues.get(channelId) ?? new MessageQueue(channels.byId.get(channelId)!);
      this.#queues.set(channelId, queue);
      queue.add(atMs, event);
    }
    return matchedRuleIds;
  }

  /** Channels without messages are missing. */
  get byChannel(): Map<number, number> {
    return new Map([...this.#queues].map(([id, queue]) => [id, queue.count]));
  }

  #alertOf({ alertConfigId, eventType }: RoutingSubject): number | null {
    if (alertConfigId === null) return null;
    const alertId = eventType === 'alert.created' ? undefined : this.#alerts.get(alertConfigId);
    if (alertId !== undefined) return alertId;
    this.#alerts.set(alertConfigId, ++this.#alertCount);
    return this.#alertCount;
  }
}
