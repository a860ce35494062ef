import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../tests/helpers/discover-files.ts';

const chart = (name: string, fields = '') => `apiVersion: v2
name: ${name}
version: 1.0.0
dependencies:
  - { name: redis, version: 17.0.0, repository: "https://charts.example.org"${fields} }
`;

describe('a dependency of a chart', () => {
  const byCondition = chart('web', ', condition: "redis.install, redis.enabled"');
  const byTag = chart('web', ', tags: [cache, queue]');
  const disabled = { 'web/Chart.yaml': byCondition, 'web/values.yaml': 'redis: { enabled: false }\n' };
  const release = (values: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: web }
spec: { chart: { spec: { chart: ./web, sourceRef: { kind: GitRepository, name: web } } }, values: ${values} }
`;
  const application = (helm: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: web }
spec: { source: { repoURL: "https://git.example.org/acme/deploy", path: web, targetRevision: HEAD, helm: ${helm} } }
`;
  const isDisabled = (files: Readonly<Record<string, string>>) =>
    discoverFiles(files).items.find(({ artifact }) => artifact.name === 'redis')?.reason === 'not_installed';

  test('is not deployed if the values of the chart disable it, and the note names the value', () => {
    const [item] = discoverFiles(disabled).items;
    expect(item).toMatchObject({
      version: '17.0.0',
      reason: 'not_installed',
      note: 'redis.enabled is false in web/values.yaml',
    });
  });

  test.each([
    ['its condition is true', byCondition, 'redis: { enabled: true }', false],
    [
      'the first condition that the values contain is true',
      byCondition,
      'redis: { install: true, enabled: false }',
      false,
    ],
    [
      'the first condition that the values contain is false',
      byCondition,
      'redis: { install: false, enabled: true }',
      true,
    ],
    ['the values contain no condition', byCondition, 'redis: { image: { tag: "7" } }', false],
    ['it has neither conditions nor tags', chart('web'), 'redis: { enabled: false }', false],
    ['all of its tags that the values contain are false', byTag, 'tags: { cache: false }', true],
    ['one of its tags is true', byTag, 'tags: { cache: false, queue: true }', false],
    ['the values contain no tag', byTag, 'replicas: 1', false],
  ])('is deployed or disabled as in Helm if %s', (_, text, values, expected) => {
    expect(isDisabled({ 'web/Chart.yaml': text, 'web/values.yaml': `${values}\n` })).toBe(expected);
  });

  test.each<[string, Record<string, string>]>([
    ['the values of an environment', { 'web/values-prod.yaml': 'redis: { enabled: true }\n' }],
    ['a release', { 'apps/web.yaml': release('{ redis: { enabled: true } }') }],
    ['an Application', { 'apps/web.yaml': application('{ valuesObject: { redis: { enabled: true } } }') }],
    [
      'a parameter of an Application',
      { 'apps/web.yaml': application('{ parameters: [{ name: redis.enabled, value: "true" }] }') },
    ],
    [
      'values with another name',
      {
        'apps/web.yaml': application('{ valueFiles: [/clusters/prod.yaml] }'),
        'clusters/prod.yaml': 'a: 1\n',
      },
    ],
    ['values in another repository', { 'apps/web.yaml': application('{ valueFiles: ["{{ file }}"] }') }],
    [
      'values of a helmfile',
      {
        'helmfile.yaml': 'releases: [{ name: web, chart: ./web, values: [prod.yaml] }]\n',
        'prod.yaml': 'a: 1\n',
      },
    ],
    [
      'a chart that contains its chart',
      { 'shop/Chart.yaml': 'name: shop\n', 'shop/values.yaml': 'web: { redis: { enabled: true } }\n' },
    ],
  ])('counts as deployed if %s can enable it', (_, files) => {
    expect(isDisabled({ ...disabled, ...files })).toBe(false);
  });

  test('counts as deployed if its values cannot be read, and values without images report no problems', () => {
    const unreadable = 'redis: { enabled: {{ .Values.redis }} }\nversion: ENC[AES256_GCM,data:x]\n';
    const files = { 'web/Chart.yaml': byCondition, 'web/values.yaml': unreadable };
    expect(discoverFiles(files).problems).toEqual([]);
    expect(isDisabled(files)).toBe(false);
  });

  test('counts as deployed if a file has more flags than are read, and the scan reports how many it skips', () => {
    const flags = Array.from({ length: 1_003 }, (_, at) => `service${at}: { enabled: false }\n`).join('');
    const files = { ...disabled, 'web/values-prod.yaml': `${flags}redis: { enabled: true }\n` };
    expect(discoverFiles(files).problems).toMatchObject([
      {
        file: 'web/values-prod.yaml',
        reason: 'too_large',
        message: expect.stringContaining('and 4 of them'),
      },
    ]);
    expect(isDisabled(files)).toBe(false);
  });

  test('stays disabled if only the default values of another chart set its condition to true', () => {
    const other = { 'api/Chart.yaml': 'name: api\n', 'api/values.yaml': 'redis: { enabled: true }\n' };
    expect(isDisabled({ ...disabled, ...other })).toBe(true);
  });
});

describe('the values of a chart of Applications', () => {
  test('contain charts with their repositories and versions, and each chart is a separate service', () => {
    const values = `defaults: { chart: web, version: 1.0.0 }
certManager: { repoURL: "https://charts.jetstack.io", chart: cert-manager, targetRevision: v1.13.0 }
applications:
  - { name: loki, source: { repoURL: "https://grafana.github.io/helm-charts", chart: loki, targetRevision: 5.36.0 } }
  - { name: cache, repoURL: registry-1.docker.io/bitnamicharts, chart: redis, targetRevision: 18.1.0 }
  - { name: own, repoURL: "https://git.example.org/acme/deploy", path: own, targetRevision: v1.0.0 }
  - { name: range, repository: "https://charts.example.org", chart: web, version: 1.x }
`;
    const files = { 'root/Chart.yaml': 'name: root\n', 'root/values.yaml': values };
    expect(describeItems(files)).toEqual([
      'charts.jetstack.io/cert-manager v1.13.0',
      'grafana.github.io/helm-charts/loki 5.36.0',
      'docker.io/bitnamicharts/redis 18.1.0',
      'charts.example.org/web 1.x (range)',
    ]);
    const { items } = discoverFiles(files);
    expect(items.map(({ place, service }) => [place.field, service])).toEqual([
      ['certManager', 'cert-manager'],
      ['applications[loki].source', 'loki'],
      ['applications[cache]', 'redis'],
      ['applications[range]', 'web'],
    ]);
  });

  test('disable a chart unless the values of an environment enable it', () => {
    const loki = (isEnabled: boolean) =>
      `loki: { enabled: ${isEnabled}, repoURL: "https://grafana.github.io/helm-charts", chart: loki, targetRevision: 5.36.0 }\n`;
    const files = { 'root/Chart.yaml': 'name: root\n', 'root/values.yaml': loki(false) };
    expect(describeItems(files)).toEqual(['grafana.github.io/helm-charts/loki 5.36.0 (not_installed)']);
    const prod = { ...files, 'root/values-prod.yaml': 'loki: { enabled: true }\n' };
    expect(describeItems(prod)).toEqual(['grafana.github.io/helm-charts/loki 5.36.0']);
  });
});
