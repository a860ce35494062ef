import { expect, test } from 'vitest';
import { deployedReleases } from './deployed-releases.ts';

/**
 * Formats the releases that result from deploying these versions in this order. `1.1@2` is version 1.1 with
 * the release time 2. Parentheses mark a withdrawn release, as in `(1.1)@2`.
 */
function after(...versions: string[]): string[] {
  const changes = versions.map((version, atMs) => ({ version, atMs }));
  return deployedReleases(changes).map(({ version, releasedAtMs, isWithdrawn }) =>
    isWithdrawn ? `(${version})@${releasedAtMs}` : `${version}@${releasedAtMs}`,
  );
}

test('a rollback withdraws the later versions until they are deployed again', () => {
  expect(after()).toEqual([]);
  expect(after('1.0', '1.1')).toEqual(['1.0@0', '1.1@1']);
  expect(after('1.0', '1.1', '1.2', '1.0')).toEqual(['1.0@3', '(1.1)@1', '(1.2)@2']);
  expect(after('1.0', '1.1', '1.2', '1.0', '1.2')).toEqual(['1.0@3', '(1.1)@1', '1.2@4']);
  expect(after('1.0', '1.1', '1.0', '1.3', '1.1')).toEqual(['1.0@2', '1.1@4', '(1.3)@3']);
});
