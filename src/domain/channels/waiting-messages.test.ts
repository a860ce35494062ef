import { expect, test } from 'vitest';
import type { EventType } from '../routing/notification-event.ts';
import {
  decideOutsideSendingHours,
  isOutdated,
  supersededMessages,
  type WaitingMessage,
} from './waiting-messages.ts';

/**
 * Creates waiting messages from short texts: `1.created!` is an urgent message about alert 1, and
 * `1.created*` is a message that was attempted.
 */
function messages(...texts: readonly string[]): WaitingMessage[] {
  return texts.map((text, index) => {
    const [, alert, type, mark] = /^(\d*)\.(\w+)([!*]?)$/.exec(text)!;
    const isDigest = type === 'digest';
    return {
      id: index + 1,
      alertId: alert === '' ? null : Number(alert),
      sequence: alert === '' ? null : index + 1,
      eventType: (isDigest ? 'digest' : `alert.${type}`) as EventType,
      isUrgent: mark === '!',
      wasTried: mark === '*',
    };
  });
}

test.each<[string, string[], number[]]>([
  [
    'a resolution supersedes the earlier messages of its alert',
    ['1.created', '1.escalated', '1.resolved'],
    [1, 2],
  ],
  ["the messages of one alert don't affect another alert", ['1.created', '2.created', '1.resolved'], [1]],
  ['nothing is superseded after an attempt, because it may have arrived', ['1.created*', '1.resolved'], []],
  ['an open alert keeps all its messages', ['1.created', '1.escalated', '1.acknowledged'], []],
  ['a reminder of an unreported alert is superseded', ['1.created', '1.reminder', '1.reminder'], [2, 3]],
  ['only the last of several reminders is sent', ['1.reminder', '2.reminder', '1.reminder'], [1]],
  ["a resolution doesn't affect later messages", ['1.resolved', '1.created'], []],
])('supersededMessages: %s', (_, texts, expected) => {
  expect([...supersededMessages(messages(...texts))]).toEqual(expected);
});

test.each<[string, 'open' | 'quiet' | 'resolved', number[]]>([
  ['no message of an open alert', 'open', []],
  ['only the reminder of a quiet alert', 'quiet', [3]],
  ['the opening, escalation, and reminder of a resolved alert', 'resolved', [1, 2, 3]],
])('isOutdated: %s', (_, alert, expected) => {
  const waiting = messages(
    '1.created',
    '1.escalated',
    '1.reminder',
    '1.acknowledged',
    '1.resolved',
    '1.created*',
    '1.escalated*',
    '1.reminder*',
  );
  const now = { isResolved: alert === 'resolved', isQuiet: alert === 'quiet' };
  expect(waiting.filter((message) => isOutdated(message, now)).map(({ id }) => id)).toEqual(expected);
});

test('each message of an alert is accessed at most four times, regardless of the number of messages', () => {
  let reads = 0;
  const waiting = Array.from({ length: 1_000 }, (_, at) => ({
    id: at,
    alertId: 1,
    eventType: 'alert.escalated' as const,
    isUrgent: false,
    wasTried: false,
    get sequence() {
      reads++;
      return at;
    },
  }));
  expect(supersededMessages(waiting).size).toBe(0);
  expect(reads).toBeLessThanOrEqual(4 * waiting.length);
});

const heldFrom = (texts: readonly string[]) =>
  messages(...texts).map((message) => ({
    ...message,
    id: message.id + 100,
    sequence: message.alertId && message.id,
  }));
const dueFrom = (texts: readonly string[]) =>
  messages(...texts).map((message) => ({ ...message, sequence: message.alertId && message.id + 50 }));

test.each<[string, string[], string[], { send: number[]; hold: number[]; superseded: number[] }, number[]?]>([
  ['no message is urgent', [], ['1.created', '2.created'], { send: [], hold: [1, 2], superseded: [] }],
  ['one message is urgent', [], ['1.created', '2.created!'], { send: [2], hold: [1], superseded: [] }],
  [
    'waiting messages of the alert are sent before the urgent one',
    ['1.created', '2.created'],
    ['1.escalated!'],
    { send: [101, 1], hold: [], superseded: [] },
  ],
  [
    'a resolution supersedes the waiting messages of its alert',
    ['1.created'],
    ['1.resolved!'],
    { send: [1], hold: [], superseded: [101] },
  ],
  [
    'a pending digest is sent before an urgent message',
    ['.digest'],
    ['1.created!'],
    { send: [101, 1], hold: [], superseded: [] },
  ],
  [
    'a digest that is unrelated to the urgent message waits',
    ['.digest', '.digest'],
    ['.digest!', '.digest'],
    { send: [101, 1], hold: [2], superseded: [] },
    [102, 2],
  ],
  [
    'messages after the urgent one wait',
    [],
    ['1.escalated!', '1.acknowledged'],
    { send: [1], hold: [2], superseded: [] },
  ],
])('outside the sending hours: %s', (_, held, due, expected, unrelatedDigests = []) => {
  expect(decideOutsideSendingHours(dueFrom(due), heldFrom(held), new Set(unrelatedDigests))).toEqual(
    expected,
  );
});
