import { describe, expect, test } from 'vitest';
import {
  criteriaOf,
  formatMatchCount,
  formatOtherMatches,
  type SilenceCriteria,
  type SilencedAlert,
} from './silence-criteria.ts';

const alert = (rule_id: number, labels: Record<string, string>) => ({ rule_id, labels });
const equals = (label: string, value: string) => ({ label, operator: '=', value });

test.for([
  ['one alert', [alert(1, { team: 'a', env: 'p' })], [equals('team', 'a'), equals('env', 'p')], []],
  [
    'alerts that share a label',
    [alert(1, { team: 'a', env: 'p' }), alert(2, { team: 'a' })],
    [equals('team', 'a')],
    [],
  ],
  [
    'alerts that share no label',
    [alert(1, { team: 'a' }), alert(2, { team: 'b' }), alert(1, {})],
    [],
    [1, 2],
  ],
  [
    'alerts with the name of a method as a label',
    [alert(1, { x: '1' }), alert(1, { constructor: '1' })],
    [],
    [1],
  ],
] as const)(
  'the initial criteria of a silence match the shared labels or the rules of %s',
  ([, alerts, label_matchers, rule_ids]) => {
    expect(criteriaOf(alerts)).toEqual({ label_matchers, rule_ids, severities: [] });
  },
);

test('the number of matching alerts is described in a sentence', () => {
  expect(formatMatchCount({ open_alerts: 1, open_alerts_is_exact: true })).toBe('Matches 1 open alert.');
  expect(formatMatchCount({ open_alerts: 1_200, open_alerts_is_exact: false })).toBe(
    'Matches at least 1,200 open alerts.',
  );
});

describe('the warning about alerts that were not selected', () => {
  const selected = (labels: Record<string, string>, changes: Partial<SilencedAlert> = {}): SilencedAlert => ({
    status: 'unacknowledged',
    severity: 'high',
    rule_id: 1,
    labels,
    ...changes,
  });
  const check = (
    open_alerts: number,
    criteria: Partial<SilenceCriteria>,
    alerts: readonly SilencedAlert[],
    expected: string | null,
  ) =>
    expect(
      formatOtherMatches(
        { open_alerts, open_alerts_is_exact: true },
        { label_matchers: [], rule_ids: [], severities: [], ...criteria },
        alerts,
      ),
    ).toBe(expected);
  const others = (count: string) => `These conditions also match ${count} that you didn't select.`;
  const isTeam = { label: 'team', operator: '=', value: 'a' } as const;
  const team = { label_matchers: [isTeam] };
  const three = [selected({ team: 'a' }), selected({ team: 'a' }), selected({ team: 'a' })];

  test('the warning counts only alerts that were not selected', () => {
    check(77, team, three, others('74 alerts'));
    check(4, team, three, others('1 alert'));
    check(3, team, three, null);
  });

  test('the warning counts again when the criteria exclude selected alerts', () => {
    check(3, team, [...three.slice(1), selected({ team: 'b' })], others('1 alert'));
    check(1, { rule_ids: [1] }, [selected({}, { rule_id: 2 })], others('1 alert'));
    check(1, { severities: ['high'] }, [selected({}, { severity: 'critical' })], others('1 alert'));
    check(1, team, [selected({ team: 'a' }, { status: 'resolved' })], others('1 alert'));
    check(1, { label_matchers: [{ label: 'team', operator: '!=', value: 'a' }] }, [selected({})], null);
  });

  test('the warning gives a lower limit if it is not known which selected alerts match a pattern', () => {
    check(
      77,
      { label_matchers: [{ label: 'team', operator: '=~', value: 'a|b' }] },
      three,
      others('at least 74 alerts'),
    );
  });
});
