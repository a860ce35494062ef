import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/platform/sandbox/index.ts';

const sandboxes = new Map<string, Sandbox>();

/**
 * Returns a sandbox with these limits that all test files of this worker share, because starting a process takes longer
 * than most jobs. `close` has no effect: the processes end with the worker.
 */
export function sharedSandbox({ deadlineMs, maxHeapMb }: SandboxOptions): Sandbox {
  const key = `${deadlineMs} ${maxHeapMb}`;
  let sandbox = sandboxes.get(key);
  if (!sandbox) {
    sandbox = createSandbox({ workers: 3, deadlineMs, maxHeapMb, idleMs: 60_000 });
    sandboxes.set(key, sandbox);
  }
  return { ...sandbox, close: () => Promise.resolve() };
}
