import { expect, test } from 'vitest';
import { findArtifactSources } from './artifact-sources.ts';

test.each<[text: string, source: string | null]>([
  ['ghcr.io/acme/checkout:1.14.2', 'oci_registry ghcr.io/acme/checkout'],
  ['redis:7.4', 'oci_registry docker.io/library/redis'],
  ['registry.acme.dev:5000/shop/checkout', 'oci_registry registry.acme.dev:5000/shop/checkout'],
  ['https://charts.jetstack.io/cert-manager', 'helm_repository charts.jetstack.io/cert-manager'],
  ['https://github.com/grafana/grafana', 'github_releases github.com/grafana/grafana'],
  ['https://git.example.org/team/tool.git', 'git_tags https://git.example.org/team/tool.git'],
  ['pkg:oci/checkout@sha256:ab?repository_url=ghcr.io/acme/checkout', 'oci_registry ghcr.io/acme/checkout'],
  ['pkg:oci/checkout?repository_url=ghcr.io/acme', 'oci_registry ghcr.io/acme/checkout'],
  ['pkg:docker/library/redis@7.4', 'oci_registry docker.io/library/redis'],
  [
    'pkg:helm/cert-manager?repository_url=https://charts.jetstack.io/',
    'helm_repository charts.jetstack.io/cert-manager',
  ],
  ['pkg:github/grafana/grafana@v11', 'github_releases github.com/grafana/grafana'],
  ['pkg:gitlab/gitlab-org/gitlab-runner', 'gitlab_releases gitlab.com/gitlab-org/gitlab-runner'],
  [
    'pkg:generic/tool?vcs_url=git%2Bhttps://git.example.org/team/tool.git',
    'git_tags https://git.example.org/team/tool.git',
  ],
  ['pkg:npm/left-pad@1.3.0', null],
  ['pkg:oci/checkout', null],
  ['not an artifact', null],
])('%s refers to the source %s', (text, source) => {
  const { sources } = findArtifactSources(text, '1.0.0', []);
  const shown = sources.map(({ source_type, artifact_name }) => `${source_type} ${artifact_name}`);
  if (source === null) expect(shown).toEqual([]);
  else expect(shown).toContain(source);
});

test('a mirror has the sources of its upstream, and a correction uses the key of the mirror', () => {
  const aliases = [{ prefix: 'harbor.acme.dev/hub/', upstream_prefix: 'docker.io/' }];
  expect(findArtifactSources('harbor.acme.dev/hub/library/redis', '7.4.0', aliases)).toMatchObject({
    keys: expect.arrayContaining(['pkg:oci/redis?repository_url=harbor.acme.dev%2Fhub%2Flibrary%2Fredis']),
    sources: expect.arrayContaining([
      expect.objectContaining({ source_type: 'oci_registry', artifact_name: 'docker.io/library/redis' }),
    ]),
  });
});

test('the deployed version determines which tags of an image are ordered together', () => {
  const patternFor = (version: string) =>
    findArtifactSources('ghcr.io/acme/checkout', version, []).sources[0]!.version_pattern;
  expect(patternFor('build-1234')).toBe('^build-([0-9]+)$');
  expect(patternFor('1.14.2')).toBeNull();
});
