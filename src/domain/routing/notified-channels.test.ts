import { expect, test } from 'vitest';
import type { RoutingRule } from './match-rule.ts';
import { isNotifiedOfEnd } from './notified-channels.ts';

function rule(id: number, rest: Partial<RoutingRule> = {}): RoutingRule {
  return {
    id,
    priority: id,
    isActive: true,
    severities: [],
    eventTypes: [],
    ruleIds: [],
    alertConfigIds: [],
    labelMatchers: [],
    channelIds: [1],
    routesToOwner: false,
    stopProcessing: false,
    ...rest,
  };
}

const defaults = { defaultChannelId: 9 };
const withoutEnds = { eventTypes: ['alert.created'] } as const;
const ends = (ruleIds: number[], rules: readonly RoutingRule[], channelId = 1) =>
  isNotifiedOfEnd({ channelId, ruleIds }, rules, defaults);

test('a channel is notified of the end of an alert as the rules say that selected it', () => {
  expect(ends([5], [rule(5)])).toBe(true);
  expect(ends([5], [rule(5, withoutEnds)])).toBe(false);
  expect(ends([5, 6], [rule(5, withoutEnds), rule(6)])).toBe(true);
  // The other one selected another channel.
  expect(ends([5, 6], [rule(5, withoutEnds), rule(6, { channelIds: [2] })])).toBe(false);
  expect(ends([5], [rule(5, { ...withoutEnds, channelIds: null })], 9)).toBe(false);
});

test('it is notified if the rule no longer names it, and not if the rule was disabled', () => {
  expect(ends([5], [rule(5, { ...withoutEnds, channelIds: [2] })])).toBe(true);
  expect(ends([5], [])).toBe(false);
});

test('once the matches are deleted, the rules that name the channel decide', () => {
  expect(ends([], [rule(5, withoutEnds)])).toBe(false);
  expect(ends([], [rule(5, withoutEnds), rule(6)])).toBe(true);
  expect(ends([], [rule(5, { ...withoutEnds, channelIds: [2] })])).toBe(true);
  expect(ends([], [])).toBe(true);
});
