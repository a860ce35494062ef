import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../tests/helpers/discover-files.ts';

const release = (name: string, source: string, version = '1.2.3') => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: ${name}, namespace: shop }
spec:
  chart: { spec: { chart: ${name}, version: "${version}", sourceRef: ${source} } }
`;

const repository = (
  name: string,
  namespace: string | null,
  url: string,
  more = '',
) => `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: ${name}${namespace === null ? '' : `, namespace: ${namespace}`} }
spec: { url: "${url}"${more} }
`;

describe('the repository of a Flux release', () => {
  const source = '{ kind: HelmRepository, name: acme }';

  test.each([
    [
      'a repository in the same namespace',
      [
        repository('acme', 'shop', 'https://a.example.org'),
        repository('acme', 'other', 'https://b.example.org'),
      ],
      'a.example.org/web 1.2.3',
    ],
    [
      'a repository in another namespace if its name is unique',
      [repository('acme', 'other', 'https://b.example.org')],
      'b.example.org/web 1.2.3',
    ],
    [
      'a repository without a namespace',
      [repository('acme', null, 'https://c.example.org')],
      'c.example.org/web 1.2.3',
    ],
    [
      'a repository in an OCI registry',
      [repository('acme', 'shop', 'oci://ghcr.io/acme', ', type: oci')],
      'ghcr.io/acme/web 1.2.3',
    ],
    [
      'no repository if two other namespaces have a repository of that name',
      [repository('acme', 'a', 'https://a.example.org'), repository('acme', 'b', 'https://b.example.org')],
      'web 1.2.3 (no_source)',
    ],
    [
      'no repository if its URL is a variable',
      [repository('acme', 'shop', '${URL}')],
      'web 1.2.3 (templated)',
    ],
    ["no repository if it doesn't exist", [], 'web 1.2.3 (no_source)'],
  ])('is resolved by name and namespace: %s', (_, repositories, expected) => {
    const files = Object.fromEntries(repositories.map((text, at) => [`sources/${at}.yaml`, text]));
    expect(describeItems({ 'apps/web.yaml': release('web', source), ...files })).toEqual([expected]);
  });

  test('has only the confidence likely if it is resolved by name alone', () => {
    const files = {
      'a.yaml': release('web', source),
      'b.yaml': repository('acme', 'other', 'https://b.example.org'),
    };
    expect(discoverFiles(files).items[0]?.proposal).toMatchObject({ confidence: 'likely' });
  });

  test('a release has the chart and version of the source in its chartRef, and the source is not a separate item', () => {
    const files = {
      'release.yaml':
        'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: web, namespace: shop }\nspec: { chartRef: { kind: OCIRepository, name: web-chart } }\n',
      'source.yaml':
        'apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: { name: web-chart, namespace: shop }\nspec: { url: "oci://ghcr.io/acme/charts/web", ref: { tag: 1.2.3 } }\n',
    };
    expect(discoverFiles(files).items).toMatchObject([
      {
        artifact: { kind: 'chart', name: 'web', purl: expect.stringContaining('pkg:oci/web') },
        version: '1.2.3',
        note: 'version of OCIRepository web-chart',
        place: { file: 'release.yaml', kind: 'HelmRelease' },
        service: 'web',
      },
    ]);
  });

  test('a patch in an overlay has the chart of the release that it patches', () => {
    const base = release('web', source).replace('version: "1.2.3", ', '');
    const patch =
      'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: web, namespace: shop }\nspec: { chart: { spec: { version: 2.0.0 } } }\n';
    expect(
      describeItems({
        'base/web.yaml': base,
        'prod/web.yaml': patch,
        'sources.yaml': repository('acme', 'shop', 'https://a.example.org'),
      }),
    ).toEqual(['a.example.org/web - (overridden)', 'a.example.org/web 2.0.0']);
  });
});

describe('files in the same directory', () => {
  test('a chart lock file replaces a range with an exact version', () => {
    const files = {
      'shop/Chart.yaml':
        'name: shop\ndependencies: [{ name: redis, version: ^1.0.0, repository: https://charts.example.org }]\n',
      'shop/Chart.lock': 'dependencies: [{ name: redis, version: 1.4.2 }]\n',
      'other/Chart.lock': 'dependencies: [{ name: redis, version: 1.9.9 }]\n',
    };
    expect(discoverFiles(files).items).toMatchObject([
      { version: '1.4.2', version_state: 'exact', reason: null, note: 'lock file, for ^1.0.0' },
    ]);
  });

  test('a Terraform lock file replaces the range of a provider with an exact version', () => {
    const files = {
      'a/main.tf':
        'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws", version = "~> 5.0" }\n  }\n}\n',
      'a/.terraform.lock.hcl':
        'provider "registry.terraform.io/hashicorp/aws" {\n  version = "5.31.0"\n  hashes = [\n    "h1:a",\n  ]\n}\n',
    };
    expect(describeItems(files)).toEqual([
      'https://registry.terraform.io/v1/providers/hashicorp/aws/versions 5.31.0',
    ]);
  });

  const lockOf = (...providers: [address: string, version: string][]) =>
    providers.map(([address, version]) => `provider "${address}" {\n  version = "${version}"\n}\n`).join('');
  const requires = (version: string) =>
    `terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws", version = "${version}" }\n  }\n}\n`;

  test('a locked version outside the range is ignored, and an OpenTofu lock entry applies to the same provider', () => {
    const stale = ['registry.terraform.io/hashicorp/aws', '5.82.2'] as const;
    const main = requires('~> 6.0');
    expect(describeItems({ 'main.tf': main, '.terraform.lock.hcl': lockOf([...stale]) })).toEqual([
      'https://registry.terraform.io/v1/providers/hashicorp/aws/versions ~> 6.0 (range)',
    ]);
    const both = lockOf([...stale], ['registry.opentofu.org/hashicorp/aws', '6.15.0']);
    expect(describeItems({ 'main.tf': main, '.terraform.lock.hcl': both })).toEqual([
      'https://registry.terraform.io/v1/providers/hashicorp/aws/versions 6.15.0',
    ]);
  });

  test('a provider that only the lock file lists is read from the lock file', () => {
    const files = {
      'a/main.tf': requires('5.31.0'),
      'a/.terraform.lock.hcl': lockOf(
        ['registry.terraform.io/hashicorp/aws', '5.31.0'],
        ['registry.terraform.io/hashicorp/random', '3.6.0'],
        ['registry.example.org/acme/cloud', '1.0.0'],
      ),
    };
    const { items } = discoverFiles(files);
    expect(
      items.map(({ artifact, version, reason, place }) => [artifact.name, version, reason, place.file]),
    ).toEqual([
      ['hashicorp/aws', '5.31.0', null, 'a/main.tf'],
      ['hashicorp/random', '3.6.0', null, 'a/.terraform.lock.hcl'],
      ['registry.example.org/acme/cloud', '1.0.0', 'no_source', 'a/.terraform.lock.hcl'],
    ]);
  });

  test('a provider belongs to the registry that the lock files specify, also in a module without a lock file', () => {
    const main = requires('~> 6.0');
    const files = {
      'env/prod/main.tf': main,
      'env/prod/.terraform.lock.hcl': lockOf(['registry.opentofu.org/hashicorp/aws', '6.15.0']),
      'modules/web/main.tf': main,
    };
    const address = 'https://registry.opentofu.org/v1/providers/hashicorp/aws/versions';
    expect(describeItems(files)).toEqual([`${address} 6.15.0`, `${address} ~> 6.0 (range)`]);
    const mixed = {
      ...files,
      'env/dev/.terraform.lock.hcl': lockOf(['registry.terraform.io/hashicorp/aws', '6.14.0']),
    };
    expect(describeItems(mixed)).toContain(
      'https://registry.terraform.io/v1/providers/hashicorp/aws/versions ~> 6.0 (range)',
    );
  });

  test('an empty tag in chart values means the appVersion of the chart', () => {
    const files = {
      'web/Chart.yaml': 'name: web\nappVersion: "3.1.0"\n',
      'web/values.yaml': 'image: { repository: acme/web, tag: "" }\n',
      'elsewhere/values.yaml': 'image: { repository: acme/web, tag: "" }\n',
    };
    expect(describeItems(files)).toEqual([
      'docker.io/acme/web 3.1.0',
      'docker.io/acme/web - (chart_default)',
    ]);
  });

  describe('an empty tag in chart values', () => {
    const files = {
      'web/Chart.yaml': 'name: web\nappVersion: "3.1.0"\n',
      'web/values.yaml': 'image: { repository: acme/web, tag: "" }\n',
    };
    const outcome = (template: string, more = {}) =>
      describeItems({ ...files, 'web/templates/web.yaml': `kind: Deployment\n${template}\n`, ...more });

    test.each([
      'image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"',
      'image: {{ printf "%s:%s" .Values.image.repository (default $.Chart.AppVersion .Values.image.tag) }}',
      'image: {{ include "common.images.image" (dict "imageRoot" .Values.image "chart" .Chart) }}',
      '{{- with .Values.image }}image: "{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}"{{ end }}',
      'image: "{{ .Values.image.repository }}:{{ .Chart.AppVersion }}"',
    ])('means the appVersion if a template uses it: %s', (template) => {
      expect(outcome(template)).toEqual(['docker.io/acme/web 3.1.0']);
    });

    test.each([
      'image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"',
      'image: "{{ .Values.image.repository }}:{{ .Values.other.tag | default .Chart.AppVersion }}"',
      'app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}',
      'labels: {{ include "web.labels" (dict "chart" .Chart) }}',
    ])('does not mean the appVersion if no template uses it for this image: %s', (template) => {
      expect(outcome(template)).toEqual(['docker.io/acme/web - (chart_default)']);
    });

    test('means the appVersion if a helper uses it, or a template could not be read', () => {
      const plain = 'image: {{ include "web.image" . }}';
      const helper =
        '{{- define "web.image" }}{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}\n';
      expect(outcome(plain, { 'web/templates/_helpers.tpl': helper })).toEqual(['docker.io/acme/web 3.1.0']);
    });

    test('does not mean the appVersion if only a helper without a definition in the repository gets the chart', () => {
      for (const argument of ['(dict "image" .Values.image "chart" .Chart)', '(dict "chart" .Chart)', '.']) {
        const template = `image: {{ include "library.image" ${argument} }}`;
        expect(outcome(template)).toEqual(['docker.io/acme/web - (chart_default)']);
        const { items } = discoverFiles({ ...files, 'web/templates/web.yaml': `${template}\n` });
        expect(items[0]?.note ?? '').not.toContain('no template uses');
      }
    });

    test.each([
      ['(dict "image" .Values.image "chart" .Chart)', '.image.tag | default .chart.AppVersion'],
      ['.', '.Values.image.tag | default .Chart.AppVersion'],
      ['.', 'include "library.tag" (dict "chart" .Chart)'],
    ])(
      'means the appVersion if the definition of a helper in another chart uses it: %s, %s',
      (argument, body) => {
        const more = {
          'library/Chart.yaml': 'name: library\ntype: library\n',
          'library/templates/_image.tpl': `{{- define "library.image" }}{{ ${body} }}{{ end }}\n`,
          'library/templates/_tag.tpl': '{{- define "library.tag" }}{{ .chart.AppVersion }}{{ end }}\n',
        };
        const template = `image: {{ include "library.image" ${argument} }}`;
        expect(outcome(template, more)).toEqual(['docker.io/acme/web 3.1.0']);
        const plain = '{{- define "library.image" }}{{ .image.tag }}{{ end }}\n';
        expect(outcome(template, { ...more, 'library/templates/_image.tpl': plain })).toEqual([
          'docker.io/acme/web - (chart_default)',
        ]);
      },
    );

    test('in the values of a subchart means the appVersion of the subchart', () => {
      const image =
        'image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"\n';
      const ofParent = (more: object) =>
        describeItems({
          'shop/Chart.yaml':
            'name: shop\nappVersion: "9.9.9"\ndependencies:\n  - { name: web, version: 1.0.0, repository: "https://charts.example.org" }\n',
          'shop/values.yaml': 'web:\n  image: { repository: acme/web, tag: "" }\n',
          ...more,
        }).filter((line) => line.includes('acme/web'));
      expect(ofParent({})).toEqual(['docker.io/acme/web - (chart_default)']);
      expect(
        ofParent({
          'shop/templates/web.yaml':
            'image: {{ include "image" (dict "image" .Values.web.image "default" .Chart.AppVersion) }}\n',
        }),
      ).toEqual(['docker.io/acme/web 9.9.9']);
      expect(
        ofParent({
          'shop/charts/web/Chart.yaml': 'name: web\nappVersion: "3.1.0"\n',
          'shop/charts/web/templates/web.yaml': image,
        }),
      ).toEqual(['docker.io/acme/web 3.1.0']);
    });
  });

  test('a tag whose image is in an unread file has this reason, so it is not accepted as another artifact', () => {
    const files = {
      'web/Chart.yaml': 'name: web\n',
      'web/values.yaml': 'image:\n  repository: acme/web\n  tag: 1.0.0\n',
      'web/values-prod.yaml': 'image: { tag: 1.1.0 }\n',
    };
    expect(describeItems(files)).toContain('docker.io/acme/web 1.1.0');
    const conflict = '<<<<<<< HEAD\nimage: {}\n=======\nimage: []\n>>>>>>> other\n';
    expect(discoverFiles({ ...files, 'web/values.yaml': conflict }).items).toMatchObject([
      {
        version: '1.1.0',
        reason: 'not_scanned',
        note: "the image is in web/values.yaml, which couldn't be read",
      },
    ]);
    const { 'web/values.yaml': _, ...others } = files;
    expect(discoverFiles(others).items).toMatchObject([{ version: '1.1.0', reason: 'no_source' }]);
  });
});

describe('kustomize overlays', () => {
  const deployment =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { template: { spec: { containers: [{ name: web, image: "acme/web:1.0.0" }] } } }\n';
  const base = { 'base/web.yaml': deployment, 'base/kustomization.yaml': 'resources: [web.yaml]\n' };
  const overlay = (tag: string | null) =>
    `resources: [../base]\n${tag === null ? '' : `images: [{ name: acme/web, newTag: "${tag}" }]\n`}`;

  test('override the image tag of the base if every overlay sets a tag', () => {
    const files = {
      ...base,
      'dev/kustomization.yaml': overlay('2.0.0'),
      'prod/kustomization.yaml': overlay('1.5.0'),
    };
    expect(describeItems(files)).toEqual([
      'docker.io/acme/web 1.0.0 (overridden)',
      'docker.io/acme/web 2.0.0',
      'docker.io/acme/web 1.5.0',
    ]);
  });

  test('keep the image tag of the base if one overlay sets no tag', () => {
    const files = {
      ...base,
      'dev/kustomization.yaml': overlay('2.0.0'),
      'prod/kustomization.yaml': overlay(null),
    };
    expect(describeItems(files)).toEqual(['docker.io/acme/web 1.0.0', 'docker.io/acme/web 2.0.0']);
  });

  const source = (name: string, repository: string) =>
    `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: ${name} }\nspec: { url: "https://github.com/acme/${repository}", ref: { branch: main } }\n`;
  const fluxOf = (name: string, path: string, images = '') =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name} }\nspec: { path: ${path}, sourceRef: { kind: GitRepository, name: ${name} }${images} }\n`;
  const tag = ', images: [{ name: acme/web, newTag: 3.0.0 }]';
  const sync = (repository: string) => ({
    'clusters/prod/flux-system/sync.yaml': `${source('flux-system', repository)}---\n${fluxOf('flux-system', './clusters/prod')}`,
  });

  test.each([
    ['of another repository replace nothing in this one', 'other', tag, null],
    ['of this repository replace images, whatever the name of their source', 'deploy', tag, 'overridden'],
  ])('that are Flux Kustomizations %s', (_, repository, images, reason) => {
    const files = {
      ...base,
      ...sync('deploy'),
      'clusters/prod/web.yaml': `${source('web', repository)}---\n${fluxOf('web', './base', images)}`,
    };
    expect(discoverFiles(files).items.find(({ place }) => place.file === 'base/web.yaml')).toMatchObject({
      version: '1.0.0',
      reason,
    });
  });

  test.each([
    ['of another repository', { ...sync('deploy') }, 'overridden'],
    ['that can be of this repository', {}, null],
  ])('replace the base of a Flux Kustomization without images %s or not', (_, more, reason) => {
    const files = {
      ...base,
      ...more,
      'prod/kustomization.yaml': overlay('2.0.0'),
      'clusters/prod/web.yaml': `${source('web', 'a')}---\n${fluxOf('web', './base')}`,
      'clusters/prod/shop.yaml': `${source('shop', 'b')}---\n${fluxOf('shop', './shop')}`,
    };
    expect(discoverFiles(files).items.find(({ place }) => place.file === 'base/web.yaml')).toMatchObject({
      version: '1.0.0',
      reason,
    });
  });

  test('can be Flux Kustomizations, and can reference each other in a cycle', () => {
    const flux =
      'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: web }\nspec: { path: ./base, images: [{ name: acme/web, newTag: 3.0.0 }] }\n';
    expect(describeItems({ ...base, 'clusters/prod.yaml': flux })).toEqual([
      'docker.io/acme/web 1.0.0 (overridden)',
      'docker.io/acme/web 3.0.0',
    ]);
    const circle = {
      'a/kustomization.yaml': 'resources: [../b, web.yaml]\n',
      'b/kustomization.yaml': 'resources: [../a]\n',
      'a/web.yaml': deployment,
    };
    expect(describeItems(circle)).toEqual(['docker.io/acme/web 1.0.0']);
  });
});

describe('a kustomize image override', () => {
  const pod = 'apiVersion: v1\nkind: Pod\nspec: { containers: [{ name: a, image: acme/cart:1.0.0 }] }\n';
  const overlay = (name: string, more = '') =>
    `resources:\n  - ../base\n${more}images:\n  - name: ${name}\n    newTag: 2.0.0\n`;
  const base = 'resources:\n  - pod.yaml\n  - service.yaml\n';
  const files = {
    'base/kustomization.yaml': base,
    'base/pod.yaml': pod,
    'base/service.yaml': 'kind: Service\n',
  };
  const overridesIn = (more: Record<string, string>) =>
    discoverFiles({ ...files, ...more })
      .items.filter(({ place }) => place.file === 'prod/kustomization.yaml')
      .map(({ artifact, reason, note }) => [artifact.name, reason, note]);
  const unused = 'no resource of this kustomization has this image';

  test('is invalid if no resource has the image', () => {
    expect(overridesIn({ 'prod/kustomization.yaml': overlay('acme/catr') })).toEqual([
      ['acme/catr', 'invalid', unused],
    ]);
    const replicas = 'patches:\n  - patch: "[{ op: replace, path: /spec/replicas, value: 2 }]"\n';
    expect(overridesIn({ 'prod/kustomization.yaml': overlay('acme/catr', replicas) })).toEqual([
      ['acme/catr', 'invalid', unused],
    ]);
  });

  test.each<[string, Record<string, string>]>([
    ['the name of an image', { 'prod/kustomization.yaml': overlay('acme/cart') }],
    ['a pattern', { 'prod/kustomization.yaml': overlay('".*/car."') }],
    [
      'a remote resource',
      { 'prod/kustomization.yaml': overlay('catr', '  - https://github.com/a/b?ref=v1\n') },
    ],
    ['a missing resource', { 'prod/kustomization.yaml': overlay('catr', '  - gone.yaml\n') }],
    ['a component', { 'prod/kustomization.yaml': overlay('catr', 'kind: Component\n') }],
    ['a chart', { 'prod/kustomization.yaml': overlay('catr', 'helmCharts: [{ name: a }]\n') }],
    ['a patch in a file', { 'prod/kustomization.yaml': overlay('catr', 'patches: [{ path: a.yaml }]\n') }],
    [
      'a patch of an image',
      { 'prod/kustomization.yaml': overlay('catr', 'patches: [{ patch: "path: /spec/image" }]\n') },
    ],
    [
      'an invalid resource',
      { 'prod/kustomization.yaml': overlay('catr'), 'base/service.yaml': `${pod}a: [\n` },
    ],
    [
      'a templated image',
      { 'prod/kustomization.yaml': overlay('catr'), 'base/pod.yaml': pod.replace('acme/cart', '${IMAGE}') },
    ],
    [
      'a name that the base sets',
      {
        'prod/kustomization.yaml': overlay('ghcr.io/acme/cart'),
        'base/kustomization.yaml': `${base}images: [{ name: acme/cart, newName: ghcr.io/acme/cart }]\n`,
      },
    ],
  ])('is not invalid with %s', (_, more) => {
    const found = overridesIn(more).filter(([name]) => name !== 'github.com/a/b' && name !== 'a');
    expect(found).toHaveLength(1);
    expect(found[0]![1]).not.toBe('invalid');
  });
});

describe('overlays', () => {
  const deployment = (image: string, name = 'web') =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ${name} }\nspec: { template: { spec: { containers: [{ name: web, image: "${image}" }] } } }\n`;
  const base = {
    'base/kustomization.yaml': 'resources: [web.yaml]\n',
    'base/web.yaml': deployment('ghcr.io/acme/web:1.0.0'),
  };
  const kustomization = 'overlays/prod/kustomization.yaml';
  const operations =
    '- op: replace\n  path: /spec/template/spec/containers/0/image\n  value: ghcr.io/acme/web:2.0.0\n';
  const indented = (text: string) => text.replaceAll(/^/gm, '      ');
  const target = 'target: { kind: Deployment, name: web }';

  test.each([
    [
      'an inline JSON patch',
      { [kustomization]: `patches:\n  - ${target}\n    patch: |\n${indented(operations)}\n` },
    ],
    [
      'a JSON patch in a file',
      { [kustomization]: `patches:\n  - ${target}\n    path: p.yaml\n`, 'overlays/prod/p.yaml': operations },
    ],
    [
      'an inline part of the object',
      { [kustomization]: `patches:\n  - patch: |\n${indented(deployment('ghcr.io/acme/web:2.0.0'))}\n` },
    ],
    [
      'a part of the object in a file',
      {
        [kustomization]: 'patchesStrategicMerge: [p.yaml]\n',
        'overlays/prod/p.yaml': deployment('ghcr.io/acme/web:2.0.0'),
      },
    ],
  ])('of kustomize that replace an image with %s override their base', (_, files) => {
    const all = { ...base, ...files, [kustomization]: `resources: [../../base]\n${files[kustomization]}` };
    expect(describeItems(all)).toEqual(['ghcr.io/acme/web 1.0.0 (overridden)', 'ghcr.io/acme/web 2.0.0']);
    // Another overlay still deploys the base.
    const other = { ...all, 'overlays/dev/kustomization.yaml': 'resources: [../../base]\n' };
    expect(describeItems(other)).toEqual(['ghcr.io/acme/web 1.0.0', 'ghcr.io/acme/web 2.0.0']);
    // Another object with the same image isn't patched.
    const twin = {
      ...all,
      'base/kustomization.yaml': 'resources: [web.yaml, api.yaml]\n',
      'base/api.yaml': deployment('ghcr.io/acme/web:1.0.0', 'api'),
    };
    expect(describeItems(twin)).toContain('ghcr.io/acme/web 1.0.0');
  });

  const policy = (spec: string) =>
    `apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: { name: nic }\nspec:\n  driver: { ${spec} }\n`;
  const policyBase = {
    'base/kustomization.yaml': 'resources: [nic.yaml]\n',
    'base/nic.yaml': policy('repository: nvcr.io/acme, image: driver, version: 3.2.0'),
  };
  const policyPart = policy('version: 3.2.2').replace('{ version: 3.2.2 }', '\n    version: 3.2.2');
  const policyOperations = '- op: replace\n  path: /spec/driver/version\n  value: 3.2.2\n';
  const policyTarget = 'target: { kind: NicClusterPolicy, name: nic }';

  test.each([
    ['an inline part of the object', `patches:\n  - patch: |\n${indented(policyPart)}\n`, {}],
    [
      'an inline JSON patch',
      `patches:\n  - ${policyTarget}\n    patch: |\n${indented(policyOperations)}\n`,
      {},
    ],
    [
      'a part of the object in a file',
      'patches: [{ path: p.yaml }]\n',
      { 'overlays/prod/p.yaml': policyPart },
    ],
    [
      'a JSON patch in a file',
      `patches:\n  - ${policyTarget}\n    path: p.yaml\n`,
      { 'overlays/prod/p.yaml': policyOperations },
    ],
  ])('of kustomize that set only a version in %s use the image of the object', (_, patches, files) => {
    const all = { ...policyBase, ...files, [kustomization]: `resources: [../../base]\n${patches}` };
    expect(describeItems(all)).toEqual([
      'nvcr.io/acme/driver 3.2.0 (overridden)',
      'nvcr.io/acme/driver 3.2.2',
    ]);
    const other = { ...all, 'overlays/test/kustomization.yaml': 'resources: [../../base]\n' };
    expect(describeItems(other)).toEqual(['nvcr.io/acme/driver 3.2.0', 'nvcr.io/acme/driver 3.2.2']);
    // The patch of another object, or a file that isn't a patch, sets no version.
    for (const unused of [
      { ...all, 'base/nic.yaml': policyBase['base/nic.yaml'].replace('name: nic', 'name: other') },
      { ...all, [kustomization]: 'resources: [../../base]\n' },
    ])
      expect(describeItems(unused)).toEqual(['nvcr.io/acme/driver 3.2.0']);
  });

  const release = (version: string, tag: string) =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: web, namespace: web }\nspec:\n  chart: { spec: { chart: web, version: ${version}, sourceRef: { kind: HelmRepository, name: acme } } }\n  values: { image: { repository: ghcr.io/acme/web, tag: ${tag} } }\n---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: { name: acme, namespace: web }\nspec: { url: "https://charts.example.org" }\n`;
  const part =
    'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: web, namespace: web }\nspec: { chart: { spec: { version: 2.0.0 } }, values: { image: { tag: 1.1.0 } } }\n';
  const releaseOperations =
    '- op: replace\n  path: /spec/chart/spec/version\n  value: 2.0.0\n- op: add\n  path: /spec/values/image/tag\n  value: 1.1.0\n';
  const flux = 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: web }\n';
  const releaseTarget = 'target: { kind: HelmRelease, name: web }';

  test.each([
    ['an inline part of it', `patches:\n  - patch: |\n${indented(part)}\n`],
    ['JSON operations', `patches:\n  - ${releaseTarget}\n    patch: |\n${indented(releaseOperations)}\n`],
  ])('that change a HelmRelease with %s override its chart and its images', (_, patches) => {
    const overlays: Record<string, string>[] = [
      { 'apps/prod/kustomization.yaml': `resources: [../base]\n${patches}` },
      { 'clusters/prod/apps.yaml': `${flux}spec:\n  path: apps/base\n${patches.replaceAll(/^/gm, '  ')}` },
    ];
    for (const files of overlays)
      expect(describeItems({ 'apps/base/web.yaml': release('1.0.0', '1.0.0'), ...files }).toSorted()).toEqual(
        [
          'charts.example.org/web 1.0.0 (overridden)',
          'charts.example.org/web 2.0.0',
          'ghcr.io/acme/web 1.0.0 (overridden)',
          'ghcr.io/acme/web 1.1.0',
        ],
      );
    const inStaging = { 'apps/staging/kustomization.yaml': `resources: [../base]\n${patches}` };
    expect(describeItems({ 'apps/base/web.yaml': release('1.0.0', '1.0.0'), ...inStaging })).not.toContain(
      'charts.example.org/web 1.0.0 (overridden)',
    );
  });

  test.each([
    'parameters: [{ name: image.tag, value: 1.1.0 }]',
    'valuesObject: { image: { tag: 1.1.0 } }',
    'values: "image: { tag: 1.1.0 }"',
  ])('in an Application with %s use the image from the values of its chart', (helm) => {
    const files = {
      'charts/web/Chart.yaml': 'name: web\n',
      'charts/web/values.yaml': values('1.0.0', 'ghcr.io/acme/web'),
      'apps/web.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: web }\nspec:\n  source: { repoURL: "https://git.example.org/a", targetRevision: v1.0.0, path: charts/web, helm: { ${helm} } }\n`,
    };
    const items = describeItems(files);
    expect(items).toContain('ghcr.io/acme/web 1.1.0');
    expect(items).toContain('ghcr.io/acme/web 1.0.0 (overridden)');
  });

  const values = (tag: string, repository?: string) =>
    `image:\n  ${repository === undefined ? '' : `repository: ${repository}\n  `}tag: ${tag}\n`;

  test.each(['apps/web/values-prod.yaml', 'apps/web/prod.values.yaml', 'apps/web/prod/values.yaml'])(
    'in %s that set only a tag use the image from the values of their chart',
    (file) => {
      const files = { 'apps/web/values.yaml': values('1.0.0', 'ghcr.io/acme/web'), [file]: values('1.1.0') };
      expect(describeItems(files).toSorted()).toEqual([
        'ghcr.io/acme/web 1.0.0 (overridden)',
        'ghcr.io/acme/web 1.1.0',
      ]);
    },
  );

  test('of environments other than production do not override the version of the base, which production runs', () => {
    const files = {
      'apps/web/values.yaml': values('1.0.0', 'ghcr.io/acme/web'),
      'apps/web/values-dev.yaml': values('1.1.0-rc.1'),
    };
    expect(describeItems(files).toSorted()).toEqual([
      'ghcr.io/acme/web 1.0.0',
      'ghcr.io/acme/web 1.1.0-rc.1',
    ]);
    const all = { ...files, 'apps/web/values-prod.yaml': values('1.0.1') };
    expect(describeItems(all)).toContain('ghcr.io/acme/web 1.0.0 (overridden)');
  });

  test.each([
    ['apps/web/values-idfdemo.yaml', 'apps/web/values-idfprod.yaml'],
    ['apps/web/idfdemo.values.yaml', 'apps/web/idfprod.values.yaml'],
    ['apps/web/values/idfdemo.yaml', 'apps/web/values/idfprod.yaml'],
    ['apps/web/idfdemo/values.yaml', 'apps/web/idfprod/values.yaml'],
    ['apps/web/envs/idfdemo/values.yaml', 'apps/web/envs/idfprod/values.yaml'],
    ['apps/web/values-prod.yaml', 'apps/web/values-staging.yaml'],
  ])('in %s do not override the version of the base if %s deploys it', (overlay, other) => {
    const base = {
      'apps/web/Chart.yaml': 'name: web\n',
      'apps/web/values.yaml': values('1.0.0', 'a.io/web'),
    };
    const files = { ...base, [overlay]: values('1.1.0'), [other]: 'replicas: 2\n' };
    expect(describeItems(files).toSorted()).toEqual(['a.io/web 1.0.0', 'a.io/web 1.1.0']);
    // The other installation sets the tag, or its image as a whole.
    for (const text of [values('1.2.0'), values('1.2.0', 'a.io/web')])
      expect(describeItems({ ...files, [other]: text })).toContain('a.io/web 1.0.0 (overridden)');
  });

  test('override the version of the base if they state the whole image, even under another name', () => {
    const base = {
      'apps/web/Chart.yaml': 'name: web\n',
      'apps/web/values.yaml': values('1.0.0', 'a.io/web'),
    };
    const whole = { ...base, 'apps/web/values-idf.yaml': values('1.1.0', 'a.io/web') };
    expect(describeItems(whole).toSorted()).toEqual(['a.io/web 1.0.0 (overridden)', 'a.io/web 1.1.0']);
    const renamed = { ...base, 'apps/web/values-idf.yaml': values('2.0.0', 'a.io/web-next') };
    expect(describeItems(renamed).toSorted()).toEqual(['a.io/web 1.0.0 (overridden)', 'a.io/web-next 2.0.0']);
    const unchanged = { ...whole, 'apps/web/values-prod.yaml': 'replicas: 2\n' };
    expect(describeItems(unchanged)).toContain('a.io/web 1.0.0');
  });

  test('do not override the image of another chart whose values file is next to them', () => {
    const files = {
      'values/values.yaml': values('1.0.0', 'a.io/web'),
      'values/values-db.yaml': values('2.0.0', 'a.io/db'),
    };
    expect(describeItems(files).toSorted()).toEqual(['a.io/db 2.0.0', 'a.io/web 1.0.0']);
  });

  test("keep overriding the version of the base if one of them can't be read", () => {
    const files = {
      'apps/web/Chart.yaml': 'name: web\n',
      'apps/web/values.yaml': values('1.0.0', 'a.io/web'),
      'apps/web/values-idf.yaml': values('1.1.0'),
    };
    const broken = '<<<<<<< HEAD\nimage: { tag: 1.2.0 }\n=======\n';
    expect(describeItems({ ...files, 'apps/web/values-usdf.yaml': broken })).toContain(
      'a.io/web 1.0.0 (overridden)',
    );
  });

  test('override the version of the base although shared values, values of other charts, and other files exist', () => {
    const items = describeItems({
      'apps/web/Chart.yaml': 'name: web\n',
      'apps/web/values.yaml': values('1.0.0', 'a.io/web'),
      'apps/web/values-idfdemo.yaml': values('1.1.0'),
      'apps/web/values-common.yaml': 'replicas: 2\n',
      'apps/web/secrets.yaml': 'a: b\n',
      'apps/web/charts/db/Chart.yaml': 'name: db\n',
      'apps/web/charts/db/values-idfprod.yaml': 'replicas: 2\n',
    });
    expect(items).toContain('a.io/web 1.0.0 (overridden)');
  });

  test('do not override the version of a release or of a chart that another overlay or Application deploys unchanged', () => {
    const chart = 'charts.example.org/web 1.0.0';
    const patched = {
      'apps/base/web.yaml': release('1.0.0', '1.0.0'),
      'apps/demo/kustomization.yaml': `resources: [../base]\npatches:\n  - patch: |\n${indented(part)}\n`,
    };
    expect(describeItems(patched)).toContain(`${chart} (overridden)`);
    const both = { ...patched, 'apps/idf/kustomization.yaml': 'resources: [../base]\n' };
    expect(describeItems(both)).toEqual(expect.arrayContaining([chart, 'ghcr.io/acme/web 1.0.0']));

    const application = (name: string, helm: string) =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name} }\nspec:\n  source: { repoURL: "https://git.example.org/a", targetRevision: v1.0.0, path: charts/web, helm: { ${helm} } }\n`;
    const demo = {
      'charts/web/Chart.yaml': 'name: web\n',
      'charts/web/values.yaml': values('1.0.0', 'a.io/web'),
      'apps/demo.yaml': application('demo', 'parameters: [{ name: image.tag, value: 1.1.0 }]'),
    };
    expect(describeItems(demo)).toContain('a.io/web 1.0.0 (overridden)');
    const unchanged = { ...demo, 'apps/idf.yaml': application('idf', 'releaseName: idf') };
    expect(describeItems(unchanged)).toContain('a.io/web 1.0.0');
    const ownValues = {
      ...demo,
      'apps/idf.yaml': application('idf', 'valueFiles: [../../idf.yaml]'),
      'idf.yaml': values('1.2.0', 'a.io/web'),
    };
    expect(describeItems(ownValues)).toContain('a.io/web 1.0.0 (overridden)');
    // Values of another server aren't known, so they might not set the tag.
    const foreign = {
      ...demo,
      'apps/idf.yaml': application('idf', 'valueFiles: ["https://example.org/idf.yaml"]'),
    };
    expect(describeItems(foreign)).toContain('a.io/web 1.0.0');
  });

  const shop = {
    'apps/shop/Chart.yaml':
      'name: shop\ndependencies: [{ name: cart }, { name: web, alias: front, repository: "file://../../lib/web" }]\n',
    'apps/shop/charts/cart/Chart.yaml': 'name: cart\n',
    'apps/shop/charts/cart/values.yaml': values('1.0.0', 'a.io/cart'),
    'lib/web/Chart.yaml': 'name: web\n',
    'lib/web/values.yaml': values('1.0.0', 'a.io/web').replaceAll(/^/gm, '  ').replace(/^/, 'server:\n'),
  };
  const cartTag = (tag: string) => `cart: { image: { tag: ${tag} } }\n`;

  test('in the values of a chart use the images of its subcharts in the same repository', () => {
    const tags = `${cartTag('1.1.0')}front: { server: { image: { tag: 1.2.0 } } }\n`;
    const items = describeItems({ ...shop, 'apps/shop/values-idf.yaml': tags }).filter((item) =>
      item.startsWith('a.io/'),
    );
    expect(items.toSorted()).toEqual([
      'a.io/cart 1.0.0 (overridden)',
      'a.io/cart 1.1.0',
      'a.io/web 1.0.0 (overridden)',
      'a.io/web 1.2.0',
    ]);
  });

  test('override the image tag of a subchart only if every installation of every chart that contains it sets the tag', () => {
    const files = { ...shop, 'apps/shop/values-idf.yaml': cartTag('1.1.0') };
    const inOne = { ...files, 'apps/shop/values-base.yaml': 'replicas: 2\n' };
    expect(describeItems(inOne)).toContain('a.io/cart 1.0.0');
    const second = {
      ...files,
      'apps/mall/Chart.yaml':
        'name: mall\ndependencies: [{ name: cart, repository: "file://../shop/charts/cart" }]\n',
    };
    expect(describeItems(second)).toContain('a.io/cart 1.0.0');
    const inBoth = { ...second, 'apps/mall/values.yaml': cartTag('1.3.0') };
    expect(describeItems(inBoth)).toEqual(
      expect.arrayContaining(['a.io/cart 1.0.0 (overridden)', 'a.io/cart 1.3.0']),
    );
    // The values of an environment replace those of the chart, not only those of the subchart.
    const inValues = { ...files, 'apps/shop/values.yaml': cartTag('1.4.0') };
    expect(describeItems(inValues)).toEqual(
      expect.arrayContaining(['a.io/cart 1.4.0 (overridden)', 'a.io/cart 1.0.0 (overridden)']),
    );
  });

  test("in the values of a subchart don't get the image of the parent chart", () => {
    const items = describeItems({
      'charts/shop/Chart.yaml': 'name: shop\n',
      'charts/shop/values.yaml': values('1.0.0', 'ghcr.io/acme/shop'),
      'charts/shop/charts/cart/Chart.yaml': 'name: cart\n',
      'charts/shop/charts/cart/values.yaml': values('2.0.0'),
    });
    expect(items).toContain('ghcr.io/acme/shop 1.0.0');
    expect(items.join()).not.toContain('ghcr.io/acme/shop 2.0.0');
  });

  test('without a base never share an artifact', () => {
    const { items } = discoverFiles({
      'apps/a/values-prod.yaml': values('1.0.0'),
      'apps/b/values-prod.yaml': values('2.0.0'),
    });
    expect(items.map(({ artifact, reason }) => [artifact.name, reason])).toEqual([
      ['apps/a/values-prod.yaml#image', 'no_source'],
      ['apps/b/values-prod.yaml#image', 'no_source'],
    ]);
  });
});

describe('a value in a .tfvars file that a command passes to Terraform', () => {
  const service = (name: string, variable: string) =>
    `resource "aws_eks_cluster" "${name}" {\n  version = var.${variable}\n}\n`;

  test('is an item if its variable belongs to one artifact, but its proposal is only likely', () => {
    const { items } = discoverFiles({
      'modules/eks/main.tf': service('main', 'cluster_version'),
      'env/dev.tfvars': 'region = "eu-west-1"\ncluster_version = "1.33"\ndb_password = "1.2"\n',
    });
    expect(items.filter(({ place }) => place.file === 'env/dev.tfvars')).toMatchObject([
      {
        artifact: { name: 'amazon-eks' },
        version: '1.33',
        place: { line: 2 },
        proposal: { confidence: 'likely' },
      },
    ]);
  });

  test('is not an item if its variable belongs to several artifacts', () => {
    const files = {
      'modules/eks/main.tf': service('main', 'release'),
      'modules/web/main.tf':
        'resource "helm_release" "web" {\n  repository = "https://charts.example.org"\n  chart = "web"\n  version = var.release\n}\n',
      'env/dev.tfvars': 'release = "1.33"\n',
    };
    expect(discoverFiles(files).items.filter(({ place }) => place.file === 'env/dev.tfvars')).toEqual([]);
  });

  const chart = (version: string, name = 'web') =>
    `resource "helm_release" "${name}" {\n  repository = "https://charts.example.org"\n  chart = "${name}"\n  version = ${version}\n}\n`;

  test.each([
    ['a variable', 'var.web_version', 'env/dev.tfvars', 'web_version = "2.1.4"\n'],
    [
      'a value in a variable',
      'var.web.chart_version',
      'env/dev.tfvars',
      'web = { chart_version = "2.1.4" }\n',
    ],
    [
      'a file that Terraform loads only in the directory of a module',
      'var.web_version',
      'env/dev/terraform.tfvars',
      'web_version = "2.1.4"\n',
    ],
  ])('is the version of a chart without another one, as in %s', (_, version, file, values) => {
    const { items } = discoverFiles({ 'main.tf': chart(version), [file]: values });
    expect(items.filter(({ place }) => place.file === file)).toMatchObject([
      {
        artifact: { kind: 'chart', name: 'web' },
        version: '2.1.4',
        environment: 'dev',
        proposal: { artifact_name: 'charts.example.org/web', confidence: 'likely' },
      },
    ]);
  });

  test('is the version of a chart that an argument of a module names, and replaces the item of its variable', () => {
    const source = 'source = "terraform-module/release/helm"\n  version = "2.7.0"\n';
    const module = `module "web" {\n  ${source}  repository = "https://charts.example.org"\n  app = {\n    name = "web"\n    chart = "web"\n    version = var.web_helm_version\n  }\n}\n`;
    const { items } = discoverFiles({
      'main.tf': module,
      'env/dev.tfvars': 'web_helm_version = "2.1.4"\n',
    });
    expect(
      items.map(({ artifact, version, place }) => `${place.line} ${artifact.name} ${version}`).toSorted(),
    ).toEqual(['1 web 2.1.4', '3 terraform-module/release/helm 2.7.0', '8 web ${var.web_helm_version}']);
  });

  test('belongs to the nearest module above the file that contains the variable', () => {
    const { items } = discoverFiles({
      'a/main.tf': chart('var.release', 'api'),
      'b/main.tf': chart('var.release', 'web'),
      'b/env/dev.tfvars': 'release = "2.1.4"\n',
      'env/dev.tfvars': 'release = "3.0.0"\n',
    });
    const passed = items.filter(({ place }) => place.file.endsWith('.tfvars'));
    expect(passed.map(({ artifact, version }) => `${artifact.name} ${version}`)).toEqual(['web 2.1.4']);
  });
});

test('images are found in a file that an environment of a helmfile or of its base references', () => {
  const images = 'images:\n  web:\n    server: ghcr.io/acme/web:1.2.3\n    pull: always\n';
  const base = 'environments:\n  default:\n    values:\n      - lists/images.yaml\n';
  expect(describeItems({ 'bases/environments.yaml': base, 'lists/images.yaml': images })).toEqual([
    'ghcr.io/acme/web 1.2.3',
  ]);
  expect(describeItems({ 'lists/images.yaml': images })).toEqual([]);
});
