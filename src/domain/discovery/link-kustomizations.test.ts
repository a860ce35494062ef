import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';

/** Returns the files that aren't deployed, each with the note that says why. */
function unusedFiles(files: Readonly<Record<string, string>>, options?: { isWholeRepository: boolean }) {
  return discoverFiles(files, options).items.flatMap(({ place, reason, note }) =>
    reason === 'not_installed' ? [`${place.file}: ${note}`] : [],
  );
}

const pod = (name: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: a, image: "acme/${name}:1.0.0" }] }\n`;
const kustomization = (...resources: string[]) =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n${resources.map((each) => `  - ${each}\n`).join('')}`;
const flux = (name: string, path: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name} }\nspec: { path: ${path} }\n`;
const application = (path: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec: { source: { repoURL: "https://github.com/acme/shop", path: ${path}, targetRevision: v1.0.0 } }\n`;

describe('a manifest next to a kustomization', () => {
  test('is not deployed if the kustomization does not list it', () => {
    const files = {
      'web/kustomization.yaml': kustomization('a.yaml', '# b.yaml'),
      'web/a.yaml': pod('a'),
      'web/b.yaml': pod('b'),
    };
    expect(unusedFiles(files)).toEqual(['web/b.yaml: no kustomization includes this file']);
  });

  test.each([
    ['a patch', 'patches:\n  - path: b.yaml\n'],
    ['a generated file', 'configMapGenerator:\n  - { name: b, files: [key=b.yaml] }\n'],
    ['a transformer', 'transformers: [./b.yaml]\n'],
  ])('counts as used if the kustomization uses it as %s', (_, more) => {
    const files = {
      'web/kustomization.yaml': kustomization('a.yaml') + more,
      'web/a.yaml': pod('a'),
      'web/b.yaml': pod('b'),
    };
    expect(unusedFiles(files)).toEqual([]);
  });

  test.each([
    ['only a part of the repository is scanned', {}, false],
    [
      "another kustomization can't be read",
      { 'prod/kustomization.yaml': 'resources: [../web/b.yaml\n' },
      true,
    ],
    [
      'another kustomization is a template',
      { 'prod/kustomization.yaml': kustomization('{{ .path }}') },
      true,
    ],
  ])('counts as used if %s', (_, more, isWholeRepository) => {
    const files = {
      'web/kustomization.yaml': kustomization('a.yaml'),
      'web/a.yaml': pod('a'),
      'web/b.yaml': pod('b'),
      ...more,
    };
    expect(unusedFiles(files, { isWholeRepository })).toEqual([]);
  });

  test("is not deployed, also if a file that refers to no others can't be read", () => {
    const files = {
      'web/kustomization.yaml': kustomization('a.yaml'),
      'web/a.yaml': pod('a'),
      'web/b.yaml': pod('b'),
      'web/values-prod.yaml': 'image: [\n',
    };
    expect(unusedFiles(files)).toEqual(['web/b.yaml: no kustomization includes this file']);
  });

  test('counts as used if another kustomization lists it', () => {
    const files = {
      'web/kustomization.yaml': kustomization('a.yaml'),
      'web/a.yaml': pod('a'),
      'web/b.yaml': pod('b'),
      'prod/kustomization.yaml': kustomization('../web', '../web/b.yaml'),
    };
    expect(unusedFiles(files)).toEqual([]);
  });

  test('counts as used if it is the Application that deploys the directory', () => {
    const files = {
      'web/kustomization.yaml': kustomization('a.yaml'),
      'web/a.yaml': pod('a'),
      'web/app.yaml': application('web'),
    };
    expect(unusedFiles(files)).toEqual([]);
    const list = {
      'apps/kustomization.yaml': kustomization('a.yaml'),
      'apps/a.yaml': application('web'),
      'apps/b.yaml': application('api'),
    };
    expect(unusedFiles(list)).toEqual(['apps/b.yaml: no kustomization includes this file']);
  });
});

describe('a directory that a kustomization omits', () => {
  const apps = {
    'apps/kustomization.yaml': kustomization('./web', '# ./api'),
    'apps/web/kustomization.yaml': kustomization('pod.yaml'),
    'apps/web/pod.yaml': pod('web'),
    'apps/api/kustomization.yaml': kustomization('pod.yaml'),
    'apps/api/pod.yaml': pod('api'),
  };

  test('is not deployed', () => {
    expect(unusedFiles(apps)).toEqual(['apps/api/pod.yaml: no kustomization in use includes this directory']);
  });

  test.each([
    ['another kustomization includes it', { 'prod/kustomization.yaml': kustomization('../apps/api') }],
    ['a Flux Kustomization applies it', { 'clusters/prod/api.yaml': flux('api', './apps/api') }],
    ['an Application applies it', { 'argo/api.yaml': application('apps/api') }],
    [
      'it is an overlay of the directory above',
      { 'apps/api/kustomization.yaml': kustomization('../', 'pod.yaml') },
    ],
    [
      'an ApplicationSet can apply it',
      {
        'argo/set.yaml': application('{{path}}')
          .replace('kind: Application', 'kind: ApplicationSet')
          .replace('spec: {', 'spec: { generators: [{ git: {} }], template: { spec: {')
          .concat('}}')
          .replace('\n}}', ' } }\n'),
      },
    ],
  ])('counts as used if %s', (_, files) => {
    expect(unusedFiles({ ...apps, ...files })).toEqual([]);
  });

  test('is not deployed if only an unused Flux Kustomization applies it', () => {
    const files = {
      'apps/kustomization.yaml': kustomization('./web/ks.yaml', '# ./api/ks.yaml'),
      'apps/web/ks.yaml': flux('web', './apps/web/app'),
      'apps/web/app/kustomization.yaml': kustomization('pod.yaml'),
      'apps/web/app/pod.yaml': pod('web'),
      'apps/api/ks.yaml': flux('api', './apps/api/app'),
      'apps/api/app/kustomization.yaml': kustomization('pod.yaml'),
      'apps/api/app/pod.yaml': pod('api'),
    };
    expect(unusedFiles(files)).toEqual([
      'apps/api/app/pod.yaml: no kustomization in use includes this directory',
    ]);
  });

  test('counts as used below the directory of an unused Application, which can belong to another repository', () => {
    const files = {
      'argo/kustomization.yaml': kustomization('other.yaml'),
      'argo/other.yaml': pod('other'),
      'argo/app.yaml': application('apps'),
      'apps/web/kustomization.yaml': kustomization('pod.yaml'),
      'apps/web/pod.yaml': pod('web'),
    };
    expect(unusedFiles(files).filter((each) => each.startsWith('apps/'))).toEqual([]);
  });

  test('counts as used as a component of a Flux Kustomization', () => {
    const files = {
      ...apps,
      'clusters/prod/web.yaml': flux('web', './apps/web').replace(
        './apps/web',
        './apps/web, components: [../api]',
      ),
    };
    expect(unusedFiles(files)).toEqual([]);
  });

  test('counts as used if nothing refers to it or its neighbors, because it can be the root of a deployment', () => {
    const files = {
      'clusters/a/kustomization.yaml': kustomization('pod.yaml'),
      'clusters/a/pod.yaml': pod('a'),
      'clusters/b/kustomization.yaml': kustomization('pod.yaml'),
      'clusters/b/pod.yaml': pod('b'),
    };
    expect(unusedFiles(files)).toEqual([]);
  });
});

test.each(['compose.example.yml', 'compose.sample.yaml', 'deploy/docker-compose-example.yml'])(
  'an example file such as %s is not deployed',
  (path) => {
    const files = { [path]: 'services: { web: { image: "acme/web:1.2.3" } }\n' };
    expect(unusedFiles(files)).toEqual([`${path}: an example file`]);
  },
);

test('variables of an example file that people copy to .env yield no items', () => {
  const text = 'WEB_IMAGE=acme/web:1.2.3\n';
  expect(discoverFiles({ '.env.example': text, '.env.dist': text, 'web.env.sample': text }).items).toEqual(
    [],
  );
});

test.each(['decom', 'deprecated', 'disabled', 'old', 'unused', '_archive'])(
  'nothing in a directory called %s is deployed, even if the directory is inside a directory of applications',
  (name) => {
    expect(discoverFiles({ [`apps/${name}/web.yaml`]: pod('web') }).items).toEqual([]);
  },
);

test('a directory called attic counts as retired, unless it is a service inside a directory of applications', () => {
  const files = { 'attic/web.yaml': pod('web'), 'k8s-apps/attic/server.yaml': pod('server') };
  expect(discoverFiles(files).items.map(({ place }) => place.file)).toEqual(['k8s-apps/attic/server.yaml']);
});

test('a chart called docs is read', () => {
  const files = {
    'charts/docs/values.yaml': 'image: acme/docs:1.0.0\n',
    'charts/web/docs/values.yaml': 'image: acme/web:1.0.0\n',
  };
  expect(discoverFiles(files).items.map(({ artifact }) => artifact.name)).toEqual(['acme/docs']);
});
