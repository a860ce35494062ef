import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkLabelPattern } from './match-label-pattern.ts';
import { type LabelMatcher, matchRule, type RoutingRule, type RoutingSubject } from './match-rule.ts';

const openRule: RoutingRule = {
  id: 1,
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
};

const subject: RoutingSubject = {
  eventType: 'alert.created',
  severity: 'high',
  ruleId: 7,
  alertConfigId: 30,
  labels: { team: 'payments', env: 'prod-eu' },
};

function check(rule: Partial<RoutingRule>, about: Partial<RoutingSubject>, unmet: string[]) {
  const match = matchRule({ ...openRule, ...rule }, { ...subject, ...about });
  expect(match.mismatches.map(({ criterion }) => criterion)).toEqual(unmet);
  expect(match.matched).toBe(unmet.length === 0);
}

describe('the criteria of a notification rule', () => {
  test.each<[string, Partial<RoutingRule>, Partial<RoutingSubject>, string[]]>([
    ['a rule without criteria matches every alert', {}, {}, []],
    ['an inactive rule matches nothing', { isActive: false }, {}, ['is_active']],
    ['severity in the list', { severities: ['high', 'critical'] }, {}, []],
    ['severity not in the list', { severities: ['critical'] }, {}, ['severities']],
    [
      'an event without a severity, for a rule that requires one',
      { severities: ['critical'] },
      { severity: null },
      ['severities'],
    ],
    ['event type in the list', { eventTypes: ['alert.created'] }, {}, []],
    ['event type not in the list', { eventTypes: ['alert.resolved'] }, {}, ['event_types']],
    ['monitoring rule in the list', { ruleIds: [6, 7] }, {}, []],
    ['monitoring rule not in the list', { ruleIds: [8] }, {}, ['rule_ids']],
    ['configuration in the list', { alertConfigIds: [30] }, {}, []],
    ['configuration not in the list', { alertConfigIds: [3] }, {}, ['alert_config_ids']],
    [
      'an event without a configuration',
      { alertConfigIds: [3] },
      { alertConfigId: null },
      ['alert_config_ids'],
    ],
    [
      'all criteria must match, and each mismatch is reported',
      { severities: ['critical'], eventTypes: ['alert.created'], ruleIds: [8], alertConfigIds: [1] },
      {},
      ['severities', 'rule_ids', 'alert_config_ids'],
    ],
    [
      "a service event doesn't match a rule that doesn't list its type",
      {},
      { eventType: 'job.failing', severity: null },
      ['event_types'],
    ],
    [
      'a service event matches a rule that lists its type',
      { eventTypes: ['job.failing'] },
      { eventType: 'job.failing', severity: null },
      [],
    ],
  ])('are matched against the event: %s', (_name, rule, about, unmet) => check(rule, about, unmet));

  test('report the expected and the actual value of each mismatch', () => {
    const rule: RoutingRule = {
      ...openRule,
      severities: ['critical'],
      labelMatchers: [
        { label: 'env', operator: '=~', value: 'prod' },
        { label: 'tier', operator: '=', value: 'one' },
      ],
    };
    expect(matchRule(rule, subject).mismatches).toEqual([
      { criterion: 'severities', expected: ['critical'], actual: 'high' },
      { criterion: 'label_matchers.0', expected: 'env =~ "prod"', actual: 'prod-eu' },
      { criterion: 'label_matchers.1', expected: 'tier = "one"', actual: null },
    ]);
  });
});

describe('label matchers', () => {
  test.each<[string, LabelMatcher['operator'], string, boolean]>([
    ['team', '=', 'payments', true],
    ['team', '=', 'Payments', false],
    ['team', '=', '', false],
    ['team', '!=', 'payments', false],
    ['team', '!=', 'search', true],
    ['absent', '=', '', true],
    ['absent', '=', 'x', false],
    ['absent', '!=', '', false],
    ['absent', '!=', 'x', true],
    ['env', '=~', 'prod', false],
    ['env', '=~', 'prod.*', true],
    ['env', '=~', 'prod-(eu|us)', true],
    ['env', '=~', 'dev|prod', false],
    ['env', '=~', 'dev|prod-eu', true],
    ['env', '!~', 'prod', true],
    ['env', '!~', 'prod-.+', false],
    ['absent', '=~', '.*', true],
    ['absent', '=~', '.+', false],
    ['absent', '!~', '.+', true],
    ['env', '=~', '(', false],
    ['env', '!~', '(', false],
    ['env', '=~', '(?=prod).*', false],
    ['env', '=~', 'prod)|(eu', false],
    ['env', '!~', 'prod)|(eu', false],
    ['env', '=~', '(?i)PROD-EU', true],
    ['env', '=~', '', false],
    ['absent', '=~', '', true],
    ['__proto__', '=', '', true],
    ['constructor', '!=', '', false],
  ])('%s %s %j evaluates to %s', (label, operator, value, isMatch) => {
    check({ labelMatchers: [{ label, operator, value }] }, {}, isMatch ? [] : ['label_matchers.0']);
  });

  test.each([
    ['prod-.*', null],
    ['', null],
    ['(', 'missing'],
    ['a)|(b', 'unexpected'],
    ['(?=a)', 'lookahead'],
  ])('the pattern %j is accepted, or rejected with the reason', (pattern, reason) => {
    const message = checkLabelPattern(pattern);
    if (reason === null) expect(message).toBeNull();
    else expect(message).toContain(reason);
  });

  test('an equality matcher and its negation are never both true', () => {
    const label = fc.constantFrom('team', 'env', 'absent');
    fc.assert(
      fc.property(label, fc.string(), (name, value) => {
        const isMatch = (operator: LabelMatcher['operator']) =>
          matchRule({ ...openRule, labelMatchers: [{ label: name, operator, value }] }, subject).matched;
        return isMatch('=') !== isMatch('!=');
      }),
    );
  });
});
