import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { endThread } from './end-thread.ts';

const start = (code: string) =>
  new Worker(`const { parentPort } = require('node:worker_threads'); ${code}`, { eval: true });
/** 0 for a thread that has ended itself, 1 for one that was terminated. */
const exitCode = async (thread: Worker) => (await once(thread, 'exit'))[0];

test('a thread that has just been started ends itself', async () => {
  const thread = start("parentPort.on('message', (message) => { if (message === 'end') process.exit(); })");
  const code = exitCode(thread);
  await endThread(thread);
  expect(await code).toBe(0);
  await endThread(thread);
});

test('a thread that fails has ended, too', async () => {
  const thread = start("parentPort.once('message', () => { throw new Error('no'); })");
  thread.on('error', () => {});
  await endThread(thread);
  expect(thread.threadId).toBe(-1);
});

test('a thread that is stuck is terminated', async () => {
  const thread = start("parentPort.on('message', () => {}); parentPort.postMessage(1); for (;;) {}");
  const code = exitCode(thread);
  await once(thread, 'message');
  await endThread(thread, 50);
  expect(await code).toBe(1);
});
