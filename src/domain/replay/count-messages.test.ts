import { expect, it } from 'vitest';
import { indexChannels } from '../routing/channel-index.ts';
import type { RoutingSubject } from '../routing/match-rule.ts';
import { maxEventsOfDigest } from '../routing/notification-event.ts';
import type { RoutingDefaults } from '../routing/route-event.ts';
import type { SendingHours } from '../scheduling/sending-hours.ts';
import { type MessageChannel, MessageCount } from './count-messages.ts';
import { MessageQueue, type SendingTimes } from './message-queue.ts';

const subject: RoutingSubject = {
  eventType: 'alert.created',
  severity: 'high',
  ruleId: null,
  alertConfigId: 1,
  labels: {},
};
const minute = 60_000;
const atOnce: SendingTimes = {
  digestMinutes: null,
  digestSchedule: null,
  sendingHours: [],
  timezone: 'UTC',
  alwaysFor: ['critical'],
};

const defaults: RoutingDefaults = { defaultChannelId: 4, fallbackToDefault: true, ownerLabel: 'owner' };

function count(atMinutes: readonly number[], channel: Partial<MessageChannel> = {}): number | undefined {
  const channels = indexChannels([{ ...atOnce, id: 4, isActive: true, owners: [], ...channel }]);
  const messages = new MessageCount({ rules: [], defaults, channels });
  for (const minutes of atMinutes) expect(messages.add({ atMs: minutes * minute, subject })).toEqual([]);
  return messages.byChannel.get(4);
}

it('counts every event of a channel without digests', () => {
  expect(count([0, 0, 5])).toBe(3);
});

it('counts what a digest collects as one message, from its first event on', () => {
  expect(count([0, 59, 60, 119, 121], { digestMinutes: 60 })).toBe(3);
  expect(count([0, 59, 60, 119], { digestMinutes: 60 })).toBe(2);
});

it('counts another digest when one is full', () => {
  expect(count(Array(maxEventsOfDigest + 1).fill(0), { digestMinutes: 60 })).toBe(2);
});

it('counts nothing for an inactive channel', () => {
  expect(count([0], { isActive: false })).toBeUndefined();
});

// 1970-01-01 was a Thursday.
const office: SendingHours[] = [{ days: ['thu', 'fri'], from: '08:00', to: '18:00' }];
const day = 1_440;

/** `created!`, `escalated!`, and so on are critical. */
function countOfAlert(
  events: readonly (readonly [atMinutes: number, event: string])[],
  channel: Partial<MessageChannel>,
): number | undefined {
  const channels = indexChannels([{ ...atOnce, id: 4, isActive: true, owners: [], ...channel }]);
  const messages = new MessageCount({ rules: [], defaults, channels });
  for (const [minutes, event] of events) {
    const isCritical = event.endsWith('!');
    const eventType = `alert.${event.replace('!', '')}` as RoutingSubject['eventType'];
    const severity = isCritical ? 'critical' : 'high';
    messages.add({ atMs: minutes * minute, subject: { ...subject, eventType, severity } });
  }
  return messages.byChannel.get(4);
}

it('counts an alert that was resolved outside of the hours once', () => {
  const hours = { sendingHours: office };
  expect(
    countOfAlert(
      [
        [0, 'created'],
        [60, 'resolved'],
      ],
      hours,
    ),
  ).toBe(1);
  expect(
    countOfAlert(
      [
        [0, 'created'],
        [60, 'resolved'],
        [120, 'created'],
      ],
      hours,
    ),
  ).toBe(2);
  expect(
    countOfAlert(
      [
        [9 * 60, 'created'],
        [20 * 60, 'resolved'],
      ],
      hours,
    ),
  ).toBe(2);
});

it('counts what is urgent when it happens, and what waited before it', () => {
  const hours = { sendingHours: office };
  expect(
    countOfAlert(
      [
        [0, 'created'],
        [60, 'escalated!'],
        [120, 'resolved!'],
      ],
      hours,
    ),
  ).toBe(3);
  expect(
    countOfAlert(
      [
        [0, 'created'],
        [60, 'escalated!'],
        [120, 'resolved'],
      ],
      hours,
    ),
  ).toBe(3);
  expect(
    countOfAlert(
      [
        [0, 'created'],
        [120, 'resolved!'],
      ],
      hours,
    ),
  ).toBe(1);
});

it('collects a digest until the hours begin', () => {
  const hours = { sendingHours: office, digestMinutes: 60 };
  expect(count([0, 100, 200, 300], hours)).toBe(1);
  expect(count([0, 100, 200, 8 * 60 + 1], hours)).toBe(2);
  expect(
    countOfAlert(
      [
        [0, 'created'],
        [100, 'escalated!'],
        [200, 'acknowledged'],
      ],
      hours,
    ),
  ).toBe(2);
});

it('counts a digest of a week as one', () => {
  const weekly = { digestSchedule: '0 9 * * mon' };
  expect(count([0, day, 2 * day, 4 * day + 8 * 60], weekly)).toBe(1);
  expect(count([0, day, 4 * day + 10 * 60], weekly)).toBe(2);
});

it('counts more events in digests than a call has arguments', () => {
  const queue = new MessageQueue({ ...atOnce, digestMinutes: 10 });
  for (let alertId = 1; alertId <= 150_050; alertId++)
    queue.add(0, { alertId, eventType: 'alert.created', severity: 'high' });
  expect(queue.count).toBe(3_001);
});
