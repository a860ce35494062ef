import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

test('a key with many waiting callers does not block other keys', async () => {
  const slots = createSlots(1);
  const first = await slots.take('busy', 1_000);
  const order: string[] = [];
  const take = async (key: string) => {
    const release = await slots.take(key, 1_000);
    order.push(key);
    release!();
  };
  const all = [...Array.from({ length: 5 }, () => take('busy')), take('other')];
  first!();
  await Promise.all(all);
  expect(order).toEqual(['busy', 'other', 'busy', 'busy', 'busy', 'busy']);
});

test('a caller that stops waiting for a slot does not take the slot from others', async () => {
  const slots = createSlots(1);
  const first = await slots.take('a', 1_000);
  expect(await slots.take('b', 10)).toBeNull();
  await expect(slots.take('c', 1_000, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  first!();
  expect(await slots.take('d', 10)).not.toBeNull();
});
