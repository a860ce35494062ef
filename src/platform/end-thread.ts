import type { Worker } from 'node:worker_threads';

/** Message that requests a thread to exit. */
export const endMessage = 'end';

/**
 * Ends a thread. It receives `endMessage` and exits on its own, because terminating a thread from outside,
 * such as while it loads its modules, can crash the whole process. A thread that doesn't exit in time is
 * terminated anyway.
 *
 * @param graceMs Time to exit. Must be long enough for a thread that has just started on a busy machine.
 */
export async function endThread(thread: Worker, graceMs = 10_000): Promise<void> {
  // The thread has already exited.
  if (thread.threadId === -1) return;
  const exited = new Promise((resolve) => thread.once('exit', resolve));
  // Keep the process alive until the thread exits.
  thread.ref();
  thread.postMessage(endMessage);
  const timer = setTimeout(() => void thread.terminate(), graceMs);
  await exited;
  clearTimeout(timer);
}
