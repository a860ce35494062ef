import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';

const chart = (directory: string) => ({
  [`${directory}/Chart.yaml`]: `apiVersion: v2\nname: ${directory.slice(directory.lastIndexOf('/') + 1)}\nversion: 1.0.0\nappVersion: 9.9.9\n`,
});
const web = chart('charts/web');
const template = 'charts/web/templates/deployment.yaml';
const built = 'image: "{{ .Values.registry }}/{{ .Values.app.image }}:{{ .Values.app.version }}"\n';
const values = 'registry: registry.acme.org\napp:\n  image: shop/web\n  version: 1.0.0\n';

/** Returns the images, each with its file and line, its version, and the confidence of its proposal. */
function imagesOf(
  files: Readonly<Record<string, string>>,
  options?: Parameters<typeof discoverFiles>[1],
): string[] {
  return discoverFiles(files, options).items.flatMap(({ artifact, version, place, reason, proposal }) =>
    artifact.kind === 'image'
      ? `${place.file}:${place.line} ${artifact.name} ${version ?? '-'} ${reason ?? proposal?.confidence ?? 'none'}`
      : [],
  );
}

describe('an image that a template of a chart builds from values', () => {
  test.each([
    [
      'with parts of the values',
      '"{{ .Values.registry }}/{{ .Values.app.image }}:{{ .Values.app.version }}"',
    ],
    ['with a literal', 'registry.acme.org/shop/web:{{ .Values.app.version | quote }}'],
    ['with a format', '{{ printf "%s/%s:%s" .Values.registry .Values.app.image .Values.app.version }}'],
    [
      'with a default',
      '{{ .Values.registry }}/{{ .Values.app.image }}:{{ .Values.app.version | default .Chart.AppVersion }}',
    ],
    [
      'with an unset value',
      '{{ .Values.mirror | default .Values.registry }}/{{ coalesce .Values.name .Values.app.image }}:{{ required "Set it" .Values.app.version }}',
    ],
    [
      'with the root of another scope',
      '{{ $.Values.registry }}/{{ .Root.Values.app.image }}:{{ (.Values.app).version }} # the newest',
    ],
    ['with keys', '{{ get .Values "registry" }}/{{ index .Values.app "image" }}:{{ .Values.app.version }}'],
    ['with variables', '{{ $registry }}/{{ $app.image }}:{{ $app.version }}'],
  ])('has its version on the line of the values: %s', (_, image) => {
    const text = `{{- $registry := .Values.registry -}}\n{{- $app := .Values.app | default dict }}\nspec:\n  - image: ${image}\n`;
    expect(imagesOf({ ...web, [template]: text, 'charts/web/values.yaml': values })).toEqual([
      'charts/web/values.yaml:4 registry.acme.org/shop/web 1.0.0 certain',
    ]);
  });

  test.each([
    [
      'in an argument',
      '        - "--sidecar-image={{ .Values.registry }}/proxy:{{ .Values.proxyVersion }}"\n',
    ],
    [
      'in a definition',
      '{{- define "proxy" -}}\n"{{ .Values.registry }}/proxy:{{ .Values.proxyVersion }}"\n{{- end }}\n',
    ],
  ])('is found if only its version is in the values: %s', (_, text) => {
    expect(
      imagesOf({
        ...web,
        'charts/web/templates/vendor/_proxy.tpl': text,
        'charts/web/values.yaml': 'registry: registry.acme.org\nproxyVersion: 2.0.0\n',
      }),
    ).toEqual(['charts/web/values.yaml:2 registry.acme.org/proxy 2.0.0 certain']);
  });

  test.each([
    ['a condition', 'image: acme/web:{{ if .Values.slim }}slim-{{ end }}{{ .Values.tagVersion }}\n'],
    ['an unknown function', 'image: {{ lookup .Values.tagVersion }}:{{ .Values.tagVersion }}\n'],
    ['no image', 'label: {{ .Values.name }}:{{ .Values.tagVersion }}\n'],
    [
      'a variable with several values',
      '{{ $tag := .Values.tagVersion }}{{ $tag = "2.0.0" }}\nimage: acme/web:{{ $tag }}\n',
    ],
  ])('is not guessed from a template with %s', (_, text) => {
    const found = imagesOf({ ...web, [template]: text, 'charts/web/values.yaml': 'tagVersion: 1.0.0\n' });
    expect(found.filter((image) => !image.endsWith(' templated'))).toEqual([]);
  });

  test('has one version for each release of a helmfile that sets it, and the version of the chart is then overridden', () => {
    const files = {
      ...web,
      [template]: built,
      'charts/web/values.yaml': values,
      'apps/helmfile.yaml':
        'releases:\n  - name: a\n    chart: acme/web\n    values: [a.yaml]\n  - name: b\n    chart: ../charts/web\n    values: [values-b.yaml]\n',
      'apps/a.yaml': 'app:\n  version: 1.1.0\n',
      'apps/values-b.yaml':
        'app:\n  version: 1.2.0@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n',
    };
    expect(imagesOf(files)).toEqual([
      'charts/web/values.yaml:4 registry.acme.org/shop/web 1.0.0 overridden',
      // Only its name shows that the release uses this chart.
      'apps/a.yaml:2 registry.acme.org/shop/web 1.1.0 likely',
      'apps/values-b.yaml:2 registry.acme.org/shop/web 1.2.0 certain',
    ]);
    expect(imagesOf({ ...files, 'apps/a.yaml': 'replicas: 2\n' })).toContain(
      'charts/web/values.yaml:4 registry.acme.org/shop/web 1.0.0 certain',
    );
  });

  test('is set by the values of a chart that contains the chart, and by those of its Application', () => {
    const child = chart('charts/all/charts/web');
    const files = {
      ...chart('charts/all'),
      ...child,
      'charts/all/charts/web/templates/a.yaml': built,
      'charts/all/charts/web/values.yaml': values,
      'charts/all/values.yaml': 'web:\n  app:\n    version: 1.1.0\n',
      'app.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: all }\nspec:\n  source:\n    repoURL: https://git.acme.org/a.git\n    path: charts/all\n    helm: { valueFiles: [../../prod.yaml] }\n',
      'prod.yaml': 'web:\n  app:\n    version: 1.2.0\n',
    };
    expect(imagesOf(files)).toEqual([
      'charts/all/charts/web/values.yaml:4 registry.acme.org/shop/web 1.0.0 overridden',
      'charts/all/values.yaml:3 registry.acme.org/shop/web 1.1.0 overridden',
      'prod.yaml:3 registry.acme.org/shop/web 1.2.0 certain',
    ]);
  });

  test('is not guessed if a condition chooses between images with the same version', () => {
    const text = (other: string) =>
      `{{- if .Values.slim }}\nimage: acme/slim:{{ .Values.tagVersion }}\n{{- else }}\nimage: ${other}:{{ .Values.tagVersion }}\n{{- end }}\n`;
    const found = (other: string) =>
      imagesOf({ ...web, [template]: text(other), 'charts/web/values.yaml': 'tagVersion: 1.0.0\n' });
    expect(found('acme/full').filter((image) => !image.endsWith(' templated'))).toEqual([]);
    expect(found('quay.io/acme/slim')).toEqual(['charts/web/values.yaml:1 quay.io/acme/slim 1.0.0 certain']);
  });

  test('has no other registry in front of one that the values contain', () => {
    const plain = 'image: {{ .Values.app.image }}:{{ .Values.app.version }}\n';
    const full = values.replace('shop/web', 'quay.io/shop/web');
    for (const text of [plain + built, built + plain])
      expect(imagesOf({ ...web, [template]: text, 'charts/web/values.yaml': full })).toEqual([
        'charts/web/values.yaml:4 quay.io/shop/web 1.0.0 certain',
      ]);
  });
});

describe('the version in the values of a chart', () => {
  const prod = 'app:\n  version: 1.1.0\n';
  const files = {
    ...web,
    [template]: built,
    'charts/web/values.yaml': values,
    'charts/web/values-prod.yaml': prod,
  };
  const application = (helm: string, path = 'charts/web') => ({
    'app.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: web }\nspec: { source: { repoURL: "https://git.acme.org/a.git", path: "${path}", helm: { ${helm} } } }\n`,
  });
  const sources = (other: string) => ({
    'app.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: web }\nspec:\n  sources:\n    - { repoURL: "https://git.acme.org/a.git", path: charts/web, helm: { valueFiles: [$values/charts/web/values-prod.yaml] } }\n    - { repoURL: "${other}", ref: values }\n`,
  });
  const helmfile = (release: string) => ({ 'helmfile.yaml': `releases:\n  - { name: web, ${release} }\n` });
  const helmRelease = (spec: string) => ({
    'release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: web }\nspec: { chart: { spec: { chart: ./charts/web, sourceRef: { kind: GitRepository, name: a }, ${spec} } } }\n`,
  });
  const umbrella = (text: string) => ({
    'charts/all/Chart.yaml':
      'name: all\ndependencies: [{ name: web, version: 1.0.0, repository: "file://../web" }]\n',
    'charts/all/values.yaml': text,
  });
  const deployed = 'charts/web/values.yaml:4 registry.acme.org/shop/web 1.0.0 certain';
  const overridden = 'charts/web/values.yaml:4 registry.acme.org/shop/web 1.0.0 overridden';

  test.each<[string, Record<string, string>]>([
    ['no other file installs the chart', {}],
    ['an Application', application('valueFiles: [values-prod.yaml]')],
    ['an Application with its values in another source', sources('https://git.acme.org/a.git')],
    ['a release of a helmfile', helmfile('chart: ./charts/web, values: [charts/web/values-prod.yaml]')],
    ['a chart that contains the chart', umbrella('web: { app: { version: 1.2.0 } }\n')],
  ])('is overridden if every installation sets another one in a file that was read: %s', (_, more) => {
    expect(imagesOf({ ...files, ...more })).toContain(overridden);
  });

  test.each<[string, Record<string, string>]>([
    ['an Application without values', application('')],
    ['an Application with only the values of the chart', application('valueFiles: [values.yaml]')],
    ['a release of a helmfile without values', helmfile('chart: ./charts/web')],
    ['a release that only the name of the chart links to it', helmfile('chart: acme/web')],
    ['a release whose chart comes from a template', helmfile('chart: "./charts/{{ .Release.Name }}"')],
    ['a HelmRelease', helmRelease('interval: 1m')],
    ['a HelmRelease with values files', helmRelease('valuesFiles: [charts/web/values.yaml]')],
    ['a chart that contains the chart', umbrella('replicas: 2\n')],
    [
      'a chart with a dependency of this name',
      {
        'charts/all/Chart.yaml':
          'name: all\ndependencies: [{ name: web, version: 1.0.0, repository: "oci://ghcr.io/acme" }]\n',
      },
    ],
    [
      'a release of Terraform',
      { 'main.tf': 'resource "helm_release" "web" {\n  name = "web"\n  chart = "./charts/web"\n}\n' },
    ],
    ['a templated Application', application('', 'charts/{{ name }}')],
    [
      'an Application in a template of a chart',
      {
        ...chart('apps'),
        'apps/templates/web.yaml':
          'apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    path: charts/web\n    repoURL: {{ .Values.url }}\n',
      },
    ],
  ])('counts as deployed if an installation can use it: %s', (_, more) => {
    expect(imagesOf({ ...files, ...more })).toContain(deployed);
  });

  test.each<[string, Record<string, string>]>([
    ['in another repository', sources('https://git.acme.org/values.git')],
    ['with a templated name', application('valueFiles: ["values-{{ name }}.yaml"]')],
    ['at a URL', application('valueFiles: [values-prod.yaml, "https://git.acme.org/values.yaml"]')],
    ['not in the scan', application('valueFiles: [values-prod.yaml, values-region.yaml]')],
    [
      'of one environment of a helmfile',
      {
        'helmfile.yaml':
          'environments: { dev: {}, prod: {} }\nreleases:\n  - { name: web, chart: ./charts/web, values: ["{{ .Environment.Name }}.yaml"] }\n',
        'dev.yaml': 'replicas: 1\n',
        'prod.yaml': prod,
      },
    ],
    ['not readable', { 'charts/web/values-test.yaml': 'app: {\n' }],
    ['not readable, as other manifests', { 'apps/web.yaml': 'kind: {\n' }],
    ['inline', application('valueFiles: [values-prod.yaml], valuesObject: { app: { version: 1.1.1 } }')],
    ['inline as a text', application('valueFiles: [values-prod.yaml], values: "replicas: 2"')],
    [
      'inline as parameters',
      application('valueFiles: [values-prod.yaml], parameters: [{ name: a, value: b }]'),
    ],
    [
      'inline in a helmfile',
      helmfile('chart: ./charts/web, values: [charts/web/values-prod.yaml, { a: 1 }]'),
    ],
  ])('counts as deployed if the values of an installation are unknown: %s', (_, more) => {
    expect(imagesOf({ ...files, ...more })).toContain(deployed);
  });

  test('counts as deployed if the scan reads only a part of the repository', () => {
    expect(imagesOf(files, { isWholeRepository: false })).toContain(deployed);
  });

  test('is not overridden by an example of values', () => {
    const { 'charts/web/values-prod.yaml': example, ...rest } = files;
    expect(imagesOf({ ...rest, 'charts/web/values-example.yaml': example })).toContain(deployed);
  });

  test('is not overridden by a release of a chart that only has the same name', () => {
    const { 'charts/web/values-prod.yaml': _, ...rest } = files;
    const found = imagesOf({
      ...rest,
      ...helmfile('chart: acme/web, values: [prod.yaml]'),
      'prod.yaml': prod,
    });
    expect(found).toEqual([deployed, 'prod.yaml:2 registry.acme.org/shop/web 1.1.0 likely']);
  });
});

describe('the registry of an image in values', () => {
  const image = 'image:\n  repository: acme/web\n  tag: 1.0.0\n';

  test('is certain only if the values contain it, or if the templates of the chart show that there is no other', () => {
    const plain = { ...web, [template]: 'image: {{ .Values.image.repository }}:{{ .Values.image.tag }}\n' };
    const found = (files: Readonly<Record<string, string>>, text = image) =>
      discoverFiles({ ...files, 'charts/web/values.yaml': text }).items.map(({ proposal }) => [
        proposal?.artifact_name,
        proposal?.confidence,
      ]);
    expect(found(plain)).toEqual([['docker.io/acme/web', 'certain']]);
    expect(found(web)).toEqual([['docker.io/acme/web', 'likely']]);
    expect(found({})).toEqual([['docker.io/acme/web', 'likely']]);
    expect(found({}, image.replace('acme/web', 'ghcr.io/acme/web'))).toEqual([
      ['ghcr.io/acme/web', 'certain'],
    ]);
  });

  test('is that of the chart if all images of the chart have the same one', () => {
    const files = {
      ...web,
      [template]:
        'image: {{ .Values.registry }}/{{ $job.image }}:{{ $job.tag }}\n---\nimage: {{ .Values.registry }}/proxy:{{ .Values.proxyVersion }}\n',
      'charts/web/values.yaml':
        'registry: registry.acme.org\njobs:\n  - image: shop/job:1.0.0\n  - image: quay.io/shop/job:1.0.0\n',
    };
    expect(imagesOf(files)).toEqual([
      'charts/web/values.yaml:3 registry.acme.org/shop/job 1.0.0 likely',
      'charts/web/values.yaml:4 quay.io/shop/job 1.0.0 certain',
    ]);
    const other = { ...files, 'charts/web/templates/other.yaml': 'image: {{ $job.image }}\n' };
    expect(imagesOf(other)).toContain('charts/web/values.yaml:3 shop/job 1.0.0 likely');
  });
});

test('the time of a scan does not grow with the product of the images of a chart and its values files', () => {
  const files: Record<string, string> = { ...web, 'charts/web/values.yaml': 'a: { version: 1.0.0 }\n' };
  for (let at = 0; at < 600; at++) files[`charts/web/values-${at}.yaml`] = `a: { version: 1.0.${at} }\n`;
  for (let at = 0; at < 10; at++)
    files[`charts/web/templates/${at}.yaml`] = Array.from(
      { length: 100 },
      (_, each) => `image: acme/${at}-${each}:{{ .Values.a.version }}\n`,
    ).join('---\n');
  const before = process.cpuUsage();
  const { problems } = discoverFiles(files);
  const { user } = process.cpuUsage(before);
  expect(problems).toContainEqual(
    expect.objectContaining({ file: 'charts/web/values.yaml', reason: 'limit' }),
  );
  expect(user / 1e6).toBeLessThan(20);
});
