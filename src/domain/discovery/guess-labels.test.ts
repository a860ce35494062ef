import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { channelsOfOwners, indexChannels } from '../routing/channel-index.ts';
import { readCodeOwners } from './code-owners.ts';
import { compileLabelRules, guessEnvironment, type LabelRule } from './guess-labels.ts';

test.each([
  // The environment is a whole segment.
  ['clusters/prod/web.yaml', 'prod'],
  ['overlays/production/web.yaml', 'prod'],
  ['prod/web.yaml', 'prod'],
  ['clusters/uat/a.yaml', 'uat'],
  ['clusters/qa/a.yaml', 'qa'],
  ['clusters/test/a.yaml', 'test'],
  ['clusters/sandbox/a.yaml', 'sandbox'],
  ['pre-prod/web.yaml', 'preprod'],
  ['clusters/non-prod/app.yaml', 'non-prod'],
  ['clusters/not-prod/app.yaml', 'non-prod'],
  ['nonprod/app.yaml', 'non-prod'],
  ['live/dev/main.tf', 'dev'],
  ['ansible/production.inventory/group_vars/web.yml', 'prod'],
  // The environment is the last word of a directory name, or the first word before a region or a number.
  ['clusters/prod-eu/web.yaml', 'prod'],
  ['web-prod/a.yaml', 'prod'],
  ['eks-non-prod/a.yaml', 'non-prod'],
  ['prod1/a.yaml', 'prod'],
  ['test-data/web.yaml', null],
  ['ray-odh-integration/a.yaml', null],
  // The environment is in the name of the file.
  ['values-staging.yaml', 'staging'],
  ['prod.values.yaml', 'prod'],
  ['apps/web/staging.values.yaml', 'staging'],
  ['apps/web/prod-values.yaml', 'prod'],
  ['values-non-prod.yaml', 'non-prod'],
  ['values/web/prod.yaml', 'prod'],
  ['clusters/prod.yaml', 'prod'],
  ['environments/integration.yaml', 'integration'],
  ['docker-compose.prod.yml', 'prod'],
  ['apps/integration.yaml', null],
  ['device/integrations/products.yaml', null],
  // The segment nearest to the root of the cluster or overlay decides.
  ['test/overlays/dev/web.yaml', 'dev'],
  ['clusters/prod/slack/integration.yaml', 'prod'],
  ['clusters/prod/test.yaml', 'prod'],
  ['prod/k6/test/values.yaml', 'prod'],
  ['apps/prod/k6/test/values.yaml', 'prod'],
  ['apps/web/prod/values.yaml', 'prod'],
  // The word is the name of a namespace, a category, or an application.
  ['apps/dev/forgejo/app.yaml', null],
  ['kubernetes/apps/test/web/app.yaml', null],
  ['my-apps/development/kafka/cluster.yaml', null],
  ['web-app/dev/web.yaml', 'dev'],
  ['my-apps/prod/web.yaml', 'prod'],
  ['apps/web.yaml', null],
])('the environment of %s is %s', (path, environment) => {
  expect(guessEnvironment(path)).toBe(environment);
});

describe('a file with the variables of a group of Ansible', () => {
  const environmentsOf = (names: readonly string[]) =>
    discoverFiles(
      Object.fromEntries(
        names.map((name) => [`group_vars/shop/${name}.yml`, `web_image: acme/${name}:1.2.3\n`]),
      ),
    )
      .items.map(({ artifact, environment }) => `${artifact.name} ${environment}`)
      .toSorted();

  test('has the environment in its name if each other file is shared or that of an environment', () => {
    expect(environmentsOf(['common', 'production', 'qa', 'sandbox', 'vault'])).toEqual([
      'acme/common null',
      'acme/production prod',
      'acme/qa qa',
      'acme/sandbox sandbox',
      'acme/vault null',
    ]);
  });

  test.each([
    ['another file has a different name', ['production', 'dedupe']],
    ['each name can also be the subject of the file', ['test', 'main']],
  ])('has no environment if %s', (_, names) => {
    expect(environmentsOf(names)).toEqual(names.map((name) => `acme/${name} null`).toSorted());
  });
});

describe('a values file with the same suffix in three or more charts', () => {
  const values = 'image: { repository: docker.io/library/redis, tag: 7.4.1 }\n';
  const files = (suffix: string, charts: readonly string[]) =>
    Object.fromEntries(
      charts.flatMap((chart) => [
        [`apps/${chart}/Chart.yaml`, `name: ${chart}\nversion: 1.0.0\n`],
        [`apps/${chart}/values-${suffix}.yaml`, values],
      ]),
    );
  const environmentsOf = (suffix: string, charts: readonly string[], more = {}) =>
    discoverFiles({ ...files(suffix, charts), ...more }).items.map(({ environment }) => environment);

  test('has this suffix as its guessed environment', () => {
    const { items } = discoverFiles(files('paris', ['a', 'b', 'c']));
    expect(
      items.map(({ labels, label_sources }) => [labels['environment'], label_sources['environment']]),
    ).toEqual([
      ['paris', 'path'],
      ['paris', 'path'],
      ['paris', 'path'],
    ]);
  });

  test.each([
    ['only two charts share it', 'paris', ['a', 'b']],
    ['it names a part of the values', 'base', ['a', 'b', 'c']],
    ['it is a version', '1.2', ['a', 'b', 'c']],
    ...['ha', 'resources', 'istio', 'aws', 'kind', 'openshift', 'ha-istio', 'large', 'tls', 'arm64'].map(
      (suffix): [string, string, string[]] => [
        `it names a variant of the software: ${suffix}`,
        suffix,
        ['a', 'b', 'c'],
      ],
    ),
  ])('has none if %s', (_, suffix, charts) => {
    expect(new Set(environmentsOf(suffix, charts))).toEqual(new Set([null]));
  });

  test.each(['aws-paris', 'cluster-1'])(
    'has it as its environment if a part of it names a place: %s',
    (suffix) => {
      expect(environmentsOf(suffix, ['a', 'b', 'c'])).toEqual([suffix, suffix, suffix]);
    },
  );

  test('has the environment of a known word in the suffix', () => {
    expect(environmentsOf('paris-prod', ['a', 'b', 'c'])).toEqual(['prod', 'prod', 'prod']);
  });

  test('has the suffix base if a chart of environments has it too', () => {
    const more = { 'environments/Chart.yaml': 'name: e\n', 'environments/values-base.yaml': values };
    expect(environmentsOf('base', ['a', 'b'], more)).toEqual(['base', 'base', 'base']);
  });
});

describe('the service', () => {
  const serviceOf = (files: Record<string, string>, path: string) =>
    discoverFiles(files).items.find(({ place }) => place.file === path)?.service;
  const values = 'image: { repository: docker.io/library/redis, tag: 7.4.1 }\n';

  const kustomization = 'images: [{ name: ghcr.io/acme/web, newTag: 1.2.3 }]\n';

  test.each([
    ['web/overlays/nerc-ocp-obs/kustomization.yaml', 'web'],
    ['environments/idfdemo/web/kustomization.yaml', 'web'],
    ['clusters/lab/kustomization.yaml', null],
    ['overlays/web/prod/kustomization.yaml', 'web'],
    ['vault/operator/base/src/kustomization.yaml', 'vault'],
    ['operator/kustomization.yaml', 'operator'],
  ])('of the kustomization %s is %s, never the cluster or a part of the service', (path, service) => {
    expect(serviceOf({ [path]: kustomization }, path) ?? null).toBe(service);
  });

  test.each(['<CHARTNAME>', '{{cookiecutter.name}}', '__NAME__'])('is never the placeholder %s', (name) => {
    const files = { 'starters/web/Chart.yaml': `name: "${name}"\n`, 'starters/web/values.yaml': values };
    expect(serviceOf(files, 'starters/web/values.yaml')).toBe('web');
    const pod = `apiVersion: v1\nkind: Pod\nmetadata: { name: "${name}" }\nspec: { containers: [{ name: a, image: acme/a:1.0.0 }] }\n`;
    expect(serviceOf({ 'starters/api/pod.yaml': pod }, 'starters/api/pod.yaml')).toBe('api');
  });

  test.each([
    ['apps/paperless/values.yaml', 'paperless'],
    ['apps/paperless/prod/values.yaml', 'paperless'],
    ['values/web/prod.yaml', 'web'],
    ['values.yaml', null],
  ])('of the values %s is %s, never the image', (path, service) => {
    expect(serviceOf({ [path]: values }, path)).toBe(service);
  });

  test.each([
    ['billing/argocd/values.yaml', 'billing'],
    ['argocd/values.yaml', null],
    ['billing/local/values.yaml', 'billing'],
  ])('of the values %s is %s, never a tool or a word such as local', (path, service) => {
    expect(serviceOf({ [path]: values }, path) ?? null).toBe(service);
  });

  test('is named after the tool if the artifact is the tool itself', () => {
    const argo = 'image: { repository: quay.io/argoproj/argocd, tag: v2.9.0 }\n';
    expect(serviceOf({ 'apps/argocd/values.yaml': argo }, 'apps/argocd/values.yaml')).toBe('argocd');
    const module = 'module "vpc" {\n  source  = "acme/vpc/aws"\n  version = "1.2.3"\n}\n';
    expect(serviceOf({ 'shop/tf/main.tf': module }, 'shop/tf/main.tf')).toBe('shop');
    expect(serviceOf({ 'tf/main.tf': module }, 'tf/main.tf') ?? null).toBe(null);
  });

  test('of values is the chart next to them', () => {
    const files = {
      'charts/a/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'charts/a/values.yaml': values,
    };
    expect(serviceOf(files, 'charts/a/values.yaml')).toBe('shop');
  });

  test('of a Dockerfile and a Terraform module is their directory', () => {
    const module =
      'module "serviceaccount" {\n  source  = "acme/serviceaccount/aws"\n  version = "1.2.3"\n}\n';
    expect(serviceOf({ 'shop/Dockerfile': 'FROM golang:1.23.4\n' }, 'shop/Dockerfile')).toBe('shop');
    for (const part of ['files', 'templates', 'defaults/main', 'meta', 'library', 'filter_plugins']) {
      const path = `roles/shop/${part}/Dockerfile`;
      expect(serviceOf({ [path]: 'FROM golang:1.23.4\n' }, path)).toBe('shop');
    }
    expect(serviceOf({ 'namespaces/shop/main.tf': module }, 'namespaces/shop/main.tf')).toBe('shop');
    expect(serviceOf({ Dockerfile: 'FROM golang:1.23.4\n' }, 'Dockerfile')).toBe(null);
  });
});

describe('label rules', () => {
  const image = 'FROM acme/web:1\n';

  test('named groups become labels and override guesses', () => {
    const labelRules: LabelRule[] = [
      { pattern: 'clusters/(?P<cluster>[^/]+)/(?:x|y)?', labels: { team: 'platform' } },
      { pattern: '(?<environment>canary)', labels: {} },
    ];
    const { items } = discoverFiles({ 'clusters/a/prod/canary/Dockerfile': image }, { labelRules });
    expect(items[0]).toMatchObject({
      environment: 'canary',
      labels: { cluster: 'a', team: 'platform', environment: 'canary', service: 'canary' },
    });
  });

  test('unnamed groups and escaped parentheses do not shift the named groups', () => {
    const rules = compileLabelRules([{ pattern: '[(](a)\\((?:b)(?P<name>c)', labels: {} }]);
    expect(rules.ok && rules.labelsOf('(a(bc')).toEqual({ name: 'c' });
  });

  test('an invalid pattern is rejected with the reason', () => {
    expect(compileLabelRules([{ pattern: '(', labels: {} }])).toMatchObject({ ok: false });
    expect(compileLabelRules([{ pattern: '(?P<_a>b)', labels: {} }])).toMatchObject({
      message: "the group name _a can't be a label: it must begin with a letter",
    });
  });
});

describe('a CODEOWNERS file', () => {
  const ownerOf = readCodeOwners(`# comment
* @acme/everyone
/apps/ @acme/apps @someone # with a comment
*.tf @acme/infra
docs/* docs@example.org
/apps/**/secret/ @acme/security
/apps/open/
[Section]
/legal/ legal@example.org
^[Payments team][2] @acme/payments @acme/on-call
/payments/
/payments/api/ @acme/api @ACME/api @acme/api
[Audit]
/payments/ @acme/audit
!/payments/api/docs/
/payments/api/docs/ @acme/never
[section] @acme/counsel
/legal/terms/
`);

  test.each([
    ['README.md', 'acme/everyone'],
    ['apps/web/a.yaml', 'acme/apps, someone'],
    ['a/b/main.tf', 'acme/infra'],
    ['docs/a.md', 'docs@example.org'],
    ['docs/a/b.md', 'acme/everyone'],
    ['apps/a/b/secret/c', 'acme/security'],
    ['apps/open/a.yaml', null],
    // The last match in each section applies. The lines before the first header are also a section.
    ['legal/a.yaml', 'acme/everyone, legal@example.org'],
    ['legal/terms/a.yaml', 'acme/everyone, acme/counsel'],
    ['payments/a.yaml', 'acme/everyone, acme/payments, acme/on-call, acme/audit'],
    ['payments/api/a.yaml', 'acme/everyone, acme/api, ACME/api, acme/audit'],
    ['payments/api/docs/a.yaml', 'acme/everyone, acme/api, ACME/api'],
  ])('assigns %s to %s', (path, owner) => {
    expect(ownerOf(path)).toBe(owner);
  });

  test('skips owners that exceed the length of the label, and truncates none', () => {
    const owners = Array.from({ length: 40 }, (_, at) => `@acme/team-${at}`);
    const label = readCodeOwners(`* ${owners.join(' ')}`)('a.yaml')!;
    expect(label.length).toBeLessThanOrEqual(200);
    const kept = label.split(', ').map((owner) => `@${owner}`);
    expect(kept).toEqual(owners.slice(0, kept.length));
  });

  test('routes alerts to every owner of a line', () => {
    const label = readCodeOwners('* @acme/team-a @Acme/team-b person@example.org')('a.yaml');
    const channel = (id: number, owner: string) => ({ id, isActive: true, owners: [owner] });
    const channels = indexChannels([
      channel(1, '@acme/team-a'),
      channel(2, 'acme/team-b'),
      channel(3, 'Person@example.org'),
      channel(4, 'acme/team'),
    ]);
    expect(channelsOfOwners(channels, label)).toEqual([1, 2, 3]);
  });

  test('sets the owner label', () => {
    const { items } = discoverFiles({
      Dockerfile: 'FROM acme/web:1\n',
      '.github/CODEOWNERS': '* @acme/web\n',
    });
    expect(items[0]?.labels).toMatchObject({ owner: 'acme/web' });
  });
});
