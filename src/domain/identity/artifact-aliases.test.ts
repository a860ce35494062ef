import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { artifactAddress } from '../artifacts/repository-address.ts';
import type { SourceTypeId } from '../source-types/source-types.ts';
import { type ArtifactAlias, normalizePrefix, problemOfAlias, upstreamOf } from './artifact-aliases.ts';
import { deriveProjectUrl, derivePurls } from './job-identity.ts';

const organization: ArtifactAlias[] = [
  { prefix: 'harbor.corp.example/dockerhub/', upstream_prefix: 'docker.io/' },
  { prefix: 'harbor.corp.example/dockerhub/bitnami/', upstream_prefix: 'docker.io/bitnamilegacy/' },
  { prefix: 'harbor.corp.example/ecr/', upstream_prefix: 'public.ecr.aws/' },
  { prefix: 'nexus.corp.example:8443/repository/jetstack/', upstream_prefix: 'charts.jetstack.io/' },
  { prefix: 'git.corp.example/mirrors/github/', upstream_prefix: 'github.com/' },
  { prefix: 'git.corp.example/mirrors/gnome/', upstream_prefix: 'gitlab.gnome.org/GNOME/' },
];

describe('the upstream of a mirror', () => {
  test.each<[SourceTypeId, string, string | null]>([
    ['oci_registry', 'mirror.gcr.io/library/redis', 'docker.io/library/redis'],
    ['oci_registry', 'mirror.gcr.io/redis', 'docker.io/library/redis'],
    ['oci_registry', 'mirror.gcr.io/grafana/grafana', 'docker.io/grafana/grafana'],
    ['oci_registry', 'public.ecr.aws/docker/library/redis', 'docker.io/library/redis'],
    ['oci_registry', 'gitlab.corp.example/team/dependency_proxy/containers/redis', 'docker.io/library/redis'],
    [
      'oci_registry',
      'gitlab.corp.example:5050/team/sub/dependency_proxy/containers/grafana/grafana',
      'docker.io/grafana/grafana',
    ],
    // These aren't mirrors: the gallery has other publishers, and a project can have the same name as the proxy.
    ['oci_registry', 'public.ecr.aws/docker/redis', null],
    ['oci_registry', 'public.ecr.aws/nginx/nginx', null],
    ['oci_registry', 'ghcr.io/dependency_proxy/containers', null],
    ['oci_registry', 'docker.io/mirror.gcr.io/redis', null],
    // Built-in mirrors contain only images, not other types of artifacts.
    ['helm_repository', 'mirror.gcr.io/library/redis', null],
    ['http_json', 'https://mirror.gcr.io/library/redis', null],
  ])('of type %s at %s is %s without aliases of the organization', (source_type, artifact_name, upstream) => {
    expect(upstreamOf({ source_type, artifact_name })).toEqual(
      upstream === null ? null : { source_type, artifact_name: upstream, alias: null, readsMirror: false },
    );
  });

  test.each<[SourceTypeId, string, string]>([
    ['oci_registry', 'harbor.corp.example/dockerhub/library/redis', 'oci_registry docker.io/library/redis'],
    ['oci_registry', 'harbor.corp.example/dockerhub/redis', 'oci_registry docker.io/library/redis'],
    // The longest prefix applies.
    [
      'oci_registry',
      'harbor.corp.example/dockerhub/bitnami/redis',
      'oci_registry docker.io/bitnamilegacy/redis',
    ],
    // The upstream of an alias can be a built-in mirror.
    ['oci_registry', 'harbor.corp.example/ecr/docker/library/redis', 'oci_registry docker.io/library/redis'],
    [
      'helm_repository',
      'nexus.corp.example:8443/repository/jetstack/cert-manager',
      'helm_repository charts.jetstack.io/cert-manager',
    ],
    [
      'git_tags',
      'https://git.corp.example/mirrors/github/acme/App.git',
      'github_releases github.com/acme/App',
    ],
    [
      'git_tags',
      'ssh://git@git.corp.example:2222/mirrors/github/acme/app.git',
      'github_releases github.com/acme/app',
    ],
    [
      'gitea_releases',
      'git.corp.example/mirrors/gnome/gtk',
      'git_tags https://gitlab.gnome.org/GNOME/gtk.git',
    ],
  ])('of type %s at %s is %s with aliases of the organization', (source_type, artifact_name, upstream) => {
    const found = upstreamOf({ source_type, artifact_name }, organization);
    expect(`${found?.source_type} ${found?.artifact_name}`).toBe(upstream);
  });

  test.each<[SourceTypeId, string]>([
    ['oci_registry', 'harbor.corp.example/dockerhub-internal/redis'],
    ['oci_registry', 'harbor.corp.example/team/redis'],
    ['oci_registry', 'docker.io/harbor.corp.example/dockerhub/redis'],
    ['http_text', 'https://git.corp.example/mirrors/github/acme/app'],
  ])('of type %s at %s is unknown, because no alias includes it', (source_type, artifact_name) => {
    expect(upstreamOf({ source_type, artifact_name }, organization)).toBeNull();
  });

  test('determines the package URLs and the project of the mirror', () => {
    const image = {
      source_type: 'oci_registry',
      artifact_name: 'harbor.corp.example/dockerhub/redis',
    } as const;
    const upstream = { source_type: 'oci_registry', artifact_name: 'docker.io/library/redis' } as const;
    expect(derivePurls(image, organization)).toEqual(derivePurls(upstream));
    expect(derivePurls(image)).not.toEqual(derivePurls(upstream));
    const git = {
      source_type: 'git_tags',
      artifact_name: 'https://git.corp.example/mirrors/github/acme/app.git',
    } as const;
    expect(derivePurls(git, organization)).toEqual(['pkg:github/acme/app']);
    expect(deriveProjectUrl(git, organization)).toBe('https://github.com/acme/app');
  });
});

describe('a scan', () => {
  test('proposes the upstream of a known mirror, and names the mirror in the reason', () => {
    const { items } = discoverFiles({
      Dockerfile: 'FROM public.ecr.aws/docker/library/redis:7.2.4\n',
      'a/Dockerfile': 'FROM redis:7.2.4\n',
    });
    expect(
      items.map(({ artifact, proposal }) => [artifact.purl, proposal?.artifact_name, proposal?.why]),
    ).toEqual([
      [
        'pkg:oci/redis?repository_url=docker.io%2Flibrary%2Fredis',
        'docker.io/library/redis',
        'the upstream of the mirror public.ecr.aws/docker/library/redis',
      ],
      [
        'pkg:oci/redis?repository_url=docker.io%2Flibrary%2Fredis',
        'docker.io/library/redis',
        'the registry of the image',
      ],
    ]);
  });

  test("reads images that a pipeline gets through GitLab's dependency proxy", () => {
    expect(
      describeItems({
        '.gitlab-ci.yml': [
          'build:',
          '  image: ${CI_DEPENDENCY_PROXY_GROUP_IMAGE_PREFIX}/node:22.1.0',
          '  services: [$CI_DEPENDENCY_PROXY_DIRECT_GROUP_IMAGE_PREFIX/bitnami/redis:7.2.4]',
          '  script: [make]',
        ].join('\n'),
      }),
    ).toEqual(['docker.io/library/node 22.1.0', 'docker.io/bitnami/redis 7.2.4']);
  });

  const image = (name: string) => ({
    'app.yaml': `apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: a, image: "${name}" }] }\n`,
  });
  const ecr = '123456789012.dkr.ecr.eu-west-1.amazonaws.com';
  const rule = (prefix: string, registry: string) =>
    `resource "aws_ecr_pull_through_cache_rule" "a" {\n  ecr_repository_prefix = "${prefix}"\n  upstream_registry_url = "${registry}"\n}\n`;

  test('resolves the pull-through caches that the repository declares', () => {
    const terraform = { 'ecr.tf': rule('hub', 'registry-1.docker.io') + rule('cache/quay', 'quay.io') };
    expect(describeItems({ ...terraform, ...image(`${ecr}/hub/library/redis:7.2.4`) })).toEqual([
      'docker.io/library/redis 7.2.4',
    ]);
    expect(describeItems({ ...terraform, ...image(`${ecr}/cache/quay/acme/app:1.0.0`) })).toEqual([
      'quay.io/acme/app 1.0.0',
    ]);
    expect(describeItems({ ...terraform, ...image(`${ecr}/hubs/app:1.0.0`) })).toEqual([
      `${ecr}/hubs/app 1.0.0`,
    ]);
    expect(describeItems({ ...terraform, ...image('registry.acme.dev/hub/library/redis:7.2.4') })).toEqual([
      'registry.acme.dev/hub/library/redis 7.2.4',
    ]);
    const cloudformation = {
      'stack.yaml':
        'Resources:\n  Cache:\n    Type: AWS::ECR::PullThroughCacheRule\n    Properties: { EcrRepositoryPrefix: k8s, UpstreamRegistryUrl: registry.k8s.io }\n',
    };
    expect(describeItems({ ...cloudformation, ...image(`${ecr}/k8s/pause:3.9.0`) })).toEqual([
      'registry.k8s.io/pause 3.9.0',
    ]);
  });

  test('ignores a pull-through cache that is declared for two registries, or with variables', () => {
    for (const text of [
      rule('hub', 'registry-1.docker.io') + rule('hub', 'quay.io'),
      rule('hub', '${var.upstream}'),
      rule('ROOT', 'registry-1.docker.io'),
    ])
      expect(describeItems({ 'ecr.tf': text, ...image(`${ecr}/hub/library/redis:7.2.4`) })).toEqual([
        `${ecr}/hub/library/redis 7.2.4`,
      ]);
  });
});

describe('the prefix of an alias', () => {
  test.each([
    ['harbor.corp.example/dockerhub', 'harbor.corp.example/dockerhub/'],
    [' https://Harbor.corp.example/dockerhub/ ', 'harbor.corp.example/dockerhub/'],
    ['oci://ghcr.io', 'ghcr.io/'],
    ['localhost:5000', 'localhost:5000/'],
    ['registry-1.docker.io/library', 'docker.io/library/'],
    ['https://git.corp.example:8443/Mirrors/', 'git.corp.example:8443/Mirrors/'],
  ])('%s is stored as %s', (text, prefix) => {
    expect(normalizePrefix(text)).toEqual({ ok: true, prefix });
  });

  test.each([
    ['', /host/],
    ['dockerhub', /host/],
    ['library/redis', /host/],
    ['https://', /host/],
    ['ftp://a.example/', /address/],
    ['https://user:secret@harbor.corp.example/', /user name/],
    ['harbor.corp.example/*', /wildcards/],
    ['harbor.corp.example/a?b=c', /address/],
    ['harbor.corp.example//a', /address/],
    ['harbor.corp.example/a b', /address/],
    [`harbor.corp.example/${'a'.repeat(300)}`, /at most/],
  ])('%j is rejected with a message that explains how to correct it', (text, message) => {
    expect(normalizePrefix(text)).toEqual({ ok: false, message: expect.stringMatching(message) });
  });

  test("can't equal or contain the prefix of its upstream", () => {
    const problem = (prefix: string, upstream_prefix: string) => problemOfAlias({ prefix, upstream_prefix });
    expect(problem('a.example/', 'a.example/')).toMatch(/differ/);
    expect(problem('a.example/', 'A.example/b/')).toMatch(/itself/);
    expect(problem('a.example/b/', 'a.example/')).toBeNull();
    expect(problem('a.example/', 'docker.io/')).toBeNull();
  });

  test.each([
    ['https://git.corp.example/a/b.git', 'git.corp.example/a/b.git'],
    ['ssh://git@git.corp.example:22/a/b', 'git.corp.example/a/b'],
    ['https://git.corp.example:8443/a/b', 'git.corp.example:8443/a/b'],
    ['docker.io/library/redis', 'docker.io/library/redis'],
  ])('is compared with the address of %s, which is %s', (name, address) => {
    expect(artifactAddress(name)).toBe(address);
  });
});
