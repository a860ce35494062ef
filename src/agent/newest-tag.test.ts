import { expect, test } from 'vitest';
import { createNewestTagFinder } from './newest-tag.ts';

function newestOf(
  ...releases: (string | { tag: string; version?: string; is_prerelease?: boolean; is_yanked?: boolean })[]
) {
  const newest = createNewestTagFinder({ version_scheme: 'auto' });
  // Passes each release as a separate part, because a source can split its list anywhere.
  for (const release of releases) {
    const flags = { is_prerelease: false, is_yanked: false };
    newest.see([{ ...flags, ...(typeof release === 'string' ? { tag: release } : release) }]);
  }
  return newest.tag();
}

test('the newest tag belongs to the highest stable release, in any order', () => {
  expect(newestOf('v1.9.0', 'v1.10.0', 'v1.2.0')).toBe('v1.10.0');
  expect(newestOf('v2.0.0-rc.1', 'v1.0.0', 'v2.0.0-rc.2')).toBe('v1.0.0');
  expect(newestOf({ tag: 'v3.0.0', is_prerelease: true }, 'v1.0.0')).toBe('v1.0.0');
  expect(newestOf('v2.0.0-rc.1', 'v2.0.0-rc.2')).toBe('v2.0.0-rc.2');
  expect(newestOf({ tag: 'v3.0.0', is_yanked: true }, 'v1.0.0', 'nightly')).toBe('v1.0.0');
  expect(newestOf({ tag: 'app-9', version: '9.0.0' }, { tag: 'app-10', version: '10.0.0' })).toBe('app-10');
  expect(newestOf('nightly', 'latest')).toBeNull();
  expect(newestOf()).toBeNull();
});
