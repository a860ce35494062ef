import { describe, expect, test } from 'vitest';
import { parseInProcess, toSourceBody } from '../../tests/helpers/upstreams/gather-from.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { sourceTypes } from '../domain/source-types/source-types.ts';
import { gitTags } from './git-tags.ts';
import type { GatheredRelease, GatherSummary, SourceContext } from './release-source.ts';

describe('the name of a repository', () => {
  test.each([
    ['https://git.example.com/acme/app.git', 'https://git.example.com/acme/app.git'],
    ['https://git.example.com/acme/app.git/', 'https://git.example.com/acme/app.git'],
    [' github.com/acme/app ', 'https://github.com/acme/app.git'],
    ['git@git.example.com:acme/app.git', 'ssh://git@git.example.com/acme/app.git'],
    ['ssh://git@git.example.com:2222/acme/app.git', 'ssh://git@git.example.com:2222/acme/app.git'],
    ['http://127.0.0.1:3000/acme/app', 'http://127.0.0.1:3000/acme/app'],
  ])('is normalized: %s', (name, artifactName) => {
    expect(sourceTypes.git_tags.normalizeArtifactName(name)).toEqual({ ok: true, artifactName });
  });

  test.each([
    '',
    'github.com',
    'https://user:pw@github.com/a/b',
    'file:///etc',
    'ext::sh',
    '-u',
    'git://host/a',
    'https://host/a?b',
  ])('is rejected: %j', (name) => {
    expect(sourceTypes.git_tags.normalizeArtifactName(name)).toMatchObject({ ok: false });
  });

  test('jobs whose repository URLs differ only in the scheme share requests', () => {
    const keys = ['https://a/b', 'http://a/b'].map((artifactName) =>
      gitTags.sharedRequestKey({ artifactName, sourceOptions: {} }),
    );
    expect(new Set(keys).size).toBe(1);
  });
});

async function gather(
  listTags: SourceContext['git']['listTags'],
  signal = new AbortController().signal,
): Promise<{ releases: GatheredRelease[]; parts: number[]; summary: GatherSummary }> {
  const http: SourceContext['http'] = {
    schemeFor: () => 'https',
    scope: 'tests',
    get: () => Promise.reject(new Error('no HTTP')),
    usage: { requests: 0, waitedMs: 0 },
    end: () => undefined,
  };
  const run = gitTags.gather(
    {
      artifactName: 'https://git.example.com/a',
      sourceOptions: {},
      validators: null,
      knownTags: [],
      isFull: false,
    },
    { http, git: { listTags }, read: parseInProcess, signal, now: new Date() },
  );
  const releases: GatheredRelease[] = [];
  const parts: number[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done) return { releases, parts, summary: step.value };
    releases.push(...step.value.releases);
    parts.push(step.value.releases.length);
  }
}

const oid = '0'.repeat(40);

/** Returns a list in the format of Git: dates in seconds, an empty line, and the tags. */
const lists = (dates: [tag: string, seconds: number | ''][], tags: readonly string[]) => async () =>
  toSourceBody(
    [
      ...dates.map(([tag, seconds]) => `${seconds} refs/tags/${tag}`),
      '',
      ...tags.map((tag) => `${oid}\trefs/tags/${tag}`),
      '',
    ].join('\n'),
  );

describe('Git tags', () => {
  test('each tag becomes one release, with its date if it is valid', async () => {
    const dates: [string, number | ''][] = [
      ['v1', Date.UTC(2026, 0, 1) / 1_000],
      ['v3', ''],
      ['v4', 99_999_999_999_999],
      ['v5', Date.UTC(1994, 11, 31) / 1_000],
      ['v6', 99_999_999],
      ['gone', 1],
    ];
    const found = await gather(lists(dates, ['v1', 'v2', 'v1', 'v3', 'v4', 'v5', 'v6']));
    expect(found.releases.map(({ tag, released_at }) => [tag, released_at])).toEqual([
      ['v1', '2026-01-01T00:00:00.000Z'],
      ['v2', null],
      ['v3', null],
      ['v4', null],
      ['v5', null],
      ['v6', null],
    ]);
    expect(found.summary).toMatchObject({
      found: 6,
      isCompleteList: true,
      isNotModified: false,
      validators: null,
    });
  });

  test('a tag that is too long to store is counted as skipped', async () => {
    const found = await gather(lists([], ['v1', 'x'.repeat(501)]));
    expect(found.releases).toHaveLength(1);
    expect(found.summary.skipped).toBe(1);
  });

  test('a part contains at most 1,000 tags, and the list ends at 200,000 with a warning', async () => {
    const many = Array.from({ length: 200_500 }, (_, index) => `v${index}`);
    const found = await gather(lists([], many));
    expect(found.releases).toHaveLength(200_000);
    expect(Math.max(...found.parts)).toBe(1_000);
    expect(found.summary).toMatchObject({
      isCompleteList: false,
      warnings: [expect.stringContaining('200000')],
    });
  });

  test('a repository without tags returns a warning', async () => {
    expect((await gather(lists([], []))).summary.warnings).toEqual(['The repository has no tags.']);
  });

  test('an error from git is passed on unchanged', async () => {
    const failure = new RunError('not_found', 'There is none.');
    await expect(gather(() => Promise.reject(failure))).rejects.toBe(failure);
  });
});
