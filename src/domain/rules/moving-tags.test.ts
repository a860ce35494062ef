import { expect, test } from 'vitest';
import { releaseSet } from './release-set-fixture.ts';

/**
 * Returns the release that `tag` points to. `tags` are all tags of the image, oldest first. `null` if the tag is itself
 * a release.
 */
function targetOf(tag: string, tags: string): string | null {
  const lines = tags.split(' ').map((text, index) => `${text} 2026-01-${String(index + 1).padStart(2, '0')}`);
  const set = releaseSet(lines, 'auto', { isImage: true });
  return set.movesTo(set.scheme.parse(tag)!)?.text ?? null;
}

test('a tag with fewer numbers or without a revision points to the highest tag that starts with it', () => {
  expect(targetOf('20-alpine', '20.1.0-alpine 20-alpine 20.2.0-alpine3.19')).toBe('20.2.0-alpine3.19');
  expect(targetOf('24.0.5', '24.0.5 24.0.5-0 24.0.5-1')).toBe('24.0.5-1');
  expect(targetOf('24.0.5-1', '24.0.5 24.0.5-0 24.0.5-1')).toBe(null);
});

test("a tag with more than eight numbers doesn't point to another tag", () => {
  const [eight, nine] = ['1.1.1.1.1.1.1.1', '1.1.1.1.1.1.1.1.1'];
  expect(targetOf(eight, `${eight} ${eight}.0.1`)).toBe(`${eight}.0.1`);
  expect(targetOf(nine, `${nine} ${nine}.1`)).toBe(null);
});

test("a release doesn't point to another tag, regardless of its pre-releases", () => {
  expect(targetOf('1.9.0', '1.8.2 1.9.0-rc.1 1.9.0')).toBe(null);
  expect(targetOf('1.9.0', '1.9.0-rc.1 1.9.0')).toBe(null);
  expect(targetOf('1.9.0', '1.8.0-rc.1 1.8.0 1.9.0-beta1 1.9.0-rc1 1.9.0 1.9.1')).toBe(null);
  expect(targetOf('1.9.0-alpine', '1.8.2-alpine 1.9.0-rc.1-alpine 1.9.0-alpine')).toBe(null);
  expect(targetOf('1.9.0', '1.8.2 1.9.0-12-gdef5678 1.9.0')).toBe(null);
  expect(targetOf('3.9', '3.7 3.8.0 3.8.1 3.9-rc1 3.9')).toBe(null);
});

test('a tag with fewer numbers than the releases below it points to a pre-release until a final release exists', () => {
  expect(targetOf('10', '9.6.1 9.6.2 10-beta1 10')).toBe('10-beta1');
  expect(targetOf('10', '9.6.1 9.6.2 10-beta1 10-rc1 10')).toBe('10-rc1');
  expect(targetOf('10', '9.6.1 9.6.2 10-beta1 10 10.1')).toBe('10.1');
  expect(targetOf('10-alpine', '9.6.1 9.6.2-alpine 10-beta1-alpine 10-alpine')).toBe('10-beta1-alpine');
});
