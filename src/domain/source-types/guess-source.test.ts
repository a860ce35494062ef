import { expect, it } from 'vitest';
import { guessSource, lacksRepository, possibleSources, preselectedSource } from './guess-source.ts';

it('text copied from a browser or a terminal is recognized as the source that it refers to', () => {
  const table: [typed: string, source: string | null, artifact?: string][] = [
    ['https://github.com/grafana/grafana', 'github_releases', 'github.com/grafana/grafana'],
    [
      'https://github.com/grafana/grafana/releases/tag/v11.2.0',
      'github_releases',
      'github.com/grafana/grafana',
    ],
    ['github.com/grafana/grafana/?tab=readme', 'github_releases', 'github.com/grafana/grafana'],
    ['https://github.com/python/cpython.git', 'github_releases', 'github.com/python/cpython'],
    ['git@github.com:python/cpython.git', 'github_releases', 'github.com/python/cpython'],
    [
      'https://gitlab.com/gitlab-org/ci/runner/-/releases',
      'gitlab_releases',
      'gitlab.com/gitlab-org/ci/runner',
    ],
    ['https://gitlab.example.org/team/tool', 'gitlab_releases', 'gitlab.example.org/team/tool'],
    ['https://codeberg.org/forgejo/forgejo/releases', 'gitea_releases', 'codeberg.org/forgejo/forgejo'],
    ['https://git.example.org/team/tool.git', 'git_tags', 'https://git.example.org/team/tool.git'],
    ['git@git.example.org:team/tool.git', 'git_tags', 'ssh://git@git.example.org/team/tool.git'],
    ['https://hub.docker.com/_/postgres', 'oci_registry', 'docker.io/library/postgres'],
    ['https://hub.docker.com/r/grafana/grafana/tags', 'oci_registry', 'docker.io/grafana/grafana'],
    ['docker.io/library/postgres:16.2', 'oci_registry', 'docker.io/library/postgres'],
    ['docker pull grafana/grafana:11.2.0', 'oci_registry', 'docker.io/grafana/grafana'],
    ['ghcr.io/dani-garcia/vaultwarden', 'oci_registry', 'ghcr.io/dani-garcia/vaultwarden'],
    [
      'https://github.com/dani-garcia/vaultwarden/pkgs/container/vaultwarden',
      'oci_registry',
      'ghcr.io/dani-garcia/vaultwarden',
    ],
    ['oci://ghcr.io/argoproj/argo-helm/argo-cd', 'oci_registry', 'ghcr.io/argoproj/argo-helm/argo-cd'],
    ['https://charts.example.org/stable/app-1.2.3.tgz', 'helm_repository', 'charts.example.org/stable/app'],
    ['https://charts.example.org/stable/index.yaml app', 'helm_repository', 'charts.example.org/stable/app'],
    ['s3://acme-charts/stable app', 'helm_repository', 'acme-charts.s3.amazonaws.com/stable/app'],
    ['gs://acme-charts/stable/app', 'helm_repository', 'storage.googleapis.com/acme-charts/stable/app'],
    ['https://charts.jetstack.io/cert-manager', 'helm_repository', 'charts.jetstack.io/cert-manager'],
    [
      'https://prometheus-community.github.io/helm-charts/prometheus',
      'helm_repository',
      'prometheus-community.github.io/helm-charts/prometheus',
    ],
    ['https://nodejs.org/dist/index.json', 'http_json', 'https://nodejs.org/dist/index.json'],
    ['postgres', null],
    ['grafana/grafana', null],
    ['github.com/grafana', null],
    ['https://github.com/topics/kubernetes', null],
    ['example.org/what/ever', null],
    ['', null],
  ];
  for (const [typed, source_type, artifact_name] of table) {
    expect(guessSource(typed), typed).toEqual(source_type === null ? null : { source_type, artifact_name });
  }
});

it('all possible sources of pasted text are listed, starting with the recognized source', () => {
  const typesOf = (pasted: string) => possibleSources(pasted).map(({ source_type }) => source_type);
  const anyForge = ['oci_registry', 'helm_repository', 'git_tags'];
  expect(typesOf('https://github.com/grafana/grafana')).toEqual([
    'github_releases',
    ...anyForge,
    'http_json',
    'http_text',
  ]);
  expect(typesOf('grafana/grafana')).toEqual(['github_releases', ...anyForge, 'gitlab_releases']);
  expect(typesOf('postgres')).toEqual(['oci_registry']);
  expect(typesOf('https://example.org/versions.json')[0]).toBe('http_json');
  expect(typesOf('https://dl.k8s.io/release/stable.txt')[0]).toBe('http_text');
  expect(typesOf('https://charts.jetstack.io/cert-manager')[0]).toBe('helm_repository');
  expect(typesOf('oci://ghcr.io/argoproj/argo-helm/argo-cd')).toEqual(['oci_registry']);
  expect(typesOf(' ')).toEqual([]);
});

it('no source is assumed for a host that can have several source types', () => {
  const typeOf = (pasted: string) => preselectedSource(pasted)?.source_type ?? null;
  expect(typeOf('https://git.example.com/a/b')).toBeNull();
  expect(typeOf('git.example.com/team/tool')).toBeNull();
  expect(typeOf('localhost:3000/team/tool')).toBeNull();
  expect(typeOf('https://git.example.com/a/b.git')).toBe('git_tags');
  expect(typeOf('https://gitlab.example.com/a/b')).toBe('gitlab_releases');
  expect(typeOf('grafana/grafana')).toBe('github_releases');
  expect(typeOf('postgres')).toBe('oci_registry');
  expect(typeOf('')).toBeNull();
});

it("the URL of a public forge without a repository doesn't match any source", () => {
  for (const typed of ['github.com', 'https://github.com/grafana', 'codeberg.org/forgejo/', 'gitlab.com/x'])
    expect([typed, possibleSources(typed), lacksRepository(typed)]).toEqual([typed, [], true]);
  for (const typed of ['github.com/grafana/grafana', 'git.example.org/team', 'grafana'])
    expect([typed, lacksRepository(typed)]).toEqual([typed, false]);
});
