import { Worker } from 'node:worker_threads';
import type { SandboxAnswer, SandboxOrder } from './sandbox-protocol.ts';

/** A process of the sandbox: imports the module that the order names and answers with what its function returns. */
process.on('message', (order: SandboxOrder) => {
  void answer(order);
});
process.on('disconnect', () => process.exit());
// Ctrl-C in a terminal reaches the whole group; the server decides when its jobs end.
process.on('SIGINT', () => undefined);
endWithParent();

async function answer({ moduleUrl, exportName, input }: SandboxOrder): Promise<void> {
  try {
    const loaded: Record<string, unknown> = await import(moduleUrl);
    const job = loaded[exportName];
    if (typeof job !== 'function') throw new TypeError(`${moduleUrl} has no function ${exportName}`);
    // Loading a module is our time, not that of the job.
    send({ kind: 'started' });
    const output: unknown = await job(input);
    send({ kind: 'done', output, heapMb: heapMb() });
  } catch (error) {
    send({
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
      heapMb: heapMb(),
    });
  }
}

function send(message: SandboxAnswer): void {
  process.send?.(message);
}

function heapMb(): number {
  return process.memoryUsage().heapUsed / 1024 / 1024;
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
