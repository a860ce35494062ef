import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { SandboxJobRequest, SandboxMessage, SandboxResponse } from './sandbox-protocol.ts';

/**
 * Entry point of a sandbox process. Imports the module that the order names and sends back the result of its
 * function.
 */
process.on('message', (message: SandboxMessage) => {
  if (message.kind === 'order') void runOrder(message);
  else if (message.job === current?.job) current.take(message);
});
process.on('disconnect', () => process.exit());
// Ignore signals. A terminal and some service managers send them to every process, but only the server ends jobs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
raiseOomScore();
exitWithParent();
// The YAML library reads a variable for every token. Without a copy, which is an ordinary object, each access is a call
// into native code, and took a sixth of the time to extract the versions of 10,000 files.
process.env = { ...process.env };

type Stream = ReturnType<typeof createStream>;
/** Stream of the current order, or `null` if the order isn't a stream. */
let current: Stream | null = null;

async function runOrder({ job, moduleUrl, exportName, input, isStream }: SandboxJobRequest): Promise<void> {
  current = isStream ? createStream(job) : null;
  try {
    const loaded: Record<string, unknown> = await import(moduleUrl);
    const work = loaded[exportName];
    if (typeof work !== 'function') throw new TypeError(`${moduleUrl} has no function ${exportName}`);
    // Write the compile cache now, because Node writes it only on exit, and this process is killed instead. At this
    // point, the process hasn't read untrusted data.
    flushCompileCache();
    // Report the start only now, because the deadline of a job doesn't include the time to load its module.
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
    // Remaining pieces of the body are dropped.
    current = null;
  }
}

/** Creates a stream, which receives the body of an order in pieces and sends the result in parts. */
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
    take(message: Exclude<SandboxMessage, SandboxJobRequest>): void {
      if (message.kind === 'next') return onNext.resolve();
      pieces.push(message.piece);
      onPiece.resolve();
    },
    /** Sends each part after the previous one was consumed, and returns the generator's return value. */
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

function send(message: SandboxResponse): void {
  process.send?.(message);
}

function heapMb(): number {
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** Makes the kernel kill this process before the server or its database when memory runs out. */
function raiseOomScore(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Only Linux has this file.
  }
}

/**
 * Starts a thread that kills this process if the server was killed. A busy process can't handle `disconnect`.
 */
function exitWithParent(): void {
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
