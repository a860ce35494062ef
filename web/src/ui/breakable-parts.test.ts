import { expect, test } from 'vitest';
import { breakableParts } from './breakable-parts.ts';

test('long words can break only after separators', () => {
  expect(breakableParts('github.com/redis/redis-server@7')).toEqual([
    'github.',
    'com/',
    'redis/',
    'redis-',
    'server@',
    '7',
  ]);
  expect(breakableParts('https://git.example.org/')).toEqual(['https://', 'git.', 'example.', 'org/']);
});

test('a text without long words, such as a version, has no additional breaks', () => {
  expect(breakableParts('1.2.3-rc.1')).toEqual(['1.2.3-rc.1']);
  expect(breakableParts('search: postgres (staging)')).toEqual(['search: postgres (staging)']);
});
