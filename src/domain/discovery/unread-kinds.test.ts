import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { extractFile, isWanted, toFilePath } from './extract-file.ts';
import { extractorLabels } from './extractor-labels.ts';
import { chooseFiles, defaultExclusions } from './scan-paths.ts';
import {
  kindAndReasonOfEmptyFile,
  mergeSilentFiles,
  titleOfKind,
  unreferencedValuesFiles,
  unusedPatchFiles,
} from './silent-files.ts';
import { type UnreadKindName, unreadKinds } from './unread-kinds.ts';

/** One file of each kind, with a version that the tool of the kind would read. */
const samples: Readonly<Record<UnreadKindName, readonly [path: string, text: string]>> = {
  salt: ['srv/salt/redis/init.sls', 'redis:\n  docker_container.running:\n    - image: redis:7.2.1\n'],
  chef: ['cookbooks/redis/recipes/default.rb', "docker_image 'redis' do\n  tag '7.2.1'\nend\n"],
  puppet: ['manifests/site.pp', "docker::run { 'redis': image => 'redis:7.2.1' }\n"],
  pulumi: ['infra/Pulumi.prod.yaml', 'config:\n  web:image: ghcr.io/acme/web:1.2.3\n'],
  cdk: ['cdk.json', '{ "app": "npx ts-node bin/web.ts" }\n'],
  cdk8s: ['cdk8s.yaml', 'language: typescript\nimports: [k8s@1.31.0]\n'],
  jsonnet: ['lib/web.libsonnet', '{ image: "ghcr.io/acme/web:1.2.3" }\n'],
  cue: ['web.cue', 'image: "ghcr.io/acme/web:1.2.3"\n'],
  dhall: ['web.dhall', '{ image = "ghcr.io/acme/web:1.2.3" }\n'],
  kcl: ['main.k', 'image = "ghcr.io/acme/web:1.2.3"\n'],
  nickel: ['web.ncl', '{ image = "ghcr.io/acme/web:1.2.3" }\n'],
  nix: ['hosts/web.nix', '{ virtualisation.oci-containers.containers.web.image = "acme/web:1.2.3"; }\n'],
  azure_templates: ['main.bicep', "var image = 'ghcr.io/acme/web:1.2.3'\n"],
  serverless: ['serverless.json', '{ "provider": { "name": "aws", "runtime": "nodejs20.x" } }'],
  ecs: ['ecs/task-definition.json', '{ "containerDefinitions": [{ "image": "acme/web:1.2.3" }] }\n'],
  packer: ['image.pkr.hcl', 'source "docker" "web" { image = "ubuntu:24.04" }\n'],
  vagrant: ['Vagrantfile', 'config.vm.box_version = "1.2.3"\n'],
  carvel: ['vendir.yml', 'directories: [{ contents: [{ helmChart: { name: redis, version: 1.2.3 } }] }]\n'],
  helmsman: ['helmsman-prod.yaml', 'apps: { redis: { chart: stable/redis, version: 1.2.3 } }\n'],
  operators: [
    'odf/subscription.yaml',
    'apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: { name: odf-operator }\nspec: { channel: stable-4.16 }\n',
  ],
  glasskube: ['glasskube/redis.yaml', 'packageInfo: { name: redis, version: v1.2.3 }\n'],
  chart_archive: ['charts/redis-1.2.3.tgz', ''],
  platforms: ['fly.toml', '[build]\nimage = "acme/web:1.2.3"\n'],
  home_assistant: ['custom_components/web/manifest.json', '{ "requirements": ["web==1.2.3"] }\n'],
  otel_builder: ['builder-config.yaml', 'dist: { otelcol_version: 0.110.0 }\n'],
  git_submodules: ['.gitmodules', '[submodule "lib"]\npath = lib\n'],
  bake: ['docker-bake.hcl', 'target "web" { args = { VERSION = "1.2.3" } }\n'],
  dev_tools: ['Tiltfile', "docker_build('acme/web', '.')\n"],
  earthly: ['Earthfile', 'VERSION 0.8\nFROM alpine:3.20\n'],
  scripts: ['deploy.sh', 'TOOL_VERSION=1.2.3\n./install "$TOOL_VERSION"\n'],
  other_ci: ['.buildkite/pipeline.yml', 'steps: [{ plugins: [docker#v5.12.0: {}] }]\n'],
  tool_files: ['.bazelversion', '7.4.1\n'],
  homebrew: ['Brewfile', 'brew "jq"\n'],
  bazel: ['MODULE.bazel', 'bazel_dep(name = "rules_go", version = "0.50.1")\n'],
  npm: ['web/package.json', '{ "dependencies": { "react": "19.3.1" } }\n'],
  go_modules: ['go.mod', 'module acme\nrequire golang.org/x/net v0.30.0\n'],
  jvm: ['pom.xml', '<project/>\n'],
  python: ['pyproject.toml', '[project]\ndependencies = ["requests==2.32.3"]\n'],
  rust: ['Cargo.toml', '[dependencies]\nserde = "1.0.210"\n'],
  ruby: ['Gemfile', 'gem "rails", "8.0.0"\n'],
  php: ['composer.json', '{ "require": { "monolog/monolog": "3.7.0" } }\n'],
  dotnet: ['src/Web.csproj', '<Project/>\n'],
  other_dependencies: ['mix.exs', '{:phoenix, "1.7.14"}\n'],
  sops: ['secrets/web.enc.yaml', 'password: ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]\n'],
};

test.each(Object.entries(samples))(
  'a file of the kind %s is recognized, and no extractor reads it',
  (kind, [path, text]) => {
    const file = toFilePath(path);
    expect(unreadKinds).toHaveProperty(kind);
    const reason = 'isOutOfScope' in unreadKinds[kind as UnreadKindName] ? 'out_of_scope' : 'kind_not_read';
    if (!isWanted(file)) {
      expect(chooseFiles([path], defaultExclusions)).toMatchObject({
        files: [],
        silent: [{ kind, reason, count: 1, examples: [path] }],
      });
      return;
    }
    expect(discoverFiles({ [path]: text })).toMatchObject({ items: [], problems: [] });
    expect(kindAndReasonOfEmptyFile(file, extractFile(file, text))).toEqual({ kind, reason });
  },
);

test('a file with a runtime belongs to a platform only if it has the name of a platform file', () => {
  const kindOf = (path: string) =>
    kindAndReasonOfEmptyFile(toFilePath(path), extractFile(toFilePath(path), 'runtime: go\n'));
  expect(kindOf('web/app.yaml')).toMatchObject({ kind: 'platforms' });
  expect(kindOf('web/app-prod.yml')).toMatchObject({ kind: 'platforms' });
  expect(kindOf('web/settings.yaml')).toBeNull();
});

test('a kind with the name of a built-in object property has no title', () => {
  expect(titleOfKind('constructor')).toBe('constructor');
});

test('only files without versions are counted for a kind that Pacekeeper does not read', () => {
  const check = (path: string, text: string) => {
    const file = toFilePath(path);
    return kindAndReasonOfEmptyFile(file, extractFile(file, text));
  };
  const annotated = '# renovate: datasource=github-releases depName=acme/tool\nversion: 1.2.3\n';
  expect(check('salt/web.yaml', annotated)).toBeNull();
  expect(check('web.cue', annotated.replace('version:', 'version: "').replace('1.2.3', '1.2.3"'))).toBeNull();
  expect(check('stack.yaml', 'services: { web: { image: "acme/web:1.2.3" } }\n')).toBeNull();
});

test('a file in which an extractor finds no version is counted under its kind', () => {
  const check = (path: string, text: string) => {
    const file = toFilePath(path);
    return kindAndReasonOfEmptyFile(file, extractFile(file, text));
  };
  const noVersion = (kind: string) => ({ kind, reason: 'no_version' });
  expect(check('Dockerfile', 'FROM scratch\nCOPY web /\n')).toEqual(noVersion('dockerfile'));
  expect(check('outputs.tf', 'output "a" { value = 1 }\n')).toEqual(noVersion('terraform'));
  expect(check('.gitlab-ci.yml', 'include: { local: /ci/web.yml }\n')).toEqual(noVersion('gitlab_ci'));
  expect(check('chart/values.yaml', 'imagePullSecrets: []\n')).toEqual(noVersion('helm_values'));
  expect(check('root.hcl', 'remote_state { backend = "s3" }\n')).toEqual(noVersion('terragrunt'));
  // Skaffold builds the images that its file lists.
  const skaffold =
    'apiVersion: skaffold/v4beta11\nkind: Config\nbuild:\n  artifacts:\n    - image: acme/web\n';
  for (const path of ['skaffold.yaml', 'dev/web.yaml'])
    expect(check(path, skaffold)).toEqual({ kind: 'dev_tools', reason: 'kind_not_read' });
  // Many tools use this suffix, and nothing shows which tool reads the file.
  expect(check('policy.hcl', 'path "secret/*" { capabilities = ["read"] }\n')).toBeNull();
  expect(check('settings.yaml', 'color: blue\n')).toBeNull();
  expect(check('broken.yaml', 'a: [\n')).toBeNull();
});

test('an annotation of a tool does not decide the kind of an object', () => {
  const check = (text: string) => extractFile(toFilePath('a.yaml'), text).kind;
  const annotated = 'metadata: { annotations: { kustomize.config.k8s.io/needs-hash: "false" } }\n';
  expect(check(`apiVersion: v1\nkind: ServiceAccount\n${annotated}`)).not.toBe('kustomize');
  expect(check('apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n')).not.toBe('kubernetes');
});

test('values files that no release references are counted separately, and referenced ones are not', () => {
  const values = 'web:\n  image:\n    repository: ghcr.io/acme/web\n    tag: 1.2.3\n';
  const scan = (release: string) => {
    const files = { 'web.yaml': values, 'helmfile.yaml': release };
    const scanned = Object.entries(files).map(([path, text]) => ({
      path,
      ...extractFile(toFilePath(path), text),
    }));
    return unreferencedValuesFiles(
      scanned,
      new Set(discoverFiles(files).items.map(({ place }) => place.file)),
    );
  };
  expect(scan('releases:\n  - { name: web, chart: acme/web, version: 1.0.0, values: [web.yaml] }\n')).toEqual(
    [],
  );
  expect(scan('releases:\n  - { name: web, chart: acme/web, version: 1.0.0 }\n')).toEqual([
    { path: 'web.yaml', reason: 'not_named' },
  ]);
});

test('objects that set a version without an image count as files without versions, unless they are patches', () => {
  const files = {
    'web.yaml':
      'apiVersion: a.io/v1\nkind: Web\nmetadata: { name: web }\nspec:\n  driver:\n    version: 1.2.3\n',
    'patch.yaml': '- op: replace\n  path: /spec/driver/version\n  value: 1.2.3\n',
  };
  const scanned = Object.entries(files).map(([path, text]) => ({
    path,
    ...extractFile(toFilePath(path), text),
  }));
  const web = { path: 'web.yaml', kind: 'kubernetes' };
  expect(unusedPatchFiles(scanned, new Set())).toEqual([web, { path: 'patch.yaml', kind: 'kustomize' }]);
  expect(unusedPatchFiles(scanned, new Set(['patch.yaml']))).toEqual([web]);
});

test('files are counted exactly, with at most three examples for each kind and reason', () => {
  const paths = Array.from({ length: 50 }, (_, at) => `src/${at}/package.json`);
  const { silent } = chooseFiles([...paths, 'go.mod', `${'a'.repeat(300)}/go.sum`], defaultExclusions);
  expect(mergeSilentFiles([silent, silent])).toEqual([
    { kind: 'npm', reason: 'out_of_scope', count: 100, examples: paths.slice(0, 3) },
    {
      kind: 'go_modules',
      reason: 'out_of_scope',
      count: 4,
      examples: ['go.mod', 'a'.repeat(200), 'go.mod'],
    },
  ]);
});

test('the documentation lists every extractor, and every kind that is not read', () => {
  const page = readFileSync(new URL('../../../docs/discovery.md', import.meta.url), 'utf8');
  const namesIn = (header: string) => {
    const table = page.slice(page.indexOf(header)).split('\n\n', 1)[0]!;
    return [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  };
  expect(namesIn('| Extractor ').toSorted()).toEqual(Object.keys(extractorLabels).toSorted());
  expect(namesIn('| Name ')).toEqual(Object.keys(unreadKinds));
});

test('skipped directories are listed if they contain files that could be read', () => {
  const paths = [
    'docs/guide/pod.yaml',
    'docs/logo.png',
    'tests/logo.png',
    'web/node_modules/a/package.json',
    'web/node_modules/a/node_modules/b/values.yaml',
    'chart/Chart.yaml',
    'chart/ci/values.yaml',
    'prod/pod.yaml',
  ];
  expect(chooseFiles(paths, defaultExclusions)).toMatchObject({
    files: [{ path: 'chart/Chart.yaml' }, { path: 'prod/pod.yaml' }],
    silent: [],
    skipped: { count: 3, examples: ['chart/ci', 'docs', 'web/node_modules'] },
  });
  expect(
    chooseFiles(paths, defaultExclusions, { isIncluded: (path) => path.startsWith('prod/') }),
  ).toMatchObject({
    files: [{ path: 'prod/pod.yaml' }],
    skipped: { count: 0 },
  });
});
