import { expect, test } from 'vitest';
import type { RoutingRule } from './match-rule.ts';
import { receivesResolution } from './notified-channels.ts';

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
  receivesResolution({ channelId, ruleIds }, rules, defaults);

test('a channel receives the resolution of an alert if a rule that selected it includes resolutions', () => {
  expect(ends([5], [rule(5)])).toBe(true);
  expect(ends([5], [rule(5, withoutEnds)])).toBe(false);
  expect(ends([5, 6], [rule(5, withoutEnds), rule(6)])).toBe(true);
  // Rule 6 selects another channel.
  expect(ends([5, 6], [rule(5, withoutEnds), rule(6, { channelIds: [2] })])).toBe(false);
  expect(ends([5], [rule(5, { ...withoutEnds, channelIds: null })], 9)).toBe(false);
});

test('a channel receives the resolution if its rule now selects another channel, but not if the rule was disabled', () => {
  expect(ends([5], [rule(5, { ...withoutEnds, channelIds: [2] })])).toBe(true);
  expect(ends([5], [])).toBe(false);
});

test('after the matches are deleted, the rules that currently select the channel decide whether it receives the resolution', () => {
  expect(ends([], [rule(5, withoutEnds)])).toBe(false);
  expect(ends([], [rule(5, withoutEnds), rule(6)])).toBe(true);
  expect(ends([], [rule(5, { ...withoutEnds, channelIds: [2] })])).toBe(true);
  expect(ends([], [])).toBe(true);
});
