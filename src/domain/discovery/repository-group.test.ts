import { describe, expect, test } from 'vitest';
import {
  createExclusionCheck,
  isNextPushDetectable,
  type ListedRepository,
  parseRepositoryGroup,
  toRepositoryFilter,
} from './repository-group.ts';

describe('the URL of a group', () => {
  test.each([
    ['https://github.com/acme', null, 'github', 'acme'],
    ['https://github.com/acme/', null, 'github', 'acme'],
    ['https://gitlab.com/acme/platform', null, 'gitlab', 'acme/platform'],
    ['https://codeberg.org/forgejo', null, 'gitea', 'forgejo'],
    ['https://git.example.com:8443/acme', 'github', 'github', 'acme'],
  ] as const)('%s with the forge %s is a group on %s', (url, given, forge, path) => {
    expect(parseRepositoryGroup(url, given)).toMatchObject({ ok: true, group: { forge, path } });
  });

  test.each([
    ['https://git.example.com/acme', null, 'forge'],
    ['https://github.com/acme', 'gitlab', 'forge'],
    ['https://github.com/acme/deploy', null, 'group_url'],
    ['https://github.com', null, 'group_url'],
    ['ssh://git@github.com/acme', null, 'group_url'],
    ['https://github.com/ac%20me', null, 'group_url'],
    ['https://user:secret@github.com/acme', null, 'group_url'],
  ] as const)('%s with the forge %s is rejected', (url, forge, field) => {
    expect(parseRepositoryGroup(url, forge)).toMatchObject({ ok: false, field });
  });
});

describe('a filter', () => {
  const repository: ListedRepository = {
    forge_id: '1',
    path: 'acme/platform/deploy',
    pushed_at: null,
    is_archived: false,
    is_fork: false,
    is_empty: false,
    topics: ['Production'],
    language: 'HCL',
  };

  test.each([
    [{}, {}, null],
    [{}, { is_archived: true }, 'archived'],
    [{ archived: true }, { is_archived: true }, null],
    [{}, { is_fork: true }, 'fork'],
    [{ forks: true }, { is_fork: true }, null],
    [{}, { is_empty: true }, 'empty'],
    [{ include: ['deploy*'] }, {}, null],
    [{ include: ['platform/'] }, {}, null],
    [{ include: ['acme/'] }, {}, 'name'],
    [{ include: ['other'] }, {}, 'name'],
    [{ exclude: ['platform/deploy'] }, {}, 'name'],
    [{ topics: ['production'] }, {}, null],
    [{ topics: ['staging'] }, {}, 'topic'],
    [{ topics: ['staging'] }, { topics: null }, 'topic'],
    [{ languages: ['hcl'] }, {}, null],
    [{ languages: ['Go'] }, {}, 'language'],
    [{ languages: ['Go'] }, { language: null }, 'language'],
  ] as const)('with %j gives a repository with %j the exclusion %s', (filter, change, exclusion) => {
    const given = toRepositoryFilter(structuredClone(filter) as Parameters<typeof toRepositoryFilter>[0]);
    expect(createExclusionCheck(given, 'acme')({ ...repository, ...change })).toBe(exclusion);
  });
});

test('the list of repositories can miss a second push within an hour on GitLab, and within a minute on other forges', () => {
  const pushedAt = new Date('2026-01-01T00:00:00Z');
  const after = (minutes: number) => new Date(pushedAt.getTime() + minutes * 60_000);
  expect(isNextPushDetectable('gitlab', pushedAt, after(64))).toBe(false);
  expect(isNextPushDetectable('gitlab', pushedAt, after(65))).toBe(true);
  for (const forge of ['github', 'gitea'] as const) {
    expect(isNextPushDetectable(forge, pushedAt, after(0))).toBe(false);
    expect(isNextPushDetectable(forge, pushedAt, after(1))).toBe(true);
  }
});
