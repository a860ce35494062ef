import { collectsDigests, nextDigestAt, type SendingTimes } from '../channels/sending-times.ts';
import {
  decideOutsideSendingHours,
  isOutdated,
  supersededMessages,
  type WaitingMessage,
} from '../channels/waiting-messages.ts';
import { maxEventsOfDigest } from '../routing/notification-event.ts';
import type { AlertSeverity } from '../rules/severity.ts';
import { nextOpening } from '../scheduling/sending-hours.ts';

type Queued = WaitingMessage & { dueAtMs: number; isHeld: boolean };

/**
 * Counts the messages that a channel would send if every attempt succeeded immediately. The cost of adding an
 * event doesn't depend on the number of waiting messages. The queue processes the events about
 * acknowledgments and snoozes, but doesn't track which alerts are acknowledged or snoozed, because that
 * affects only reminders.
 */
export class MessageQueue {
  readonly #times: SendingTimes;
  /** Waiting messages by ID, in the order of their events. */
  readonly #waiting = new Map<number, Queued>();
  /** Number of waiting messages by alert ID. */
  readonly #waitingOfAlerts = new Map<number, number>();
  /** IDs of resolved alerts that still have waiting messages. */
  readonly #resolved = new Set<number>();
  /** Held messages by alert ID. An urgent message about the same alert releases them. */
  readonly #heldOfAlerts = new Map<number, Set<Queued>>();
  readonly #heldDigests = new Set<Queued>();
  /** Lower bound for the next due time of all waiting messages. It's exact after `#findNext`. */
  #nextDueAtMs = Infinity;
  /** Due time of the digest that is collecting events, or `Infinity` if no digest is. */
  #digestDueAtMs = Infinity;
  #sent = 0;
  /**
   * Latest time at which alerts with a cause opened, and the causes of all alerts that opened at that time.
   */
  #openedAtMs = Number.NaN;
  readonly #openedCauses = new Set<string>();
  /** IDs of the open alerts that the channel was notified about. */
  readonly #notified = new Set<number>();
  #nextId = 1;

  constructor(times: SendingTimes) {
    this.#times = times;
  }

  /** Adds an event. Events must be added in chronological order. */
  add(
    atMs: number,
    event: Pick<WaitingMessage, 'alertId' | 'eventType'> & { severity: AlertSeverity | null; cause?: string },
  ) {
    const { sendingHours, alwaysFor } = this.#times;
    const collects = collectsDigests(this.#times);
    if (!collects && this.#opensWithLast(atMs, event)) {
      this.#noteSent(event);
      return;
    }
    if (!collects && sendingHours.length === 0) {
      this.#sent++;
      this.#noteSent(event);
      return;
    }
    this.#passUntil(atMs);
    // A reminder adds nothing if a message about the same alert is already waiting.
    if (event.eventType === 'alert.reminder' && this.#waitsFor(event.alertId)) return;
    const id = this.#nextId++;
    const message: Queued = {
      id,
      alertId: event.alertId,
      sequence: id,
      eventType: event.eventType,
      isUrgent: event.severity !== null && alwaysFor.includes(event.severity),
      wasTried: false,
      dueAtMs: collects ? this.#digestAt(atMs) : atMs,
      isHeld: false,
    };
    this.#waiting.set(id, message);
    const { alertId } = event;
    if (alertId !== null) {
      this.#waitingOfAlerts.set(alertId, (this.#waitingOfAlerts.get(alertId) ?? 0) + 1);
      if (event.eventType === 'alert.resolved') this.#resolved.add(alertId);
    }
    if (!collects) {
      this.#pass(atMs, [message]);
      return;
    }
    this.#nextDueAtMs = Math.min(this.#nextDueAtMs, message.dueAtMs);
    this.#digestDueAtMs = message.dueAtMs;
  }

  /**
   * Records that an alert was resolved, even if the channel isn't notified of that. Calls to this method and
   * to `add` must be in chronological order.
   */
  resolve(atMs: number, alertId: number): void {
    if (!this.#waitsFor(alertId)) return;
    this.#passUntil(atMs);
    if (this.#waitsFor(alertId)) this.#resolved.add(alertId);
  }

  /**
   * Returns `true` if the channel has already been notified about an open alert. Ignores waiting messages.
   * Calls to this method and to `add` must be in chronological order.
   */
  wasNotifiedOf(atMs: number, alertId: number): boolean {
    this.#passUntil(atMs);
    return this.#notified.has(alertId);
  }

  /** True if the event opens an alert that is sent together with the previous one. */
  #opensWithLast(
    atMs: number,
    {
      eventType,
      severity,
      cause,
    }: Pick<WaitingMessage, 'eventType'> & { severity: AlertSeverity | null; cause?: string },
  ): boolean {
    if (eventType !== 'alert.created' || cause === undefined) return false;
    if (atMs !== this.#openedAtMs) this.#openedCauses.clear();
    this.#openedAtMs = atMs;
    // A channel with sending hours sends alerts with a severity in `alwaysFor` in a separate message.
    const { sendingHours, alwaysFor } = this.#times;
    const isApart = sendingHours.length > 0 && severity !== null && alwaysFor.includes(severity);
    const message = isApart ? `always ${cause}` : cause;
    const isTogether = this.#openedCauses.has(message);
    this.#openedCauses.add(message);
    return isTogether;
  }

  #noteSent({ alertId, eventType }: Pick<WaitingMessage, 'alertId' | 'eventType'>): void {
    if (alertId === null) return;
    if (eventType === 'alert.resolved') this.#notified.delete(alertId);
    else this.#notified.add(alertId);
  }

  #waitsFor(alertId: number | null): boolean {
    return alertId !== null && this.#waitingOfAlerts.has(alertId);
  }

  /** Total number of messages, including those that are still waiting. */
  get count(): number {
    this.#passUntil(Number.POSITIVE_INFINITY);
    return this.#sent;
  }

  #digestAt(atMs: number): number {
    return this.#digestDueAtMs < Infinity
      ? this.#digestDueAtMs
      : nextDigestAt(this.#times, new Date(atMs))!.getTime();
  }

  #passUntil(atMs: number): void {
    while (this.#waiting.size > 0 && this.#nextDueAtMs <= atMs) {
      this.#findNext();
      if (this.#nextDueAtMs > atMs) return;
      const due = [...this.#waiting.values()].filter(({ dueAtMs }) => dueAtMs <= this.#nextDueAtMs);
      this.#pass(this.#nextDueAtMs, due);
      this.#findNext();
    }
  }

  #findNext(): void {
    this.#nextDueAtMs = Infinity;
    this.#digestDueAtMs = Infinity;
    for (const { dueAtMs, isHeld } of this.#waiting.values()) {
      this.#nextDueAtMs = Math.min(this.#nextDueAtMs, dueAtMs);
      if (!isHeld) this.#digestDueAtMs = Math.min(this.#digestDueAtMs, dueAtMs);
    }
  }

  /** @param allDue The messages that are due at `atMs`, whether held or not. */
  #pass(atMs: number, allDue: readonly Queued[]): void {
    const { sendingHours, timezone } = this.#times;
    const opening = nextOpening(sendingHours, timezone, new Date(atMs))?.getTime() ?? null;
    if (opening === null) {
      this.#dropStale([...this.#waiting.values()].filter(({ isHeld }) => isHeld));
      const isDue = ({ id }: Queued) => this.#waiting.has(id);
      if (collectsDigests(this.#times) && allDue.some(isDue)) this.#dropStale([...this.#waiting.values()]);
      const due = allDue.filter(isDue);
      this.#send(new Set(due.map(({ id }) => id)), [...this.#waiting.values()]);
      return;
    }
    const due = allDue.filter(({ isHeld }) => !isHeld);
    const decision = decideOutsideSendingHours(due, this.#heldWith(due), new Set());
    const hold = new Set(decision.hold);
    for (const message of due) if (hold.has(message.id)) this.#hold(message, opening);
    this.#drop(new Set(decision.superseded));
    const going = () => decision.send.flatMap((id) => this.#waiting.get(id) ?? []);
    if (collectsDigests(this.#times)) this.#dropStale(going());
    const send = going();
    this.#send(new Set(send.map(({ id }) => id)), send);
  }

  /** Drops the messages that are outdated or superseded when all of `messages` are sent together. */
  #dropStale(messages: readonly Queued[]): void {
    const isStale = (message: Queued) =>
      message.alertId !== null &&
      isOutdated(message, { isResolved: this.#resolved.has(message.alertId), isQuiet: false });
    const [outdated, others] = [messages.filter(isStale), messages.filter((message) => !isStale(message))];
    const superseded = supersededMessages(others);
    this.#drop(new Set([...outdated.map(({ id }) => id), ...superseded]));
  }

  /** Returns held messages that can be sent along with the urgent messages in `due`. */
  #heldWith(due: readonly Queued[]): Queued[] {
    const urgent = due.filter(({ isUrgent }) => isUrgent);
    if (urgent.length === 0) return [];
    const alerts = new Set(urgent.flatMap(({ alertId }) => alertId ?? []));
    return [...this.#heldDigests, ...[...alerts].flatMap((id) => [...(this.#heldOfAlerts.get(id) ?? [])])];
  }

  /** @param collectable The messages that a digest can contain, including the due ones. */
  #send(due: Set<number>, collectable: readonly Queued[]): void {
    const noteSent = (ids: ReadonlySet<number>) => {
      for (const id of ids) if (this.#waiting.has(id)) this.#noteSent(this.#waiting.get(id)!);
      this.#drop(ids);
    };
    if (!collectsDigests(this.#times)) {
      this.#sent += due.size;
      noteSent(due);
      return;
    }
    const inOrder = collectable.toSorted((a, b) => a.id - b.id);
    const digests = Math.ceil((inOrder.findLastIndex(({ id }) => due.has(id)) + 1) / maxEventsOfDigest);
    this.#sent += digests;
    noteSent(new Set(inOrder.slice(0, digests * maxEventsOfDigest).map(({ id }) => id)));
  }

  #hold(message: Queued, opening: number): void {
    message.dueAtMs = opening;
    message.isHeld = true;
    this.#nextDueAtMs = Math.min(this.#nextDueAtMs, opening);
    if (message.eventType === 'digest') this.#heldDigests.add(message);
    else if (message.alertId !== null) {
      const ofAlert = this.#heldOfAlerts.get(message.alertId) ?? new Set();
      this.#heldOfAlerts.set(message.alertId, ofAlert.add(message));
    }
  }

  #drop(ids: ReadonlySet<number>): void {
    for (const id of ids) {
      const message = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (message) this.#forget(message.alertId);
      if (!message?.isHeld) continue;
      this.#heldDigests.delete(message);
      const ofAlert = message.alertId === null ? undefined : this.#heldOfAlerts.get(message.alertId);
      ofAlert?.delete(message);
      if (ofAlert?.size === 0) this.#heldOfAlerts.delete(message.alertId!);
    }
  }

  #forget(alertId: number | null): void {
    const count = alertId === null ? undefined : this.#waitingOfAlerts.get(alertId);
    if (alertId === null || count === undefined) return;
    if (count > 1) {
      this.#waitingOfAlerts.set(alertId, count - 1);
      return;
    }
    this.#waitingOfAlerts.delete(alertId);
    this.#resolved.delete(alertId);
  }
}
