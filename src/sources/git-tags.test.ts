import { describe, expect, test } from 'vitest';
import { RunError } from '../platform/errors.ts';
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
  ])('%s', (name, artifactName) => {
    expect(gitTags.normalizeArtifactName(name)).toEqual({ ok: true, artifactName });
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
  ])('%j is refused', (name) => {
    expect(gitTags.normalizeArtifactName(name)).toMatchObject({ ok: false });
  });

  test('jobs that differ in the scheme alone share', () => {
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
    get: () => Promise.reject(new Error('no HTTP')),
    open: () => Promise.reject(new Error('no HTTP')),
    usage: { requests: 0, waitedMs: 0 },
  };
  const run = gitTags.gather(
    {
      artifactName: 'https://git.example.com/a',
      sourceOptions: {},
      validators: null,
      knownTags: [],
      isFull: false,
    },
    { http, git: { listTags }, signal, now: new Date() },
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

async function* batches(...given: { tag: string; date: string | null }[][]) {
  yield* given;
}

describe('tags', () => {
  test('each tag is a release with its date, once', async () => {
    const found = await gather(() =>
      batches(
        [{ tag: 'v1', date: '2026-01-01T00:00:00.000Z' }],
        [
          { tag: 'v2', date: null },
          { tag: 'v1', date: null },
        ],
      ),
    );
    expect(found.releases.map(({ tag, released_at }) => [tag, released_at])).toEqual([
      ['v1', '2026-01-01T00:00:00.000Z'],
      ['v2', null],
    ]);
    expect(found.summary).toMatchObject({
      found: 2,
      isCompleteList: true,
      isNotModified: false,
      validators: null,
    });
  });

  test('parts have at most 1,000, and more than 200,000 are cut', async () => {
    const many = Array.from({ length: 200_500 }, (_, index) => ({ tag: `v${index}`, date: null }));
    const found = await gather(() => batches(many));
    expect(found.releases).toHaveLength(200_000);
    expect(Math.max(...found.parts)).toBe(1_000);
    expect(found.summary).toMatchObject({
      isCompleteList: false,
      warnings: [expect.stringContaining('200000')],
    });
  });

  test('a repository without tags says so', async () => {
    expect((await gather(() => batches())).summary.warnings).toEqual(['The repository has no tags.']);
  });

  test('what git says of a failure comes through', async () => {
    const failure = new RunError('not_found', 'There is none.');
    // oxlint-disable-next-line require-yield
    const failing = async function* (): AsyncGenerator<never> {
      throw failure;
    };
    await expect(gather(failing)).rejects.toBe(failure);
  });
});
