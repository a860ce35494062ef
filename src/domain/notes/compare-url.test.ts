import { expect, test } from 'vitest';
import { breakingChanges } from './breaking-changes.ts';
import { compareUrl, repositoryPage } from './compare-url.ts';

function compare(...[type, name, from, to]: [...Parameters<typeof repositoryPage>, string, string]) {
  const page = repositoryPage(type, name);
  return page && compareUrl(page, from, to);
}

test('comparison URLs have the format of their forge', () => {
  expect(compare('github_releases', 'github.com/a/b', 'v1', 'v2')).toBe(
    'https://github.com/a/b/compare/v1...v2',
  );
  expect(compare('gitlab_releases', 'gitlab.com/a/b/c', 'v1', 'v2')).toBe(
    'https://gitlab.com/a/b/c/-/compare/v1...v2',
  );
  expect(compare('git_tags', 'https://github.com/a/b.git', 'a/1', 'a/2')).toBe(
    'https://github.com/a/b/compare/a%2F1...a%2F2',
  );
  expect(compare('git_tags', 'https://git.example.org/a/b.git', 'v1', 'v2')).toBeNull();
  expect(compare('oci_registry', 'docker.io/library/nginx', '1', '2')).toBeNull();
});

test("malicious repositories and tags can't redirect a comparison URL", () => {
  expect(compare('git_tags', 'javascript:alert(1)', 'v1', 'v2')).toBeNull();
  expect(compare('git_tags', 'ssh://git@github.com/a/b', 'v1', 'v2')).toBeNull();
  expect(compare('git_tags', 'https://user:secret@github.com/a/b?x#y', 'v1', 'v2')).toBe(
    'https://github.com/a/b/compare/v1...v2',
  );
  expect(compare('github_releases', 'github.com/a/b', '../../evil', 'v2')).toBeNull();
  expect(compare('github_releases', 'github.com/a/b', '"><script>', '?x#y')).toBe(
    'https://github.com/a/b/compare/%22%3E%3Cscript%3E...%3Fx%23y',
  );
});

const allRead = { releases: 2, is_exact: true, read: 2 };

test('the summary of breaking changes contains at most five lines of 200 visible characters', () => {
  const hint = (text: string, kind = 'breaking') => ({ kind, text });
  expect(
    breakingChanges([{ version: '2.0.0', hints: [hint('2.0.0', 'major_version')] }], allRead),
  ).toBeNull();
  const releases = [
    {
      version: '2.0.0',
      hints: [hint('a\u202eb\n\u0007c'), hint('x'.repeat(400)), hint('old', 'deprecated')],
    },
    { version: '1.9.0', hints: Array.from({ length: 9 }, (_, index) => hint(`change ${index}`, 'removed')) },
  ];
  const unread = breakingChanges(releases, { ...allRead, releases: 1_200, read: 1_100 })!.split('\n');
  expect(unread).toHaveLength(5);
  expect(unread.at(-1)).toBe('(only the notes of the newest 1,100 releases were read)');
  const lines = breakingChanges(releases, allRead)!.split('\n');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe('2.0.0: ab c');
  expect(lines[1]).toHaveLength(200);
  expect(lines[2]).toBe('1.9.0: change 0');
});
