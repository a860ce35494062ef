import {
  decideWhileClosed,
  isOutdated,
  supersededMessages,
  type WaitingMessage,
} from '../channels/waiting-messages.ts';
import { maxEventsOfDigest } from '../routing/notification-event.ts';
import type { AlertSeverity } from '../rules/severity.ts';
import { nextRun } from '../scheduling/cron-schedule.ts';
import { nextOpening, type SendingHours } from '../scheduling/sending-hours.ts';

/** When a channel sends. */
export interface SendingTimes {
  /** How long a channel with digests collects events; null without, and with a schedule. */
  readonly digestMinutes: number | null;
  /** A cron expression. */
  readonly digestSchedule: string | null;
  /** None: always. */
  readonly sendingHours: readonly SendingHours[];
  readonly timezone: string;
  /** Severities that don't wait for the hours. */
  readonly alwaysFor: readonly AlertSeverity[];
}

/** Whether a channel combines events into digests. */
export function collectsDigests({
  digestMinutes,
  digestSchedule,
}: Pick<SendingTimes, 'digestMinutes' | 'digestSchedule'>): boolean {
  return digestMinutes !== null || digestSchedule !== null;
}

/** When the digest goes out that the first event at `now` waits for; null if the channel doesn't collect. */
export function nextDigestAt(
  {
    digestMinutes,
    digestSchedule,
    timezone,
  }: Pick<SendingTimes, 'digestMinutes' | 'digestSchedule' | 'timezone'>,
  now: Date,
): Date | null {
  // A schedule that never comes again, as after the last year that croner knows, must not keep events forever.
  if (digestSchedule !== null) return nextRun(digestSchedule, timezone, now) ?? now;
  return digestMinutes === null ? null : new Date(now.getTime() + digestMinutes * 60_000);
}

type Queued = WaitingMessage & { dueAtMs: number; isHeld: boolean };

/**
 * Counts the messages of a channel as it would send them, if every attempt succeeded at once. An event costs the same
 * however many wait. Acknowledgments and snoozes, which only matter for reminders, are known by their events alone.
 */
export class MessageQueue {
  readonly #times: SendingTimes;
  /** By ID, in the order of the events. */
  readonly #waiting = new Map<number, Queued>();
  /** How many wait of each alert. */
  readonly #waitingOfAlerts = new Map<number, number>();
  /** Of the alerts of which something waits. */
  readonly #resolved = new Set<number>();
  /** Of those that are held, the ones that an urgent message about an alert takes with it. */
  readonly #heldOfAlerts = new Map<number, Set<Queued>>();
  readonly #heldDigests = new Set<Queued>();
  /** None is due earlier. It's exact after `#findNext`. */
  #nextDueAtMs = Infinity;
  /** When the digest is due that collects; infinite while none does. */
  #digestDueAtMs = Infinity;
  #sent = 0;
  /** The open alerts that the channel was notified about. */
  readonly #notified = new Set<number>();
  #nextId = 1;

  constructor(times: SendingTimes) {
    this.#times = times;
  }

  /** Events have to be added in order of time. */
  add(
    atMs: number,
    event: Pick<WaitingMessage, 'alertId' | 'eventType'> & { severity: AlertSeverity | null },
  ) {
    const { sendingHours, alwaysFor } = this.#times;
    const collects = collectsDigests(this.#times);
    if (!collects && sendingHours.length === 0) {
      this.#sent++;
      this.#noteSent(event);
      return;
    }
    this.#passUntil(atMs);
    // A reminder adds nothing to a message that waits.
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

  /** The alert is resolved, whether or not the channel is notified. In order of time with the events. */
  resolve(atMs: number, alertId: number): void {
    if (!this.#waitsFor(alertId)) return;
    this.#passUntil(atMs);
    if (this.#waitsFor(alertId)) this.#resolved.add(alertId);
  }

  /** Whether the channel was notified about an open alert, rather than will be. In order of time with the events. */
  wasNotifiedOf(atMs: number, alertId: number): boolean {
    this.#passUntil(atMs);
    return this.#notified.has(alertId);
  }

  #noteSent({ alertId, eventType }: Pick<WaitingMessage, 'alertId' | 'eventType'>): void {
    if (alertId === null) return;
    if (eventType === 'alert.resolved') this.#notified.delete(alertId);
    else this.#notified.add(alertId);
  }

  #waitsFor(alertId: number | null): boolean {
    return alertId !== null && this.#waitingOfAlerts.has(alertId);
  }

  /** The number of messages, with those that wait. */
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

  /** @param allDue those that are due by then, held or not */
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
    const decision = decideWhileClosed(due, this.#heldWith(due));
    const hold = new Set(decision.hold);
    for (const message of due) if (hold.has(message.id)) this.#hold(message, opening);
    this.#drop(new Set(decision.superseded));
    const going = () => decision.send.flatMap((id) => this.#waiting.get(id) ?? []);
    if (collectsDigests(this.#times)) this.#dropStale(going());
    const send = going();
    this.#send(new Set(send.map(({ id }) => id)), send);
  }

  /** Drops what isn't sent when all of them are to be sent together. */
  #dropStale(messages: readonly Queued[]): void {
    const isStale = (message: Queued) =>
      message.alertId !== null &&
      isOutdated(message, { isResolved: this.#resolved.has(message.alertId), isQuiet: false });
    const [outdated, others] = [messages.filter(isStale), messages.filter((message) => !isStale(message))];
    const superseded = supersededMessages(others);
    this.#drop(new Set([...outdated.map(({ id }) => id), ...superseded]));
  }

  /** Held messages that may go out with urgent ones among `due`. */
  #heldWith(due: readonly Queued[]): Queued[] {
    const urgent = due.filter(({ isUrgent }) => isUrgent);
    if (urgent.length === 0) return [];
    const alerts = new Set(urgent.flatMap(({ alertId }) => alertId ?? []));
    return [...this.#heldDigests, ...[...alerts].flatMap((id) => [...(this.#heldOfAlerts.get(id) ?? [])])];
  }

  /** @param collectable What a digest can carry besides those that are due. */
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
