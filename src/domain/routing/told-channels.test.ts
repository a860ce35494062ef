import { expect, test } from 'vitest';
import type { RoutingRule } from './match-rule.ts';
import { hearsOfEnd } from './told-channels.ts';

function rule(id: number, rest: Partial<RoutingRule> = {}): RoutingRule {
  return {
    ...{ id, priority: id, isActive: true, severities: [], eventTypes: [], ruleIds: [], alertConfigIds: [] },
    ...{ labelMatchers: [], channelIds: [1], routesToOwner: false, stopProcessing: false },
    ...rest,
  };
}

const defaults = { defaultChannelId: 9 };
const withoutEnds = { eventTypes: ['alert.created'] } as const;
const ends = (ruleIds: number[], rules: readonly RoutingRule[], channelId = 1) =>
  hearsOfEnd({ channelId, ruleIds }, rules, defaults);

test('who has heard of an alert hears of its end as the rules say that chose them', () => {
  expect(ends([5], [rule(5)])).toBe(true);
  expect(ends([5], [rule(5, withoutEnds)])).toBe(false);
  expect(ends([5, 6], [rule(5, withoutEnds), rule(6)])).toBe(true);
  // The other one chose another channel.
  expect(ends([5, 6], [rule(5, withoutEnds), rule(6, { channelIds: [2] })])).toBe(false);
  expect(ends([5], [rule(5, { ...withoutEnds, channelIds: null })], 9)).toBe(false);
});

test('they hear of it if the rule names them no more, and not if it was disabled', () => {
  expect(ends([5], [rule(5, { ...withoutEnds, channelIds: [2] })])).toBe(true);
  expect(ends([5], [])).toBe(false);
});

test('once it is forgotten which rules matched, those that name the channel answer', () => {
  expect(ends([], [rule(5, withoutEnds)])).toBe(false);
  expect(ends([], [rule(5, withoutEnds), rule(6)])).toBe(true);
  expect(ends([], [rule(5, { ...withoutEnds, channelIds: [2] })])).toBe(true);
  expect(ends([], [])).toBe(true);
});
