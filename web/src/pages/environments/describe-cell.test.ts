import { expect, test } from 'vitest';
import {
  type Cell,
  cellSentences,
  describeCell,
  describeDelay,
  describeLag,
  describePrecision,
  describeSupportMark,
  formatLag,
  latestOf,
  type MatrixRow,
  nameOf,
  productionFirst,
} from './describe-cell.ts';

const cell = (relation: Cell['relation'], releases_behind: number | null = null) =>
  describeCell({ relation, compared_with: 'staging', releases_behind } as Cell);

test('a cell shows how it compares with the previous environment', () => {
  expect(cell('first')).toBeNull();
  expect(cell('same')).toBe('same as staging');
  expect(cell('behind', 1)).toBe('1 deployment behind staging');
  expect(cell('behind', 2)).toBe('2 deployments behind staging');
  expect(cell('ahead')).toBe('ahead of staging');
  expect(cell('different')).toBe('different from staging');
  expect(cell('missing')).toBe('missing');
});

test('the name of a row consists of its service and component', () => {
  expect(nameOf({ service: 'shop', component: null })).toBe('shop');
  expect(nameOf({ service: 'shop', component: 'till' })).toBe('shop / till');
});

test('in a narrow window, production is the first environment', () => {
  const environments = ['dev', 'production', 'canary'];
  expect(productionFirst(environments, 'production')).toEqual(['production', 'dev', 'canary']);
  expect(productionFirst(environments, undefined)).toEqual(environments);
});

test('the precision of a time depends on how often versions are collected', () => {
  expect([0, 900, null].map(describePrecision)).toEqual([undefined, '± 15 min', 'no schedule']);
  expect([0, 900].map(describeDelay)).toEqual(['', ', which can be up to 15 min later']);
  expect(describeDelay(null)).toContain('no schedule');
});

test('lags are formatted with one unit', () => {
  expect([null, 5, 540, 11_700, 432_000, -60].map(formatLag)).toEqual([
    '—',
    '5 s',
    '9 min',
    '3.3 h',
    '5 days',
    '−1 min',
  ]);
});

const upstream = (changes: Partial<NonNullable<Cell['upstream']>> = {}): Cell['upstream'] => ({
  alert_config_id: 1,
  state: 'ok',
  severity: null,
  latest_version: '0.4.3',
  releases_behind: 10,
  days_behind: 45,
  ...changes,
});
const lag = (of: Cell['upstream']) => describeLag({ upstream: of } as Cell);

test('the color of a cell shows its severity, and the number shows how many newer releases exist', () => {
  expect(lag(upstream({ state: 'alerting', severity: 'high' }))).toEqual({
    heat: 'high',
    lag: '−10',
    isUnknown: false,
  });
  expect(lag(upstream())).toEqual({ heat: 'behind', lag: '−10', isUnknown: false });
  expect(lag(upstream({ releases_behind: 0 }))).toEqual({ heat: 'ok', lag: '0', isUnknown: false });
});

test('missing data is never shown as the latest version', () => {
  expect(lag(upstream({ releases_behind: null }))).toEqual({ heat: 'unknown', lag: '?', isUnknown: true });
  expect(lag(upstream({ state: 'stale', releases_behind: 0 }))).toEqual({
    heat: 'unknown',
    lag: '0',
    isUnknown: true,
  });
  expect(lag(null)).toEqual({ heat: null, lag: null, isUnknown: false });
});

test('an unknown number of newer releases is marked in addition to the severity', () => {
  for (const severity of [null, 'moderate', 'high', 'critical'] as const)
    expect(lag(upstream({ state: 'alerting', severity, releases_behind: null }))).toEqual({
      heat: severity ?? 'unknown',
      lag: '?',
      isUnknown: true,
    });
});

const support = (days_left: number | null, has_ended = false) => ({
  label: 'PostgreSQL',
  line: '16',
  ends_on: '2026-12-09',
  days_left,
  has_ended,
});
const markOf = (...parts: Parameters<typeof support>) =>
  describeSupportMark(support(...parts) as Parameters<typeof describeSupportMark>[0]);

test('support is marked if it has ended or ends within 90 days', () => {
  expect([markOf(12), markOf(90), markOf(91), markOf(null), markOf(0, true), markOf(null, true)]).toEqual([
    '12 d',
    '90 d',
    null,
    null,
    '',
    '',
  ]);
});

test('the sentences for a cell include everything that its color, number, and marks show', () => {
  const full = {
    versions: [{ version: '0.2.3', count: 2, scrape_job_ids: [1, 2], since: '2026-01-01T00:00:00Z' }],
    relation: 'behind',
    compared_with: 'staging',
    releases_behind: 1,
    behind_since: '2026-03-06T09:00:00Z',
    upstream: upstream({ state: 'alerting', severity: 'critical' }),
  } as unknown as Cell;
  const sentences = (cell: Cell, end?: Parameters<typeof cellSentences>[1]) =>
    cellSentences(cell, end, Date.parse('2026-03-15T09:00:00Z'));
  expect(sentences(full, support(12) as Parameters<typeof cellSentences>[1])).toEqual([
    '0.2.3 (2 times).',
    'Critical: 10 releases behind 0.4.3, for 45 days.',
    'PostgreSQL 16: supported until Dec 9, 2026.',
    '1 deployment behind staging for 9 days.',
  ]);
  const second = (of: Cell['upstream']) => sentences({ ...full, upstream: of })[1];
  expect(second(null)).toBe('No monitor compares it with an upstream source.');
  expect(second(upstream({ releases_behind: 0 }))).toBe('No newer release than 0.4.3.');
  expect(second(upstream({ releases_behind: null }))).toBe("The number of newer releases isn't known.");
  expect(second(upstream({ state: 'no_data', releases_behind: null }))).toBe('No data about newer releases.');
});

test('the latest version of a row is that of production, or of the last environment that has one', () => {
  const row = (...cells: Cell['upstream'][]) =>
    latestOf({ cells: cells.map((of) => ({ upstream: of })) } as unknown as MatrixRow);
  expect(row(upstream({ latest_version: '1.0' }), upstream({ latest_version: '2.0' }))).toBe('2.0');
  expect(row(upstream({ latest_version: '1.0' }), null)).toBe('1.0');
  expect(row(null, null)).toBeNull();
});
