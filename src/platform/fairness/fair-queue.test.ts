import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function drain(queue: FairQueue<string>): string[] {
  const taken: string[] = [];
  for (let job = queue.take(); job !== undefined; job = queue.take()) taken.push(job);
  return taken;
}

test('keys are served in turn, and the jobs of a key in the order of their arrival', () => {
  const queue = new FairQueue<string>(10);
  for (const [key, job] of [
    ['a', 'a1'],
    ['a', 'a2'],
    ['a', 'a3'],
    ['b', 'b1'],
    ['c', 'c1'],
    ['b', 'b2'],
  ] as const)
    queue.add(key, job);
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('a full queue rejects a new job of the key with the most jobs', () => {
  const queue = new FairQueue<string>(3);
  for (const job of ['a1', 'a2', 'a3']) expect(queue.add('a', job)).toBeUndefined();
  expect(queue.add('a', 'a4')).toBe('a4');
  expect(drain(queue)).toEqual(['a1', 'a2', 'a3']);
});

test('a new job of another key displaces the last job of the largest key in a full queue', () => {
  const queue = new FairQueue<string>(3);
  for (const job of ['a1', 'a2', 'a3']) queue.add('a', job);
  expect(queue.add('b', 'b1')).toBe('a3');
  expect(queue.add('b', 'b2')).toBe('b2');
  expect(drain(queue)).toEqual(['a1', 'b1', 'a2']);
});

test('a key that the filter excludes keeps its turn, and removed jobs are not returned', () => {
  const queue = new FairQueue<string>(10);
  for (const job of ['a1', 'a2', 'a3']) queue.add('a', job);
  queue.add('b', 'b1');
  expect(queue.take((key) => key !== 'a')).toBe('b1');
  expect(queue.take((key) => key !== 'a')).toBeUndefined();
  queue.remove('a', 'a2');
  queue.remove('b', 'b1');
  expect(drain(queue)).toEqual(['a1', 'a3']);
  expect(queue.add('a', 'a4')).toBeUndefined();
});
