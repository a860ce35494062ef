import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const module = new URL('./limit-memory.ts', import.meta.url);

/** How large the young generation of a busy process and then of a thread of it becomes, in MB. */
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

test('the young generation of the server stays small, also in its threads', () => {
  const limited = measureYoung('limits.keepYoungGenerationSmall(); limits.limitMemoryOnceStarted();');
  // It may double once more before its size is looked at. Without the limit, it takes 128 MB, and 64 in the thread.
  expect(limited.process).toBeLessThanOrEqual(40);
  expect(limited.thread).toBeLessThanOrEqual(40);
  // Larger than it is while the server is loaded.
  expect(limited.process).toBeGreaterThan(8);
});

test('garbage of the start is collected', () => {
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
  // Nobody else gets it.
  expect(seen.collector).toBe('undefined');
});
