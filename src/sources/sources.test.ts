import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { SourceOptions } from '../domain/source-types/source-type.ts';
import { type SourceTypeId, sourceTypeIds } from '../domain/source-types/source-types.ts';
import type { Schemas } from '../generated/agent-api.ts';
import { checkSourceOptions } from './check-source-options.ts';
import type { HelmSyncItem } from './read-helm-charts.ts';
import type { GatheredRelease, ReleaseSource } from './release-source.ts';
import { sources } from './sources.ts';

/** Returns the types of the sources that the files of this directory export. */
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
  test('contains every source in the directory', () => {
    expect(Object.keys(sources).toSorted()).toEqual(sourceTypesInFolder().toSorted());
  });

  test('matches the types in the API', () => {
    expect(sourceTypeIds.toSorted()).toEqual(contractTypes().toSorted());
  });

  test('contains each source under its type', () => {
    for (const [type, source] of Object.entries(sources)) expect(source.sourceType).toBe(type);
  });

  test('matches the schemas of the API', () => {
    // The compiler checks that agents can submit the results of a source, and that both sets of types are
    // equal.
    const release = (value: GatheredRelease): Schemas['GatherResultItem'] => value;
    const item = (value: HelmSyncItem): Schemas['HelmSyncResultItem'] => value;
    const type = (value: Schemas['ReleaseSourceType']): SourceTypeId => value;
    const options = (value: Required<SourceOptions>): Schemas['GatherSourceOptions'] => value;
    expect([release, item, type, options]).toHaveLength(4);
  });
});

describe('source options', () => {
  function check(type: SourceTypeId, options: SourceOptions, wrong: string[]): void {
    expect(checkSourceOptions(type, options).map(({ option }) => option)).toEqual(wrong);
  }

  test('are validated against their source', () => {
    check('github_releases', {}, []);
    check('github_releases', { version_field: 'version' }, ['version_field']);
    check('helm_repository', { version_field: 'app_version' }, []);
    check('helm_repository', { version_path: '.a' }, ['version_path']);
    check('http_json', { version_path: '.a' }, []);
    check('http_json', {}, ['version_path']);
    check('http_json', { version_path: '.a', version_field: 'version' }, ['version_field']);
    check('http_json', { version_path: '.a..b' }, ['version_path']);
    check('http_json', { version_path: '.a', date_path: '.b | c' }, ['date_path']);
    check('http_json', { version_path: '.a', version_regex: '(?=x)' }, ['version_regex']);
    check('http_json', { version_path: '.a[?b==].c' }, ['version_path']);
    check('oci_registry', { artifact_type: 'chart' }, []);
    check('oci_registry', { artifact_type: 'wasm' as 'chart' }, ['artifact_type']);
    check('http_json', { version_path: '.a', artifact_type: 'chart' }, ['artifact_type']);
    check('http_text', {}, []);
    check('http_text', { version_regex: 'v(.+)' }, []);
    check('http_text', { version_regex: '(?=x)' }, ['version_regex']);
    check('http_text', { version_path: '.a' }, ['version_path']);
  });
});

describe('jobs that share requests', () => {
  test('are jobs with the same request URL', () => {
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
