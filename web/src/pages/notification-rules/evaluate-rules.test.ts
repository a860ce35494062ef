import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { evaluateRules } from './evaluate-rules.ts';

type Result = Schemas['NotificationRuleSimulationResult'];

const ops = {
  id: 1,
  name: 'Ops',
  would_notify: true,
  reason: null,
  fallback_reason: null,
  waits_for_digest: false,
  waits_until: null,
};
const chat = {
  id: 2,
  name: 'Chat',
  would_notify: false,
  reason: 'channel_inactive',
  fallback_reason: null,
  waits_for_digest: false,
  waits_until: null,
};
const mail = {
  id: 3,
  name: 'Mail',
  would_notify: true,
  reason: null,
  fallback_reason: null,
  waits_for_digest: true,
  waits_until: null,
};
const event = {
  channels: [
    { ...ops, notification_rule_ids: [10, 11] },
    { ...chat, fallback_reason: 'no_owner_channel', notification_rule_ids: [11] },
    { ...mail, notification_rule_ids: [] },
  ],
  skipped_reason: null,
} as Result['event'];
const matched: Result = {
  matched: true,
  mismatches: [],
  channels: [],
  reason: null,
  stopped_by: null,
  event,
};
const missed: Result = {
  ...matched,
  matched: false,
  mismatches: [{ criterion: 'severities', expected: 'critical', actual: 'high' }],
  reason: 'not_matched',
};
const rules = [
  { id: 10, name: 'first', stop_processing: false },
  { id: 11, name: 'second', stop_processing: true },
  { id: 12, name: 'third', stop_processing: false },
];

test('each rule shows its result from the server, and channels list the rules that selected them', () => {
  const results = new Map<number, Result>([
    [10, matched],
    [11, { ...matched, reason: 'channel_inactive' }],
    [12, { ...matched, reason: 'stopped_by_earlier_rule', stopped_by: { id: 11, name: 'second' } } as Result],
  ]);
  const { outcomes, notified, skipped } = evaluateRules(rules, results, 'no_channel');
  expect([...outcomes]).toEqual([
    [10, { kind: 'matched', reason: null, stops: false }],
    [11, { kind: 'matched', reason: 'channel_inactive', stops: true }],
    [12, { kind: 'not_asked', stoppedBy: 'second' }],
  ]);
  expect(notified).toEqual([
    {
      id: 1,
      name: 'Ops',
      reason: null,
      fallbackReason: null,
      waitsForDigest: false,
      waitsUntil: null,
      via: ['first', 'second'],
    },
    {
      id: 2,
      name: 'Chat',
      reason: 'channel_inactive',
      fallbackReason: 'no_owner_channel',
      waitsForDigest: false,
      waitsUntil: null,
      via: ['second'],
    },
    {
      id: 3,
      name: 'Mail',
      reason: null,
      fallbackReason: null,
      waitsForDigest: true,
      waitsUntil: null,
      via: [],
    },
  ]);
  expect(skipped).toBeNull();
});

test('a rule that doesn’t match lists the criteria that aren’t met', () => {
  const { outcomes } = evaluateRules(rules, new Map([[10, missed]]), 'no_channel');
  expect(outcomes.get(10)).toEqual({ kind: 'missed', mismatches: missed.mismatches });
});

test('the fallback channel, if any, is notified if no rules exist', () => {
  const fallback = {
    id: 9,
    name: 'Default',
    reason: null,
    fallbackReason: null,
    waitsForDigest: false,
    waitsUntil: null,
    via: [],
  };
  expect(evaluateRules([], new Map(), fallback)).toEqual({
    outcomes: new Map(),
    notified: [fallback],
    skipped: null,
  });
  for (const why of ['no_channel', 'fallback_off'] as const) {
    expect(evaluateRules([], new Map(), why)).toEqual({ outcomes: new Map(), notified: [], skipped: why });
  }
  const off = { ...fallback, reason: 'channel_inactive' as const };
  expect(evaluateRules([], new Map(), off)).toMatchObject({
    notified: [off],
    skipped: 'all_channels_inactive',
  });
});
