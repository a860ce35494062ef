import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairLimit, NoCapacityError } from './fair-limit.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

interface Work {
  key: string;
  weight: number;
  abort: AbortController;
  end: (() => void) | null;
  error: unknown;
  /** Number of times that each other key began while this work waited as the first of a key that had no running work. */
  passedBy: Map<string, number>;
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ key: fc.constantFrom('a', 'b', 'c'), weight: fc.integer({ min: 1, max: 5 }) }),
    },
    { weight: 3, arbitrary: fc.record({ end: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ abort: fc.nat(20) }) },
  ),
  { maxLength: 40 },
);

test('limits hold, each key runs in order, keys take turns, and no work is lost, whatever begins, ends, or is aborted', async () => {
  const limits = fc.record({
    max: fc.integer({ min: 1, max: 6 }),
    maxPerKey: fc.integer({ min: 1, max: 4 }),
    maxWaiting: fc.constantFrom(3, Infinity),
  });
  await fc.assert(
    fc.asyncProperty(limits, steps, async (options, plan) => {
      const limit = createFairLimit(options);
      const all: Work[] = [];
      const isRunning = (work: Work) => work.end !== null;
      const isWaiting = (work: Work) => work.end === null && work.error === null && !ended.has(work);
      const ended = new Set<Work>();
      const weightOf = (works: readonly Work[]) => works.reduce((sum, { weight }) => sum + weight, 0);

      function check(): void {
        const running = all.filter(isRunning);
        expect(running.length <= 1 || weightOf(running) <= options.max).toBe(true);
        for (const [, ofKey] of Map.groupBy(running, ({ key }) => key))
          expect(ofKey.length <= 1 || weightOf(ofKey) <= options.maxPerKey).toBe(true);
        const waiting = all.filter(isWaiting);
        expect(limit.waitingCount).toBe(waiting.length);
        expect(waiting.length).toBeLessThanOrEqual(options.maxWaiting);
        if (waiting.length > 0) expect(running).not.toEqual([]);
      }

      function enter(key: string, weight: number): void {
        const work: Work = {
          key,
          weight,
          abort: new AbortController(),
          end: null,
          error: null,
          passedBy: new Map(),
        };
        all.push(work);
        limit.enter(key, { weight, signal: work.abort.signal }).then(
          (end) => {
            // Within a key, work begins in order.
            expect(all.find((each) => each.key === key && isWaiting(each))).toBe(work);
            for (const other of all) {
              if (other.key === key || !isWaiting(other)) continue;
              if (all.some((each) => each.key === other.key && isRunning(each))) other.passedBy.clear();
              else other.passedBy.set(key, (other.passedBy.get(key) ?? 0) + 1);
              if (all.find((each) => each.key === other.key && isWaiting(each)) !== other)
                other.passedBy.clear();
              expect(other.passedBy.get(key) ?? 0).toBeLessThanOrEqual(1);
            }
            work.end = end;
          },
          (error: unknown) => {
            work.error = error;
          },
        );
      }

      async function end(work: Work): Promise<void> {
        work.end!();
        // Further calls have no effect.
        work.end!();
        work.end = null;
        ended.add(work);
        await settle();
      }

      for (const step of plan) {
        if ('key' in step) enter(step.key, step.weight);
        else {
          const some = all.filter('end' in step ? isRunning : isWaiting);
          const work = some['end' in step ? step.end % some.length : step.abort % some.length];
          if (work && 'end' in step) await end(work);
          else if (work) work.abort.abort(new Error('not needed'));
        }
        await settle();
        check();
      }
      for (let next = all.find(isRunning); next; next = all.find(isRunning)) await end(next);
      for (const work of all)
        if (work.error === null) expect(ended).toContain(work);
        else if (!work.abort.signal.aborted) expect(work.error).toBeInstanceOf(NoCapacityError);
      if (options.maxWaiting === Infinity)
        expect(all.filter(({ error }) => error instanceof NoCapacityError)).toEqual([]);
    }),
  );
});
