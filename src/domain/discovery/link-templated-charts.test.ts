import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { emptyExtraction, type Link } from './fact.ts';
import { linkTemplatedCharts } from './link-templated-charts.ts';

const application = (name: string, ...sources: Record<string, string>[]) => `{{- if .Values.${name}.enabled }}
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name}
spec:
  sources:
${sources
  .map((source) =>
    Object.entries(source)
      .map(([key, value], at) => `    ${at === 0 ? '-' : ' '} ${key}: ${value}\n`)
      .join(''),
  )
  .join('')}{{- end }}
`;
const certManager = { repoURL: 'https://charts.jetstack.io', chart: 'cert-manager' };
const chart = { 'root/Chart.yaml': 'apiVersion: v2\nname: root\nversion: 1.0.0\n' };
const template = 'root/templates/apps.yaml';

describe('a template of an Application', () => {
  test('yields its literal charts, and charts whose version is in the values of the surrounding chart', () => {
    const files = {
      ...chart,
      [template]: `${application('tls', { ...certManager, targetRevision: '"{{ .Values.tls.targetRevision }}"' })}---
${application(
  'logs',
  { repoURL: 'https://grafana.github.io/helm-charts', chart: 'loki', targetRevision: '5.36.0 # newest' },
  {
    chart: '{{ .Values.logs.chart }}',
    repoURL: '{{ .Values.repo }}',
    targetRevision: '{{ .Values.logs.version | quote }}',
  },
)}`,
      'root/values.yaml':
        'repo: https://grafana.github.io/helm-charts\ntls: { targetRevision: v1.13.0 }\nlogs: { chart: promtail, version: 6.15.0 }\n',
    };
    const { items } = discoverFiles(files);
    expect(
      items.map(({ artifact, version, place }) => [artifact.name, version, place.file, place.field]),
    ).toEqual([
      ['loki', '5.36.0', template, 'chart loki'],
      ['cert-manager', 'v1.13.0', 'root/values.yaml', 'tls.targetRevision'],
      ['promtail', '6.15.0', 'root/values.yaml', 'logs.version'],
    ]);
    expect(items.map(({ service }) => service)).toEqual(['logs', 'cert-manager', 'promtail']);
  });

  test('yields no chart if the repository is unknown, the chart name is a template, or the object is not an Application', () => {
    const versioned = { ...certManager, targetRevision: '{{ .Values.tls.targetRevision }}' };
    const values = { 'root/values.yaml': 'tls: { targetRevision: v1.13.0 }\n' };
    const found = (text: string, more: Record<string, string> = chart) =>
      describeItems({ ...more, ...values, [template]: text });
    expect(found(application('tls', versioned))).toEqual(['charts.jetstack.io/cert-manager v1.13.0']);
    expect(found(application('tls', { ...versioned, repoURL: '{{ .Values.unknown }}' }))).toEqual([]);
    expect(found(application('tls', { ...versioned, chart: '{{ include "chart" . }}' }))).toEqual([]);
    expect(found(application('tls', versioned).replace('kind: Application', 'kind: Other'))).toEqual([]);
  });

  test('yields one item together with a map in the values that contains the chart, its repository, and its version', () => {
    const parts = Object.fromEntries(
      ['repoURL', 'chart', 'targetRevision'].map((key) => [key, `{{ .Values.tls.${key} }}`]),
    );
    const files = {
      ...chart,
      [template]: application('tls', parts),
      'root/values.yaml': `tls: { repoURL: "${certManager.repoURL}", chart: cert-manager, targetRevision: v1.13.0 }\n`,
    };
    expect(describeItems(files)).toEqual(['charts.jetstack.io/cert-manager v1.13.0']);
  });

  test('has one version for each environment whose values set it, and none if the values disable it', () => {
    const version = (text: string) => `tls: { targetRevision: ${text} }\n`;
    const files = {
      ...chart,
      [template]: application('tls', { ...certManager, targetRevision: '{{ .Values.tls.targetRevision }}' }),
      'root/values.yaml': version('v1.13.0'),
      'root/values-prod.yaml': version('v1.12.0'),
    };
    expect(describeItems(files)).toEqual([
      'charts.jetstack.io/cert-manager v1.13.0 (overridden)',
      'charts.jetstack.io/cert-manager v1.12.0',
    ]);
    expect(describeItems({ ...files, 'root/values-test.yaml': 'replicas: 1\n' })).toContain(
      'charts.jetstack.io/cert-manager v1.13.0',
    );
    const disabled = { ...files, 'root/values.yaml': 'tls: { enabled: false, targetRevision: v1.13.0 }\n' };
    expect(describeItems(disabled)).toContain('charts.jetstack.io/cert-manager v1.13.0 (not_installed)');
  });
});

test('the time of a scan does not grow with the product of the charts in templates and the values files', () => {
  const link: Link = {
    type: 'templated_chart',
    repository: { text: 'https://charts.example.org' },
    chart: { text: 'web' },
    version: { path: 'web.version' },
  };
  const links = Array<Link>(20_000).fill(link);
  const paths = Array.from({ length: 10_000 }, (_, at) => `web/values-${at}.yaml`);
  const unsearchedFiles = new Set<string>();
  const start = process.threadCpuUsage();
  linkTemplatedCharts([], [{ ...emptyExtraction(), path: 'web/templates/all.yaml', links }], {
    chartDirectories: new Set(['web']),
    paths,
    reportUnsearched: (path) => unsearchedFiles.add(path),
  });
  expect(process.threadCpuUsage(start).user).toBeLessThan(3_000_000);
  expect([...unsearchedFiles]).toEqual(paths);
});
