import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../../tests/helpers/discover-files.ts';
import { extractFile, toFilePath } from '../extract-file.ts';
import { roleOf } from '../scan-paths.ts';

/** Returns the items of a single file. */
function itemsOf(path: string, text: string): string[] {
  return describeItems({ [path]: text });
}

describe('the argocd extractor', () => {
  const application = (source: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: shop }\nspec:\n  ${source}\n`;

  test.each([
    [
      'source: { chart: redis, repoURL: https://charts.example.org/stable/, targetRevision: 1.2.3 }',
      ['charts.example.org/stable/redis 1.2.3'],
    ],
    [
      'source: { chart: redis, repoURL: ghcr.io/charts, targetRevision: 1.2.3 }',
      ['ghcr.io/charts/redis 1.2.3'],
    ],
    [
      'source: { chart: redis, repoURL: "oci://ghcr.io/charts", targetRevision: 1.2.3 }',
      ['ghcr.io/charts/redis 1.2.3'],
    ],
    [
      'source: { repoURL: "oci://ghcr.io/charts/redis", targetRevision: 1.2.3 }',
      ['ghcr.io/charts/redis 1.2.3'],
    ],
    [
      'source: { chart: redis, repoURL: https://charts.example.org, targetRevision: 1.* }',
      ['charts.example.org/redis 1.* (range)'],
    ],
    [
      'source: { chart: redis, repoURL: "s3://bucket", targetRevision: 1.2.3 }',
      ['bucket.s3.amazonaws.com/redis 1.2.3'],
    ],
    [
      'source: { chart: redis, repoURL: "gs://bucket/charts/", targetRevision: 1.2.3 }',
      ['storage.googleapis.com/bucket/charts/redis 1.2.3'],
    ],
    [
      'source: { chart: redis, repoURL: "azblob://bucket", targetRevision: 1.2.3 }',
      ['redis 1.2.3 (unsupported_source)'],
    ],
    [
      'source: { path: a, repoURL: https://github.com/acme/shop, targetRevision: v1.2.3 }',
      ['github.com/acme/shop v1.2.3'],
    ],
    [
      'source: { path: a, repoURL: git@git.example.org:acme/shop.git, targetRevision: v1.2.3 }',
      ['ssh://git@git.example.org/acme/shop.git v1.2.3'],
    ],
    [
      'source: { path: a, repoURL: https://github.com/acme/shop, targetRevision: HEAD }',
      ['github.com/acme/shop HEAD (floating)'],
    ],
    [
      'sources: [{ chart: a, repoURL: https://c.example.org, targetRevision: 1.0.0 }, { chart: b, repoURL: https://c.example.org, targetRevision: 2.0.0 }]',
      ['c.example.org/a 1.0.0', 'c.example.org/b 2.0.0'],
    ],
    [
      'source: { path: a, repoURL: https://github.com/acme/shop, kustomize: { images: ["web=ghcr.io/acme/web:1.2.3", "api:4"] } }',
      ['github.com/acme/shop - (floating)', 'ghcr.io/acme/web 1.2.3', 'docker.io/library/api 4 (floating)'],
    ],
    [
      'source: { chart: a, repoURL: https://c.example.org, targetRevision: 1.0.0, helm: { values: "image: {repository: acme/web, tag: 1.1.0}" } }',
      ['c.example.org/a 1.0.0', 'docker.io/acme/web 1.1.0'],
    ],
    [
      'source: { chart: {{ .chart }}, repoURL: {{ .url }}, targetRevision: 1.0.0 }',
      ['{{…}} 1.0.0 (templated)'],
    ],
  ])('reads %s', (source, expected) => {
    expect(itemsOf('app.yaml', application(source))).toEqual(expected);
  });

  test('reads one item per element of list generators and of matrices of list generators', () => {
    const set = (generators: string) => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: redis }
spec:
  generators: ${generators}
  template:
    metadata: { name: "redis-{{ .cluster }}" }
    spec:
      source: { chart: redis, repoURL: https://c.example.org, targetRevision: "{{ .values.version }}" }
`;
    const list =
      '[{ list: { elements: [{ cluster: a, values: { version: 1.0.0 } }, { cluster: b, values: { version: 2.0.0 } }] } }]';
    expect(discoverFiles({ 'set.yaml': set(list) }).items).toMatchObject([
      { version: '1.0.0', service: 'redis-a', place: { name: 'redis-a', kind: 'ApplicationSet' } },
      { version: '2.0.0', service: 'redis-b' },
    ]);
    const matrix =
      '[{ matrix: { generators: [{ list: { elements: [{ cluster: a }, { cluster: b }] } }, { list: { elements: [{ values: { version: 3.0.0 } }] } }] } }]';
    expect(itemsOf('set.yaml', set(matrix))).toEqual([
      'c.example.org/redis 3.0.0',
      'c.example.org/redis 3.0.0',
    ]);
    expect(itemsOf('set.yaml', set('[{ clusters: {} }]'))).toEqual([
      'c.example.org/redis {{ .values.version }} (templated)',
    ]);
  });
});

describe('a registry shared by several images', () => {
  const values = (image: string) => itemsOf('values.yaml', `image: ${image}\n`);

  test('is used for every image whose name has no host', () => {
    expect(
      values(
        '{ registry: ghcr.io/acme, api: { repository: api, tag: 1.2.3 }, proxy: { repository: quay.io/acme/proxy, tag: 2.0.0 }, db: { registry: docker.io, repository: acme/db, tag: 3.0.0 } }',
      ),
    ).toEqual(['ghcr.io/acme/api 1.2.3', 'quay.io/acme/proxy 2.0.0', 'docker.io/acme/db 3.0.0']);
  });

  test('does not apply to an image outside its map', () => {
    const text = 'registry: ghcr.io/acme\nweb: { image: { repository: acme/web, tag: 1.2.3 } }\n';
    expect(itemsOf('values.yaml', text)).toEqual(['docker.io/acme/web 1.2.3']);
  });
});

test('an image in values can have its repository in the name field if the name contains a slash', () => {
  const image = (name: string) =>
    itemsOf('values.yaml', `singleuser: { image: { name: ${name}, tag: 1.2.3 } }\n`);
  expect(image('acme/notebook')).toEqual(['docker.io/acme/notebook 1.2.3']);
  expect(image('notebook')).not.toContain('docker.io/library/notebook 1.2.3');
});

test('a file in a directory named values is a values file', () => {
  const text = 'image: { repository: acme/web, tag: 1.2.3 }\n';
  expect(itemsOf('releases/values/web/prod.yaml', text)).toEqual(['docker.io/acme/web 1.2.3']);
  expect(itemsOf('releases/settings/web/prod.yaml', text)).toEqual([]);
  // Facts are reused for identical content only if the files have the same role, and these directories have
  // different roles.
  const roles = ['values', 'settings'].map((directory) =>
    roleOf({ path: `a/${directory}/web/prod.yaml`, base: 'prod.yaml', isChartTemplate: false }),
  );
  expect(new Set(roles).size).toBe(2);
});

test.each(['podman-compose.yml', 'shop.compose.yaml', 'compose.prod.yaml', 'docker_compose.yml'])(
  '%s is a Compose file',
  (path) => {
    expect(itemsOf(path, 'services: { web: { image: acme/web:1.2.3 } }\n')).toEqual([
      'docker.io/acme/web 1.2.3',
    ]);
  },
);

test('a Terraform image that is set by an expression is named after its resource', () => {
  const text = 'resource "docker_image" "web" {\n  name = local.image\n}\n';
  expect(itemsOf('main.tf', text)).toEqual(['docker_image.web - (templated)']);
});

describe('the flux extractor', () => {
  test('reads a HelmRelease with a templated version and an image in its values', () => {
    const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: web, namespace: shop }
spec:
  chart:
    spec: { chart: web, version: "\${WEB_VERSION}", sourceRef: { kind: HelmRepository, name: shop } }
  values:
    sidecar: { image: { registry: ghcr.io, repository: acme/sidecar, tag: v1 } }
`;
    expect(itemsOf('release.yaml', release)).toEqual([
      'web ${WEB_VERSION} (templated)',
      'ghcr.io/acme/sidecar v1 (floating)',
    ]);
  });

  test.each([
    ['tag: v1.2.3', 'v1.2.3'],
    ['semver: ">=1.0.0"', '>=1.0.0 (range)'],
    ['branch: main', '- (floating)'],
    ['commit: 0123456789abcdef0123456789abcdef01234567', '0123456789abcdef0123456789abcdef01234567 (commit)'],
  ])('reads a GitRepository with %s', (reference, expected) => {
    const source = `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: a }\nspec:\n  url: https://github.com/acme/a\n  ref: { ${reference} }\n`;
    expect(itemsOf('source.yaml', source)).toEqual([`github.com/acme/a ${expected}`]);
  });
});

describe('an OCIRepository', () => {
  const source = (layer: string) =>
    `apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: { name: a }\nspec:\n  url: oci://ghcr.io/charts/redis\n  ref: { tag: 1.2.3 }\n${layer}`;

  test.each([
    ['', 'image'],
    ['  layerSelector: { mediaType: application/vnd.cncf.helm.chart.content.v1.tar+gzip }\n', 'chart'],
  ])('with the layer selector %j has an artifact of kind %s', (layer, kind) => {
    expect(discoverFiles({ 'source.yaml': source(layer) }).items).toMatchObject([
      {
        artifact: { kind },
        version: '1.2.3',
        proposal: { source_type: 'oci_registry', artifact_name: 'ghcr.io/charts/redis' },
      },
    ]);
  });
});

describe('the helm_chart extractor', () => {
  test('reads dependencies from chart repositories and registries, but no charts of the repository', () => {
    const chart = `apiVersion: v2
name: shop
dependencies:
  - { name: redis, version: 1.2.3, repository: https://charts.example.org }
  - { name: web, version: ^2.0.0, repository: "oci://ghcr.io/acme" }
  - { name: local, version: 1.0.0, repository: "file://../local" }
  - { name: alias, version: 1.0.0, repository: "@somewhere" }
`;
    expect(itemsOf('shop/Chart.yaml', chart)).toEqual([
      'charts.example.org/redis 1.2.3',
      'ghcr.io/acme/web ^2.0.0 (range)',
      'alias 1.0.0 (no_source)',
    ]);
  });
});

describe('the helm_values extractor', () => {
  test.each([
    ['image: { registry: ghcr.io, repository: acme/web, tag: 1.2.3 }', ['ghcr.io/acme/web 1.2.3']],
    ['web: { image: acme/web, tag: 1.2.3 }', ['docker.io/acme/web 1.2.3']],
    ['image: acme/web:1.2.3', ['docker.io/acme/web 1.2.3']],
    ['image: { repository: acme/web, tag: "" }', ['docker.io/acme/web - (chart_default)']],
    ['image: { repository: acme/web, release: v1.2.3 }', ['docker.io/acme/web v1.2.3']],
    ['image: { repository: acme/web, tag: 1.10 }', ['docker.io/acme/web 1.10']],
    ['image: { repository: acme/web, tag: 1.2.3, digest: "sha256:aa" }', ['docker.io/acme/web 1.2.3']],
    ['image: { repository: acme/web, tag: "1.2.3@sha256:aa" }', ['docker.io/acme/web 1.2.3']],
    ['image: { repository: acme/web, tag: latest }', ['docker.io/acme/web latest (floating)']],
    ['logo: { image: images/logo.png }\nicon: https://example.org/image.svg', []],
    ['source: { repository: "https://github.com/acme/web.git", tag: v1 }', []],
    ['image: { tag: 1.2.3 }', ['values-prod.yaml#image 1.2.3 (no_source)']],
    ['hooks: [{ image: "acme/hook:1" }]', ['docker.io/acme/hook 1 (floating)']],
  ])('reads %s', (values, expected) => {
    expect(itemsOf('values-prod.yaml', values)).toEqual(expected);
  });
});

describe('the helmfile extractor', () => {
  test('resolves repository names and reads releases, templates, and templated blocks', () => {
    const file = `repositories:
  - { name: acme, url: https://charts.example.org }
  - { name: registry, url: ghcr.io/acme, oci: true }
---
templates:
  common: { chart: acme/common, version: 0.1.0 }
releases:
  - { name: web, namespace: shop, chart: acme/web, version: 1.2.3 }
  - { name: api, chart: registry/api, version: 1.0.0 }
  - { name: direct, chart: "oci://quay.io/acme/direct", version: 2.0.0 }
  - { name: local, chart: ./charts/local }
  - { name: unknown, chart: nowhere/unknown, version: 1.0.0 }
  - name: templated
    chart: acme/templated
    version: {{ .Values.version }}
{{ if .Values.more }}
  - { name: more, chart: acme/more, version: 3.0.0 }
{{ end }}
`;
    expect(itemsOf('helmfile.yaml.gotmpl', file)).toEqual([
      'charts.example.org/web 1.2.3',
      'ghcr.io/acme/api 1.0.0',
      'quay.io/acme/direct 2.0.0',
      'unknown 1.0.0 (no_source)',
      'charts.example.org/templated {{…}} (templated)',
      'charts.example.org/more 3.0.0',
      'charts.example.org/common 0.1.0',
    ]);
  });
});

describe('the values of a helmfile', () => {
  const release = (version: string, more = '') =>
    `repositories:\n  - { name: acme, url: https://charts.example.org }\nreleases:\n  - name: web\n    chart: acme/web\n    version: ${version}\n${more}`;
  const environments = (files: Readonly<Record<string, string[]>>) =>
    `environments:\n${Object.entries(files)
      .map(([name, paths]) => `  ${name}:\n    values:\n${paths.map((path) => `      - ${path}\n`).join('')}`)
      .join('')}---\n`;

  test.each([
    '{{ .Values.web.version }}',
    '{{ .Values.web.version | quote }}',
    '{{ .StateValues.web.version }}',
    '{{ .Environment.Values.web.version | default "1.0.0" }}',
    '{{ .Values | get "web.version" }}',
    '{{- .Values.web | get "version" nil | quote -}}',
  ])('are used for %s, and the item is located in the file that sets the version', (version) => {
    const { items } = discoverFiles({
      'helmfile.yaml': environments({ default: ['a.yaml', 'b.yaml'] }) + release(version),
      'a.yaml': 'web:\n  version: 1.1.0\n',
      'b.yaml': 'web:\n  enabled: true\n  version: 1.2.3\n',
    });
    expect(items).toMatchObject([
      {
        artifact: { name: 'web' },
        version: '1.2.3',
        reason: null,
        place: { file: 'b.yaml', line: 3 },
        proposal: { artifact_name: 'charts.example.org/web', confidence: 'certain' },
      },
    ]);
  });

  test.each([
    ['{{ .Values.web.version | default "1.0.0" }}', 'charts.example.org/web 1.0.0'],
    ['{{ .Values.web | get "version" "1.0.0" }}', 'charts.example.org/web 1.0.0'],
    ['{{ .Values.web.version }}', 'charts.example.org/web {{…}} (templated)'],
    ['{{ .Values.web.version | trunc 3 }}', 'charts.example.org/web {{…}} (templated)'],
  ])('that no environment sets have only the default in the reference %s', (version, expected) => {
    expect(itemsOf('helmfile.yaml', release(version))).toEqual([expected]);
  });

  test('of several environments yield one item for each version', () => {
    const { items } = discoverFiles({
      'helmfile.yaml': `environments:
  staging:
    values: [web.yaml, { version: 2.0.0 }]
  qa:
    values: [web.yaml]
  production:
    values: [web.yaml]
---
${release('{{ .Values.version }}')}`,
      'web.yaml': 'version: 1.2.3\n',
    });
    expect(items.map(({ version, environment, place }) => [version, environment, place.file])).toEqual([
      ['2.0.0', 'staging', 'helmfile.yaml'],
      ['1.2.3', null, 'web.yaml'],
    ]);
  });

  test('in a base have paths relative to the helmfile, and a missing base is read from its template', () => {
    const { items } = discoverFiles({
      'helmfile.d/10-web.yaml': `bases: [../environments.yaml]\n---\n${release('{{ .Values.web.version }}')}`,
      'environments.yaml.tmpl': `environments:\n  default:\n    values:\n      - ../etc/base.yaml\n    {{ if .Values.tls }}\n      - ../etc/tls.yaml\n    {{ end }}\nreleases:\n  - { name: old, chart: acme/old, version: 1.0.0 }\n`,
      'etc/base.yaml': 'web:\n  version: 1.2.3\n',
    });
    expect(items.map(({ artifact, version, place }) => [artifact.name, version, place.file])).toEqual([
      ['web', '1.2.3', 'etc/base.yaml'],
    ]);
  });

  test('result in a likely proposal if exactly one file matches their partly known path', () => {
    const files = {
      'helmfile.yaml':
        environments({ default: ["'{{ $dir }}/all.yaml'"] }) + release('{{ .Values.version }}'),
      'env/all.yaml': 'version: 1.2.3\n',
    };
    expect(discoverFiles(files).items).toMatchObject([
      { version: '1.2.3', proposal: { confidence: 'likely' } },
    ]);
    expect(describeItems({ ...files, 'other/all.yaml': 'version: 1.0.0\n' })).toEqual([
      'charts.example.org/web {{…}} (templated)',
    ]);
  });

  test.each([
    ['false', 'false', '(not_installed)'],
    ['true', 'false', ''],
  ])(
    'that set `enabled` to %s and %s in two environments give the release the reason "%s"',
    (one, two, reason) => {
      const [item] = describeItems({
        'helmfile.yaml':
          environments({ one: ['one.yaml'], two: ['two.yaml'] }) +
          release('{{ .Values.web.version }}', '    installed: {{ .Values.web.enabled }}\n'),
        'one.yaml': `web:\n  enabled: ${one}\n  version: 1.2.3\n`,
        'two.yaml': `web:\n  enabled: ${two}\n  version: 1.2.3\n`,
      });
      expect(item).toBe(`charts.example.org/web 1.2.3 ${reason}`.trim());
    },
  );

  test('are found in a helmfile with a condition around one line', () => {
    const more = '    {{ if .Values.db }}needs: [db]{{ end }}\n    wait: true\n';
    expect(itemsOf('helmfile.yaml', release('1.2.3', more))).toEqual(['charts.example.org/web 1.2.3']);
  });
});

describe('values files with a version in their names', () => {
  const text = 'image:\n  repository: acme/web\n  tag: 4.2.3\n';

  test('are read only if a release references them, because they contain the defaults of a chart', () => {
    expect(itemsOf('etc/values-3.1.3.yaml', text)).toEqual([]);
    expect(itemsOf('etc/values-v3.yaml', text)).toEqual(['docker.io/acme/web 4.2.3']);
    const helmfile = 'releases:\n  - { name: a, chart: ./a, values: [etc/values-3.1.3.yaml] }\n';
    expect(describeItems({ 'helmfile.yaml': helmfile, 'etc/values-3.1.3.yaml': text })).toContain(
      'docker.io/acme/web 4.2.3',
    );
  });
});

describe('the kustomize extractor', () => {
  test('reads images, remote resources, and charts', () => {
    const file = `images:
  - { name: web, newName: ghcr.io/acme/web, newTag: 1.2.3 }
  - { name: api, digest: "sha256:aa" }
  - { name: wrong, newTag: "1", digest: "sha256:aa" }
resources:
  - local.yaml
  - https://github.com/acme/base//deploy?ref=v2.0.0
  - github.com/acme/other/deploy
  - https://github.com/acme/crds/releases/download/v3.1.0/install.yaml
  - https://raw.githubusercontent.com/acme/raw/v4.0.0/a.yaml
helmCharts:
  - { name: redis, repo: https://charts.example.org, version: 5.0.0 }
`;
    expect(itemsOf('kustomization.yaml', file)).toEqual([
      'github.com/acme/base v2.0.0',
      'github.com/acme/other - (floating)',
      'github.com/acme/crds v3.1.0',
      'github.com/acme/raw v4.0.0',
      'ghcr.io/acme/web 1.2.3',
      'docker.io/library/api - (digest)',
      'docker.io/library/wrong 1 (invalid)',
      'charts.example.org/redis 5.0.0',
    ]);
  });

  test.each([
    [
      'https://infra.acme.dev/releases/operator/previous/v0.79.0/release.yaml',
      'infra.acme.dev/releases/operator/previous/release.yaml v0.79.0 (no_source)',
    ],
    [
      'https://acme.github.io/web/1.2.3-rc.1/install.yaml',
      'acme.github.io/web/install.yaml 1.2.3-rc.1 (no_source)',
    ],
    ['https://dl.acme.dev/latest/release.yaml', 'dl.acme.dev/latest/release.yaml - (floating)'],
    ['https://dl.acme.dev/1.29/v1.2.3/release.yml', 'dl.acme.dev/1.29/release.yml v1.2.3 (no_source)'],
    ['https://dl.acme.dev/v1.29.0/v1.2.3/a.yaml', 'dl.acme.dev/v1.29.0/v1.2.3/a.yaml - (floating)'],
    ['https://dl.acme.dev/${VERSION}/a.yaml', 'dl.acme.dev/a.yaml ${VERSION} (templated)'],
  ])('identifies the file %s only by its URL', (url, expected) => {
    const file = (resource: string) => ({ 'kustomization.yaml': `resources: ["${resource}"]\n` });
    expect(describeItems(file(url))).toEqual([expected]);
    expect(discoverFiles(file(url)).items).toMatchObject([{ artifact: { kind: 'tool' }, proposal: null }]);
    const keysOf = (resource: string) => discoverFiles(file(resource)).items.map(({ key }) => key);
    expect(discoverFiles({ 'apps/web/kustomization.yaml': `resources: ["${url}"]\n` }).items).toMatchObject([
      { service: 'web' },
    ]);
    expect(keysOf(url.replace('v0.79.0', 'v0.80.1'))).toEqual(keysOf(url));
  });

  test.each([
    [
      'https://github.com/acme/crds/releases/download/v1.4.0/standard-install.yaml',
      'github.com/acme/crds v1.4.0',
    ],
    [
      'https://gitlab.com/acme/sub/web/-/raw/v1.2.3/deploy/install.yaml',
      'https://gitlab.com/acme/sub/web.git v1.2.3',
    ],
    [
      'https://git.acme.dev/acme/web/releases/download/v1.2.3/install.yaml',
      'https://git.acme.dev/acme/web v1.2.3',
    ],
    [
      'https://codeberg.org/acme/web/raw/branch/main/a.yaml',
      'https://codeberg.org/acme/web.git - (floating)',
    ],
    ['https://git.acme.dev/acme/web//deploy?ref=v1.2.3', 'https://git.acme.dev/acme/web v1.2.3'],
    [
      'https://src.acme.dev/acme/web.git/a/v2.0.0/a.yaml?ref=v1.2.3',
      'https://src.acme.dev/acme/web.git v1.2.3',
    ],
  ])('reads the repository of %s', (url, expected) => {
    expect(itemsOf('kustomization.yaml', `resources: ["${url}"]\n`)).toEqual([expected]);
  });
});

describe('the kubernetes extractor', () => {
  test('reads a generated name without the hyphen at its end', () => {
    const job =
      'apiVersion: batch/v1\nkind: Job\nmetadata: { generateName: backup-web- }\nspec:\n  template:\n    spec:\n      containers:\n        - { name: web, image: "ghcr.io/acme/web:1.2.3" }\n';
    expect(discoverFiles({ 'jobs/backup.yaml': job }).items).toMatchObject([
      { service: 'backup-web', place: { name: 'backup-web' } },
    ]);
  });

  test('reads images of workloads, cron jobs, lists, and custom resources', () => {
    const file = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  template:
    spec:
      initContainers: [{ name: init, image: busybox }]
      containers: [{ name: web, image: "localhost:5000/web:1.2.3@sha256:aa" }]
      volumes: [{ name: data, image: { reference: ghcr.io/acme/data:v2 } }]
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: job }
spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: job, image: "acme/job:3" }] } } } } }
---
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: Pod, metadata: { name: pod }, spec: { containers: [{ name: a, image: "acme/pod:4" }] } }
---
apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata: { name: database }
spec: { imageName: "ghcr.io/cloudnative-pg/postgresql:18.6" }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec: { image: "acme/not-deployed:1" }
`;
    const { items } = discoverFiles({ 'prod/web.yaml': file });
    expect(items).toMatchObject([
      { version: null, reason: 'floating', place: { field: 'initContainers[init]', line: 7 } },
      { version: '1.2.3', digest: 'sha256:aa', place: { line: 8 }, service: 'web', environment: 'prod' },
      { version: 'v2', place: { field: 'volumes[data]' } },
      { version: '3', place: { document: 1, kind: 'CronJob', name: 'job' } },
      { version: '4', place: { kind: 'Pod' } },
      { version: '18.6', place: { kind: 'Cluster', field: 'spec.imageName', line: 24 } },
    ]);
  });
});

test('a plan of the system upgrade controller declares the version of the nodes', () => {
  const plan =
    'apiVersion: upgrade.cattle.io/v1\nkind: Plan\nmetadata: { name: agents }\nspec: { upgrade: { image: rancher/k3s-upgrade }, version: v1.36.3+k3s1 }\n';
  const known = [
    { name: 'K3s', source_type: 'github_releases', artifact_name: 'github.com/k3s-io/k3s' },
  ] as const;
  expect(discoverFiles({ 'plan.yaml': plan }, { known }).items).toMatchObject([
    { version: 'v1.36.3+k3s1', reason: null, proposal: { artifact_name: 'github.com/k3s-io/k3s' } },
  ]);
});

test('an image without a tag is also reported in custom resources', () => {
  const resource =
    'apiVersion: acme.example.org/v1\nkind: Job\nspec: { image: acme/web, logo: { image: /a/b.png } }\n';
  expect(itemsOf('job.yaml', resource)).toEqual(['docker.io/acme/web - (floating)']);
});

describe('the kubernetes extractor', () => {
  test('reads the Dockerfile in a BuildConfig, with the line of each image', () => {
    const text = `apiVersion: build.openshift.io/v1
kind: BuildConfig
metadata: { name: web }
spec:
  source:
    dockerfile: |
      # ARG BASE=acme/old:1.0
      ARG BASE=quay.io/acme/base:1.2.3
      FROM \${BASE} AS build
      FROM build
      FROM placeholder
`;
    const { items } = discoverFiles({ 'build.yaml': text });
    expect(items).toMatchObject([
      { artifact: { name: 'quay.io/acme/base' }, version: '1.2.3', place: { line: 9, name: 'web' } },
    ]);
  });

  test('reads the containers that a JSON patch adds', () => {
    const text = `- op: replace
  path: /spec/replicas
  value: 2
- op: add
  path: /spec/template/spec/initContainers
  value:
    - name: setup
      image: ghcr.io/acme/setup:1.2.3
- op: add
  path: /spec/template/spec/containers/-
  value: { name: sidecar, image: ghcr.io/acme/sidecar:2.0.0 }
- op: remove
  path: /spec/template/spec/containers
  value: [{ name: old, image: "acme/old:1.0" }]
- op: add
  path: /spec/images
  value: [{ image: "acme/other:1.0" }]
`;
    expect(itemsOf('patch.yaml', text)).toEqual(['ghcr.io/acme/setup 1.2.3', 'ghcr.io/acme/sidecar 2.0.0']);
  });

  test('replaces Flux variables with their default values', () => {
    const pod = (image: string) =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: a, image: "${image}" }] }\n`;
    expect(itemsOf('a.yaml', pod('ghcr.io/acme/web:${TAG:=v1.34.1}'))).toEqual(['ghcr.io/acme/web v1.34.1']);
    expect(itemsOf('a.yaml', pod('ghcr.io/acme/web:${TAG}'))).toEqual([
      'ghcr.io/acme/web ${TAG} (templated)',
    ]);
  });

  test('skips the constraints of an image updater', () => {
    const text =
      'apiVersion: argocd-image-updater.argoproj.io/v1alpha1\nkind: ImageUpdater\nspec: { images: [{ imageName: "acme/web:1.x" }] }\n';
    expect(itemsOf('updater.yaml', text)).toEqual([]);
  });
});

describe('Kubernetes objects', () => {
  const object = (head: string, spec: string) => `${head}\nmetadata: { name: a }\nspec: ${spec}\n`;

  test.each([
    [
      'a Crossplane package',
      object(
        'apiVersion: pkg.crossplane.io/v1\nkind: Provider',
        '{ package: "xpkg.upbound.io/crossplane-contrib/provider-helm:v0.14.0" }',
      ),
      ['xpkg.upbound.io/crossplane-contrib/provider-helm v0.14.0'],
    ],
    [
      'an object of another kind with a package field',
      object(
        'apiVersion: acme.example.org/v1\nkind: Order',
        '{ package: "acme/parcel:1.0", image: "acme/app:1.2.3" }',
      ),
      ['docker.io/acme/app 1.2.3'],
    ],
    [
      'an image split into repository and tag',
      object(
        'apiVersion: tuppr.home-operations.com/v1alpha1\nkind: TalosUpgrade',
        '{ image: { repository: factory.talos.dev/metal-installer, tag: v1.11.1 } }',
      ),
      ['factory.talos.dev/metal-installer v1.11.1'],
    ],
    [
      'a plan with a differently named upgrade image',
      object(
        'apiVersion: upgrade.cattle.io/v1\nkind: Plan',
        '{ version: v1.11.0, upgrade: { image: "ghcr.io/acme/upgrader:0.4.3" } }',
      ),
      ['ghcr.io/acme/upgrader 0.4.3'],
    ],
  ])('yield only the deployed image: %s', (_, file, expected) => {
    expect(itemsOf('object.yaml', file)).toEqual(expected);
  });

  test('a digest gets its version from the comment that follows it', () => {
    const digest = `sha256:${'ab'.repeat(32)}`;
    const file = `apiVersion: v1
kind: Pod
metadata: { name: a }
spec:
  containers:
    - name: a
      image: prom/prometheus@${digest} # v3.13.1
    - name: b
      image: grafana/grafana@${digest} # pinned
`;
    expect(discoverFiles({ 'pod.yaml': file }).items).toMatchObject([
      { version: 'v3.13.1', digest, reason: null, note: 'version from the comment after the digest' },
      { version: null, digest, reason: 'digest' },
    ]);
    const compose = `services:\n  a:\n    image: prom/prometheus@${digest} # v3.13.1\n`;
    expect(discoverFiles({ 'compose.yaml': compose }).items).toMatchObject([{ version: 'v3.13.1', digest }]);
  });
});

describe('the dockerfile extractor', () => {
  test.each([
    [
      'FROM node:20 AS build\nFROM build\nCOPY --from=build /a /b\nCOPY --from=0 /a /b\n',
      ['docker.io/library/node 20 (floating)'],
    ],
    ['FROM scratch\nCOPY --from=ghcr.io/acme/tool:1.2.3 /a /b', ['ghcr.io/acme/tool 1.2.3']],
    ['ARG TAG=1.2\nFROM acme/web:${TAG}', ['docker.io/acme/web 1.2']],
    ['ARG TAG\nFROM acme/web:${TAG:-1.3}', ['docker.io/acme/web 1.3']],
    ['ARG TAG\nFROM acme/web:$TAG', ['docker.io/acme/web $TAG (templated)']],
    ['FROM --platform=$BUILDPLATFORM acme/web:1', ['docker.io/acme/web 1 (floating)']],
    // Quotes can enclose a word or a part of it. In single quotes, variables aren't replaced.
    ['ARG A=acme/web\nARG B="1.2.3"\nFROM "$A:$B"', ['docker.io/acme/web 1.2.3']],
    ['ARG A=acme/web B=1.2.\'3\'\nFROM "$A":"$B" AS x', ['docker.io/acme/web 1.2.3']],
    ['ARG B=1.2.3\nFROM acme/web:"${B:-2}"', ['docker.io/acme/web 1.2.3']],
    ["ARG B=1.2.3\nFROM 'acme/web:$B'", ['docker.io/acme/web $B (templated)']],
    ['# syntax=docker/dockerfile:1\nFROM acme/web:1', ['docker.io/acme/web 1 (floating)']],
    ['FROM \\\n# a comment\n\n  acme/web:1', ['docker.io/acme/web 1 (floating)']],
    ['# escape=`\nFROM `\n  acme/web:1', ['docker.io/acme/web 1 (floating)']],
    [
      'FROM acme/web:1\nRUN <<EOF\nFROM acme/no:1\nEOF\nRUN --mount=type=bind,from=acme/mount:2 x',
      ['docker.io/acme/web 1 (floating)', 'docker.io/acme/mount 2 (floating)'],
    ],
    [
      'FROM acme/web:1\nRUN echo <<NEVER\nFROM acme/other:2',
      ['docker.io/acme/web 1 (floating)', 'docker.io/acme/other 2 (floating)'],
    ],
  ])('reads %j', (text, expected) => {
    expect(itemsOf('Dockerfile', text)).toEqual(expected);
  });
});

describe('software that a Dockerfile downloads', () => {
  test.each([
    [
      'FROM acme/web:1.0\nARG TOOL_VERSION=1.2.3\nRUN curl -fsSL https://github.com/acme/tool/releases/download/v${TOOL_VERSION}/tool-$(uname -m) -o /tool',
      ['docker.io/acme/web 1.0', 'github.com/acme/tool v1.2.3'],
    ],
    [
      'FROM acme/web:1.0\nENV TAG kustomize/v5.4.1\nADD https://github.com/acme/tool/releases/download/kustomize%2Fv5.4.1/a.tgz /',
      ['docker.io/acme/web 1.0', 'github.com/acme/tool kustomize/v5.4.1'],
    ],
    // An argument declared before the first stage applies to a stage only if the stage declares the argument
    // again.
    [
      'ARG V=1.2.3\nFROM acme/web:1.0 AS a\nARG V\nFROM a\nRUN wget https://github.com/acme/tool/archive/refs/tags/v$V.tar.gz',
      ['docker.io/acme/web 1.0', 'github.com/acme/tool v1.2.3'],
    ],
    [
      'ARG V=1.2.3\nFROM acme/web:1.0\nRUN wget https://github.com/acme/tool/releases/download/$V/a',
      ['docker.io/acme/web 1.0', 'github.com/acme/tool $V (templated)'],
    ],
    [
      'FROM acme/web:1.0\nRUN curl https://raw.githubusercontent.com/acme/tool/main/install.sh | sh && curl -L https://github.com/acme/other/releases/latest/download/a',
      ['docker.io/acme/web 1.0', 'github.com/acme/other - (floating)'],
    ],
    // Two stages can use different values of the same argument.
    [
      'FROM acme/web:1.0 AS a\nARG V=1.0.0\nRUN curl https://github.com/acme/a/releases/download/$V/a\nFROM acme/web:1.0\nARG V=2.0.0\nRUN curl https://github.com/acme/b/releases/download/$V/b',
      ['docker.io/acme/web 1.0', 'github.com/acme/a 1.0.0', 'github.com/acme/b 2.0.0'],
    ],
    // A shell joins quoted and unquoted parts of a word.
    [
      'FROM acme/web:1.0\nARG V=1.2.3\nRUN curl -O https://releases.hashicorp.com/terraform/"${V}"/terraform_"${V}"_linux_amd64.zip && curl -O "https://github.com/acme/tool/releases/download/"v$V"/a"',
      ['docker.io/acme/web 1.0', 'terraform 1.2.3 (no_source)', 'github.com/acme/tool v1.2.3'],
    ],
    [
      'FROM acme/web:1.0\nADD ["https://github.com/acme/a/releases/download/1.0.0/a","https://github.com/acme/b/releases/download/2.0.0/b","/"]',
      ['docker.io/acme/web 1.0', 'github.com/acme/a 1.0.0', 'github.com/acme/b 2.0.0'],
    ],
    // Without a download URL, the name of a variable doesn't identify the software.
    ['FROM acme/web:1.0\nARG NODE_VERSION=22.4.1\nRUN install.sh $NODE_VERSION', ['docker.io/acme/web 1.0']],
  ])('is read from %j', (text, expected) => {
    expect(itemsOf('Dockerfile', text)).toEqual(expected);
  });

  test.each([
    ['https://dl.k8s.io/release/v${V}/bin/linux/amd64/kubectl', 'kubectl v1.2.3'],
    ['https://get.helm.sh/helm-v${V}-linux-${TARGETARCH}.tar.gz', 'helm v1.2.3'],
    ['https://releases.hashicorp.com/terraform/${V}/terraform_${V}_linux_amd64.zip', 'terraform 1.2.3'],
    ['https://nodejs.org/dist/v$V/node-v$V-linux-x64.tar.xz', 'node v1.2.3'],
    ['https://go.dev/dl/go${V}.linux-amd64.tar.gz', 'go 1.2.3'],
    ['https://www.python.org/ftp/python/${V}/Python-${V}.tgz', 'python 1.2.3'],
    ['https://awscli.amazonaws.com/awscli-exe-linux-x86_64-${V}.zip', 'awscli 1.2.3'],
  ])('is identified by the URL %s', (address, expected) => {
    const { facts } = extractFile(
      toFilePath('Dockerfile'),
      `FROM scratch\nARG V=1.2.3\nRUN curl -o /a "${address}"\n`,
    );
    expect(facts.map(({ artifact, version }) => `${artifact.name} ${version}`)).toEqual([expected]);
    expect(facts[0]?.note).toMatch(/^default value of .*V/);
  });

  test('is identified by Renovate comments, once for each version', () => {
    const file = `# renovate: datasource=docker depName=node
ARG NODE_VERSION=22.4.1
FROM node:\${NODE_VERSION}
# renovate: datasource=github-releases depName=acme/tool extractVersion=^v(?<version>.+)$
ARG TOOL_VERSION=1.2.3
# renovate: datasource=helm depName=shop registryUrl=https://charts.example.org
ENV CHART_VERSION="2.0.0"
# renovate: datasource=golang-version depName=golang
ARG GO_VERSION=1.22.3
# renovate: datasource=pypi depName=awscli
ARG PY_VERSION=1.0.0
# renovate: datasource=github-tags depName=acme/empty
ARG NOTHING
# a comment
ARG OTHER_VERSION=9.9.9
RUN curl -L https://github.com/acme/tool/releases/download/v\${TOOL_VERSION}/tool
`;
    expect(itemsOf('Dockerfile', file)).toEqual([
      'docker.io/library/node 22.4.1',
      'github.com/acme/tool 1.2.3',
      'charts.example.org/shop 2.0.0',
      // The source of Go is in the catalog, which this test doesn't use.
      'go 1.22.3 (no_source)',
      'awscli 1.0.0 (unsupported_source)',
    ]);
  });
});

describe('the compose extractor', () => {
  test('reads services and variable defaults, and marks local builds that have a version', () => {
    const file = `services:
  web: { image: "acme/web:\${TAG:-1.2}" }
  api: { image: "acme/api:\${TAG}" }
  built: { image: "acme/built:2.0.0", build: . }
  moving: { image: "acme/moving:dev", build: . }
  db: { image: postgres:16.2 }
`;
    const { items } = discoverFiles({ 'compose.yaml': file });
    expect(items).toMatchObject([
      { version: '1.2', note: 'default value of acme/web:${TAG:-1.2}', service: 'web' },
      { version: '${TAG}', reason: 'templated' },
      { reason: 'local' },
      { version: '16.2', reason: null, artifact: { purl: expect.stringContaining('pkg:oci/postgres') } },
    ]);
  });

  /** Describes each image with its version, file, line, reason, and note. */
  const imagesOf = (images: readonly string[], files: Record<string, string>) => {
    const services = images.map((image, at) => `  s${at}: { image: '${image}' }\n`).join('');
    return discoverFiles({ ...files, 'shop/compose.yaml': `services:\n${services}` }).items.map(
      ({ artifact, version, place: { file, line }, note, reason }) =>
        `${artifact.name} ${version} ${file}:${line} ${reason === null ? '' : `(${reason}) `}${note}`,
    );
  };

  test('reads variables from the .env file in the same directory, and reports their line there', () => {
    const dotenv = `# comment
PASSWORD=hunter2
export TAG = 1.4.0 # deployed
REGISTRY="ghcr.io/acme"
WHOLE='postgres:16.2'
EMPTY=
NESTED=\${TAG}-alpine
TAG=1.5.0
`;
    expect(
      imagesOf(
        [
          'acme/web:${TAG:-1.2}',
          '${REGISTRY}/api:2.0.0',
          '${REGISTRY}/api:v${TAG}',
          '$WHOLE',
          'redis:${EMPTY:-7.4.0}',
          'caddy:${NESTED}',
          'nats:${MISSING:-2.1.0}',
        ],
        { 'shop/.env': dotenv, '.env': 'TAG=9.9.9\n', 'other/.env': 'TAG=8.8.8\n' },
      ),
    ).toEqual([
      'acme/web 1.5.0 shop/.env:8 TAG in shop/.env',
      'ghcr.io/acme/api 2.0.0 shop/compose.yaml:3 REGISTRY in shop/.env',
      'ghcr.io/acme/api v1.5.0 shop/.env:8 REGISTRY, TAG in shop/.env',
      'postgres 16.2 shop/.env:5 WHOLE in shop/.env',
      'redis 7.4.0 shop/compose.yaml:6 default value of redis:${EMPTY:-7.4.0}',
      'caddy 1.4.0-alpine shop/.env:7 NESTED in shop/.env',
      'nats 2.1.0 shop/compose.yaml:8 default value of nats:${MISSING:-2.1.0}',
    ]);
  });

  test('uses a default only if the variable has no value, and ignores escaped dollar signs', () => {
    const images = [
      'nginx:${TAG:-${OTHER}}',
      '${REGISTRY:-${OTHER}}/api:2.0.0',
      'nginx:${TAG:?${OTHER}}',
      'nginx:${MISSING:-${OTHER}}',
      'nginx:${MISSING:-${GONE:-1.3.0}}',
      'nginx:${MISSING:-${GONE}}',
      'nginx:$$OTHER',
    ];
    const dotenv = 'TAG=1.5.0\nREGISTRY=ghcr.io/acme\nOTHER=1.4.0\n';
    expect(imagesOf(images, { 'shop/.env': dotenv })).toEqual([
      'nginx 1.5.0 shop/.env:1 TAG in shop/.env',
      'ghcr.io/acme/api 2.0.0 shop/compose.yaml:3 REGISTRY in shop/.env',
      'nginx 1.5.0 shop/.env:1 TAG in shop/.env',
      'nginx 1.4.0 shop/.env:3 OTHER in shop/.env',
      'nginx 1.3.0 shop/compose.yaml:6 default value of nginx:${MISSING:-${GONE:-1.3.0}}',
      "nginx ${MISSING:-${GONE}} shop/compose.yaml:7 (templated) shop/.env doesn't set MISSING, GONE",
      'nginx $$OTHER shop/compose.yaml:8 (templated) null',
    ]);
  });

  test('never reads a variable whose name suggests a secret', () => {
    const images = ['nginx:${DB_PASSWORD}', 'nginx:${TAG}', 'nginx@${API_KEY}', '$GITHUB_TOKEN'];
    const dotenv = 'DB_PASSWORD=hunter2\nAPI_KEY=hunter3\nGITHUB_TOKEN=hunter4\nTAG=v1-${DB_PASSWORD}\n';
    const items = imagesOf(images, { 'shop/.env': dotenv });
    expect(items.filter((item) => item.includes('hunter'))).toEqual([]);
    expect(items[0]).toBe(
      'nginx ${DB_PASSWORD} shop/compose.yaml:2 (templated) not read from shop/.env because the name looks like a secret: DB_PASSWORD',
    );
  });

  test('allows spaces in the message of a required variable', () => {
    const images = ['acme/web:${TAG:?set it}', '"${IMG:?image missing}"', '${REGISTRY:?x y}/api:2.0.0'];
    expect(
      imagesOf(
        images.map((image) => image.replaceAll('"', '')),
        {},
      ),
    ).toEqual([
      'acme/web ${TAG:?} shop/compose.yaml:2 (templated) null',
      '${IMG:?} null shop/compose.yaml:3 (templated) null',
      '${REGISTRY:?}/api 2.0.0 shop/compose.yaml:4 (templated) null',
    ]);
    const dotenv = 'TAG=1.5.0\nIMG=redis:7.4.0\nREGISTRY=ghcr.io/acme\n';
    expect(
      imagesOf(
        images.map((image) => image.replaceAll('"', '')),
        { 'shop/.env': dotenv },
      ),
    ).toEqual([
      'acme/web 1.5.0 shop/.env:1 TAG in shop/.env',
      'redis 7.4.0 shop/.env:2 IMG in shop/.env',
      'ghcr.io/acme/api 2.0.0 shop/compose.yaml:4 REGISTRY in shop/.env',
    ]);
  });

  test('reports a duplicate key and reads the other services', () => {
    const file =
      'services:\n  web:\n    image: a/web:1.0.0\n    image: a/web:2.0.0\n  db:\n    image: b/db:3.0.0\n';
    expect(discoverFiles({ 'compose.yaml': file })).toMatchObject({
      items: [{ artifact: { name: 'b/db' }, version: '3.0.0' }],
      problems: [
        {
          file: 'compose.yaml',
          line: 4,
          reason: 'malformed',
          message: 'Not valid YAML: duplicate key "image" (2 times)',
          isFileRead: true,
        },
      ],
    });
  });

  test('reports a duplicate key of a template as malformed, unless branches of the template can contain it', () => {
    const reasonsOf = (text: string) =>
      discoverFiles({ 'values.yaml.gotmpl': text }).problems.map(({ line, reason }) => [line, reason]);
    const insert = '{{ toYaml .Values.more }}\n';
    expect(reasonsOf(`${insert}image:\n  tag: "1"\nimage:\n  tag: "2"\n`)).toEqual([[4, 'malformed']]);
    const branches = '{{ if .Values.a }}\nimage:\n  tag: "1"\n{{ else }}\nimage:\n  tag: "2"\n{{ end }}\n';
    expect(reasonsOf(branches)).toEqual([[5, 'templated']]);
  });

  describe('a service that extends another service', () => {
    const found = (files: Record<string, string>) =>
      discoverFiles(files).items.map(
        ({ place: { name, file, line }, artifact, version, reason, note }) =>
          `${name} ${artifact.name} ${version} ${file}:${line} ${reason} ${note}`,
      );

    test('inherits the image of a service in the same file', () => {
      const services = `services:
  c: { image: 'acme/c:1.0.0' }
  web: { extends: { service: d } }
  d: { extends: c }
  built: { extends: c, build: . }
  circle: { extends: circle }
`;
      expect(found({ 'compose.yaml': services })).toEqual([
        'c acme/c 1.0.0 compose.yaml:2 null null',
        'web acme/c 1.0.0 compose.yaml:2 null null',
        'd acme/c 1.0.0 compose.yaml:2 null null',
        'built acme/c 1.0.0 compose.yaml:2 local null',
        "circle circle null compose.yaml:6 not_scanned extends circle in compose.yaml, which wasn't found",
      ]);
    });

    test('has the image of a service in another file with any name', () => {
      const files = {
        'shop/compose.yaml': `services:
  web: { extends: { service: c, file: ../base/common.yml } }
  api: { extends: { service: web, file: ./compose.other.yaml } }
  made: { extends: { service: made, file: ../base/common.yml } }
  gone: { extends: { service: nothing, file: ../base/common.yml } }
  far: { extends: { service: c, file: ../../base/common.yml } }
`,
        'base/common.yml': "services:\n  c: { image: 'acme/c:${TAG:?x}' }\n  made: { build: . }\n",
        'shop/compose.other.yaml':
          'services:\n  web: { extends: { service: c, file: ../base/common.yml } }\n',
        'shop/.env': 'TAG=1.5.0\n',
      };
      expect(found(files)).toEqual([
        'web acme/c 1.5.0 shop/.env:1 null TAG in shop/.env',
        'api acme/c 1.5.0 shop/.env:1 null TAG in shop/.env',
        "gone gone null shop/compose.yaml:5 not_scanned extends nothing in ../base/common.yml, which wasn't found",
        "far far null shop/compose.yaml:6 not_scanned extends c in ../../base/common.yml, which wasn't found",
        'web acme/c 1.5.0 shop/.env:1 null TAG in shop/.env',
      ]);
    });
  });

  test('reports a service without an image unless another file completes the service', () => {
    const files = {
      'a/compose.yaml':
        'services:\n  web: { imge: acme/web }\n  half: { ports: [] }\n  x-y: {}\n  p: { provider: {} }\n',
      'a/compose.prod.yaml': 'services:\n  half: { image: "acme/half:1.0.0" }\n  other: { ports: [] }\n',
      'values.yaml': 'services:\n  web: { imagePullPolicy: Always }\n',
    };
    expect(discoverFiles(files).problems).toEqual([
      {
        file: 'a/compose.yaml',
        line: 2,
        reason: 'malformed',
        message: 'The service web has no image and no build.',
      },
    ]);
  });

  test('reports the variable that the .env file does not set', () => {
    expect(imagesOf(['acme/web:${TAG}'], { 'shop/.env': 'OTHER=1.0.0\n' })).toEqual([
      "acme/web ${TAG} shop/compose.yaml:2 (templated) shop/.env doesn't set TAG",
    ]);
  });
});

describe('an invalid image', () => {
  const images = [
    'https://ghcr.io/acme/web:1.0',
    'web:1.2.3:2',
    'reg/acme/api: 1.2.0',
    '%IMAGE%',
    '-x/web:1.0',
  ];
  const pod = (image: string) =>
    `apiVersion: v1\nkind: Pod\nspec: { containers: [{ name: web, image: ${JSON.stringify(image)} }] }\n`;
  test.each(images)('is reported without a version: %s', (image) => {
    const files = {
      'compose.yaml': `services: { web: { image: ${JSON.stringify(image)} } }`,
      'pod.yaml': pod(image),
      '.github/workflows/a.yaml': `jobs: { a: { container: ${JSON.stringify(image)} } }`,
      'main.tf': `resource "docker_image" "a" {\n  name = ${JSON.stringify(image)}\n}\n`,
      'kustomization.yaml': `images: [{ name: a, newName: ${JSON.stringify(image)}, newTag: 1.2.3 }]`,
      Dockerfile: image.includes(' ') ? 'FROM a b\nCOPY --from=b:1:2 a b\n' : `FROM ${image}\n`,
    };
    const { items } = discoverFiles(files);
    expect(items.filter(({ artifact }) => artifact.name !== 'a')).toMatchObject(
      Object.keys(files).map(() => ({
        reason: 'invalid',
        version: null,
        proposal: null,
        note: expect.stringContaining('not a valid image: '),
      })),
    );
  });

  test.each(['acme/web:{{ version }}', '{{ registry }}/web:1.0', 'acme/web:${TAG:?set it}', '$(IMAGE)'])(
    'is distinguished from a template that contains spaces or symbols: %s',
    (image) => {
      expect(discoverFiles({ 'pod.yaml': pod(image) }).items).toMatchObject([{ reason: 'templated' }]);
      const compose = `services: { web: { image: ${JSON.stringify(image)} } }`;
      expect(discoverFiles({ 'compose.yaml': compose }).items).toMatchObject([{ reason: 'templated' }]);
    },
  );

  test.each(['', ' '])('is not reported for a blank value: "%s"', (image) => {
    expect(discoverFiles({ 'pod.yaml': pod(image) })).toMatchObject({ items: [], problems: [] });
  });
});

test('an argument with spaces around its equals sign has no value and is reported, because Docker rejects it', () => {
  const text = 'ARG TAG = 1.2.3\nFROM acme/web:$TAG\nFROM acme/api:2.0.0\n';
  const { items, problems } = discoverFiles({ Dockerfile: text });
  expect(items.map(({ version, reason }) => [version, reason])).toEqual([
    ['$TAG', 'templated'],
    ['2.0.0', null],
  ]);
  expect(problems).toMatchObject([{ line: 1, reason: 'malformed', isFileRead: true }]);
});

test('a Dockerfile without a base image is reported', () => {
  const files = {
    Dockerfile: '# FROM a\nFORM nginx:1.2.3\n',
    'empty/Dockerfile': '',
    'j2/Dockerfile.j2': "{% include 'base' %}\nRUN x\n",
  };
  expect(discoverFiles(files).problems).toMatchObject([
    { file: 'Dockerfile', line: 1, reason: 'malformed', message: 'No FROM instruction.' },
    { file: 'empty/Dockerfile', line: 1, reason: 'malformed', message: 'No FROM instruction.' },
    { file: 'j2/Dockerfile.j2', reason: 'templated' },
  ]);
});

test.each([
  'REGISTRY/app:1.0.0',
  'DOCKER_REGISTRY/team/app:1.0.0',
  'ghcr.io/OWNER/app:1.0.0',
  '<registry>/app:1.0.0',
  'ghcr.io/<your-org>/app:1.0.0',
  'your-registry.example.com/app:1.0.0',
  'your-registry.acme.io/app:1.0.0',
  'registry.example.org:5000/app:1.0.0',
])('a placeholder is not proposed as a registry: %s', (image) => {
  const files = {
    'compose.yaml': `services: { web: { image: '${image}' } }`,
    Dockerfile: `FROM ${image}\n`,
    'values.yaml': `image: ${image}\n`,
  };
  expect(discoverFiles(files).items).toMatchObject(
    Object.keys(files).map(() => ({
      reason: 'templated',
      artifact: { name: image.replace(/:1\.0\.0$/, '') },
    })),
  );
});

test.each(['your-team/app:1.0.0', 'registry.acme.io/app:1.0.0', 'example/app:1.0.0', 'Acme/app:1.0.0'])(
  'a name that could be real is not a placeholder: %s',
  (image) => {
    expect(discoverFiles({ Dockerfile: `FROM ${image}\n` }).items[0]?.reason).not.toBe('templated');
  },
);

test.each([
  ['https://github.com/YOUR_ORG/gitops.git', true],
  ['https://github.com/YOUR-ORG/gitops.git', true],
  ['https://github.com/SAP/gitops.git', false],
  ['https://github.com/IBM/GITOPS_APPS.git', false],
  ['https://github.com/MY_ORG/gitops.git', true],
  ['https://github.com/acme/gitops.git', false],
])('a placeholder in a repository URL is templated, and other URLs are not: %s', (url, isPlaceholder) => {
  const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: platform }
spec: { source: { repoURL: '${url}', path: apps, targetRevision: v1.2.0 } }
`;
  const [item] = discoverFiles({ 'apps/platform.yaml': application }).items;
  expect(item?.reason).toBe(isPlaceholder ? 'templated' : null);
});

describe('the terraform extractor', () => {
  test('reads providers, modules, releases, images, and the Terraform version', () => {
    const file = `terraform {
  required_version = "~> 1.5"
  required_providers {
    aws  = { source = "hashicorp/aws", version = "5.1.0" }
    null = {
      source  = "registry.example.org/acme/null" # elsewhere
      version = ">= 1.0"
    }
    old = "= 2.0.0"
  }
}
module "vpc" {
  source  = "terraform-aws-modules/vpc/aws//modules/x"
  version = "5.0.0"
}
module "git" { source = "git::https://github.com/acme/modules.git//a?ref=v1.2.3" }
module "local" { source = "../local" }
module "computed" { source = var.source }
resource "helm_release" "redis" {
  name       = "redis"
  repository = "https://charts.example.org"
  chart      = "redis"
  version    = "1.2.3"
  values     = [<<-EOT
    image: { tag: "}" }
  EOT
  ]
}
resource "docker_image" "web" { name = "acme/web:\${var.tag}" }
`;
    expect(itemsOf('main.tf', file)).toEqual([
      'terraform ~> 1.5 (range)',
      'https://registry.terraform.io/v1/providers/hashicorp/aws/versions 5.1.0',
      'registry.example.org/acme/null >= 1.0 (range)',
      'https://registry.terraform.io/v1/providers/hashicorp/old/versions 2.0.0',
      'https://registry.terraform.io/v1/modules/terraform-aws-modules/vpc/aws/versions 5.0.0',
      'github.com/acme/modules v1.2.3',
      '../local - (local)',
      'computed - (templated)',
      'charts.example.org/redis 1.2.3',
      'docker.io/acme/web ${var.tag} (templated)',
    ]);
  });
});

describe('the github_actions extractor', () => {
  test('reads actions, commits with version comments, reusable workflows, and images', () => {
    const commit = '0123456789abcdef0123456789abcdef01234567';
    const file = `name: CI
jobs:
  build:
    container: { image: "node:20" }
    services: { db: { image: "postgres:16" } }
    steps:
      - uses: actions/checkout@v4
      - uses: actions/checkout@v4
      - uses: actions/cache/save@${commit} # v4.1.2
      - uses: acme/plain@${commit}
      - uses: ./local
      - uses: docker://alpine:3.20
      - uses: acme/branch@main
  call:
    uses: acme/workflows/.github/workflows/ci.yml@v2
`;
    expect(itemsOf('.github/workflows/ci.yaml', file)).toEqual([
      'docker.io/library/node 20 (floating)',
      'docker.io/library/postgres 16 (floating)',
      'github.com/actions/checkout v4 (floating)',
      'github.com/actions/cache v4.1.2',
      `github.com/acme/plain ${commit} (commit)`,
      './local - (local)',
      'docker.io/library/alpine 3.20',
      'github.com/acme/branch main (floating)',
      'github.com/acme/workflows v2 (floating)',
    ]);
  });
});

describe('the tools of setup actions', () => {
  const workflow = (steps: string) =>
    `env: { GO: 1.22.3 }\njobs: { a: { env: { HELM: v3.14.0 }, steps: [${steps}] } }\n`;
  const toolsOf = (steps: string) =>
    extractFile(toFilePath('.github/workflows/ci.yml'), workflow(steps))
      .facts.filter(({ artifact }) => artifact.kind !== 'action')
      .map(
        ({ artifact, version, reason }) =>
          `${artifact.name} ${version}${reason === null ? '' : ` (${reason})`}`,
      );

  test.each([
    ['{ uses: actions/setup-node@v4, with: { node-version: 22.4.1 } }', ['node 22.4.1']],
    [
      '{ uses: acme/ci/.github/workflows/lint.yaml@main, with: { terraform_version: 1.9.2 } }',
      ['terraform 1.9.2'],
    ],
    ['{ uses: acme/ci/.github/workflows/lint.yaml@main, with: { api-version: 1.9.2 } }', []],
    ['{ uses: actions/setup-node@v4, with: { node-version: 22 } }', ['node 22 (range)']],
    ['{ uses: actions/setup-node@v4, with: { node-version: 20.x } }', ['node 20.x (range)']],
    ['{ uses: actions/setup-node@v4, with: { node-version: lts/* } }', ['node lts/* (floating)']],
    ['{ uses: actions/setup-node@v4, with: { node-version-file: .nvmrc } }', []],
    // Setup actions install the newest patch release of a version without a patch number.
    ['{ uses: actions/setup-go@v5, with: { go-version: "1.22" } }', ['go 1.22 (range)']],
    ['{ uses: actions/setup-go@v5, with: { go-version: stable } }', ['go stable (floating)']],
    ['{ uses: actions/setup-go@v5, with: { go-version: "${{ env.GO }}" } }', ['go 1.22.3']],
    ['{ uses: azure/setup-helm@v4, with: { version: "${{ env.HELM }}" } }', ['helm v3.14.0']],
    [
      '{ uses: actions/setup-node@v4, with: { node-version: "${{ matrix.node }}" } }',
      ['node ${{ matrix.node }} (templated)'],
    ],
    [
      '{ uses: actions/setup-python@v5, with: { python-version: "3.11.2\\n3.12.1" } }',
      ['python 3.11.2', 'python 3.12.1'],
    ],
    ['{ uses: hashicorp/setup-terraform@v3, with: { terraform_version: 1.9.1 } }', ['terraform 1.9.1']],
    ['{ uses: astral-sh/setup-uv@v5, with: { version: 0.4.1 } }', ['astral-sh/uv 0.4.1']],
    ['{ uses: fluxcd/flux2/action@main, with: { version: 2.3.0 } }', ['flux2 2.3.0']],
    ['{ uses: sigstore/cosign-installer@v3, with: { cosign-release: v2.2.4 } }', ['cosign v2.2.4']],
    ['{ uses: acme/setup-cli@v1, with: { version: 1.2.3 } }', []],
    ['{ uses: acme/deploy@v1, with: { version: 1.2.3 } }', []],
  ])('are read from the step %s', (step, expected) => {
    expect(toolsOf(step)).toEqual(expected);
  });

  test('have the default of an input of a composite action as their version, with a note', () => {
    const action = (using: string) =>
      `inputs:\n  helm:\n    default: "v3.15.2"\n  go:\n    required: true\nruns:\n  using: ${using}\n  steps:\n    - uses: azure/setup-helm@v4\n      with: { version: "\${{ inputs.helm }}" }\n    - uses: actions/setup-go@v5\n      with: { go-version: "\${{ inputs.go }}" }\n`;
    const toolsOfAction = (using: string) =>
      discoverFiles({ '.github/actions/setup/action.yml': action(using) })
        .items.filter(({ artifact }) => artifact.kind === 'tool')
        .map(({ artifact, version, version_state, note }) => [artifact.name, version, version_state, note]);
    expect(toolsOfAction('composite')).toEqual([
      ['helm', 'v3.15.2', 'exact', 'default value of ${{ inputs.helm }}'],
      ['go', '${{ inputs.go }}', 'templated', null],
    ]);
    expect(toolsOfAction('other')[0]?.[2]).toBe('templated');
  });

  test('are identified by Renovate comments on variables', () => {
    const file = `env:
  # renovate: datasource=github-releases depName=acme/tool
  TOOL_VERSION: v1.2.3
  # renovate: datasource=node-version depName=node
  NODE_VERSION: 22.4.1
  OTHER_VERSION: 9.9.9
jobs:
  a:
    steps:
      - uses: actions/setup-node@0123456789abcdef0123456789abcdef01234567 # v4.1.0
        with:
          node-version: \${{ env.NODE_VERSION }}
`;
    expect(itemsOf('.github/workflows/ci.yml', file)).toEqual([
      // The source of Node.js is in the catalog, which this test doesn't use.
      'node 22.4.1 (no_source)',
      'github.com/actions/setup-node v4.1.0',
      'github.com/acme/tool v1.2.3',
    ]);
  });
});

describe('the tool_versions extractor', () => {
  const known = [
    { name: 'Node.js', source_type: 'http_json', artifact_name: 'https://nodejs.org/dist/index.json' },
  ] as const;

  test.each([
    ['.tool-versions', '# tools\nnodejs 20.1.0 18.0.0 # comment\nunknown 1.2.3\n', ['20.1.0', '1.2.3']],
    ['.nvmrc', 'v20.1.0\n', ['v20.1.0']],
    ['.nvmrc', 'lts/iron\n', [null]],
    ['.node-version', '20\n', ['20']],
    [
      'mise.toml',
      '[tools]\nnode = "20.1.0"\npython = ["3.11.2", "3.12"]\n"ubi:acme/tool" = { version = "1.2.3" }\n',
      ['20.1.0', '3.11.2', '1.2.3'],
    ],
  ])('reads %s with %j', (path, text, versions) => {
    const { items } = discoverFiles({ [path]: text }, { known });
    expect(items.map(({ version }) => version)).toEqual(versions);
    expect(items[0]?.proposal).toMatchObject({
      artifact_name: 'https://nodejs.org/dist/index.json',
      confidence: 'certain',
    });
  });

  test('ignores mise options in tool names, and reports the line of each tool', () => {
    const file = `[env]
TOOLS = "lefthook"
[tools]
"github:acme/chorus[exe=chorctl,matching=chorctl]" = "v0.7.9"
[tools.talos]
version = "1.11.1"
[tasks.hooks]
run = "lefthook install"
`;
    expect(discoverFiles({ 'mise.toml': file }).items).toMatchObject([
      { version: 'v0.7.9', place: { line: 4 }, proposal: { artifact_name: 'github.com/acme/chorus' } },
      { version: '1.11.1', place: { line: 5 } },
    ]);
    const lefthook = '[tasks.hooks]\nrun = "lefthook install"\n[tools]\nlefthook = "1.2.3"\n';
    expect(discoverFiles({ 'mise.toml': lefthook }).items).toMatchObject([{ place: { line: 4 } }]);
  });

  test('reports a tool without a catalog entry, with the reason why no source is proposed', () => {
    expect(discoverFiles({ '.tool-versions': 'unknown 1.2.3' }).items).toMatchObject([
      { reason: 'no_source', proposal: null, version: '1.2.3' },
    ]);
  });
});

describe('the version state of a tag or branch', () => {
  const stateOf = (path: string, text: string) =>
    discoverFiles({ [path]: text }).items.map(({ version, version_state, reason }) => [
      version,
      version_state,
      reason,
    ]);

  test.each([
    'v4',
    '4',
    'v4.x',
    'main',
    'release/v1',
    'release-1.29',
    'refs/heads/1.2.3',
    'v4-beta',
    'bump-3.30.7',
    'fix-123',
    'upgrade-eks-1-29',
    'feature/v2',
    'terraform-0.12',
    'stable-3',
    'v1-stable',
  ])('is floating for the action ref %s', (ref) => {
    const workflow = `jobs: { a: { steps: [{ uses: "actions/setup-node@${ref}" }] } }\n`;
    expect(stateOf('.github/workflows/a.yml', workflow)).toEqual([[ref, 'floating', 'floating']]);
  });

  test.each(['tf-module-buckets-3', 'buckets-v3', 'release-3', 'node-20', 'my_module_12'])(
    'is not_a_version for a name with one number, which can be a fixed tag or a branch: %s',
    (ref) => {
      const module = `module "a" {\n  source = "git::https://github.com/acme/modules//a?ref=${ref}"\n}\n`;
      expect(stateOf('main.tf', module)).toEqual([[ref, 'floating', 'not_a_version']]);
    },
  );

  test.each(['go1.22.3', 'vpc-1.2.3', 'ver-1.2', 'v1.2-rc1'])(
    'is exact for a repository tag that contains all numbers of a version: %s',
    (ref) => {
      const kustomization = `resources: ["https://github.com/golang/go?ref=${ref}"]\n`;
      expect(stateOf('kustomization.yaml', kustomization)).toEqual([[ref, 'exact', null]]);
    },
  );

  test('is determined by the tag in the comment after a commit', () => {
    const commit = '0123456789abcdef0123456789abcdef01234567';
    const use = (tag: string) =>
      `jobs:\n  a:\n    steps:\n      - uses: actions/setup-node@${commit} # ${tag}\n`;
    expect(stateOf('.github/workflows/a.yml', use('v4'))).toEqual([['v4', 'floating', 'floating']]);
    expect(stateOf('.github/workflows/a.yml', use('v4.1.2'))).toEqual([['v4.1.2', 'exact', null]]);
  });

  test.each([
    '1',
    'v1',
    'latest',
    '20-alpine',
    '20-alpine3.19',
    '17-jdk-slim',
    '3-slim',
    '2022-latest',
    '1.2-latest',
    '1.x',
    'alpine3.19',
    'lts-alpine3.19',
    'mainline-alpine3.19',
    'pg16',
    'php8.2-apache',
    'node20',
    'bookworm-20',
    'noble',
  ])('is floating for the image tag %s', (tag) => {
    expect(stateOf('Dockerfile', `FROM acme/web:${tag}\n`)).toEqual([[tag, 'floating', 'floating']]);
  });

  test.each([
    'v4.1',
    '16.3',
    '1.27.1-alpine3.19',
    '20240131',
    '2024-01-31',
    '4711',
    '12-main-0a1b2c3',
    '1-rc.1',
    'r1234',
    'jdk-21.0.4',
    'bookworm-20240701',
    'web-12',
    'RELEASE.2024-01-31T20-20-33Z',
  ])('is exact for the image tag %s', (tag) => {
    expect(stateOf('Dockerfile', `FROM acme/web:${tag}\n`)).toEqual([[tag, 'exact', null]]);
  });

  test.each([
    ['.nvmrc', '20\n', 'range'],
    ['.nvmrc', '20.11.1\n', 'exact'],
    ['.tool-versions', 'java temurin-17\n', 'range'],
  ])('is exact only for a complete version in %s: %j', (path, text, state) => {
    expect(stateOf(path, text)).toMatchObject([{ 1: state }]);
  });
});

test('the images in ImageStreams and builds of OpenShift are read', () => {
  const stream = `apiVersion: image.openshift.io/v1
kind: ImageStream
metadata: { name: web }
spec:
  tags:
    - { name: "1.2", from: { kind: DockerImage, name: "quay.io/acme/web:1.2.3" } }
    - { name: other, from: { kind: ImageStreamTag, name: "web:1.2" } }
`;
  expect(itemsOf('is.yaml', stream)).toEqual(['quay.io/acme/web 1.2.3']);
});

describe('the elements of an ApplicationSet', () => {
  const set = (generators: string, chart: string) =>
    `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: addons }
spec:
  generators: [${generators}]
  template:
    metadata: { name: "addon-{{name}}" }
    spec:
      source: ${chart}
`;

  test('come from the values of cluster generators, which the other generators in a merge can override', () => {
    const generators = `{ merge: { mergeKeys: [server], generators: [
      { clusters: { values: { chart: web, version: 1.2.3 } } },
      { clusters: { selector: { matchLabels: { env: prod } }, values: { version: 1.2.0 } } }] } }`;
    const chart =
      '{ chart: "{{values.chart}}", repoURL: "https://charts.example.org", targetRevision: "{{values.version}}" }';
    expect(itemsOf('addons.yaml', set(generators, chart))).toEqual([
      'charts.example.org/web 1.2.3',
      'charts.example.org/web 1.2.0',
    ]);
  });

  test('from a matrix have the values of one generator even if only Argo CD can evaluate the other one', () => {
    const generators =
      '{ matrix: { generators: [{ clusters: {} }, { list: { elements: [{ app: web, version: 1.2.3 }] } }] } }';
    const chart =
      '{ chart: "{{app}}", repoURL: "https://charts.example.org", targetRevision: "{{version}}" }';
    expect(itemsOf('addons.yaml', set(generators, chart))).toEqual(['charts.example.org/web 1.2.3']);
  });
});

test('custom resources can contain the namespace, the name, and the tag of an image in separate fields', () => {
  const object = (spec: string) =>
    `apiVersion: example.org/v1\nkind: Policy\nmetadata: { name: a }\nspec: ${spec}\n`;
  expect(
    itemsOf(
      'a.yaml',
      object('{ driver: { repository: nvcr.io/nvidia, image: driver, version: 550.90.07 } }'),
    ),
  ).toEqual(['nvcr.io/nvidia/driver 550.90.07']);
  expect(itemsOf('a.yaml', object('{ sidecar: { imageName: quay.io/acme/web, imageTag: 1.4.0 } }'))).toEqual([
    'quay.io/acme/web 1.4.0',
  ]);
});
