import { expect, it } from 'vitest';
import { type SendingTimes } from '../channels/sending-times.ts';
import { indexChannels } from '../routing/channel-index.ts';
import type { RoutingRule, RoutingSubject } from '../routing/match-rule.ts';
import { maxEventsOfDigest } from '../routing/notification-event.ts';
import type { RoutingDefaults } from '../routing/route-event.ts';
import type { AlertSeverity } from '../rules/severity.ts';
import type { SendingHours } from '../scheduling/sending-hours.ts';
import { type MessageChannel, MessageCount } from './count-messages.ts';
import { MessageQueue } from './message-queue.ts';

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

it('every event of a channel without digests counts as a message', () => {
  expect(count([0, 0, 5])).toBe(3);
});

it('alerts that open at the same time because of the same cause count as one message, unless the channel sends each event individually', () => {
  const check = (
    causes: readonly (string | undefined)[],
    channel: Partial<MessageChannel> = {},
    eventType: RoutingSubject['eventType'] = 'alert.created',
  ) => {
    const channels = indexChannels([{ ...atOnce, id: 4, isActive: true, owners: [], ...channel }]);
    const messages = new MessageCount({ rules: [], defaults, channels });
    for (const [index, cause] of causes.entries())
      messages.add({
        atMs: 0,
        subject: { ...subject, eventType, alertConfigId: index },
        ...(cause !== undefined && { cause }),
      });
    messages.add({ atMs: 1, subject: { ...subject, eventType, alertConfigId: 100 }, cause: 'a' });
    return messages.byChannel.get(4);
  };
  expect(check(['a', 'b', 'a', 'b', 'a'])).toBe(3);
  expect(check(['a', undefined, undefined])).toBe(4);
  expect(check(['a', 'a'], { neverCombines: true })).toBe(3);
  expect(check(['a', 'a'], {}, 'alert.escalated')).toBe(3);
});

it('alerts that open together count as two messages if the channel sends only some of them outside its sending hours', () => {
  const check = (severities: readonly AlertSeverity[], sendingHours: MessageChannel['sendingHours']) => {
    const channels = indexChannels([{ ...atOnce, id: 4, isActive: true, owners: [], sendingHours }]);
    const messages = new MessageCount({ rules: [], defaults, channels });
    for (const [index, severity] of severities.entries())
      messages.add({ atMs: 0, subject: { ...subject, severity, alertConfigId: index }, cause: 'a' });
    return messages.byChannel.get(4);
  };
  const severities = ['moderate', 'critical', 'high', 'critical'] as const;
  expect(check(severities, [])).toBe(1);
  expect(check(severities, [{ days: ['thu'], from: '08:00', to: '18:00' }])).toBe(2);
});

it('the events of a digest count as one message, and the digest window starts with its first event', () => {
  expect(count([0, 59, 60, 119, 121], { digestMinutes: 60 })).toBe(3);
  expect(count([0, 59, 60, 119], { digestMinutes: 60 })).toBe(2);
});

it('events beyond the limit of a digest count as another message', () => {
  expect(count(Array(maxEventsOfDigest + 1).fill(0), { digestMinutes: 60 })).toBe(2);
});

it('an inactive channel has no messages', () => {
  expect(count([0], { isActive: false })).toBeUndefined();
});

// 1970-01-01 was a Thursday.
const office: SendingHours[] = [{ days: ['thu', 'fri'], from: '08:00', to: '18:00' }];
const day = 1_440;

/**
 * Returns the number of messages for one alert. `created!`, `escalated!`, and other events with `!` are
 * critical. `resolved?` isn't routed to the channel.
 */
function countOfAlert(
  events: readonly (readonly [atMinutes: number, event: string])[],
  channel: Partial<MessageChannel>,
): number | undefined {
  const channels = indexChannels([{ ...atOnce, id: 4, isActive: true, owners: [], ...channel }]);
  const elsewhere: RoutingRule = {
    id: 1,
    priority: 1,
    isActive: true,
    severities: ['moderate'],
    eventTypes: [],
    ruleIds: [],
    alertConfigIds: [],
    labelMatchers: [],
    channelIds: [5],
    routesToOwner: false,
    stopProcessing: true,
  };
  const messages = new MessageCount({ rules: [elsewhere], defaults, channels });
  for (const [minutes, event] of events) {
    const eventType = `alert.${event.replace(/[!?]$/, '')}` as RoutingSubject['eventType'];
    const severity = event.endsWith('!') ? 'critical' : event.endsWith('?') ? 'moderate' : 'high';
    messages.add({ atMs: minutes * minute, subject: { ...subject, eventType, severity } });
  }
  return messages.byChannel.get(4);
}

it('an alert that is opened and resolved outside the sending hours counts as one message', () => {
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

it('an urgent event is sent immediately, together with the events that waited before it', () => {
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

it.each<[string, Partial<MessageChannel>]>([
  ['the sending hours', { sendingHours: office }],
  ['a digest', { digestMinutes: 480 }],
])(
  "an alert that is resolved while its messages wait for %s isn't counted if its resolution goes to another channel",
  (_, channel) => {
    const opened = [
      [0, 'created'],
      [60, 'escalated'],
    ] as const;
    expect(countOfAlert(opened, channel)).toBe('digestMinutes' in channel ? 1 : 2);
    expect(countOfAlert([...opened, [120, 'resolved?']], channel)).toBe(0);
    expect(countOfAlert([...opened, [120, 'acknowledged'], [180, 'resolved?']], channel)).toBe(1);
    expect(countOfAlert([...opened, [120, 'resolved?'], [180, 'created']], channel)).toBe(1);
    // A channel that was notified of the alert also receives its resolution, even if the resolution is routed
    // elsewhere.
    expect(countOfAlert([...opened, [600, 'resolved?']], channel)).toBe('digestMinutes' in channel ? 2 : 3);
  },
);

it("a digest isn't counted if its alerts are resolved before it's sent, even after a reminder", () => {
  const queue = new MessageQueue({ ...atOnce, digestMinutes: 60 });
  const add = (
    minutes: number,
    alertId: number,
    eventType: 'alert.created' | 'alert.reminder' | 'alert.resolved',
  ) => queue.add(minutes * minute, { alertId, eventType, severity: 'high' });
  add(0, 1, 'alert.created');
  queue.resolve(30 * minute, 1);
  // A reminder doesn't start a digest while the opening of its alert waits.
  add(100, 2, 'alert.created');
  add(155, 2, 'alert.reminder');
  queue.resolve(159 * minute, 2);
  expect(queue.count).toBe(0);
  add(300, 2, 'alert.reminder');
  expect(queue.count).toBe(1);
});

it('a digest collects events until the sending hours begin', () => {
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

it('a weekly digest counts as one message', () => {
  const weekly = { digestSchedule: '0 9 * * mon' };
  expect(count([0, day, 2 * day, 4 * day + 8 * 60], weekly)).toBe(1);
  expect(count([0, day, 4 * day + 10 * 60], weekly)).toBe(2);
});

it('digests can contain more events than a function call can have arguments', () => {
  const queue = new MessageQueue({ ...atOnce, digestMinutes: 10 });
  for (let alertId = 1; alertId <= 150_050; alertId++)
    queue.add(0, { alertId, eventType: 'alert.created', severity: 'high' });
  expect(queue.count).toBe(3_001);
});
