import { describe, expect, test } from 'vitest';
import { normalizePrometheusUrl } from './prometheus-address.ts';
import { createVersionPicker, pickVersion, type Series, varyingLabels } from './prometheus-series.ts';
import { parseQueryResponse, readQueryResponse } from './read-query-response.ts';

const shop = { __name__: 'api_build_info', app: 'api', namespace: 'shop', version: '1.5.0' };
const staging = { ...shop, namespace: 'staging', version: '1.4.0' };
const replica = { ...shop, instance: '10.0.0.2:80' };

describe('the version of a job in query results', () => {
  test.each<[string, Series[], Series, string]>([
    ['one series', [shop], {}, '1.5.0'],
    ['replicas with one version', [shop, replica], {}, '1.5.0'],
    ['the series selected by a label', [shop, staging], { namespace: 'staging' }, '1.4.0'],
    [
      'the series selected by several labels',
      [shop, staging, replica],
      { namespace: 'shop', app: 'api' },
      '1.5.0',
    ],
    ['series without the label are ignored', [{ app: 'api' }, shop], { app: 'api' }, '1.5.0'],
  ])('is found: %s', (_, all, series, version) => {
    expect(pickVersion(all, { label: 'version', series })).toEqual({ ok: true, version });
  });

  test.each<[string, Series[], Series, string, RegExp]>([
    ['no series', [], {}, 'version', /^the query returned no series$/],
    [
      'no series for the job',
      [shop, staging],
      { namespace: 'prod' },
      'version',
      /^none of the 2 series has namespace="prod"; found, for example: \{__name__="api_build_info", app="api", namespace="shop"/,
    ],
    [
      'a missing label',
      [shop],
      {},
      'tag',
      /^the 1 series found has no label "tag"; labels: __name__, app, namespace, version$/,
    ],
    [
      'several versions',
      [shop, replica, staging],
      {},
      'version',
      /^3 series have 2 different versions: "1\.5\.0" in 2, "1\.4\.0" in 1\. Narrow the query, or choose one with series \(labels that differ: instance, namespace\)$/,
    ],
    [
      'a series label with the name of a prototype property',
      [shop],
      { constructor: 'x' },
      'version',
      /^none of the 1 series has constructor="x"/,
    ],
    ['a version label with the name of a prototype property', [shop], {}, 'toString', /no label "toString"/],
  ])('results in an error with an explanation: %s', (_, all, series, label, message) => {
    const picked = pickVersion(all, { label, series });
    expect(picked).toEqual({ ok: false, message: expect.stringMatching(message) });
  });

  test('is found for 10,000 jobs in 10,000 series', () => {
    const all = Array.from({ length: 10_000 }, (_, at) => ({ app: `app-${at}`, version: `1.${at}.0` }));
    const pick = createVersionPicker(all);
    const versions = all.map(({ app }) => pick({ label: 'version', series: { app } }));
    expect(versions.at(-1)).toEqual({ ok: true, version: '1.9999.0' });
    expect(versions.every(({ ok }) => ok)).toBe(true);
  });

  test('varyingLabels returns the labels whose values differ', () => {
    expect(varyingLabels([shop, staging, replica])).toEqual(['instance', 'namespace', 'version']);
    expect(varyingLabels([])).toEqual([]);
    expect(varyingLabels([{ app: 'a' }, { app: 'a', pod: 'x' }, { app: 'a', pod: 'x' }])).toEqual(['pod']);
  });

  test('varyingLabels reads each label only once', () => {
    let reads = 0;
    const all = Array.from({ length: 200 }, (_, at) => {
      const labels = Object.fromEntries(Array.from({ length: 5 }, (_, of) => [`l${at}_${of}`, 'x']));
      return new Proxy<Series>(labels, {
        get: (target, name) => {
          reads++;
          return Reflect.get(target, name) as unknown;
        },
      });
    });
    expect(varyingLabels(all)).toHaveLength(1_000);
    expect(reads).toBe(1_000);
  });

  test('the error lists only the first 20 labels', () => {
    const series = Array.from({ length: 30 }, (_, at) => ({ [`l${at}`]: 'x' }));
    const picked = pickVersion(series, { label: 'version', series: {} });
    expect(picked).toMatchObject({ ok: false, message: expect.stringMatching(/l1, .*l19, .*l9, …$/) });
    expect(JSON.stringify(picked)).not.toContain('l20');
  });
});

describe('the response to a query', () => {
  test.each([
    [
      { status: 'error', errorType: 'bad_data', error: 'parse error: unexpected "{"' },
      'the query was rejected: parse error: unexpected "{"',
    ],
    [
      { status: 'success', data: { resultType: 'scalar', result: [1, '2'] } },
      'the query returns a "scalar" instead of series',
    ],
    [{ hello: 1 }, "the response isn't from a Prometheus server"],
    [null, "the response isn't from a Prometheus server"],
  ])('is rejected with the reason: %j', (root, message) => {
    expect(parseQueryResponse(JSON.stringify(root))).toEqual({ ok: false, message });
  });

  test("is rejected if it isn't JSON, and labels that aren't text are ignored", () => {
    expect(parseQueryResponse('<html>')).toEqual({ ok: false, message: "the response isn't JSON" });
    const result = [{ metric: { a: 1, b: 'x', c: null }, value: [0, '1'] }, 7, { metric: 'x' }];
    expect(
      parseQueryResponse(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } })),
    ).toEqual({
      ok: true,
      series: [{ b: 'x' }, {}, {}],
      isCut: false,
    });
  });

  test('is limited to 100,000 labels', () => {
    const metric = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`l${at}`, 'x']));
    const readOf = (length: number) => {
      const result = Array.from({ length }, () => ({ metric }));
      const answer = readQueryResponse({ status: 'success', data: { resultType: 'vector', result } });
      return answer.ok ? [answer.series.length, answer.isCut] : answer.message;
    };
    expect(readOf(1_000)).toEqual([1_000, false]);
    expect(readOf(1_001)).toEqual([1_000, true]);
  });
});

test.each([
  ['prometheus.example.org', 'https://prometheus.example.org'],
  ['http://10.0.0.5:9090/graph?g0.expr=up#x', 'http://10.0.0.5:9090'],
  ['https://example.org/prometheus/api/v1/query?query=up', 'https://example.org/prometheus'],
  ['https://example.org/prometheus/', 'https://example.org/prometheus'],
])('the pasted URL of a server is normalized: %s', (text, url) => {
  expect(normalizePrometheusUrl(text)).toEqual({ ok: true, url });
});
