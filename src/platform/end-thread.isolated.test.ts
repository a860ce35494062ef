import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { endThread } from './end-thread.ts';

const start = (code: string) =>
  new Worker(`const { parentPort } = require('node:worker_threads'); ${code}`, { eval: true });
/** Returns the exit code: 0 for a thread that exited on its own, 1 for a terminated one. */
const exitCode = async (thread: Worker) => (await once(thread, 'exit'))[0];

test('a thread that has just started exits on its own', async () => {
  const thread = start("parentPort.on('message', (message) => { if (message === 'end') process.exit(); })");
  const code = exitCode(thread);
  await endThread(thread);
  expect(await code).toBe(0);
  await endThread(thread);
});

test('a thread that throws is considered ended, too', async () => {
  const thread = start("parentPort.once('message', () => { throw new Error('no'); })");
  thread.on('error', () => {});
  await endThread(thread);
  expect(thread.threadId).toBe(-1);
});

test('a thread that hangs is terminated', async () => {
  const thread = start("parentPort.on('message', () => {}); parentPort.postMessage(1); for (;;) {}");
  const code = exitCode(thread);
  await once(thread, 'message');
  await endThread(thread, 50);
  expect(await code).toBe(1);
});
