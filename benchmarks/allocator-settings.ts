import { readFileSync } from 'node:fs';

const packageFile = new URL('../package.json', import.meta.url);

/**
 * The glibc allocator settings that `npm start` and the container image use, so that benchmarks run the program as in
 * production.
 */
export const allocatorSettings = readAllocatorSettings();

function readAllocatorSettings(): Record<string, string> {
  const { scripts } = JSON.parse(readFileSync(packageFile, 'utf8')) as { scripts: { start: string } };
  const settings = Object.fromEntries(
    [...scripts.start.matchAll(/\b(MALLOC_\w+)=(\w+)/gu)].map(([, name, value]) => [name!, value!]),
  );
  if (Object.keys(settings).length === 0)
    throw new Error('`npm start` no longer sets any MALLOC_* variables.');
  return settings;
}
