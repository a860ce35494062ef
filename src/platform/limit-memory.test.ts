import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Size of the young generation in MB after many young objects stayed in use. */
async function youngGenerationMb(first: string): Promise<number> {
  const module = new URL('./limit-memory.ts', import.meta.url).href;
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import * as limits from ${JSON.stringify(module)};
    ${first}
    const kept = [];
    for (let at = 0; at < 1_500_000; at += 1) kept[at % 60_000] = { at, text: 'x' + at };
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    process.stdout.write(String(space.space_size / 2 ** 20));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  return Number(stdout);
}

test("the young generation of an agent doesn't grow", async () => {
  expect(await youngGenerationMb('limits.keepYoungGenerationSmall();')).toBeLessThan(16);
  expect(await youngGenerationMb('')).toBeGreaterThanOrEqual(16);
});
