import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { SandboxAnswer, SandboxMessage, SandboxOrder } from './sandbox-protocol.ts';

/** A process of the sandbox: imports the module that the order names and answers with what its function returns. */
process.on('message', (message: SandboxMessage) => {
  if (message.kind === 'order') void answer(message);
  else if (message.job === current?.job) current.take(message);
});
process.on('disconnect', () => process.exit());
// A terminal and some service managers send signals to every process; the server decides when its jobs end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
goFirstWhenMemoryIsShort();
endWithParent();

type Stream = ReturnType<typeof createStream>;
/** Of the order that is worked on, when it is a stream. */
let current: Stream | null = null;

async function answer({ job, moduleUrl, exportName, input, isStream }: SandboxOrder): Promise<void> {
  current = isStream ? createStream(job) : null;
  try {
    const loaded: Record<string, unknown> = await import(moduleUrl);
    const work = loaded[exportName];
    if (typeof work !== 'function') throw new TypeError(`${moduleUrl} has no function ${exportName}`);
    // Node writes the cache only on exit, and this process is killed. It hasn't read untrusted data yet.
    flushCompileCache();
    // Loading a module is our time, not that of the job.
    send({ kind: 'started' });
    const output: unknown = current ? await current.run(work(input, current.body)) : await work(input);
    send({ kind: 'done', output, heapMb: heapMb() });
  } catch (error) {
    send({
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
      heapMb: heapMb(),
    });
  } finally {
    // What still arrives of its body is dropped.
    current = null;
  }
}

/** The body that still arrives and the parts that leave one by one. */
function createStream(job: number) {
  const pieces: (Uint8Array | null)[] = [];
  let onPiece = Promise.withResolvers<void>();
  let onNext = Promise.withResolvers<void>();

  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const piece = pieces.shift();
      if (piece === null) return;
      if (piece) {
        yield piece;
        continue;
      }
      onPiece = Promise.withResolvers();
      await onPiece.promise;
    }
  }

  return {
    job,
    body: body(),
    take(message: Exclude<SandboxMessage, SandboxOrder>): void {
      if (message.kind === 'next') return onNext.resolve();
      pieces.push(message.piece);
      onPiece.resolve();
    },
    /** Sends the parts, each once the one before was taken, and returns what comes last. */
    async run(parts: AsyncGenerator<unknown, unknown, undefined>): Promise<unknown> {
      for (;;) {
        const { done, value } = await parts.next();
        if (done) return value;
        onNext = Promise.withResolvers();
        send({ kind: 'part', part: value });
        await onNext.promise;
      }
    },
  };
}

function send(message: SandboxAnswer): void {
  process.send?.(message);
}

function heapMb(): number {
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** A machine that runs out of memory ends a job and not the server or its database. */
function goFirstWhenMemoryIsShort(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Only Linux has it.
  }
}

/** A busy process hears no `disconnect`. When the server was killed, this thread ends what nobody waits for. */
function endWithParent(): void {
  const watch = `
    const { workerData } = require('node:worker_threads');
    setInterval(() => {
      if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
    }, 1000);`;
  new Worker(watch, {
    eval: true,
    workerData: process.ppid,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  }).unref();
}
