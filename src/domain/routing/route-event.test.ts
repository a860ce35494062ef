import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexChannels } from './channel-index.ts';
import { matchRule, type RoutingRule, type RoutingSubject } from './match-rule.ts';
import { eventTypeNames } from './notification-event.ts';
import { type FallbackReason, type Route, type RoutingDefaults, routeEvent } from './route-event.ts';
import { simulateRule } from './simulate-rule.ts';

const channels = indexChannels([
  { id: 1, isActive: true, owners: [] },
  { id: 2, isActive: true, owners: ['@acme/payments', 'Team A'] },
  { id: 3, isActive: false, owners: ['acme/search', 'acme/payments', 'Team B'] },
  { id: 4, isActive: true, owners: ['Acme/Web', '@acme/web', 'team'] },
]);
const withDefault: RoutingDefaults = {
  defaultChannelId: 1,
  fallbackToDefault: true,
  ownerLabel: 'owner',
};
const alert: RoutingSubject = {
  eventType: 'alert.created',
  severity: 'high',
  ruleId: 7,
  alertConfigId: 30,
  labels: {},
};

function rule(id: number, rest: Partial<RoutingRule> = {}): RoutingRule {
  return {
    id,
    priority: 100,
    isActive: true,
    severities: [],
    eventTypes: [],
    ruleIds: [],
    alertConfigIds: [],
    labelMatchers: [],
    channelIds: null,
    routesToOwner: false,
    stopProcessing: false,
    ...rest,
  };
}

const target = (
  channelId: number,
  viaRuleIds: number[] = [],
  fallbackReason: FallbackReason | null = null,
) => ({ channelId, isActive: channelId !== 3, viaRuleIds, fallbackReason });

interface Expected {
  matched?: number[];
  targets?: ReturnType<typeof target>[];
  stoppedBy?: number;
  skipped?: Route['skippedReason'];
}

function check(rules: RoutingRule[], defaults: RoutingDefaults, expected: Expected, subject = alert) {
  const targets = expected.targets ?? [];
  const route: Route = {
    matchedRuleIds: expected.matched ?? [],
    targets,
    skippedReason: expected.skipped ?? null,
    stoppedByRuleId: expected.stoppedBy ?? null,
  };
  expect(routeEvent(rules, subject, defaults, channels)).toEqual(route);
}

describe('the evaluation of rules', () => {
  test('a matching rule adds its channels, each only once', () => {
    check([rule(1, { channelIds: [2, 1] }), rule(2, { channelIds: [1] })], withDefault, {
      matched: [1, 2],
      targets: [target(2, [1]), target(1, [1, 2])],
    });
  });

  test('a rule without channels notifies the default channel', () => {
    check([rule(1)], withDefault, { matched: [1], targets: [target(1, [1])] });
  });

  test('rules are evaluated by priority, then by id, regardless of their order in the list', () => {
    const rules = [
      rule(9, { channelIds: [2] }),
      rule(4, { channelIds: [2] }),
      rule(8, { priority: 1, channelIds: [1] }),
    ];
    check(rules, withDefault, { matched: [8, 4, 9], targets: [target(1, [8]), target(2, [4, 9])] });
  });

  test('stop_processing ends the evaluation only if its rule matches', () => {
    const critical = rule(1, { severities: ['critical'], stopProcessing: true, channelIds: [2] });
    const stopping = rule(2, { stopProcessing: true, channelIds: [2] });
    check([critical, stopping, rule(3, { channelIds: [1] })], withDefault, {
      matched: [2],
      targets: [target(2, [2])],
      stoppedBy: 2,
    });
  });

  test('an inactive rule is skipped, and its stop_processing has no effect', () => {
    check(
      [rule(1, { isActive: false, stopProcessing: true, channelIds: [2] }), rule(2, { channelIds: [1] })],
      withDefault,
      {
        matched: [2],
        targets: [target(1, [2])],
      },
    );
  });

  test('an inactive channel remains a target and is marked as inactive', () => {
    check([rule(1, { channelIds: [3, 2] })], withDefault, {
      matched: [1],
      targets: [target(3, [1]), target(2, [1])],
    });
  });
});

describe('the default channel', () => {
  test('receives an alert that matches no rule', () => {
    check([rule(1, { severities: ['critical'], channelIds: [2] })], withDefault, { targets: [target(1)] });
    check([], withDefault, { targets: [target(1)] });
  });

  test("doesn't receive an alert whose matching rule contains only deleted channels", () => {
    check([rule(1, { channelIds: [99] })], withDefault, { matched: [1], skipped: 'channels_deleted' });
  });

  test("receives service events even if unmatched alerts aren't sent to it, unless a rule lists these events", () => {
    const failing: RoutingSubject = {
      eventType: 'job.failing',
      severity: null,
      ruleId: null,
      alertConfigId: null,
      labels: {},
    };
    const noFallback = { ...withDefault, fallbackToDefault: false };
    check([rule(1, { channelIds: [2] })], noFallback, { targets: [target(1)] }, failing);
    const named = rule(1, { channelIds: [2], eventTypes: ['job.failing'] });
    check([named], noFallback, { matched: [1], targets: [target(2, [1])] }, failing);
  });
});

describe('a rule that routes to the owner', () => {
  const toOwner = (rest: Partial<RoutingRule> = {}) => rule(1, { routesToOwner: true, ...rest });
  const owned = (owner: string): RoutingSubject => ({ ...alert, labels: { owner } });
  const toDefault = { matched: [1], targets: [target(1, [1], 'no_owner_channel')] };

  test.each<[string, string, Expected]>([
    ['the channel of the owner', 'acme/payments', { matched: [1], targets: [target(2, [1])] }],
    [
      'the channel of the owner regardless of case and @',
      '@ACME/Payments',
      { matched: [1], targets: [target(2, [1])] },
    ],
    [
      'the channels of several owners, separated by spaces or commas',
      '@acme/web, @acme/payments @acme/other',
      { matched: [1], targets: [target(4, [1]), target(2, [1])] },
    ],
    [
      'a channel shared by several owners only once',
      'acme/web team',
      { matched: [1], targets: [target(4, [1])] },
    ],
    ['only the owner whose name is the whole value', 'team a', { matched: [1], targets: [target(2, [1])] }],
    ['the default channel if the owner has no channel', 'acme/other', toDefault],
    ['the default channel if the channel of the owner is disabled', 'acme/search', toDefault],
    [
      'the default channel instead of the owners of parts if the channel for the whole value is disabled',
      'Team B',
      toDefault,
    ],
    ['the default channel for an empty value', ' , ', toDefault],
  ])('notifies %s', (_name, owner, expected) => check([toOwner()], withDefault, expected, owned(owner)));

  test('uses the owner label that the organization configured, and the fallback if the label is missing', () => {
    const defaults = { ...withDefault, ownerLabel: 'team' };
    check([toOwner()], defaults, toDefault, owned('acme/payments'));
    const subject = { ...alert, labels: { team: 'acme/payments' } };
    check([toOwner()], defaults, { matched: [1], targets: [target(2, [1])] }, subject);
    check([toOwner()], { ...withDefault, ownerLabel: 'constructor' }, toDefault);
  });

  test('uses its channels only as the fallback', () => {
    const own = [toOwner({ channelIds: [4, 3] })];
    const viaFallback = [target(4, [1], 'no_owner_channel'), target(3, [1], 'no_owner_channel')];
    check(own, withDefault, { matched: [1], targets: viaFallback });
    check(own, withDefault, { matched: [1], targets: [target(2, [1])] }, owned('acme/payments'));
  });

  test("adds each channel only once, and doesn't mark it as a fallback if another rule also selects it", () => {
    const rules = [toOwner(), rule(2, { channelIds: [1, 2] }), toOwner({ id: 3, channelIds: [2] })];
    const expected = { matched: [1, 2, 3], targets: [target(1, [1, 2]), target(2, [2, 3])] };
    check(rules, withDefault, expected);
    check(
      rules,
      withDefault,
      { matched: [1, 2, 3], targets: [target(2, [1, 2, 3]), target(1, [2])] },
      owned('acme/payments'),
    );
  });

  test('stops the evaluation regardless of whether the owner has a channel', () => {
    const rules = [toOwner({ stopProcessing: true }), rule(2, { channelIds: [4] })];
    check(rules, withDefault, { ...toDefault, stoppedBy: 1 });
    check(
      rules,
      withDefault,
      { matched: [1], targets: [target(2, [1])], stoppedBy: 1 },
      owned('acme/payments'),
    );
  });

  test('reports no_owner_channel if the owner has no channel and no fallback is available', () => {
    const skipped: Expected = { matched: [1], skipped: 'no_owner_channel' };
    check([toOwner()], { ...withDefault, defaultChannelId: null }, skipped);
    check([toOwner({ channelIds: [99] })], withDefault, skipped);
  });

  test('uses the index of owners instead of reading the owners of each channel', () => {
    let read = 0;
    const many = Array.from({ length: 1_000 }, (_, n) => ({
      id: n + 1,
      isActive: true,
      get owners() {
        read++;
        return [`acme/team-${n}`];
      },
    }));
    const index = indexChannels(many);
    read = 0;
    const { targets } = routeEvent([toOwner()], owned('acme/team-700'), withDefault, index);
    expect(targets).toEqual([target(701, [1])]);
    expect(read).toBe(0);
  });
});

describe('the reason for notifying no channel', () => {
  const noDefault: RoutingDefaults = { ...withDefault, defaultChannelId: null };
  const noFallback: RoutingDefaults = { ...withDefault, fallbackToDefault: false };
  const failing: RoutingSubject = { ...alert, eventType: 'job.failing', severity: null };
  const critical = { severities: ['critical'] as const };

  test.each<[string, RoutingRule[], RoutingDefaults, Expected, RoutingSubject?]>([
    ['no rule and no default channel', [], noDefault, { skipped: 'no_channel' }],
    ['no matching rule and no default channel', [rule(1, critical)], noDefault, { skipped: 'no_channel' }],
    [
      'a default channel that was deleted',
      [],
      { ...noDefault, defaultChannelId: 99 },
      { skipped: 'no_channel' },
    ],
    ['the fallback is disabled', [], noFallback, { skipped: 'fallback_off' }],
    [
      'the fallback is disabled, and the rule that would match is inactive',
      [rule(1, { isActive: false, channelIds: [2] })],
      noFallback,
      { skipped: 'fallback_off' },
    ],
    [
      'no fallback and no default channel',
      [],
      { ...noFallback, defaultChannelId: null },
      { skipped: 'fallback_off' },
    ],
    [
      "an event about the service, which doesn't require the fallback",
      [],
      noFallback,
      { targets: [target(1)] },
      failing,
    ],
    ['an event about the service, and no default channel', [], noDefault, { skipped: 'no_channel' }, failing],
    [
      'a matching rule that sends to the default channel, which is not set',
      [rule(1)],
      noDefault,
      { matched: [1], skipped: 'no_default_channel' },
    ],
    [
      'a matching rule for a missing default channel, and one whose channels were deleted',
      [rule(1, { channelIds: [99] }), rule(2)],
      noDefault,
      { matched: [1, 2], skipped: 'no_default_channel' },
    ],
    [
      'matching rules whose channels were deleted',
      [rule(1, { channelIds: [99] }), rule(2, { channelIds: [] })],
      withDefault,
      { matched: [1, 2], skipped: 'channels_deleted' },
    ],
    [
      'a rule that stops the evaluation and whose channels were deleted, before a rule with a channel',
      [rule(1, { channelIds: [99], stopProcessing: true }), rule(2, { channelIds: [2] })],
      withDefault,
      { matched: [1], stoppedBy: 1, skipped: 'channels_deleted' },
    ],
    [
      'a matching rule whose only channel is inactive',
      [rule(1, { channelIds: [3, 99] })],
      withDefault,
      { matched: [1], targets: [target(3, [1])], skipped: 'all_channels_inactive' },
    ],
    [
      'an inactive default channel',
      [],
      { ...withDefault, defaultChannelId: 3 },
      { targets: [target(3)], skipped: 'all_channels_inactive' },
    ],
    [
      'one of two channels is active',
      [rule(1, { channelIds: [3] }), rule(2, { channelIds: [2] })],
      withDefault,
      { matched: [1, 2], targets: [target(3, [1]), target(2, [2])] },
    ],
  ])('is correct for this case: %s', (_name, rules, defaults, expected, subject) =>
    check(rules, defaults, expected, subject),
  );
});

describe('the route of any event', () => {
  const severity = fc.constantFrom('moderate', 'high', 'critical');
  const anyRule: fc.Arbitrary<RoutingRule> = fc.record({
    id: fc.integer({ min: 1, max: 50 }),
    priority: fc.integer({ min: 0, max: 5 }),
    isActive: fc.boolean(),
    severities: fc.array(severity, { maxLength: 2 }),
    eventTypes: fc.array(fc.constantFrom(...eventTypeNames), { maxLength: 3 }),
    ruleIds: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
    alertConfigIds: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
    labelMatchers: fc.constant([]),
    channelIds: fc.option(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 })),
    routesToOwner: fc.boolean(),
    stopProcessing: fc.boolean(),
  });
  const rules = fc.uniqueArray(anyRule, { selector: ({ id }) => id, maxLength: 8 });
  const anySubject: fc.Arbitrary<RoutingSubject> = fc.record({
    eventType: fc.constantFrom(...eventTypeNames),
    severity: fc.option(severity),
    ruleId: fc.option(fc.integer({ min: 1, max: 3 })),
    alertConfigId: fc.option(fc.integer({ min: 1, max: 3 })),
    labels: fc.oneof(
      fc.constant({}),
      fc.record({
        owner: fc.constantFrom('acme/payments', '@acme/web acme/payments', 'acme/search', 'other'),
      }),
    ),
  });
  const anySilenced = fc.constantFrom('snoozed' as const, 'silenced' as const, null);
  const anyDefaults = fc.record({
    defaultChannelId: fc.option(fc.integer({ min: 1, max: 4 })),
    fallbackToDefault: fc.boolean(),
    ownerLabel: fc.constantFrom('owner', 'team'),
  });

  test('contains each channel once, selected by a matching rule or as the default', () => {
    fc.assert(
      fc.property(rules, anySubject, anyDefaults, (list, subject, defaults) => {
        const route = routeEvent(list, subject, defaults, channels);
        expect(new Set(route.targets.map((each) => each.channelId)).size).toBe(route.targets.length);
        expect(route.skippedReason === null).toBe(route.targets.some(({ isActive }) => isActive));
        for (const { channelId, viaRuleIds, fallbackReason } of route.targets) {
          if (viaRuleIds.length === 0) expect(channelId).toBe(defaults.defaultChannelId);
          for (const id of viaRuleIds) {
            const via = list.find((each) => each.id === id);
            expect(via && matchRule(via, subject).matched).toBe(true);
            const isOwn = (via?.channelIds ?? [defaults.defaultChannelId]).includes(channelId);
            expect(isOwn || via?.routesToOwner).toBe(true);
            if (fallbackReason !== null) expect(isOwn && via?.routesToOwner).toBe(true);
          }
        }
      }),
    );
  });

  test("doesn't depend on the order of the rules", () => {
    fc.assert(
      fc.property(rules, anySubject, anyDefaults, (list, subject, defaults) => {
        const route = routeEvent(list, subject, defaults, channels);
        expect(routeEvent(list.toReversed(), subject, defaults, channels)).toEqual(route);
      }),
    );
  });

  test('agrees with the simulation of each rule', () => {
    fc.assert(
      fc.property(rules, anySubject, anyDefaults, anySilenced, (list, subject, defaults, silenced) => {
        const route = routeEvent(list, subject, defaults, channels);
        const routed = new Map(route.targets.map((each) => [each.channelId, each.isActive]));
        for (const one of list) {
          const simulated = simulateRule(one, subject, { rules: list, defaults, channels, silenced });
          const isWalked = route.matchedRuleIds.includes(one.id);
          for (const { channelId, wouldNotify } of simulated.channels) {
            expect(wouldNotify).toBe(isWalked && silenced === null && routed.get(channelId) === true);
          }
          expect(simulated.channels.some(({ wouldNotify }) => wouldNotify)).toBe(simulated.reason === null);
          expect(simulated.stoppedByRuleId).toBe(
            simulated.matched && !isWalked ? route.stoppedByRuleId : null,
          );
          expect(simulated.event.channels.map((each) => each.channelId)).toEqual([...routed.keys()]);
        }
      }),
    );
  });
});
