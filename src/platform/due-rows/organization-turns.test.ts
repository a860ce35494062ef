import { expect, test } from 'vitest';
import { OrganizationTurns } from './organization-turns.ts';

test('triggered organizations are taken once, in their order', () => {
  const turns = new OrganizationTurns();
  for (const id of [3, 1, 2, 1]) turns.addTriggered(id);
  expect(turns.takeTriggered(1.5)).toEqual([3]);
  expect(turns.takeTriggered()).toEqual([1, 2]);
  expect(turns.takeTriggered()).toEqual([]);
});

test('an organization with rows in flight is not idle until all of them are handled', () => {
  const turns = new OrganizationTurns();
  for (const id of [1, 2]) turns.addTriggered(id);
  turns.countInFlight(1, 2);
  expect(turns.takeIdle(10)).toEqual([2]);
  turns.countInFlight(1, -1);
  expect(turns.hasIdle()).toBe(false);
  turns.countInFlight(1, -1);
  expect(turns.hasIdle()).toBe(true);
  expect(turns.takeIdle(10)).toEqual([1]);
});

test('only a limited number of triggered organizations is remembered', () => {
  const turns = new OrganizationTurns();
  for (let id = 0; id < 5_000; id++) turns.addTriggered(id);
  expect(turns.takeTriggered()).toHaveLength(1_000);
});
