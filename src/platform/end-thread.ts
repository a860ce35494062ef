import type { Worker } from 'node:worker_threads';

/** Asks a thread to end itself. */
export const endMessage = 'end';

/**
 * Ends a thread. It gets `endMessage` and ends itself: one that is ended from outside, such as while it loads its modules, can
 * take the whole process with it. That is done only to a thread that hasn't ended in time.
 *
 * @param patienceMs long enough for a thread that has just been started, on a busy machine
 */
export async function endThread(thread: Worker, patienceMs = 10_000): Promise<void> {
  // It has exited.
  if (thread.threadId === -1) return;
  const exited = new Promise((resolve) => thread.once('exit', resolve));
  // The process waits for it now, if it ends itself.
  thread.ref();
  thread.postMessage(endMessage);
  const timer = setTimeout(() => void thread.terminate(), patienceMs);
  await exited;
  clearTimeout(timer);
}
