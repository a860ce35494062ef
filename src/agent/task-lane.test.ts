import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { HeldTask, TaskOf } from './agent-task.ts';
import { type LaneOptions, runLane } from './task-lane.ts';

const taskOf = (id: number) =>
  ({ task: { task_id: id, organization_id: 2 } }) as Partial<HeldTask<TaskOf<'gather'>>> as HeldTask<
    TaskOf<'gather'>
  >;

/** Runs a lane until it has claimed at least `count` tasks. Returns the number of tasks in each claim. */
async function claimsOf(
  count: number,
  claim: (max: number, claimed: number) => Promise<HeldTask<TaskOf<'gather'>>[]>,
): Promise<number[]> {
  const stopping = new AbortController();
  const sizes: number[] = [];
  const total = () => sizes.reduce((sum, size) => sum + size, 0);
  const options: LaneOptions<TaskOf<'gather'>> = {
    maxRunning: 10,
    maxHeld: 100,
    maxGroups: 100,
    maxClaimed: 10,
    share: 1,
    isCollecting: false,
    groupKey: ({ task_id }) => String(task_id),
    runGroup: async () => undefined,
    releaseTask: async () => undefined,
    async claim(max) {
      const tasks = await claim(max, total());
      sizes.push(tasks.length);
      if (total() >= count) stopping.abort();
      return tasks;
    },
    signal: stopping.signal,
  };
  await runLane(options);
  return sizes;
}

test('tasks that arrive one after another are claimed together', async () => {
  const startedAt = performance.now();
  const sizes = await claimsOf(20, async (max, claimed) => {
    // A task arrives every 10 milliseconds. The first claim waits for a task, as in a long poll.
    await sleep(claimed === 0 ? 15 : 0);
    const come = Math.floor((performance.now() - startedAt) / 10) - claimed;
    return Array.from({ length: Math.min(max, Math.max(0, come)) }, (_, index) => taskOf(claimed + index));
  });
  expect(sizes[0]).toBeGreaterThan(0);
  expect(sizes.length).toBeLessThanOrEqual(8);
});

test('a full claim is followed immediately by the next claim', async () => {
  let claims = 0;
  const claimsInOneTurn = new Promise<number>((resolve) => setImmediate(() => resolve(claims)));
  const sizes = await claimsOf(200, async (max, claimed) => {
    claims += 1;
    return Array.from({ length: max }, (_, index) => taskOf(claimed + index));
  });
  expect(sizes).toEqual(Array(20).fill(10));
  // No timer can run within one turn of the event loop, so there was no pause between the claims.
  expect(await claimsInOneTurn).toBe(20);
});

test('a stopped lane releases waiting tasks and starts no task after the running one ends', async () => {
  const stopping = new AbortController();
  const first = Promise.withResolvers<void>();
  const begun: number[] = [];
  const givenBack: number[] = [];
  let isClaimed = false;
  const lane = runLane<TaskOf<'gather'>>({
    maxRunning: 1,
    maxHeld: 4,
    maxGroups: 4,
    maxClaimed: 4,
    share: 1,
    isCollecting: false,
    groupKey: ({ task_id }) => String(task_id),
    async runGroup(tasks) {
      begun.push(...tasks.map(({ task }) => task.task_id));
      await first.promise;
    },
    async releaseTask({ task }) {
      givenBack.push(task.task_id);
    },
    async claim() {
      if (isClaimed) return [];
      isClaimed = true;
      return [1, 2, 3, 4].map(taskOf);
    },
    signal: stopping.signal,
  });
  await expect.poll(() => begun).toEqual([1]);
  stopping.abort();
  await expect.poll(() => givenBack).toEqual([2, 3, 4]);
  first.resolve();
  await lane;
  expect(begun).toEqual([1]);
});
