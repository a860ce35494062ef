import { expect, test } from 'vitest';
import { criteriaOf, formatMatchCount } from './silence-criteria.ts';

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
