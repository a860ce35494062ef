import { describe, expect, test } from 'vitest';
import { type SourceTypeId, sourceTypes } from './source-types.ts';

/** Pasted texts and the artifact names stored for them. `null` means that the text is rejected. */
type Table = [pasted: string, stored: string | null][];

function check(type: SourceTypeId, table: Table): void {
  test.each(table)(`${type}: %s is stored as %s`, (pasted, stored) => {
    const result = sourceTypes[type].normalizeArtifactName(pasted);
    expect(result.ok ? result.artifactName : null).toBe(stored);
    if (!result.ok) expect(result.message).toMatch(/\w/u);
    // Normalizing a stored name returns the same name.
    if (stored !== null)
      expect(sourceTypes[type].normalizeArtifactName(stored)).toEqual({ ok: true, artifactName: stored });
  });
}

/** Returns every supported notation of a repository on a forge. */
const formsOf = (host: string, repository: string, pages: readonly string[]): Table =>
  [
    `${host}/${repository}`,
    `${host}/${repository}/`,
    `  https://${host.toUpperCase()}/${repository} `,
    `http://${host}/${repository}.git`,
    `https://${host}/${repository}.git/`,
    `git@${host}:${repository}.git`,
    `git@${host}:${repository}`,
    `ssh://git@${host}/${repository}.git`,
    `ssh://git@${host}:2222/${repository}`,
    `git://${host}/${repository}`,
    `git+https://${host}/${repository}.git`,
    `git clone https://${host}/${repository}.git`,
    `git clone git@${host}:${repository}.git`,
    ...pages.map((page) => `https://${host}/${repository}${page}`),
  ].map((pasted) => [pasted, `${host}/${repository}`]);

const notForges: Table = [
  ['', null],
  ['/', null],
  ['nope', null],
  ['https://user:pw@git.example.org/owner/repo', null],
  ['user@git.example.org/owner/repo', null],
  ['ssh://root:pw@git.example.org/owner/repo', null],
  ['ftp://git.example.org/owner/repo', null],
  ['git.example.org/owner', null],
  ['git.example.org/../repo', null],
  ['git.example.org/owner/re po', null],
  ['git.example.org/owner/%2e%2e', null],
  ['git.example.org/owner/.git', null],
  ['git.example.org:99999/owner/repo', null],
  ['git.example.org:0/owner/repo', null],
  ['a..b/owner/repo', null],
  ['https://-/owner/repo', null],
  [`git.example.org/${'a'.repeat(600)}/${'b'.repeat(600)}`, null],
];

test.each([
  ['github_releases', 'https://gitlab.com/gitlab-org/gitlab-runner', 'gitlab'],
  ['github_releases', 'codeberg.org/forgejo/forgejo', 'gitea'],
  ['gitlab_releases', 'github.com/git/git', 'github'],
  ['gitea_releases', 'git@gitlab.com:gitlab-org/gitlab-runner.git', 'gitlab'],
] as const)('the error of %s for %s suggests the matching source type', (type, pasted, other) => {
  expect(sourceTypes[type].normalizeArtifactName(pasted)).toMatchObject({
    ok: false,
    message: expect.stringContaining(`can't be read with ${type}; use source_type ${other}_releases`),
  });
});

describe('the normalized artifact name of pasted text', () => {
  check('github_releases', [
    ...formsOf('github.com', 'Grafana/k6.js', [
      '/releases',
      '/releases/latest',
      '/releases/tag/v11.2.0',
      '/releases/tag/release%2F1.0',
      '/tags',
      '/tree/main/docs',
      '/issues?q=is%3Aopen',
      '?tab=readme-ov-file#install',
    ]),
    ...notForges,
    ['Grafana/k6.js', 'github.com/Grafana/k6.js'],
    ['www.github.com/owner/repo', 'github.com/owner/repo'],
    ['https://api.github.com/repos/owner/repo/releases', 'github.com/owner/repo'],
    ['https://ghe.example.com/api/v3/repos/owner/repo/releases/latest', 'ghe.example.com/owner/repo'],
    ['ghe.example.com:443/owner/repo/releases', 'ghe.example.com/owner/repo'],
    ['127.0.0.1:3000/owner/repo', '127.0.0.1:3000/owner/repo'],
    ['http://127.0.0.1:3000/owner/repo', '127.0.0.1:3000/owner/repo'],
    ['[::1]:3000/owner/repo', '[::1]:3000/owner/repo'],
    ['ghe/owner/repo', 'ghe/owner/repo'],
    ['github.com/owner', null],
    ['github.com/orgs/grafana/repositories', null],
    ['https://github.com/topics/kubernetes', null],
  ]);
  check('gitlab_releases', [
    ...formsOf('gitlab.com', 'gitlab-org/ci/runner', [
      '/-/releases',
      '/-/releases/v17.0.0',
      '/-/tags',
      '/-/tree/main?ref_type=heads',
    ]),
    ...notForges,
    ['gitlab-org/gitlab-runner', 'gitlab.com/gitlab-org/gitlab-runner'],
    ['https://gitlab.example.org:8443/team/tool', 'gitlab.example.org:8443/team/tool'],
    ['gitlab.com/group', null],
    ['gitlab.com/-/profile', null],
  ]);
  check('gitea_releases', [
    ...formsOf('codeberg.org', 'forgejo/forgejo', [
      '/releases',
      '/releases/tag/v9.0.0',
      '/tags',
      '/src/branch/main',
    ]),
    ...notForges,
    ['https://git.example.org/api/v1/repos/team/tool/releases', 'git.example.org/team/tool'],
    // The text contains no host, and Gitea repositories can be on any host, so the text is rejected.
    ['forgejo/forgejo', null],
  ]);
  check('git_tags', [
    ['git/git', 'https://github.com/git/git.git'],
    ['github.com/git/git', 'https://github.com/git/git.git'],
    ['https://github.com/git/git.git', 'https://github.com/git/git.git'],
    ['http://github.com/git/git/tags', 'https://github.com/git/git.git'],
    ['https://github.com/git/git/releases/tag/v2.47.0?x#y', 'https://github.com/git/git.git'],
    ['git clone https://github.com/git/git.git', 'https://github.com/git/git.git'],
    ['git+https://github.com/git/git.git', 'https://github.com/git/git.git'],
    ['https://codeberg.org/forgejo/forgejo/src/branch/main', 'https://codeberg.org/forgejo/forgejo.git'],
    ['https://gitlab.com/gitlab-org/ci/runner/-/tags', 'https://gitlab.com/gitlab-org/ci/runner.git'],
    ['http://gitlab.internal:8080/team/tool', 'http://gitlab.internal:8080/team/tool.git'],
    ['git@github.com:git/git.git', 'ssh://git@github.com/git/git.git'],
    ['https://git.kernel.org/pub/scm/git/git.git', 'https://git.kernel.org/pub/scm/git/git.git'],
    ['git.example.org/pub/tool', 'https://git.example.org/pub/tool'],
    ['http://127.0.0.1:3000/acme/app', 'http://127.0.0.1:3000/acme/app'],
    ['nope', null],
    ['https://github.com/topics/git', null],
    ['https://user:pw@github.com/git/git', null],
    ['https://git.example.org/acme/app?x=1', null],
    ['file:///etc/passwd', null],
    ['--upload-pack=x', null],
  ]);
  check('oci_registry', [
    ['redis', 'docker.io/library/redis'],
    ['redis:7.4-alpine', 'docker.io/library/redis'],
    ['grafana/grafana:11.2.0', 'docker.io/grafana/grafana'],
    ['ghcr.io/owner/app:1.0', 'ghcr.io/owner/app'],
    [`ghcr.io/owner/app:1.0@sha256:${'0'.repeat(64)}`, 'ghcr.io/owner/app'],
    [`redis@sha256:${'a'.repeat(64)}`, 'docker.io/library/redis'],
    ['localhost:5000/app:latest', 'localhost:5000/app'],
    ['docker pull grafana/grafana', 'docker.io/grafana/grafana'],
    ['sudo docker pull ghcr.io/owner/app:1.0', 'ghcr.io/owner/app'],
    ['podman pull quay.io/prometheus/prometheus:v3', 'quay.io/prometheus/prometheus'],
    ['helm pull oci://ghcr.io/argoproj/argo-helm/argo-cd', 'ghcr.io/argoproj/argo-helm/argo-cd'],
    ['docker://docker.io/library/redis:7', 'docker.io/library/redis'],
    ['https://hub.docker.com/_/postgres', 'docker.io/library/postgres'],
    ['hub.docker.com/_/postgres/tags', 'docker.io/library/postgres'],
    ['https://hub.docker.com/r/grafana/grafana/tags?page=2', 'docker.io/grafana/grafana'],
    ['https://quay.io/repository/prometheus/prometheus?tab=tags', 'quay.io/prometheus/prometheus'],
    ['https://github.com/Owner/repo/pkgs/container/app', 'ghcr.io/owner/app'],
    ['https://github.com/orgs/Owner/packages/container/package/group%2Fapp', 'ghcr.io/owner/group/app'],
    ['https://gallery.ecr.aws/docker/library/redis', 'public.ecr.aws/docker/library/redis'],
    ['https://artifacthub.io/packages/helm/argo/argo-cd', null],
    ['user:pw@ghcr.io/a/b', null],
    ['docker run redis', null],
  ]);
  check('helm_repository', [
    ['https://argoproj.github.io/argo-helm/argo-cd', 'argoproj.github.io/argo-helm/argo-cd'],
    ['https://argoproj.github.io/argo-helm argo-cd', 'argoproj.github.io/argo-helm/argo-cd'],
    ['https://argoproj.github.io/argo-helm/index.yaml argo-cd', 'argoproj.github.io/argo-helm/argo-cd'],
    ['charts.example.com/app/', 'charts.example.com/app'],
    ['nexus/charts/app', 'nexus/charts/app'],
    ['https://charts.example.org/stable/cert-manager-v1.15.3.tgz', 'charts.example.org/stable/cert-manager'],
    ['https://charts.example.org/stable/app-2-1.0.0-rc.1.tgz', 'charts.example.org/stable/app-2'],
    ['https://argoproj.github.io/argo-helm/index.yaml', null],
    ['https://github.com/argoproj/argo-helm/releases/download/argo-cd-7.6.8/argo-cd-7.6.8.tgz', null],
    ['charts.example.com', null],
    ['oci://registry.example.com/app', null],
    ['https://artifacthub.io/packages/helm/argo/argo-cd', null],
    ['https://user:pw@charts.example.com/app', null],
    ['https://charts.example.com/a b c', null],
  ]);
  check('http_text', [
    ['https://dl.k8s.io/release/stable.txt', 'https://dl.k8s.io/release/stable.txt'],
    ['nope', null],
  ]);
  check('http_json', [
    ['https://example.com/versions.json?x=1#top', 'https://example.com/versions.json?x=1'],
    ['http://example.com:8080/v', 'http://example.com:8080/v'],
    ['example.com/v.json', 'https://example.com/v.json'],
    ['localhost:9000/v', 'https://localhost:9000/v'],
    ['https://nexus/v.json', 'https://nexus/v.json'],
    ['nope', null],
    ['nope/v.json', null],
    ['https://user:pw@example.com/v', null],
    ['ftp://example.com/v', null],
    ['file:///etc/passwd', null],
    ['https://', null],
    ['https://a..b/v', null],
  ]);
});

test.each([
  ['slashes before the end', `ghcr.io/a${'/'.repeat(62_000)}x`],
  ['slashes before a digest', `ghcr.io/a${'/'.repeat(62_000)}@`],
  ['slashes at the end', `ghcr.io/a${'/'.repeat(62_000)}`],
  ['segments', `ghcr.io${'/a'.repeat(31_000)}`],
  ['spaces of a command', `docker pull${' '.repeat(62_000)}redis`],
])('an image reference with 62,000 characters (%s) is rejected', (_, text) => {
  expect(sourceTypes.oci_registry.normalizeArtifactName(text)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^it has more than 1,000 characters/u),
  });
});

test('an image reference of the maximum length that consists of slashes is rejected as a name', () => {
  const result = sourceTypes.oci_registry.normalizeArtifactName(`ghcr.io/a${'/'.repeat(990)}x`);
  expect(result).toMatchObject({ ok: false, message: expect.stringMatching(/isn't a valid image name/u) });
});
