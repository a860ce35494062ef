/**
 * Runs ten minutes of mixed traffic, twice: with 10,000 resolved alerts, then with ten times as many. A bare
 * handler receives requests at the same time, as the reference. Run with `node benchmarks/load.bench.ts
 * [MINUTES]`; goals: p99 at most 20 times that of the bare handler, and no response that takes more than a
 * second.
 *
 * The load is 70 % of the maximum request rate in the last stored table, so that a server that has become
 * slower receives the same load as before. Without a stored table, the benchmark measures the maximum rate
 * first. On a slower machine, measure it again with `BENCH_RATE=measure`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../tests/faults/load.ts', import.meta.url));
const minutes = process.argv[2] ?? '10';
const kept = /^limit (\d+) requests\/s/mu.exec(
  readFileSync(new URL('results.md', import.meta.url), 'utf8').split('\n## load\n')[1] ?? '',
)?.[1];
const isFixed = kept !== undefined && process.env['BENCH_RATE'] !== 'measure';

for (const alerts of ['10000', '100000']) {
  const rate = isFixed ? ['--per-second', String(Math.floor(Number(kept) * 0.7))] : [];
  const child = spawn(process.execPath, [program, minutes, '--alerts', alerts, ...rate], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [status] = (await once(child, 'close')) as [number | null];
  // The table shows missed goals, so only a killed process counts as a failure.
  if (status === null) process.exitCode = 1;
}
