import { expect, test } from 'vitest';
import type { EventType } from '../routing/notification-event.ts';
import {
  decideWhileClosed,
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
  ['an alert that is resolved is told once', ['1.created', '1.escalated', '1.resolved'], [1, 2]],
  ['of each alert by itself', ['1.created', '2.created', '1.resolved'], [1]],
  ['what was tried may have arrived', ['1.created*', '1.resolved'], []],
  ['an open alert is told as it was', ['1.created', '1.escalated', '1.acknowledged'], []],
  [
    'a reminder of what nobody was told of says nothing more',
    ['1.created', '1.reminder', '1.reminder'],
    [2, 3],
  ],
  ['of reminders alone the last one is sent', ['1.reminder', '2.reminder', '1.reminder'], [1]],
  ['what comes after the end is another story', ['1.resolved', '1.created'], []],
])('supersededMessages: %s', (_, texts, expected) => {
  expect([...supersededMessages(messages(...texts))]).toEqual(expected);
});

test.each<[string, 'open' | 'quiet' | 'resolved', number[]]>([
  ['an open alert is reported', 'open', []],
  ['no one is reminded of an alert that someone takes care of', 'quiet', [3]],
  ['of a resolved alert, only its end and what people did are reported', 'resolved', [1, 2, 3]],
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

test('each message of an alert is read at most four times, regardless of their number', () => {
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

test.each<[string, string[], string[], { send: number[]; hold: number[]; superseded: number[] }]>([
  ['nothing is urgent', [], ['1.created', '2.created'], { send: [], hold: [1, 2], superseded: [] }],
  ['one is urgent', [], ['1.created', '2.created!'], { send: [2], hold: [1], superseded: [] }],
  [
    'what waits of the alert goes first',
    ['1.created', '2.created'],
    ['1.escalated!'],
    { send: [101, 1], hold: [], superseded: [] },
  ],
  ['its end is all that is told', ['1.created'], ['1.resolved!'], { send: [1], hold: [], superseded: [101] }],
  [
    'a digest on its way goes before an urgent one',
    ['.digest'],
    ['1.created!'],
    { send: [101, 1], hold: [], superseded: [] },
  ],
  [
    'what comes after the urgent one waits',
    [],
    ['1.escalated!', '1.acknowledged'],
    { send: [1], hold: [2], superseded: [] },
  ],
])('outside the sending hours: %s', (_, held, due, expected) => {
  expect(decideWhileClosed(dueFrom(due), heldFrom(held))).toEqual(expected);
});
