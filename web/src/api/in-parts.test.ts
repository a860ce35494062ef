import { expect, test } from 'vitest';
import { sendInBatches } from './in-parts.ts';

test('a request that fails midway keeps the completed parts and returns the IDs to retry', async () => {
  const ids = Array.from({ length: 350 }, (_, index) => index + 1);
  const sent: number[] = [];
  const failure = new Error('unavailable');
  let isBroken = true;
  const send = async (part: number[]) => {
    if (isBroken && part[0] === 201) throw failure;
    sent.push(...part);
    return part.length;
  };
  const first = await sendInBatches(ids, send);
  expect(first).toEqual({ parts: [100, 100], remaining: ids.slice(200), error: failure });
  isBroken = false;
  const second = await sendInBatches(first.remaining, send);
  expect(second).toEqual({ parts: [100, 50], remaining: [], error: null });
  expect(sent).toEqual(ids);
});
