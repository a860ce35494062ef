import { expect, it } from 'vitest';
import { guessSource } from './guess-source.ts';

it('an address copied from a browser is understood as the source that it is a page of', () => {
  const table: [typed: string, source: string | null, artifact?: string][] = [
    ['https://github.com/grafana/grafana', 'github_releases', 'github.com/grafana/grafana'],
    [
      'https://github.com/grafana/grafana/releases/tag/v11.2.0',
      'github_releases',
      'github.com/grafana/grafana',
    ],
    ['github.com/grafana/grafana/?tab=readme', 'github_releases', 'github.com/grafana/grafana'],
    ['https://github.com/python/cpython.git', 'git_tags', 'https://github.com/python/cpython.git'],
    [
      'https://gitlab.com/gitlab-org/ci/runner/-/releases',
      'gitlab_releases',
      'gitlab.com/gitlab-org/ci/runner',
    ],
    ['https://codeberg.org/forgejo/forgejo/releases', 'gitea_releases', 'codeberg.org/forgejo/forgejo'],
    ['https://hub.docker.com/_/postgres', 'oci_registry', 'docker.io/library/postgres'],
    ['https://hub.docker.com/r/grafana/grafana/tags', 'oci_registry', 'docker.io/grafana/grafana'],
    ['docker.io/library/postgres:16.2', 'oci_registry', 'docker.io/library/postgres'],
    ['ghcr.io/dani-garcia/vaultwarden', 'oci_registry', 'ghcr.io/dani-garcia/vaultwarden'],
    ['postgres', null],
    ['github.com/grafana', null],
    ['example.org/what/ever', null],
    ['', null],
  ];
  for (const [typed, source_type, artifact_name] of table) {
    expect(guessSource(typed), typed).toEqual(source_type === null ? null : { source_type, artifact_name });
  }
});
