import { readFileSync } from 'node:fs';

const packageFile = new URL('../package.json', import.meta.url);

/** How `npm start`, and the container image like it, set up glibc. Benchmarks measure the program as it is started. */
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
