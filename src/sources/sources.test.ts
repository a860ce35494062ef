import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Schemas } from '../generated/agent-api.ts';
import type { GatheredRelease, ReleaseSource, ReleaseSourceType, SourceOptions } from './release-source.ts';
import { sources } from './sources.ts';
import type { HelmSyncItem } from './sync-helm-repository.ts';

/** Files that hold a source, by what they export. */
function sourceTypesInFolder(): string[] {
  const folder = new URL('.', import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      return /^export const \w+: ReleaseSource = \{\n {2}sourceType: '(\w+)'/mu.exec(text)?.[1] ?? [];
    });
}

function contractTypes(): string[] {
  const api = JSON.parse(readFileSync(new URL('../generated/openapi-client.json', import.meta.url), 'utf8'));
  return api.components.schemas.ReleaseSourceType.enum;
}

describe('the list of sources', () => {
  test('names every source of the folder', () => {
    expect(Object.keys(sources).toSorted()).toEqual(sourceTypesInFolder().toSorted());
  });

  test('is what the contract offers', () => {
    expect(Object.keys(sources).toSorted()).toEqual(contractTypes().toSorted());
  });

  test('has each source under its own type', () => {
    for (const [type, source] of Object.entries(sources)) expect(source.sourceType).toBe(type);
  });

  test('speaks in the shapes of the contract', () => {
    // Checked by the compiler: what a source gives is what an agent may hand in, and types are the same.
    const release = (value: GatheredRelease): Schemas['GatherResultItem'] => value;
    const item = (value: HelmSyncItem): Schemas['HelmSyncResultItem'] => value;
    const type = (value: Schemas['ReleaseSourceType']): ReleaseSourceType => value;
    const options = (value: Required<SourceOptions>): Schemas['GatherSourceOptions'] => value;
    expect([release, item, type, options]).toHaveLength(4);
  });
});

describe('artifact names', () => {
  const bySource: Partial<Record<string, ReleaseSource>> = sources;

  function check(type: string, name: string, expected: string | null): void {
    const result = bySource[type]?.normalizeArtifactName(name);
    expect([name, result?.ok ? result.artifactName : null]).toEqual([name, expected]);
    if (result?.ok === false) expect(result.message).not.toBe('');
    // The stored spelling is its own.
    if (expected !== null)
      expect(bySource[type]?.normalizeArtifactName(expected)).toEqual({ ok: true, artifactName: expected });
  }

  test.each([
    ['github.com/owner/repo', 'github.com/owner/repo'],
    ['https://github.com/owner/repo/', 'github.com/owner/repo'],
    ['  HTTPS://GitHub.com/Owner/Repo.git ', 'github.com/Owner/Repo'],
    ['www.github.com/owner/repo', 'github.com/owner/repo'],
    ['127.0.0.1:3000/owner/repo', '127.0.0.1:3000/owner/repo'],
    ['http://127.0.0.1:3000/owner/repo', '127.0.0.1:3000/owner/repo'],
    ['ghe.example.com:443/owner/repo', 'ghe.example.com/owner/repo'],
    ['[::1]:3000/owner/repo', '[::1]:3000/owner/repo'],
    ['github.com/owner', null],
    ['github.com/owner/repo/releases', null],
    ['owner/repo', null],
    ['https://user:pw@github.com/owner/repo', null],
    ['user@github.com/owner/repo', null],
    ['git@github.com:owner/repo', null],
    ['ssh://github.com/owner/repo', null],
    ['github.com/../repo', null],
    ['github.com/owner/re po', null],
    ['github.com/owner/repo?x=1', null],
    ['github.com/owner/repo#x', null],
    ['github.com/owner/%2e%2e', null],
    ['github.com:99999/owner/repo', null],
    ['', null],
    ['/', null],
    [`github.com/${'a'.repeat(600)}/${'b'.repeat(600)}`, null],
  ])('github_releases: %s', (name, expected) => check('github_releases', name, expected));

  test.each([
    ['https://gitlab.com/group/sub/project', 'gitlab.com/group/sub/project'],
    ['gitlab.com/group', null],
  ])('gitlab_releases: %s', (name, expected) => check('gitlab_releases', name, expected));

  test.each([
    ['https://codeberg.org/forgejo/forgejo', 'codeberg.org/forgejo/forgejo'],
    ['codeberg.org/forgejo/forgejo/x', null],
  ])('gitea_releases: %s', (name, expected) => check('gitea_releases', name, expected));

  test.each([
    ['https://argoproj.github.io/argo-helm/argo-cd', 'argoproj.github.io/argo-helm/argo-cd'],
    ['charts.example.com/app/', 'charts.example.com/app'],
    ['charts.example.com', null],
    ['oci://registry.example.com/app', null],
  ])('helm_repository: %s', (name, expected) => check('helm_repository', name, expected));

  test.each([
    ['https://example.com/versions.json?x=1#top', 'https://example.com/versions.json?x=1'],
    ['http://example.com:8080/v', 'http://example.com:8080/v'],
    ['example.com/v.json', 'https://example.com/v.json'],
    ['https://user:pw@example.com/v', null],
    ['ftp://example.com/v', null],
    ['file:///etc/passwd', null],
    ['https://', null],
  ])('http_json: %s', (name, expected) => check('http_json', name, expected));
});

describe('options', () => {
  function check(source: ReleaseSource, options: SourceOptions, wrong: string[]): void {
    expect(source.checkOptions(options).map(({ option }) => option)).toEqual(wrong);
  }

  test('belong to their source', () => {
    check(sources.github_releases, {}, []);
    check(sources.github_releases, { version_field: 'version' }, ['version_field']);
    check(sources.helm_repository, { version_field: 'app_version' }, []);
    check(sources.helm_repository, { version_path: '.a' }, ['version_path']);
    check(sources.http_json, { version_path: '.a' }, []);
    check(sources.http_json, {}, ['version_path']);
    check(sources.http_json, { version_path: '.a', version_field: 'version' }, ['version_field']);
    check(sources.http_json, { version_path: '.a..b' }, ['version_path']);
    check(sources.http_json, { version_path: '.a', date_path: '.b | c' }, ['date_path']);
    check(sources.http_json, { version_path: '.a', version_regex: '(?=x)' }, ['version_regex']);
  });
});

describe('jobs that share requests', () => {
  test('are those that ask for the same address', () => {
    const key = (source: ReleaseSource, artifactName: string, sourceOptions: SourceOptions = {}): string =>
      source.sharedRequestKey({ artifactName, sourceOptions });
    const { github_releases, helm_repository, http_json } = sources;
    expect(key(helm_repository, 'h.example.com/charts/a')).toBe(
      key(helm_repository, 'h.example.com/charts/b'),
    );
    expect(key(helm_repository, 'h.example.com/a')).not.toBe(key(helm_repository, 'h.example.com/charts/b'));
    expect(key(github_releases, 'github.com/a/b')).not.toBe(key(github_releases, 'ghe.example.com/a/b'));
    expect(key(http_json, 'https://e.com/v', { version_path: '.a' })).toBe(
      key(http_json, 'https://e.com/v', { version_path: '.b' }),
    );
  });
});
