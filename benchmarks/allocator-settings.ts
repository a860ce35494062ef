import { readFileSync } from 'node:fs';

const packageFile = new URL('../package.json', import.meta.url);

/**
 * The glibc settings of `npm start`, which the container image shares. Benchmarks measure the program with
 * its production settings.
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
