import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import {
  createSandbox,
  type RunOptions,
  type Sandbox,
  type SandboxOptions,
  type StreamOptions,
} from './sandbox.ts';

const jobs = new URL('./sandbox-test-jobs.ts', import.meta.url);
const open: Sandbox[] = [];

function start(options: Partial<SandboxOptions> = {}) {
  const sandbox = createSandbox({ workers: 1, deadlineMs: 120_000, maxHeapMb: 64, ...options });
  open.push(sandbox);
  return {
    close: sandbox.close,
    run: (name: string, input?: unknown, runOptions?: RunOptions) =>
      sandbox.run<unknown, unknown>(jobs, name, input, runOptions),
    stream: (name: string, body: Iterable<Uint8Array> = [], input?: unknown, streamOptions?: StreamOptions) =>
      sandbox.stream<unknown, unknown, unknown>(jobs, name, input, body, streamOptions),
  };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

async function isRunning(pid: unknown): Promise<boolean> {
  try {
    await promisify(execFile)('ps', ['-p', String(pid)]);
    return true;
  } catch {
    return false;
  }
}

test('a job runs in another process, without the environment of the server, and returns its result', async () => {
  const { run } = start();
  expect(await run('double', 21)).toBe(42);
  expect(await run('processId')).not.toBe(process.pid);
  expect(await run('environment')).not.toContain('PATH');
});

test('a process runs with the niceness of its sandbox', async () => {
  const own = getPriority();
  expect(await start().run('niceness')).toBe(own);
  expect(await start({ niceness: 12 }).run('niceness')).toBe(12);
});

test('the next process reuses the compile cache of a killed process', async () => {
  const folder = temporaryFolder();
  const { run } = start({ compileCacheFolder: folder });
  await run('hang', undefined, { deadlineMs: 100 }).catch(() => undefined);
  const [version = ''] = readdirSync(folder);
  const kept = () => readdirSync(`${folder}/${version}`).toSorted();
  const written = kept();
  expect(written.length).toBeGreaterThan(1);
  expect(await run('double', 21)).toBe(42);
  expect(kept()).toEqual(written);
});

test('a process uses a compile cache if its server has one', async () => {
  expect(getCompileCacheDir()).toBeDefined();
  expect(await start().run('environment')).toContain('NODE_COMPILE_CACHE');
});

test('sequential jobs share a process', async () => {
  const { run } = start();
  expect(await run('processId')).toBe(await run('processId'));
});

test('a job past its deadline is stopped, its process is killed, and the next job gets a new process', async () => {
  const { run } = start();
  const pid = await run('processId');
  const hanging = run('hang', undefined, { deadlineMs: 200 });
  const waiting = run('processId');
  await expect(hanging).rejects.toMatchObject({ name: 'SandboxTimeoutError', deadlineMs: 200 });
  expect(await waiting).not.toBe(pid);
  expect(await isRunning(pid)).toBe(false);
});

test.each(['exhaustHeap', 'growMap'])(
  'a job that needs too much memory (%s) is stopped, and the next job succeeds',
  async (name) => {
    const { run } = start();
    await expect(run(name)).rejects.toMatchObject({ name: 'SandboxMemoryError', maxHeapMb: 64 });
    expect(await run('double', 4)).toBe(8);
  },
);

test('memory that a job leaves behind does not count toward the limit of the next job', async () => {
  const { run } = start();
  const pid = await run('processId');
  expect(await run('keepMemory')).toBe(1);
  expect(await run('processId')).not.toBe(pid);
});

test('other jobs run while one job hangs', async () => {
  const { run, close } = start({ workers: 2 });
  let hasEnded = false;
  const hanging = run('hang').finally(() => {
    hasEnded = true;
  });
  hanging.catch(() => undefined);
  for (let count = 0; count < 20; count += 1) expect(await run('double', count)).toBe(2 * count);
  expect(hasEnded).toBe(false);
  await close();
  await expect(hanging).rejects.toMatchObject({ name: 'SandboxClosedError' });
});

test('a full queue rejects a new job and serves the waiting ones', async () => {
  const { run } = start({ queueLimit: 2 });
  const served = [run('sleep', 300), run('double', 1), run('double', 2)];
  await expect(run('double', 3)).rejects.toMatchObject({ name: 'SandboxBusyError' });
  expect(await Promise.all(served)).toEqual(['slept', 2, 4]);
});

test('waiting jobs are served in turn by key, even if one key has more jobs', async () => {
  const { run } = start();
  const order: string[] = [];
  const ask = (fairKey: string, name: string) => run('double', 1, { fairKey }).then(() => order.push(name));
  const first = run('sleep', 300);
  await Promise.all([first, ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1')]);
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('one key never occupies all processes, so its hanging jobs do not block other keys', async () => {
  const { run, close } = start({ workers: 3 });
  let ended = 0;
  const hanging = Array.from({ length: 6 }, () =>
    run('hang', undefined, { fairKey: 'a' }).catch(() => (ended += 1)),
  );
  for (let count = 0; count < 10; count += 1)
    expect(await run('double', count, { fairKey: 'b' })).toBe(2 * count);
  expect(ended).toBe(0);
  await close();
  await Promise.all(hanging);
  expect(ended).toBe(6);
});

async function collect(stream: AsyncGenerator<unknown, unknown, undefined>) {
  const parts: unknown[] = [];
  for (;;) {
    const { done, value } = await stream.next();
    if (done) return { parts, output: value };
    parts.push(value);
  }
}

test('a stream receives its body in chunks and returns its parts one by one', async () => {
  const { stream, run } = start();
  const body = Array.from({ length: 40 }, (_, index) => Buffer.alloc(50_000, index));
  const { parts, output } = await collect(stream('yieldPieceSizes', body));
  expect(output).toBe(2_000_000);
  expect(parts.reduce<number>((sum, part) => sum + Number(part), 0)).toBe(2_000_000);
  // Small chunks are sent together.
  expect(parts.length).toBeLessThan(40);
  expect(await collect(stream('count', [], 3))).toEqual({ parts: [0, 1, 2], output: 'counted' });
  expect(await run('double', 4)).toBe(8);
});

test('the unread rest of a body does not reach the next job', async () => {
  const { stream } = start();
  const body = Array.from({ length: 8 }, () => Buffer.alloc(300_000));
  expect(await collect(stream('first', body))).toEqual({ parts: [300_000], output: 'read' });
  expect(await collect(stream('yieldPieceSizes', [Buffer.from('next')]))).toEqual({ parts: [4], output: 4 });
});

test('the deadline of a stream counts only while the stream is working', async () => {
  const { stream } = start();
  const parts = stream('hangAfterPart', [], undefined, { deadlineMs: 1_000 });
  expect(await parts.next()).toEqual({ done: false, value: 'part' });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await expect(parts.next()).rejects.toMatchObject({ name: 'SandboxTimeoutError', deadlineMs: 1_000 });
});

test('a stream that ends early or is aborted frees its slot immediately, even in the queue', async () => {
  const { stream, run } = start();
  const left = stream('hangAfterPart');
  await left.next();
  const waiting = new AbortController();
  const queued = stream('count', [], 1, { signal: waiting.signal }).next();
  waiting.abort(new Error('not needed'));
  await expect(queued).rejects.toThrow('not needed');
  await left.return(undefined);
  const running = new AbortController();
  const aborted = stream('hangAfterPart', [], undefined, { signal: running.signal });
  await aborted.next();
  const next = aborted.next();
  running.abort(new Error('no longer'));
  await expect(next).rejects.toThrow('no longer');
  expect(await run('double', 4)).toBe(8);
});

test('a job error is reported and does not affect the next job', async () => {
  const { run } = start();
  await expect(run('fail')).rejects.toMatchObject({ name: 'SandboxJobError', message: 'the job failed' });
  await expect(run('noSuchJob')).rejects.toMatchObject({
    name: 'SandboxJobError',
    message: expect.stringContaining('noSuchJob'),
  });
  await expect(run('giveFunction')).rejects.toMatchObject({ name: 'SandboxJobError' });
  await expect(run('double', () => 1)).rejects.toMatchObject({
    name: 'SandboxJobError',
    message: expect.stringContaining("can't be serialized"),
  });
  await expect(run('exit')).rejects.toMatchObject({
    name: 'SandboxJobError',
    message: expect.stringContaining('exited'),
  });
  expect(await run('double', 4)).toBe(8);
});

test('an idle process is stopped after a while and started again when needed', async () => {
  const { run } = start({ idleMs: 50 });
  const pid = await run('processId');
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(await run('processId')).not.toBe(pid);
});

test('closing rejects running and waiting jobs and ends every process', async () => {
  const { run, close } = start();
  const pid = await run('processId');
  const results = Promise.allSettled([run('hang'), run('double', 1)]);
  await close();
  for (const result of await results)
    expect(result).toMatchObject({ status: 'rejected', reason: { name: 'SandboxClosedError' } });
  expect(await isRunning(pid)).toBe(false);
  await expect(run('double', 1)).rejects.toMatchObject({ name: 'SandboxClosedError' });
});

test('a program with an idle sandbox exits automatically, and a killed one leaves no busy process behind', async () => {
  const program = (afterwards: string) => `
    import { createSandbox } from ${JSON.stringify(new URL('./sandbox.ts', import.meta.url).href)};
    const sandbox = createSandbox({ workers: 1, deadlineMs: 60_000, maxHeapMb: 64 });
    const run = (name) => sandbox.run(new URL(${JSON.stringify(jobs.href)}), name);
    process.stdout.write(String(await run('processId')));
    ${afterwards}`;
  const execute = (code: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);

  expect((await execute(program(''))).stdout).toMatch(/^\d+$/);

  const killed: { stdout: string; signal: string } = await execute(
    program(`run('hang'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500);`),
  ).then(
    () => expect.unreachable(),
    (error) => error,
  );
  expect(killed.signal).toBe('SIGKILL');
  await expect.poll(() => isRunning(killed.stdout)).toBe(false);
});
