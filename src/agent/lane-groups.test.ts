import { expect, test } from 'vitest';
import type { HeldTask } from './agent-task.ts';
import { LaneGroups, type LaneLimits } from './lane-groups.ts';

type Task = Parameters<LaneLimits<HeldTask['task']>['groupKey']>[0];

const limits = { maxRunning: 4, maxHeld: 40, maxGroups: 20, maxClaimed: 10, share: 0.5 };

/** Creates the groups of a lane, and a function that adds tasks of an organization. The key of a task is its number. */
function createGroups() {
  const groups = new LaneGroups<Task>({ ...limits, groupKey: (task) => String(task.task_id) });
  const add = (organization_id: number, ...keys: number[]) => {
    for (const task_id of keys) groups.add({ task: { organization_id, task_id } } as unknown as HeldTask);
  };
  return { groups, add };
}

test('tasks with the same key run together, and one organization uses at most its share', () => {
  const { groups, add } = createGroups();
  add(1, 11, 12, 13, 11);
  expect(groups.startNext()!.tasks).toHaveLength(2);
  expect(groups.startNext()!.tasks).toHaveLength(1);
  expect(groups.startNext()).toBeNull();
});

test('the organization with the fewest running groups is next', () => {
  const { groups, add } = createGroups();
  add(1, 11, 12, 13);
  add(2, 21, 22);
  const started = [1, 2, 3].map(() => groups.startNext()!);
  expect(started.map(({ organizationId }) => organizationId)).toEqual([1, 2, 1]);
  groups.end(started[0]!);
  expect(groups.startNext()!.organizationId).toBe(1);
  expect(groups.startNext()!.organizationId).toBe(2);
  expect(groups.startNext()).toBeNull();
});

test('a group of several organizations uses the share of the one for which it starts, and starts once', () => {
  const { groups, add } = createGroups();
  add(1, 11, 12);
  add(2, 11);
  const [first, second, third] = [1, 2, 3].map(() => groups.startNext());
  expect(first).toMatchObject({ organizationId: 1, tasks: { length: 2 } });
  expect(second).toMatchObject({ organizationId: 1, tasks: { length: 1 } });
  expect(third).toBeNull();
});

test('the capacity counts each organization up to its share, and collecting raises it while there are few groups', () => {
  const { groups, add } = createGroups();
  expect(groups.claimCapacity({ isCollecting: false })).toBe(10);
  expect(groups.claimCapacity({ isCollecting: true })).toBe(40);
  add(1, ...Array.from({ length: 30 }, (_, index) => index));
  expect(groups.organizationsAtLimit()).toEqual([1]);
  expect(groups.claimCapacity({ isCollecting: true })).toBe(10);
  add(2, ...Array.from({ length: 10 }, (_, index) => 100 + index));
  expect(groups.claimCapacity({ isCollecting: false })).toBe(0);
  for (let group = groups.startNext(); group; group = groups.startNext()) groups.end(group);
  expect(groups.organizationsAtLimit()).toEqual([]);
  expect(groups.claimCapacity({ isCollecting: false })).toBe(10);
});

test('waiting tasks are taken for release once', () => {
  const { groups, add } = createGroups();
  add(1, 11, 12, 11);
  groups.startNext();
  expect(groups.takeWaiting()).toHaveLength(1);
  expect(groups.takeWaiting()).toEqual([]);
  expect(groups.startNext()).toBeNull();
});
