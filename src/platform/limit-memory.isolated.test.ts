import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const module = new URL('./limit-memory.ts', import.meta.url);

/**
 * Measures the maximum size of the young generation, in MB, in a busy process and in a busy thread of that
 * process.
 */
function measureYoung(setUp: string): { process: number; thread: number } {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { Worker } from 'node:worker_threads';
    import * as limits from ${JSON.stringify(module.href)};
    ${setUp}
    const youngMb = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20;
    async function work() {
      let kept = [];
      let most = 0;
      for (let round = 0; round < 200; round++) {
        for (let index = 0; index < 20_000; index++) kept.push({ index, list: [round] });
        if (kept.length > 200_000) kept = [];
        most = Math.max(most, youngMb());
        await new Promise((resolve) => setImmediate(resolve));
      }
      return most;
    }
    const inProcess = await work();
    const worker = new Worker(work + ';const youngMb=' + youngMb + ';' +
      'const { getHeapSpaceStatistics } = require("node:v8");' +
      'work().then((most) => require("node:worker_threads").parentPort.postMessage(most))', { eval: true, execArgv: [] });
    const inThread = await new Promise((resolve) => worker.once('message', resolve));
    console.log(JSON.stringify({ process: inProcess, thread: inThread }));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }),
  );
}

test('the young generation of the server and its threads stays small', () => {
  const limited = measureYoung('limits.keepYoungGenerationSmall(); limits.limitMemoryOnceStarted();');
  // The young generation may double once more before its size is checked. Without the limit, it grows to 128
  // MB in the process and 64 MB in the thread.
  expect(limited.process).toBeLessThanOrEqual(40);
  expect(limited.thread).toBeLessThanOrEqual(40);
  // After startup, the young generation can grow beyond the size that it's limited to during startup.
  expect(limited.process).toBeGreaterThan(8);
});

test('garbage from startup is collected', () => {
  const program = `
    import { runInNewContext } from 'node:vm';
    import * as limits from ${JSON.stringify(module.href)};
    const usedMb = () => process.memoryUsage().heapUsed / 2 ** 20;
    let kept = Array.from({ length: 500_000 }, (_, index) => ({ index }));
    const before = usedMb();
    kept = null;
    limits.limitMemoryOnceStarted();
    console.log(JSON.stringify({ freed: before - usedMb(), collector: runInNewContext('typeof gc') }));`;
  const seen = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }),
  );
  expect(seen.freed).toBeGreaterThan(15);
  // Collecting garbage doesn't expose `gc` to other code.
  expect(seen.collector).toBe('undefined');
});
