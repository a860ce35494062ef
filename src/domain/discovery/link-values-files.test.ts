import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { extractFile, toFilePath } from './extract-file.ts';
import { unreferencedValuesFiles } from './silent-files.ts';

const image = (name: string, tag = '1.2.3') => `image:\n  repository: ghcr.io/acme/${name}\n  tag: ${tag}\n`;
const environments = 'environments:\n  default:\n  production:\n  local:\n';
const escaped = (name: string) => `{{\`{{ .${name} }}\`}}`;

/** Returns the file, version, environment, service, and reason of the items with an image. */
function imagesOf(files: Readonly<Record<string, string>>) {
  return discoverFiles(files)
    .items.filter(({ artifact }) => artifact.kind === 'image')
    .map(({ place: { file }, version, environment, service, reason }) => [
      file,
      version,
      environment,
      service,
      reason,
    ]);
}

/** Returns the files that look like values and yield nothing, each with its reason. */
function unreferenced(files: Readonly<Record<string, string>>) {
  const scanned = Object.entries(files).map(([path, text]) => ({
    path,
    ...extractFile(toFilePath(path), text),
  }));
  const found = new Set(discoverFiles(files).items.map(({ place }) => place.file));
  return unreferencedValuesFiles(scanned, found);
}

describe('the values files of a release in a helmfile', () => {
  const values = {
    'deploy/env/production/web.yaml.gotmpl': image('web'),
    'deploy/env/local/web.yaml.gotmpl': image('web', '2.0.0'),
    'deploy/env/staging/web.yaml.gotmpl': image('web', '3.0.0'),
  };
  const path = `env/${escaped('Environment.Name')}/${escaped('Release.Name')}.yaml.gotmpl`;
  const expected = [
    ['deploy/env/production/web.yaml.gotmpl', '1.2.3', 'prod', 'web', null],
    ['deploy/env/local/web.yaml.gotmpl', '2.0.0', 'local', 'web', null],
  ];

  test.each([
    [
      'a merge key',
      `${environments}---\ntemplates:\n  default: &default\n    values:\n      - ${path}\nreleases:\n  - name: web\n    chart: acme/web\n    <<: *default\n`,
    ],
    [
      'inherit',
      `${environments}---\ntemplates:\n  default:\n    values:\n      - ${path}\nreleases:\n  - name: web\n    chart: acme/web\n    inherit:\n      - template: default\n`,
    ],
    [
      'a template that inherits from another one',
      `${environments}---\ntemplates:\n  paths:\n    values:\n      - ${path}\n  default:\n    inherit: [{ template: paths }]\nreleases:\n  - name: web\n    chart: acme/web\n    inherit: [{ template: default }]\n`,
    ],
    [
      'templates without escapes, next to a template that is not YAML',
      `${environments}---\nreleases:\n  - name: web\n    chart: acme/web\n    version: {{ .Values.version }}\n    values:\n      - "env/{{ .Environment.Name }}/{{ .Release.Name }}.yaml.gotmpl"\n`,
    ],
  ])('are found through %s, in each declared environment', (_, helmfile) => {
    expect(imagesOf({ ...values, 'deploy/helmfile.yaml.gotmpl': helmfile })).toEqual(expected);
  });

  test('belong to the release, and their paths can contain its namespace and chart', () => {
    const helmfile = `releases:\n  - name: web\n    namespace: shop\n    chart: acme/api\n    values:\n      - ${escaped('Release.Namespace')}/${escaped('Release.Chart')}.yaml\n`;
    const { items } = discoverFiles({ 'helmfile.yaml': helmfile, 'shop/acme/api.yaml': image('api') });
    expect(items.map(({ place: { kind, namespace, name } }) => [kind, namespace, name])).toContainEqual([
      'Release',
      'shop',
      'web',
    ]);
    expect(items.at(-1)).toMatchObject({ service: 'web', label_sources: { service: 'name' } });
  });

  test('have the environments that another helmfile of the repository declares', () => {
    const helmfile = `releases:\n  - name: web\n    chart: acme/web\n    values:\n      - ${path}\n`;
    const files = { ...values, 'deploy/helmfile.yaml': environments, 'deploy/web.helmfile.yaml': helmfile };
    expect(imagesOf(files)).toEqual(expected);
  });

  test('have no release if several releases share them, and no environment if all environments do', () => {
    const release = (name: string) =>
      `  - name: ${name}\n    chart: acme/web\n    values: [shared/web.yaml]\n`;
    const helmfile = `${environments}releases:\n${release('a')}${release('b')}`;
    expect(imagesOf({ 'helmfile.yaml': helmfile, 'shared/web.yaml': image('web') })).toEqual([
      ['shared/web.yaml', '1.2.3', null, 'shared', null],
    ]);
  });

  test('are not inherited if the release excludes them', () => {
    const helmfile = `${environments}templates:\n  default: { values: [config/web.yaml] }\nreleases:\n  - { name: web, chart: acme/web, inherit: [{ template: default, except: [values] }] }\n`;
    expect(imagesOf({ 'helmfile.yaml': helmfile, 'config/web.yaml': image('web') })).toEqual([]);
  });

  test('whose path comes from a template are reported as templated, and other files as not named', () => {
    const helmfile =
      'releases:\n  - name: web\n    chart: acme/web\n    version: 1.0.0\n    values:\n      - "env/{{ .Values.region }}/web.yaml"\n';
    const files = {
      'helmfile.yaml': helmfile,
      'env/eu/web.yaml': image('web'),
      'env/eu/other.yaml': image('other'),
    };
    expect(unreferenced(files)).toEqual([
      { path: 'env/eu/web.yaml', reason: 'templated' },
      { path: 'env/eu/other.yaml', reason: 'not_named' },
    ]);
    expect(extractFile(toFilePath('helmfile.yaml'), helmfile).problems).toEqual([
      {
        line: 6,
        reason: 'templated',
        message: 'The path of a values file comes from a template: env/{{ .Values.region }}/web.yaml',
        isRestRead: true,
      },
    ]);
  });

  describe('that set only a tag have the image of an earlier file', () => {
    const release = (...paths: string[]) =>
      `${environments}---\nreleases:\n  - name: web\n    chart: acme/web\n    version: 1.0.0\n    values:\n${paths.map((each) => `      - ${each}\n`).join('')}`;
    const ofEnvironment = `values/web-${escaped('Environment.Name')}.yaml`;
    const tagOf = (files: Readonly<Record<string, string>>, file: string) => {
      const item = discoverFiles(files).items.find(({ place }) => place.file === file);
      return [item?.artifact.name, item?.version, item?.environment, item?.proposal?.confidence];
    };
    const base = image('web', '1.0.0');
    const tags = {
      'values/web-production.yaml': 'image:\n  tag: 1.2.3\n',
      'values/web-local.yaml': 'image:\n  tag: "1.3.0-acme.8"\n',
      'values/web-default.yaml': 'replicas: 1\n',
    };
    const files = {
      'helmfile.yaml': release('values/web.yaml', ofEnvironment),
      'values/web.yaml': base,
      ...tags,
    };

    test('in each environment', () => {
      expect(tagOf(files, 'values/web-production.yaml')).toEqual([
        'ghcr.io/acme/web',
        '1.2.3',
        'prod',
        'certain',
      ]);
      expect(tagOf(files, 'values/web-local.yaml')).toEqual([
        'ghcr.io/acme/web',
        '1.3.0-acme.8',
        'local',
        'certain',
      ]);
    });

    test('which can be the file of an environment', () => {
      const paths = ['production', escaped('Environment.Name')].map((each) => `env/${each}/web.values.yaml`);
      const found = {
        'helmfile.yaml': release(...paths),
        'env/production/web.values.yaml': base,
        'env/local/web.values.yaml': tags['values/web-local.yaml'],
        'env/default/web.values.yaml': tags['values/web-default.yaml'],
      };
      expect(tagOf(found, 'env/local/web.values.yaml')).toEqual([
        'ghcr.io/acme/web',
        '1.3.0-acme.8',
        'local',
        'certain',
      ]);
    });

    test('which is not certain if the release has other values', () => {
      const helmfile = release('values/web.yaml', ofEnvironment, 'private/web.yaml');
      expect(tagOf({ ...files, 'helmfile.yaml': helmfile }, 'values/web-local.yaml').at(-1)).toBe('likely');
    });

    test.each([
      ['a later file names the image', { 'helmfile.yaml': release(ofEnvironment, 'values/web.yaml') }],
      [
        'no earlier file sets this field',
        { 'values/web.yaml': `main:\n  ${base.replaceAll('\n', '\n  ')}\n` },
      ],
      [
        'releases name different images',
        {
          'other/helmfile.yaml': release('other.yaml', '../values/web-local.yaml'),
          'other/other.yaml': image('other'),
        },
      ],
    ])('but not if %s', (_, changed) => {
      expect(tagOf({ ...files, ...changed }, 'values/web-local.yaml')[0]).not.toMatch(/acme/);
    });
  });

  describe('replace the version of an earlier file', () => {
    const release = (name: string, ...paths: string[]) =>
      `  - name: ${name}\n    chart: acme/web\n    version: 1.0.0\n    values:\n${paths.map((each) => `      - ${each}\n`).join('')}`;
    const ofEnvironment = `values/web-${escaped('Environment.Name')}.yaml`;
    const helmfile = (...releases: string[]) =>
      `environments:\n  production:\n  staging:\n---\nreleases:\n${releases.join('')}`;
    const files = {
      'helmfile.yaml': helmfile(release('web', 'values/web.yaml', ofEnvironment)),
      'values/web.yaml': image('web', '1.0.0'),
      'values/web-production.yaml': 'image:\n  tag: 1.2.3\n',
      'values/web-staging.yaml': image('web', '1.3.0'),
    };
    const baseOf = (changes: Readonly<Record<string, string>>) =>
      discoverFiles({ ...files, ...changes }).items.find(({ place }) => place.file === 'values/web.yaml')
        ?.reason;

    test('if each environment has one', () => {
      expect(baseOf({})).toBe('overridden');
      expect(
        baseOf({ 'helmfile.yaml': helmfile(release('web', 'values/web.yaml', 'values/web-staging.yaml')) }),
      ).toBe('overridden');
    });

    test.each([
      ['the file of one environment has none', { 'values/web-staging.yaml': 'replicas: 1\n' }],
      [
        'the file of one environment has only the name',
        { 'values/web-staging.yaml': 'image:\n  repository: ghcr.io/acme/web\n' },
      ],
      [
        'one environment has no file',
        { 'helmfile.yaml': files['helmfile.yaml'].replace('  staging:\n', '  staging:\n  test:\n') },
      ],
      [
        'another release uses only the file',
        {
          'helmfile.yaml': helmfile(
            release('web', 'values/web.yaml', ofEnvironment),
            release('api', 'values/web.yaml'),
          ),
        },
      ],
      [
        'the file is loaded last',
        { 'helmfile.yaml': helmfile(release('web', ofEnvironment, 'values/web.yaml')) },
      ],
      [
        'an Application uses the file',
        {
          'app.yaml':
            'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: web }\nspec:\n  sources:\n    - { repoURL: https://charts.acme.dev, chart: web, targetRevision: 1.0.0, helm: { valueFiles: [$own/values/web.yaml] } }\n    - { repoURL: https://git.acme.dev/own.git, ref: own }\n',
        },
      ],
    ])('unless %s', (_, changes) => {
      expect(baseOf(changes)).toBeNull();
    });
  });

  test('with a template suffix are read if they have the name of a values file', () => {
    expect(describeItems({ 'web.values.yaml.gotmpl': image('web') })).toEqual(['ghcr.io/acme/web 1.2.3']);
  });
});

describe('a release of a helmfile', () => {
  const release = (more: string) => ({
    'helmfile.yaml.gotmpl': `${environments}---\nrepositories:\n  - { name: acme, url: "https://charts.example.org" }\nreleases:\n  - name: web\n    chart: acme/web\n    version: 1.2.3\n    values: [config/web.yaml]\n${more}`,
    'config/web.yaml': image('web'),
  });
  const read = (more: string) =>
    discoverFiles(release(more)).items.map(({ reason, environment, note }) => [reason, environment, note]);

  test('that is not installed has the reason not_installed, as do the images in its values', () => {
    expect(read('    installed: false\n')).toEqual([
      ['not_installed', null, null],
      ['not_installed', null, null],
    ]);
    expect(read('    installed: true\n')).toEqual([
      [null, null, null],
      [null, null, null],
    ]);
  });

  test('that is installed in only one environment has this environment', () => {
    expect(read('    installed: {{ eq .Environment.Name "production" | toYaml }}\n')).toEqual([
      [null, 'prod', null],
      [null, 'prod', null],
    ]);
  });

  test('whose condition is not known is proposed with a note about the condition', () => {
    expect(read('    installed: {{ .Values.web.enabled }}\n')[0]).toEqual([
      null,
      null,
      'installed only if a template in `installed` is true',
    ]);
    expect(read('    condition: web.enabled\n')[0]).toEqual([
      null,
      null,
      'installed only if web.enabled is true',
    ]);
  });

  test('can have its name in the chart of a template', () => {
    const helmfile = `repositories:\n  - { name: acme, url: "https://charts.example.org" }\ntemplates:\n  default: &default\n    chart: acme/${escaped('Release.Name')}\n    version: 1.2.3\nreleases:\n  - name: web\n    <<: *default\n`;
    expect(describeItems({ 'helmfile.yaml': helmfile })).toContain('charts.example.org/web 1.2.3');
  });
});

describe('the URL of a chart archive', () => {
  const itemsOf = (chart: string) =>
    discoverFiles({ 'helmfile.yaml': `releases:\n  - name: web\n    chart: ${chart}\n` }).items;

  test.each([
    ['https://charts.example.org/stable/web-1.2.3.tgz', 'web', '1.2.3'],
    ['https://charts.example.org/redis-ha-4.0.0-rc.1.tgz?raw=true', 'redis-ha', '4.0.0-rc.1'],
    ['https://charts.example.org/traefik-27.0.2%2Bup1.2.3.tgz', 'traefik', '27.0.2+up1.2.3'],
  ])(
    'contains the name and version in %s, and its directory is probably the repository',
    (url, name, version) => {
      expect(itemsOf(url)).toMatchObject([
        {
          artifact: { kind: 'chart', name },
          version,
          version_state: 'exact',
          reason: null,
          place: { line: 3 },
          proposal: { source_type: 'helm_repository', confidence: 'likely' },
        },
      ]);
    },
  );

  test.each([
    'https://github.com/acme/charts/releases/download/web%2F1.2.3/web-1.2.3.tgz',
    'https://git.example.org/acme/charts/-/raw/main/web-1.2.3.tgz',
    'https://raw.githubusercontent.com/acme/charts/main/web-1.2.3.tgz',
    'https://%{KUBERNETES_API}%/static/charts/web-1.2.3.tgz',
  ])('yields no source if the directory of the archive has no index: %s', (url) => {
    expect(itemsOf(JSON.stringify(url))).toMatchObject([
      { artifact: { name: 'web' }, version: '1.2.3', reason: 'unsupported_source', proposal: null },
    ]);
  });

  test('without a version is not split', () => {
    expect(itemsOf('https://charts.example.org/web.tgz')).toMatchObject([
      { artifact: { name: 'https://charts.example.org/web.tgz' }, version: null },
    ]);
  });
});

describe('the values of a helmfile environment', () => {
  test('are read from all files that a wildcard matches, relative to the helmfile that inherits from the base', () => {
    const files = {
      'helmfile.yaml':
        'bases: [helmfile/bases/env.yaml]\n---\nreleases:\n  - { name: web, chart: acme/web }\n',
      'helmfile/bases/env.yaml':
        'environments:\n  default:\n    values:\n      - "helmfile/environments/*.yaml*"\n',
      'helmfile/environments/container.yaml.gotmpl':
        'container:\n  web:\n    repository: ghcr.io/acme/web\n    tag: 1.2.3\n',
      'other/container.yaml.gotmpl': 'container:\n  api:\n    repository: ghcr.io/acme/api\n    tag: 2.0.0\n',
    };
    expect(imagesOf(files).map(([file, version]) => [file, version])).toEqual([
      ['helmfile/environments/container.yaml.gotmpl', '1.2.3'],
    ]);
  });
});

test.each([
  ['a comment over several lines', '{{- /*\n  a: [\n*/ -}}\n'],
  [
    'a line with another indentation in a condition',
    'annotations:\n  a: b\n  {{- if .Values.a }}\n   c: d\n  {{- end }}\n',
  ],
])('values are read although a template contains %s', (_, text) => {
  const files = { 'values.yaml.gotmpl': `${text}${image('web')}` };
  expect(imagesOf(files).map(([, version]) => version)).toEqual(['1.2.3']);
});

test('a values file that is not valid YAML outside of conditions yields nothing', () => {
  expect(
    imagesOf({ 'values.yaml.gotmpl': `a: b\n   c: d\nname: {{ .Values.name }}\n${image('web')}` }),
  ).toEqual([]);
});
