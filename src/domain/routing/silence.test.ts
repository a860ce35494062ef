import { RE2JS } from 're2js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { matchesWholeValue } from './match-label-pattern.ts';
import type { EventType } from './notification-event.ts';
import {
  createSilenceFinder,
  type DeferredReport,
  eventTypeAfterSilence,
  nextDeferredReport,
  type Silence,
  type SilencedOutcome,
  silencedOutcome,
} from './silence.ts';

const silence = (changes: Partial<Silence>): Silence => ({
  id: 1,
  labelMatchers: [],
  ruleIds: [],
  severities: [],
  reason: 'Maintenance',
  startsAtMs: 100,
  endsAtMs: 200,
  ...changes,
});
const payments = { label: 'team', operator: '=', value: 'payments' } as const;

describe('a silence', () => {
  test.for<[string, Partial<Silence>, number, boolean]>([
    ['alerts from its start on', {}, 100, true],
    ['no alerts before its start', {}, 99, false],
    ['alerts until just before its end', {}, 199, true],
    ['no alerts at its end', {}, 200, false],
    ['alerts with its labels', { labelMatchers: [payments] }, 150, true],
    ['no alerts without its labels', { labelMatchers: [{ ...payments, value: 'search' }] }, 150, false],
    [
      'alerts by label patterns',
      { labelMatchers: [{ ...payments, operator: '=~', value: 'pay.*|x' }] },
      150,
      true,
    ],
    [
      'a missing label as an empty value',
      { labelMatchers: [{ ...payments, label: 'env', value: '' }] },
      150,
      true,
    ],
    ['alerts of its rules', { ruleIds: [6, 7] }, 150, true],
    ['no alerts of other rules', { ruleIds: [6] }, 150, false],
    ['alerts with its severities', { severities: ['high'] }, 150, true],
    ['no alerts with other severities', { severities: ['critical'] }, 150, false],
    [
      'only alerts that meet all criteria',
      { labelMatchers: [payments], severities: ['critical'] },
      150,
      false,
    ],
  ])('matches %s', ([, changes, nowMs, isMatched]) => {
    const subject = { severity: 'high', ruleId: 7, labels: { team: 'payments' } } as const;
    expect(createSilenceFinder([silence(changes)], nowMs)(subject) !== null).toBe(isMatched);
  });

  test('takes precedence if it ends last', () => {
    const ends = [180, 300, 200].map((endsAtMs, index) => silence({ id: index + 1, endsAtMs }));
    const subject = { severity: 'high', ruleId: null, labels: {} } as const;
    expect(createSilenceFinder(ends, 150)(subject)?.id).toBe(2);
    const later = silence({ id: 9, startsAtMs: 151, endsAtMs: 900 });
    expect(createSilenceFinder([...ends, later], 150)(subject)?.id).toBe(2);
  });
});

describe('label patterns', () => {
  const compiles = () => {
    const spy = vi.spyOn(RE2JS, 'compile');
    onTestFinished(() => spy.mockRestore());
    return (source: string) => spy.mock.calls.filter(([pattern]) => pattern === `^(?:${source})$`).length;
  };
  const pattern = (value: string) => ({ label: 'absent', operator: '!~', value }) as const;
  const subject = { severity: 'high', ruleId: null, labels: {} } as const;

  test('of silences are compiled and matched once per batch of alerts', () => {
    const count = compiles();
    const matcher = vi.spyOn(RE2JS.prototype, 'matcher');
    onTestFinished(() => matcher.mockRestore());
    const sources = Array.from({ length: 600 }, (_, n) => `batch-${n}`);
    const silences = sources.map((source, id) =>
      silence({ id, labelMatchers: [pattern(source), pattern('')] }),
    );
    const find = createSilenceFinder(silences, 150);
    for (let alert = 0; alert < 3; alert++) expect(find(subject)).toBeNull();
    expect(sources.map(count)).toEqual(sources.map(() => 1));
    expect(matcher).toHaveBeenCalledTimes(601);
  });

  test('stay compiled while they are used repeatedly, even if other patterns are evicted', () => {
    const count = compiles();
    for (let n = 0; n < 2_400; n++) {
      expect(matchesWholeValue('in-use', 'in-use')).toBe(true);
      matchesWholeValue(`passing-${n}`, '');
    }
    expect(count('in-use')).toBe(1);
    expect(count('passing-2399')).toBe(1);
    matchesWholeValue('passing-800', '');
    expect(count('passing-800')).toBe(1);
    matchesWholeValue('passing-300', '');
    expect(count('passing-300')).toBe(2);
  });
});

test.for<[EventType, silenced: boolean, isOpeningDeferred: boolean, SilencedOutcome]>([
  ['alert.created', false, false, 'send'],
  ['alert.created', true, false, 'defer'],
  ['alert.escalated', true, false, 'defer'],
  ['alert.escalated', true, true, 'defer'],
  ['alert.escalated', false, true, 'send'],
  ['alert.acknowledged', true, false, 'skip'],
  ['alert.unacknowledged', true, true, 'skip'],
  ['alert.reminder', true, false, 'skip'],
  ['alert.acknowledged', false, false, 'send'],
  ['alert.resolved', true, false, 'send'],
  ['alert.resolved', true, true, 'skip'],
  ['alert.resolved', false, true, 'skip'],
  ['job.failing', true, false, 'send'],
  ['channel.disabled', true, false, 'send'],
  ['channel.failing', true, false, 'send'],
  ['delivery.failed', true, false, 'send'],
])(
  'the outcome of %s (silenced: %s, opening deferred: %s) is %s',
  ([eventType, isSilenced, isOpeningDeferred, outcome]) => {
    expect(silencedOutcome(eventType, { isSilenced, isOpeningDeferred })).toBe(outcome);
  },
);

const opening: DeferredReport = { reportedSeverity: null };
const afterHigh: DeferredReport = { reportedSeverity: 'high' };

test.for<[string, DeferredReport | null, SilencedOutcome, EventType, DeferredReport | null]>([
  ['an opening', null, 'defer', 'alert.created', opening],
  ['an escalation', null, 'defer', 'alert.escalated', afterHigh],
  ['an escalation of an unreported alert', opening, 'defer', 'alert.escalated', opening],
  [
    'a second escalation',
    { reportedSeverity: 'moderate' },
    'defer',
    'alert.escalated',
    { reportedSeverity: 'moderate' },
  ],
  ['an escalation that is sent', opening, 'send', 'alert.escalated', null],
  ['a resolution that is sent', afterHigh, 'send', 'alert.resolved', null],
  ['a resolution that is skipped', opening, 'skip', 'alert.resolved', null],
  ['an acknowledgment', opening, 'skip', 'alert.acknowledged', opening],
  ['an acknowledgment that is sent', afterHigh, 'send', 'alert.acknowledged', afterHigh],
])('nextDeferredReport returns the remaining report after %s', ([, before, outcome, eventType, after]) => {
  expect(nextDeferredReport(before, outcome, { eventType, previousSeverity: 'high' })).toEqual(after);
});

test.for<[string, DeferredReport, boolean, ReturnType<typeof eventTypeAfterSilence>]>([
  ['an opening', opening, false, 'alert.created'],
  ['an escalation', { reportedSeverity: 'moderate' }, false, 'alert.escalated'],
  ['nothing if the severity is unchanged', afterHigh, false, null],
  ['new findings of the same severity', afterHigh, true, 'alert.escalated'],
  ['nothing if the severity is lower', { reportedSeverity: 'critical' }, true, null],
])('a high alert reports %s at the end of its silence', ([, report, countsNews, eventType]) => {
  expect(eventTypeAfterSilence(report, 'high', { countsNews, isAcknowledged: false })).toBe(eventType);
  expect(eventTypeAfterSilence(report, 'high', { countsNews, isAcknowledged: true })).toBeNull();
});
