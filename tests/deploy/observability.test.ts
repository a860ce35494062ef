import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createSystemKey } from '../../src/modules/accounts/index.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { readMetrics, type Sample } from '../helpers/read-metrics.ts';
import { type Selector, selectorsOf } from '../helpers/read-promql.ts';
import { sharedTestServer } from '../helpers/test-server.ts';

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const server = await sharedTestServer();
const metricsText = await scrapeBusyServer();
const families = readMetrics(metricsText);
const samples = [...families.values()].flatMap((family) => family.samples);

/** Labels that Prometheus adds to all metrics, and metrics that it adds for each scrape. */
const addedLabels = new Set(['job', 'instance']);
const addedMetrics = new Set(['up']);

interface Panel {
  id: number;
  type: string;
  title: string;
  datasource?: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string; datasource: { uid: string } }[];
}
interface Variable {
  name: string;
  type: string;
  query: string | { query: string };
  definition?: string;
  datasource?: { uid: string };
}

const fileIn = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url)), 'utf8');
const dashboardText = fileIn('grafana/pacekeeper.json');
const dashboard = JSON.parse(dashboardText) as { panels: Panel[]; templating: { list: Variable[] } };
const { panels } = dashboard;
const variables = dashboard.templating.list;
const { groups } = parse(fileIn('prometheus/alerts.yaml')) as {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
};
const rules = groups.flatMap((group) => group.rules);

const queries = [
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: `panel ${title}`, expr }))),
  ...variables.flatMap(({ name, query }) =>
    typeof query === 'string' ? [] : [{ of: `variable ${name}`, expr: query.query }],
  ),
  ...rules.map(({ alert, expr }) => ({ of: `rule ${alert}`, expr })),
  ...[...fileIn('../docs/operations.md').matchAll(/```promql\n(.+?)```/gs)].map(([, expr]) => ({
    of: 'the documentation',
    expr: expr!,
  })),
];

/** Returns the reasons why a query would find no data on this server. */
function faultsOf({ metric, labels, matchers }: Selector): string[] {
  if (addedMetrics.has(metric)) return [];
  const found = samples.filter(({ name }) => name === metric);
  if (found.length === 0) return [`there is no ${metric}`];
  const missing = [...labels].filter(
    (label) => !addedLabels.has(label) && !found.some((sample) => Object.hasOwn(sample.labels, label)),
  );
  const unmatched = matchers.filter(
    ({ operator, label, value }) =>
      operator === '=' && !found.some((sample: Sample) => sample.labels[label] === value),
  );
  return [
    ...missing.map((label) => `${metric} has no label ${label}`),
    ...unmatched.map(({ label, value }) => `no ${metric} has ${label}="${value}"`),
  ];
}

test.skipIf(!hasPromtool)('promtool finds no problem in the metrics (needs promtool)', () => {
  const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], {
    input: metricsText,
    encoding: 'utf8',
  });
  expect([status, `${stdout}${stderr}`]).toEqual([0, '']);
});

test('a metric has the suffix _total if and only if it is a counter', () => {
  const wrong = [...families.values()].filter(
    ({ name, type }) => name.endsWith('_total') !== (type === 'counter'),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test.each(queries)(
  'the query of $of uses only metrics, labels, and values that a server exports',
  ({ expr }) => {
    const selectors = selectorsOf(expr);
    expect(selectors.length).toBeGreaterThan(0);
    expect(selectors.flatMap(faultsOf)).toEqual([]);
  },
);

test.each([
  ['pacekeeper_opened', 'there is no pacekeeper_opened'],
  ['pacekeeper_http_request_duration_seconds', 'there is no pacekeeper_http_request_duration_seconds'],
  ['sum by (queue) (pacekeeper_open)', 'pacekeeper_open has no label queue'],
  ['pacekeeper_open{what="alarms"}', 'no pacekeeper_open has what="alarms"'],
])('the check detects a query without data: %s', (expr, fault) => {
  expect(selectorsOf(expr).flatMap(faultsOf)).toEqual([fault]);
});

test.each(['sum by (kind (a)', 'rate(a[5])', 'a{b=c}', 'a b', 'a >', 'rates(a)', 'a{b="c"', 'a ~ b'])(
  'the check detects an invalid query: %s',
  (expr) => {
    expect(() => selectorsOf(expr)).toThrow(expr);
  },
);

describe('the dashboard', () => {
  test("has panels that don't overlap and have unique IDs", () => {
    const ids = panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) => {
      expect(x + w, title).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
  });

  test('queries only the selected data source', () => {
    expect(variables.filter(({ type }) => type === 'datasource')).toMatchObject([
      { name: 'datasource', query: 'prometheus' },
    ]);
    const used = [
      ...panels.filter(({ type }) => type !== 'row'),
      ...panels.flatMap(({ targets = [] }) => targets),
      ...variables.filter(({ type }) => type === 'query'),
    ].map(({ datasource }) => datasource);
    expect(used.filter((datasource) => datasource?.uid !== '${datasource}')).toEqual([]);
  });

  test('defines exactly the variables that it uses', () => {
    const builtIn = new Set(['__rate_interval', '__all']);
    const named = new Set([...dashboardText.matchAll(/\$\{?(\w+)\}?/g)].map(([, name]) => name!));
    expect([...named].filter((name) => !builtIn.has(name)).toSorted()).toEqual(
      variables.map(({ name }) => name).toSorted(),
    );
  });

  test('has a unique letter for each query of a panel', () => {
    for (const { title, targets = [] } of panels) {
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
    }
  });
});

describe('the alert rules', () => {
  test('match the schema of the Prometheus Operator and have unique names', () => {
    expect(() =>
      new PrometheusRule({ metadata: { name: 'pacekeeper' }, spec: { groups } as never }).validate(),
    ).not.toThrow();
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  test.each(rules)(
    'have a summary and a description with existing labels: $alert',
    ({ expr, annotations }) => {
      expect(Object.keys(annotations)).toEqual(['summary', 'description']);
      const selectors = selectorsOf(expr);
      const grouped = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(/, */);
      for (const [, label] of Object.values(annotations)
        .join(' ')
        .matchAll(/\$labels\.(\w+)/g)) {
        // An aggregation keeps only the labels in its `by` clause, and a selector keeps all labels.
        if (grouped) expect(grouped).toContain(label);
        else if (!addedLabels.has(label!))
          expect(selectors.every(({ labels }) => labels.has(label!))).toBe(true);
      }
    },
  );
});

/** Returns the metrics of a server with activity of each kind. */
async function scrapeBusyServer() {
  const organization = await server.createOrganization();
  await organization.owner.call('putOrgOverride', {
    path: { key: 'metrics.alert_configs' },
    body: { value: true },
  });
  await organization.owner.call('putOrgOverride', {
    path: { key: 'metrics.labels' },
    body: { value: ['team'] },
  });
  await createMonitoredSoftware(server, organization, {
    labels: { team: 'payments' },
    rule: { rule_type: 'days_behind', thresholds: { moderate: 30 }, days_basis: 'deployed_release' },
  });
  await organization.api.call('evaluateRules');
  const { key } = await createSystemKey(server.db, { name: 'prometheus', role: 'viewer' });
  const answer = await fetch(`${server.url}/metrics`, { headers: { 'x-api-key': key } });
  return answer.text();
}
