import { expect, test } from 'vitest';
import { unreachableReason } from './alert-receivers.ts';

const channel = (id: number, is_active = true, is_default = false) => ({ id, is_active, is_default });
const rule = (channel_ids: number[] | null, is_active = true, route_to_owner = false) => ({
  channel_ids,
  is_active,
  route_to_owner,
});
const andNoRule = 'and no notification rule sends to an enabled channel.';

test.each([
  ['a default channel for all alerts', [channel(1, true, true)], true, [], null],
  ['no default channel', [channel(1)], true, [], `No default channel is set, ${andNoRule}`],
  [
    'a disabled default channel',
    [channel(1, false, true)],
    true,
    [],
    `The default channel is disabled, ${andNoRule}`,
  ],
  [
    'a default channel that excludes unmatched alerts',
    [channel(1, true, true)],
    false,
    [],
    `Unmatched alerts aren't sent to the default channel, ${andNoRule}`,
  ],
  ['a rule with a channel', [channel(1)], true, [rule([1])], null],
  ['a disabled rule', [channel(1)], true, [rule([1], false)], `No default channel is set, ${andNoRule}`],
  [
    'a rule with a disabled channel',
    [channel(1, false), channel(2)],
    true,
    [rule([1])],
    `No default channel is set, ${andNoRule}`,
  ],
  ['a rule for the default channel', [channel(1, true, true)], false, [rule(null)], null],
  [
    'a rule for a default channel that is not set',
    [channel(1)],
    true,
    [rule(null)],
    `No default channel is set, ${andNoRule}`,
  ],
  ['a rule for owners', [channel(1)], true, [rule([], true, true)], null],
])(
  '%s: the page shows the reason if alerts reach no one',
  (_, channels, fallback_to_default, rules, reason) => {
    expect(unreachableReason(channels, { fallback_to_default }, rules)).toBe(reason);
  },
);
