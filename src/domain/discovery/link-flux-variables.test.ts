import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';

const kustomization = (postBuild: string, { path = './apps', name = 'apps', more = '' } = {}) => `
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: ${name}, namespace: flux-system }
spec:
  path: ${path}
  ${more}
  postBuild:
    ${postBuild.replaceAll('\n', '\n    ')}
`;

const deployment = (image: string, metadata = 'name: web') => `
apiVersion: apps/v1
kind: Deployment
metadata: { ${metadata} }
spec: { template: { spec: { containers: [{ name: web, image: "${image}" }] } } }
`;

const object = (name: string, data: string, { kind = 'ConfigMap', namespace = 'flux-system' } = {}) => `
apiVersion: v1
kind: ${kind}
metadata: { name: ${name}, namespace: ${namespace} }
data:
  ${data}
`;

const release = `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: web, namespace: web }
spec:
  chart: { spec: { chart: web, version: "\${CHART}", sourceRef: { kind: HelmRepository, name: acme } } }
  values:
    image: { repository: ghcr.io/acme/web, tag: "\${TAG}" }
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: acme, namespace: web }
spec: { url: https://charts.acme.dev }
`;

const oci = `
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: { name: web, namespace: web }
spec:
  url: oci://ghcr.io/acme/charts/web
  ref: { tag: "\${CHART}" }
`;

function versions(files: Readonly<Record<string, string>>) {
  return discoverFiles(files)
    .items.map(({ artifact, version, place }) => `${artifact.name} ${version} ${place.file}:${place.line}`)
    .toSorted();
}

const set = (name: string, value: string) => `substitute:\n  ${name}: ${value}`;
const from = (...names: string[]) =>
  `substituteFrom:\n${names.map((name) => `  - { kind: ${name.startsWith('secret') ? 'Secret' : 'ConfigMap'}, name: ${name} }`).join('\n')}`;

describe('a Flux Kustomization', () => {
  test('sets the versions of charts and images with variables, on the lines of the variables', () => {
    const files = {
      'flux.yaml': kustomization('substitute:\n  CHART: 1.2.3\n  TAG: "4.5.6" # the newest'),
      'apps/web.yaml': release,
    };
    expect(versions(files)).toEqual(['ghcr.io/acme/web 4.5.6 flux.yaml:11', 'web 1.2.3 flux.yaml:10']);
    const { items } = discoverFiles(files);
    expect(items.map(({ proposal, reason, service }) => [proposal === null, reason, service])).toEqual([
      [false, null, 'web'],
      [false, null, 'web'],
    ]);
  });

  test('has its own items for a version that other Kustomizations set too, with the environment of its path', () => {
    const { items } = discoverFiles({
      'clusters/staging/apps.yaml': kustomization(set('TAG', '2.0.0')),
      'clusters/production/apps.yaml': kustomization(set('TAG', '1.2.3')),
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
    });
    expect(items.map(({ version, environment, service }) => [version, environment, service])).toEqual(
      expect.arrayContaining([
        ['1.2.3', 'prod', 'web'],
        ['2.0.0', 'staging', 'web'],
      ]),
    );
    expect(items).toHaveLength(2);
  });

  test('has items that differ from those of another Kustomization in the same file', () => {
    const { items } = discoverFiles({
      'flux.yaml': `${kustomization(set('TAG', '1.2.3'), { name: 'a' })}---${kustomization(set('TAG', '1.2.3'), { name: 'b' })}`,
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
    });
    expect(new Set(items.map(({ key }) => key)).size).toBe(2);
  });

  test.each([
    ['a part of the name', 'ghcr.io/${ORG}/web:${TAG}', 'ORG: acme\n  TAG: 1.2.3', ':11'],
    ['the whole image', '${IMAGE}', 'IMAGE: ghcr.io/acme/web:1.2.3', ':10'],
    ['an image with a default', 'ghcr.io/acme/web:${TAG:-1.0.0}', 'TAG: 1.2.3', ':10'],
  ])('replaces %s', (_, image, values, line) => {
    const files = {
      'flux.yaml': kustomization(`substitute:\n  ${values}`),
      'apps/web.yaml': deployment(image),
    };
    expect(versions(files)).toEqual([`ghcr.io/acme/web 1.2.3 flux.yaml${line}`]);
  });

  test('keeps a default on the line of the manifest', () => {
    const files = {
      'flux.yaml': kustomization(set('TIMEZONE', 'Europe/Berlin')),
      'apps/web.yaml': oci.replace('${CHART}', '${CHART:=1.2.3}'),
    };
    expect(versions(files)).toEqual(['ghcr.io/acme/charts/web 1.2.3 apps/web.yaml:7']);
  });

  test('sets the tag of an image whose registry is not known, which stays without a source', () => {
    const { items } = discoverFiles({
      'flux.yaml': kustomization(`${set('TAG', '1.2.3')}\n${from('settings')}`),
      'apps/web.yaml': deployment('${REGISTRY}/acme/web:${TAG}'),
    });
    expect(
      items.map(({ version, reason, proposal, place }) => [version, reason, proposal, place.file]),
    ).toEqual([['1.2.3', 'templated', null, 'flux.yaml']]);
  });

  test('sets the version of a chart in an OCIRepository that a release uses', () => {
    const files = {
      'flux.yaml': kustomization(set('CHART', '1.2.3')),
      'apps/web.yaml': `${oci}---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: web, namespace: web }
spec: { chartRef: { kind: OCIRepository, name: web } }
`,
    };
    expect(versions(files)).toEqual(['web 1.2.3 flux.yaml:10']);
  });

  test.each([
    ['tag', 'ref: { tag: "${REF}" }', 'v1.2.3'],
    ['semver range', 'ref: { semver: "${REF}" }', '1.2.3'],
  ])('sets the %s of a GitRepository', (_, ref, value) => {
    const files = {
      'flux.yaml': kustomization(set('REF', value)),
      'apps/web.yaml': `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: web }\nspec: { url: "https://github.com/acme/web", ${ref} }\n`,
    };
    expect(versions(files)).toEqual([`https://github.com/acme/web ${value} flux.yaml:10`]);
  });

  test('sets the tags of images in kustomizations', () => {
    const files = {
      'flux.yaml': kustomization(set('TAG', '1.2.3')),
      'apps/kustomization.yaml':
        'resources: [web.yaml]\nimages: [{ name: ghcr.io/acme/web, newTag: "${TAG}" }]\n',
      'apps/web.yaml': deployment('ghcr.io/acme/web'),
    };
    expect(versions(files)).toContain('ghcr.io/acme/web 1.2.3 flux.yaml:10');
  });

  test.each([
    ['below its path', {}],
    [
      'that a kustomization below its path includes',
      { 'apps/kustomization.yaml': 'resources: [web.yaml]\n' },
    ],
    [
      'in other directories that its kustomization includes',
      {
        'clusters/a/kustomization.yaml': 'resources: [../b]\n',
        'clusters/b/kustomization.yaml': 'resources: [../../apps/web.yaml]\n',
      },
      './clusters/a',
    ],
    ['of its components', {}, './base', 'components: [../apps]'],
  ])('replaces variables in manifests %s', (_, files, path = './apps', more = '') => {
    const all = {
      'flux.yaml': kustomization(set('TAG', '1.2.3'), { path, more }),
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
      ...files,
    };
    expect(versions(all)).toEqual(['ghcr.io/acme/web 1.2.3 flux.yaml:10']);
  });

  test.each([
    ['in another directory', {}, './other'],
    ['that its kustomization omits', { 'apps/kustomization.yaml': 'resources: [other.yaml]\n' }, './apps'],
    ['that a kustomization below its path omits', { 'apps/kustomization.yaml': 'resources: []\n' }, './'],
    [
      'that disable it',
      {
        'apps/web.yaml': deployment(
          'ghcr.io/acme/web:${TAG}',
          'name: web, annotations: { kustomize.toolkit.fluxcd.io/substitute: disabled }',
        ),
      },
      './apps',
    ],
  ])('replaces no variables in manifests %s', (_, files, path) => {
    const all = {
      'flux.yaml': kustomization(set('TAG', '1.2.3'), { path }),
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
      ...files,
    };
    expect(versions(all)).toEqual(['ghcr.io/acme/web ${TAG} apps/web.yaml:5']);
  });

  test.each([
    ['a ConfigMap', from('settings'), 'settings.yaml:6'],
    ['the last of several ConfigMaps', from('other', 'settings'), 'settings.yaml:6'],
    [
      'its own value, which overrides ConfigMaps',
      `${set('TAG', '1.2.3')}\n${from('settings')}`,
      'flux.yaml:10',
    ],
    ['a ConfigMap before a Secret without the variable', from('settings', 'secrets'), 'settings.yaml:6'],
  ])('gets the value of a variable from %s', (_, postBuild, place) => {
    const files = {
      'flux.yaml': kustomization(postBuild),
      'settings.yaml': object('settings', 'TAG: 1.2.3'),
      'other.yaml': object('other', 'TAG: 1.0.0'),
      'secrets.yaml': object('secrets', 'OTHER: MS4yLjM=', { kind: 'Secret' }),
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
    };
    expect(versions(files)).toEqual([`ghcr.io/acme/web 1.2.3 ${place}`]);
  });

  test.each([
    ['a Secret sets it', from('settings', 'secrets')],
    ['a ConfigMap that is not in the repository can override it', from('settings', 'missing')],
    ['the ConfigMap is in another namespace', from('elsewhere')],
    ['its value contains another variable', set('TAG', '"${OTHER}"')],
    ['its value is not a tag', set('TAG', 'a/b')],
    ['nothing sets it', set('OTHER', '1.2.3')],
  ])('leaves a variable as written if %s', (_, postBuild) => {
    const files = {
      'flux.yaml': kustomization(postBuild),
      'settings.yaml': object('settings', 'TAG: 1.2.3'),
      'elsewhere.yaml': object('elsewhere', 'TAG: 1.2.3', { namespace: 'web' }),
      'secrets.yaml': object('secrets', 'TAG: MS4yLjM=', { kind: 'Secret' }),
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
    };
    expect(versions(files)).toEqual(['ghcr.io/acme/web ${TAG} apps/web.yaml:5']);
  });

  test('gets values from the ConfigMap of its own cluster', () => {
    const clusters = {
      'clusters/a/apps.yaml': kustomization(from('settings')),
      'clusters/a/settings.yaml': object('settings', 'TAG: 1.2.3'),
      'clusters/b/apps.yaml': kustomization(from('settings')),
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
    };
    expect(versions(clusters)).toEqual([
      'ghcr.io/acme/web ${TAG} clusters/b/apps.yaml:9',
      'ghcr.io/acme/web 1.2.3 clusters/a/settings.yaml:6',
    ]);
    expect(versions({ ...clusters, 'clusters/b/settings.yaml': object('settings', 'TAG: 2.0.0') })).toEqual([
      'ghcr.io/acme/web 1.2.3 clusters/a/settings.yaml:6',
      'ghcr.io/acme/web 2.0.0 clusters/b/settings.yaml:6',
    ]);
  });

  test('keeps the version of a cluster whose Secret sets the variable as unknown, next to those of other clusters', () => {
    const { items } = discoverFiles({
      'clusters/production/apps.yaml': kustomization(from('settings')),
      'clusters/production/settings.yaml': object('settings', 'TAG: 1.2.3'),
      'clusters/staging/apps.yaml': kustomization(from('settings', 'secrets')),
      'clusters/staging/settings.yaml': object('settings', 'TAG: 1.3.0'),
      'clusters/staging/secrets.yaml': object('secrets', 'TAG: MS4yLjM=', { kind: 'Secret' }),
      'clusters/dev/apps.yaml': kustomization(from('settings', 'secret-missing')),
      'clusters/dev/settings.yaml': object('settings', 'TAG: 1.4.0'),
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
    });
    expect(
      items.map(({ environment, version, reason, place }) => [environment, version, reason, place.file]),
    ).toEqual(
      expect.arrayContaining([
        ['prod', '1.2.3', null, 'clusters/production/settings.yaml'],
        ['staging', '${TAG}', 'templated', 'clusters/staging/apps.yaml'],
        ['dev', '${TAG}', 'templated', 'clusters/dev/apps.yaml'],
      ]),
    );
    expect(items).toHaveLength(3);
  });

  const source = (name: string, url: string) =>
    `\n---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: ${name}, namespace: flux-system }\nspec: { url: "${url}", ref: { branch: main } }\n`;
  const of = (name: string) => ({ more: `sourceRef: { kind: GitRepository, name: ${name} }` });
  const self = kustomization('substitute: {}', {
    name: 'flux-system',
    path: './clusters/a',
    ...of('flux-system'),
  });

  test.each([
    ['of another repository', 'other', 'https://github.com/acme/web', true],
    ['of this repository with another name', 'other', 'ssh://git@github.com/acme/deploy', false],
    ['that is not in the repository', 'missing', 'https://github.com/acme/web', false],
  ])('with a GitRepository %s applies its path in this repository or not', (_, name, url, isOther) => {
    const files = {
      'clusters/a/sync.yaml': self + source('flux-system', 'https://github.com/acme/deploy.git'),
      'clusters/a/apps.yaml': kustomization(set('TAG', '1.2.3'), of(name)) + source('other', url),
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
    };
    const found = versions(files).filter((line) => line.startsWith('ghcr.io'));
    expect(found).toEqual([
      isOther
        ? 'ghcr.io/acme/web ${TAG} apps/web.yaml:5'
        : expect.stringMatching(/^ghcr\.io\/acme\/web 1\.2\.3 clusters\/a\/apps\.yaml:\d+$/),
    ]);
  });

  test('applies no path of a GitRepository that another one, which is not in the repository, creates', () => {
    const files = {
      'clusters/a/sync.yaml': self,
      'clusters/a/apps.yaml':
        kustomization(set('TAG', '1.2.3'), of('other')) + source('other', 'https://github.com/acme/web'),
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
    };
    expect(versions(files)).toContain('ghcr.io/acme/web ${TAG} apps/web.yaml:5');
  });

  test('that several clusters apply gets values from the ConfigMap of each cluster', () => {
    const cluster = (name: string) =>
      kustomization('substitute: {}', { name: 'flux-system', path: `./clusters/${name}` });
    const shared = kustomization('substitute: {}', { name: 'shared', path: './shared' });
    const clusters = {
      'clusters/a/flux-system/sync.yaml': cluster('a'),
      'clusters/a/shared.yaml': shared,
      'clusters/a/settings.yaml': object('settings', 'TAG: 1.2.3'),
      'clusters/b/flux-system/sync.yaml': cluster('b'),
      'clusters/b/shared.yaml': shared,
      'shared/apps.yaml': kustomization(from('settings')),
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
    };
    expect(versions(clusters)).toEqual([
      'ghcr.io/acme/web ${TAG} shared/apps.yaml:9',
      'ghcr.io/acme/web 1.2.3 clusters/a/settings.yaml:6',
    ]);
    expect(versions({ ...clusters, 'clusters/b/settings.yaml': object('settings', 'TAG: 2.0.0') })).toEqual([
      'ghcr.io/acme/web 1.2.3 clusters/a/settings.yaml:6',
      'ghcr.io/acme/web 2.0.0 clusters/b/settings.yaml:6',
    ]);
  });

  test('replaces the comment for Renovate on the line of a variable', () => {
    const comment = '# renovate: datasource=docker depName=ghcr.io/acme/web';
    const files = {
      'flux.yaml': kustomization(`substitute:\n  ${comment}\n  TAG: 1.2.3`),
      'apps/web.yaml': deployment('ghcr.io/acme/web:${TAG}'),
    };
    expect(versions(files)).toEqual(['ghcr.io/acme/web 1.2.3 flux.yaml:11']);
  });
});

test('variables that set no version, such as a time zone, yield no items', () => {
  const files = {
    'flux.yaml': kustomization(`substitute:\n  APP: web\n  TIMEZONE: Europe/Berlin\n${from('settings')}`),
    'settings.yaml': object('settings', 'VERSION: 1.2.3'),
    'apps/web.yaml': deployment(
      'ghcr.io/acme/web:1.2.3',
      'name: "${APP}", annotations: { tz: "${TIMEZONE}" }',
    ),
  };
  expect(versions(files)).toEqual(['ghcr.io/acme/web 1.2.3 apps/web.yaml:5']);
});

test('more than a thousand clusters each get the value of their own ConfigMap, without reaching the limit of a scan', () => {
  const count = 1_200;
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      [`clusters/${at}/apps.yaml`, kustomization(from('settings'), { path: `./apps/${at}` })],
      [`clusters/${at}/settings.yaml`, object('settings', `TAG: 1.2.${at}`)],
      [`apps/${at}/web.yaml`, deployment('ghcr.io/acme/web:${TAG}', `name: web${at}`)],
    ]).flat(),
  );
  const { items, problems } = discoverFiles(files);
  expect(problems).toEqual([]);
  const own = items.filter(
    ({ version, place }) => place.file === `clusters/${version?.slice(4)}/settings.yaml`,
  );
  expect(own.length).toBe(count);
});

test('the time of a scan does not grow with the product of Kustomizations and manifests', () => {
  const files = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, at) => [
      [`flux/${at}.yaml`, kustomization(set('TAG', `1.2.${at}`), { name: `k${at}` })],
      [`apps/${at}.yaml`, deployment('ghcr.io/acme/web:${TAG}', `name: web${at}`)],
    ]).flat(),
  );
  const before = process.cpuUsage();
  const { problems } = discoverFiles(files);
  expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(20);
  expect(problems).toContainEqual(expect.objectContaining({ file: 'apps/0.yaml', reason: 'limit' }));
});
