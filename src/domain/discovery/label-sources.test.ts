import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { labelSummary } from './label-sources.ts';

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec: { template: { spec: { containers: [{ name: web, image: "ghcr.io/acme/web:1.2.3" }] } } }
`;

describe('the source of a label', () => {
  const sourcesOf = (files: Record<string, string>, pattern?: string) =>
    discoverFiles(files, { labelRules: pattern === undefined ? [] : [{ pattern, labels: {} }] }).items[0]
      ?.label_sources;

  test('is the path, the name of the object, CODEOWNERS, or a label rule', () => {
    const files = { 'clusters/prod/eu/web.yaml': deployment, '.github/CODEOWNERS': '* @acme/web' };
    expect(sourcesOf(files)).toEqual({ environment: 'path', service: 'name', owner: 'code_owners' });
    expect(sourcesOf(files, 'clusters/(?P<environment>[^/]+)/(?P<region>[^/]+)/')).toEqual({
      environment: 'rule',
      region: 'rule',
      service: 'name',
      owner: 'code_owners',
    });
  });

  test('is the directory or the chart if no Kubernetes object names the service', () => {
    expect(sourcesOf({ 'shop/Dockerfile': 'FROM nginx:1.27.1' })).toEqual({ service: 'path' });
    const chart = 'apiVersion: v2\nname: store\nversion: 1.0.0\n';
    const values = 'image: { repository: ghcr.io/acme/web, tag: 1.2.3 }\n';
    expect(sourcesOf({ 'shop/Chart.yaml': chart, 'shop/values.yaml': values })).toEqual({ service: 'chart' });
  });
});

test('the summary counts the values of each label and source, most frequent first, and states how many it omits', () => {
  const item = (environment: string, source: 'path' | 'set') => ({
    labels: { environment },
    label_sources: { environment: source },
  });
  expect(
    labelSummary([item('staging', 'path'), item('prod', 'path'), item('prod', 'path'), item('dev', 'set')]),
  ).toEqual([
    'environment: prod (2), staging (1); guessed from the path',
    'environment: dev (1); set manually',
  ]);
  expect(labelSummary(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => item(name, 'path')))).toEqual([
    'environment: a (1), b (1), c (1), d (1), e (1), and 2 more; guessed from the path',
  ]);
  expect(labelSummary([{ labels: null, label_sources: null }])).toEqual([]);
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`label${at}`, 'x']));
  expect(labelSummary([{ labels: many, label_sources: {} }]).at(-1)).toBe('and 2 more');
});
