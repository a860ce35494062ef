import { expect, test } from 'vitest';
import { createReleaseFilter } from './release-filter.ts';

test('platform words of the organization affect the pre-release filter', () => {
  // If `acmeos` is a platform word, the first tag is version 5 of the line `rc`. Otherwise, it isn't a
  // pre-release.
  const keepsOf = (platform_words?: string[]) => {
    const filter = createReleaseFilter({
      version_pattern: null,
      version_scheme: 'auto',
      include_prereleases: false,
      ...(platform_words && { platform_words }),
    });
    const release = { app_version: null, released_at: null, is_prerelease: false, is_yanked: false };
    const tags = ['rc-5-acmeos-3.19', '1.0.0'];
    return filter.keep(tags.map((tag) => ({ ...release, tag, url: null, notes: null }))).length;
  };
  expect(keepsOf()).toBe(2);
  expect(keepsOf(['acmeos'])).toBe(1);
});

test('releases are skipped if their tag or version contains invalid characters', () => {
  const filter = createReleaseFilter({
    version_pattern: '^app-([^-]+)',
    version_scheme: 'semver',
    include_prereleases: true,
  });
  const release = { app_version: null, released_at: null, is_prerelease: false, is_yanked: false };
  const tags = ['app-1.0.0', 'app-1.1.0\u202e', 'app-1.2.0-\u001b[31m', 'web-1.0.0'];
  const kept = filter.keep(tags.map((tag) => ({ ...release, tag, url: null, notes: null })));
  expect(kept.map(({ version }) => version)).toEqual(['1.0.0']);
  expect(filter.skipped.all().examples.map(({ reason }) => reason)).toEqual([
    'contains invalid characters',
    'contains invalid characters',
    "doesn't match version_pattern",
  ]);
});
