import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allocatorSettings } from '../../benchmarks/allocator-settings.ts';

test('the image uses the same glibc allocator settings as `npm start`', () => {
  const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  const ofImage = [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\w+)/gu)].map(([, name, value]) => [name, value]);
  expect(Object.fromEntries(ofImage)).toEqual(allocatorSettings);
});
