import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { emptyExtraction, type Link } from './fact.ts';
import { findTemplatedCharts, markTemplatedCharts } from './link-templated-charts.ts';
import { linkTemplatedVersions } from './link-templated-versions.ts';

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
    expect(found(application('tls', versioned).replace('kind: Application', 'kind: ApplicationSet'))).toEqual(
      ['charts.jetstack.io/cert-manager v1.13.0'],
    );
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

describe('the version of a chart in the default values of the chart that contains its Application', () => {
  const version = (text: string) => `tls: { targetRevision: ${text} }\n`;
  const files = {
    ...chart,
    [template]: application('tls', { ...certManager, targetRevision: '"{{ .Values.tls.targetRevision }}"' }),
    'root/values.yaml': version('v1.13.0'),
    'root/values-prod.yaml': version('v1.12.0'),
  };
  const install = (helm: string) => ({
    'bootstrap.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: root }\nspec: { source: { repoURL: "https://git.example.org/a", path: root${helm} } }\n`,
  });
  const reasonOf = (given: Readonly<Record<string, string>>, isWholeRepository = true) =>
    discoverFiles(given, { isWholeRepository }).items.find(({ place }) => place.file === 'root/values.yaml')
      ?.reason;

  test.each<[string, Record<string, string>]>([
    ['every values file next to it sets another one', {}],
    ['its Application uses such a file', install(', helm: { valueFiles: [values-prod.yaml] }')],
  ])('is overridden if %s', (_, more) => {
    expect(reasonOf({ ...files, ...more })).toBe('overridden');
  });

  test.each<[string, Record<string, string>]>([
    ['an Application installs the chart without values', install('')],
    ['an Application has inline values', install(', helm: { values: "a: 1" }')],
    ['a values file has a templated name', install(', helm: { valueFiles: ["values-{{ env }}.yaml"] }')],
    ['a release installs the chart', { 'helmfile.yaml': 'releases: [{ name: root, chart: ./root }]\n' }],
    ["a values file can't be read", { 'root/values-test.yaml': 'tls: {\n' }],
    [
      'a chart that contains it sets none',
      {
        'all/Chart.yaml':
          'name: all\ndependencies: [{ name: root, version: 1.0.0, repository: "file://../root" }]\n',
      },
    ],
  ])('counts as deployed if %s', (_, more) => {
    expect(reasonOf({ ...files, ...more })).toBeNull();
  });

  test('counts as deployed if only a part of the repository is scanned', () => {
    expect(reasonOf(files, false)).toBeNull();
  });

  test('is an item in the values files of Applications and of the chart that contains it', () => {
    const { 'root/values-prod.yaml': _, ...others } = files;
    const more = {
      ...install(', helm: { valueFiles: [../clusters/prod-values.yaml] }'),
      'clusters/prod-values.yaml': version('v1.14.0'),
      'all/Chart.yaml':
        'name: all\ndependencies: [{ name: root, version: 1.0.0, repository: "file://../root" }]\n',
      'all/values.yaml': 'root: { tls: { targetRevision: v1.15.0 } }\n',
    };
    const found = describeItems({ ...others, ...more }).filter((line) => line.startsWith('charts.'));
    expect(found.toSorted()).toEqual([
      'charts.jetstack.io/cert-manager v1.13.0 (overridden)',
      'charts.jetstack.io/cert-manager v1.14.0',
      'charts.jetstack.io/cert-manager v1.15.0',
    ]);
  });
});

describe('an Application of a chart that its values disable', () => {
  test('is not installed in the environment whose values disable it', () => {
    const values = (isEnabled: boolean, version: string) =>
      `tls: { enabled: ${isEnabled}, targetRevision: ${version} }\n`;
    const files = {
      ...chart,
      [template]: application('tls', { ...certManager, targetRevision: '{{ .Values.tls.targetRevision }}' }),
      'root/values.yaml': 'tls: { enabled: false }\n',
      'root/values-prod.yaml': values(true, 'v1.12.0'),
      'root/values-test.yaml': values(false, 'v1.13.0'),
      'root/values-qa.yaml': 'tls: { targetRevision: v1.14.0 }\n',
    };
    expect(describeItems(files).toSorted()).toEqual([
      'charts.jetstack.io/cert-manager v1.12.0',
      'charts.jetstack.io/cert-manager v1.13.0 (not_installed)',
      'charts.jetstack.io/cert-manager v1.14.0 (not_installed)',
    ]);
  });

  const app = (condition: string, path = 'applications/web') => `{{- if ${condition} -}}
apiVersion: v1
kind: Namespace
metadata:
  name: web
  {{- if .Values.namespaceLabels }}
  labels: {}
  {{- end }}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: web
spec:
  source:
    path: "${path}"
    repoURL: {{ .Values.repoUrl | quote }}
    targetRevision: {{ .Values.targetRevision | quote }}
    helm:
      valueFiles:
        - "values.yaml"
        - "values-{{ .Values.name }}.yaml"
{{- end -}}
`;
  const image = (tag: string) => `image: { repository: ghcr.io/acme/web, tag: ${tag} }\n`;
  const files = (condition: string) => ({
    'environments/Chart.yaml': 'name: environments\n',
    'environments/templates/web.yaml': app(condition),
    'environments/values.yaml': 'applications:\n  web: false\n  other: true\n',
    'environments/values-paris.yaml': 'name: paris\napplications:\n  web: true\n',
    'environments/values-rome.yaml': 'name: rome\napplications: {}\n',
    'applications/web/Chart.yaml': 'name: web\n',
    'applications/web/values.yaml': image('1.0.0'),
    'applications/web/values-paris.yaml': image('1.1.0'),
    'applications/web/values-rome.yaml': image('1.2.0'),
  });
  const rootApplication = (helm: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: root }\nspec: { source: { repoURL: "https://git.example.org/a", path: environments, helm: { ${helm} } } }\n`;
  const outcomes = (given: Readonly<Record<string, string>>) =>
    discoverFiles(given).items.map(({ place, reason, note }) => [
      place.file.slice(place.file.lastIndexOf('/') + 1),
      reason,
      reason === 'not_installed' ? note : null,
    ]);
  const note = 'applications.web is false for environments/values-rome.yaml';

  test.each([
    '.Values.applications.web',
    '(index .Values "applications" "web")',
    'index .Values.applications "web"',
    'and .Values.applications.web .Values.applications.other',
  ])('has no installed values in an environment without the flag: {{ if %s }}', (condition) => {
    const found = outcomes(files(condition.replace(/^\((.*)\)$/, '$1')));
    expect(found).toContainEqual(['values-rome.yaml', 'not_installed', note]);
    expect(found).toContainEqual(['values-paris.yaml', null, null]);
    expect(found.find(([file]) => file === 'values.yaml')?.[1]).not.toBe('not_installed');
  });

  test('is not installed at all if every environment disables it', () => {
    const disabled = {
      ...files('.Values.applications.web'),
      'environments/values-paris.yaml': 'name: paris\n',
    };
    expect(new Set(outcomes(disabled).map(([, reason]) => reason))).toEqual(new Set(['not_installed']));
  });

  test.each([
    ['the condition has another form', { 'environments/templates/web.yaml': app('eq .Values.a "b"') }],
    [
      'the branch is the other one',
      { 'environments/templates/web.yaml': app('.Values.applications.web -}}{{- else') },
    ],
    [
      'another Application installs the chart with inline values that enable it',
      { 'root.yaml': rootApplication('valuesObject: { applications: { web: true } }') },
    ],
    [
      'an Application installs the chart with other values',
      { 'root.yaml': rootApplication('valueFiles: [rome.yaml]') },
    ],
    [
      'another Application deploys the directory',
      { 'environments/templates/all.yaml': app('.Values.x | not') },
    ],
    ['an environment is unreadable', { 'environments/values-rome.yaml': 'name: {\n' }],
    [
      'an Application of the environments has inline values',
      { 'root.yaml': rootApplication('valueFiles: [values-rome.yaml], valuesObject: { name: rome }') },
    ],
    [
      'an Application in a template of a chart without values deploys it',
      {
        'more/Chart.yaml': 'name: more\n',
        'more/templates/web.yaml': app('.Values.applications.web'),
      },
    ],
    [
      'a kustomization includes the directory',
      { 'all/kustomization.yaml': 'resources: [../applications/web]\n' },
    ],
    [
      'a kustomization includes a file of the directory',
      { 'all/kustomization.yaml': 'resources: [../applications/web/deployment.yaml]\n' },
    ],
    [
      'a Flux Kustomization applies the directory above',
      {
        'flux.yaml':
          'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: a }\nspec: { path: ./applications }\n',
      },
    ],
    [
      'an ApplicationSet deploys the directories',
      {
        'set.yaml':
          'apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: a }\nspec: { generators: [{ git: {} }], template: { metadata: { name: a }, spec: { source: { repoURL: "https://git.example.org/a", path: "{{path}}" } } } }\n',
      },
    ],
    [
      'an Application deploys the directory above',
      { 'root.yaml': rootApplication('').replace('path: environments', 'path: applications') },
    ],
    [
      'another chart contains the chart',
      {
        'all/Chart.yaml':
          'name: all\ndependencies: [{ name: web, repository: "file://../applications/web" }]\n',
      },
    ],
  ])('counts as installed if %s', (_, more) => {
    const disabled = {
      ...files('.Values.applications.web'),
      'environments/values-paris.yaml': 'name: paris\n',
    };
    const reasons = outcomes({ ...disabled, ...more }).map(([, reason]) => reason);
    expect(reasons).not.toContain('not_installed');
  });

  test('counts as installed if values in another directory enable it', () => {
    const more = {
      'environments/values-paris.yaml': 'name: paris\n',
      'root.yaml': rootApplication('valueFiles: [../clusters/values-rome.yaml]'),
      'clusters/values-rome.yaml': 'applications: { web: true }\n',
    };
    const found = outcomes({ ...files('.Values.applications.web'), ...more });
    expect(found).toContainEqual(['values-rome.yaml', null, null]);
    expect(found.find(([file]) => file === 'values.yaml')?.[1]).not.toBe('not_installed');
  });

  test('is not installed if only files in its directory refer to it', () => {
    const disabled = {
      ...files('.Values.applications.web'),
      'environments/values-paris.yaml': 'name: paris\n',
      'applications/web/base/kustomization.yaml': 'resources: [deployment.yaml]\n',
      'applications/kustomization.yaml': 'resources: [other]\n',
    };
    expect(new Set(outcomes(disabled).map(([, reason]) => reason))).toEqual(new Set(['not_installed']));
  });

  test('leaves what other tools deploy from its directory', () => {
    const compose = {
      'applications/web/compose.yaml': 'services: { web: { image: "ghcr.io/acme/db:1.0.0" } }\n',
    };
    const disabled = {
      ...files('.Values.applications.web'),
      'environments/values-paris.yaml': 'name: paris\n',
    };
    expect(outcomes({ ...disabled, ...compose })).toContainEqual(['compose.yaml', null, null]);
  });
});

describe('a version of an object that comes from the values of a chart', () => {
  const kafka = `apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata:
  name: events
spec:
  kafka:
    version: {{ .Values.kafka.version | quote }}
`;
  const values = (version: string) => `kafka:\n  version: ${version}\n`;
  const ofParent = (version: string) => `events:\n  kafka:\n    version: ${version}\n`;
  const files = {
    'apps/shop/Chart.yaml': 'name: shop\n',
    'apps/shop/charts/events/Chart.yaml': 'name: events\n',
    'apps/shop/charts/events/templates/kafka.yaml': kafka,
    'apps/shop/charts/events/values.yaml': values('4.0.0'),
    'apps/shop/values.yaml': 'replicas: 1\n',
    'apps/shop/values-prod.yaml': ofParent('3.9.1'),
  };
  const outcomes = (given: Readonly<Record<string, string>>) =>
    discoverFiles(given).items.map(
      ({ place, artifact, version, reason }) =>
        `${place.file}:${place.line} ${artifact.name} ${version} ${reason ?? '-'}`,
    );

  test('is an item in each values file of the chart and of the chart that contains it', () => {
    expect(outcomes({ ...files, 'apps/shop/values-test.yaml': 'replicas: 1\n' }).toSorted()).toEqual([
      'apps/shop/charts/events/values.yaml:2 apache/kafka 4.0.0 -',
      'apps/shop/values-prod.yaml:3 apache/kafka 3.9.1 -',
    ]);
  });

  test('is overridden in the values of the chart if every installation sets another one', () => {
    expect(outcomes(files)).toContain('apps/shop/charts/events/values.yaml:2 apache/kafka 4.0.0 overridden');
  });

  test.each<[string, Record<string, string>]>([
    [
      'an Application without values',
      {
        'app.yaml':
          'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec: { source: { repoURL: "https://git.acme.org/a.git", path: apps/shop } }\n',
      },
    ],
    ['a release of a helmfile', { 'helmfile.yaml': 'releases: [{ name: shop, chart: ./apps/shop }]\n' }],
    ['an unreadable values file', { 'apps/shop/values-test.yaml': 'events: {\n' }],
  ])('counts as deployed if an installation can use it: %s', (_, more) => {
    expect(outcomes({ ...files, ...more })).toContain(
      'apps/shop/charts/events/values.yaml:2 apache/kafka 4.0.0 -',
    );
  });

  test('is an item in the values files of a release', () => {
    const release = {
      'helmfile.yaml': 'releases: [{ name: shop, chart: ./apps/shop, values: [prod.yaml] }]\n',
      'prod.yaml': ofParent('3.9.2'),
    };
    expect(outcomes({ ...files, ...release })).toContain('prod.yaml:3 apache/kafka 3.9.2 -');
  });

  test('is no item if no template of an object uses it', () => {
    const template = {
      'apps/shop/charts/events/templates/kafka.yaml': kafka.replace('kind: Kafka', 'kind: Topic'),
    };
    expect(outcomes({ ...files, ...template })).toEqual([]);
  });
});

test('a chart whose versions exceed the limit of a scan is reported as not searched', () => {
  const all = Array.from({ length: 5_001 }, (_, at) => `v${at}.version`);
  const links = all.map(
    (path): Link => ({
      type: 'templated_version',
      kind: 'Kafka',
      name: null,
      field: 'spec.kafka.version',
      path,
      software: { repository: 'apache/kafka' },
    }),
  );
  const values = all.map((path, line) => [path, { path, text: '4.0.0', line, document: 0 }] as const);
  const unsearchedFiles: string[] = [];
  const found = linkTemplatedVersions([{ ...emptyExtraction(), path: 'web/templates/all.yaml', links }], {
    chartDirectories: new Set(['web']),
    valuesOf: new Map([['web/values.yaml', new Map(values)]]),
    installations: {
      ofChart: () => [],
      all: () => [],
      environments: () => [],
      replaceValue: () => false,
    },
    reportUnsearched: (path) => unsearchedFiles.push(path),
  });
  expect(found).toHaveLength(5_000);
  expect(unsearchedFiles).toEqual(['web/values.yaml']);
});

test('the time of a scan does not grow with the product of the charts in templates and the values files', () => {
  const link: Link = {
    type: 'templated_chart',
    repository: { text: 'https://charts.example.org' },
    chart: { text: 'web' },
    version: { path: 'web.version' },
    flags: [],
  };
  const links = Array<Link>(20_000).fill(link);
  const paths = Array.from({ length: 10_000 }, (_, at) => `web/values-${at}.yaml`);
  const values = paths.map((file) => ({ file, prefix: '' }));
  const environments = values.map((each) => ({ values: [each], isCertain: true, hasUnknownValues: false }));
  const installations = {
    ofChart: () => environments,
    all: () => environments,
    environments: () => environments,
    replaceValue: () => false,
  };
  const scanned = [{ ...emptyExtraction(), path: 'web/templates/all.yaml', links }];
  const unsearchedFiles = new Set<string>();
  const start = process.threadCpuUsage();
  const found = findTemplatedCharts([], scanned, {
    chartDirectories: new Set(['web']),
    valuesOf: new Map(),
    installations,
    reportUnsearched: (path) => unsearchedFiles.add(path),
  });
  markTemplatedCharts(found, scanned, installations);
  expect(process.threadCpuUsage(start).user).toBeLessThan(3_000_000);
  expect([...unsearchedFiles]).toEqual(paths);
});
