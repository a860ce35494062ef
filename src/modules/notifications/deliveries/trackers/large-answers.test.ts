import { expect, test } from 'vitest';
import type { OutboundClient } from '../../../../platform/outbound/index.ts';
import { createRequests } from './tracker.ts';

test('large responses of trackers are read one at a time, and organizations take turns', async () => {
  const large = Buffer.from(JSON.stringify({ name: 'x'.repeat(100 * 1024) }));
  const outbound = {
    stream: async () => ({
      status: 200,
      headers: {},
      url: '',
      body: [large.subarray(0, 1_000), large.subarray(1_000)],
    }),
  } as unknown as OutboundClient;
  const parsed: number[] = [];
  const ends: (() => void)[] = [];
  const sandbox = {
    async run(_module: URL, _name: string, _input: unknown, { fairKey }: { fairKey?: string } = {}) {
      parsed.push(Number(fairKey));
      await new Promise<void>((resolve) => ends.push(resolve));
      return null as never;
    },
  };
  const send = (organizationId: number) =>
    createRequests({
      outbound,
      sandbox,
      organizationId,
      headers: {},
      problemName: 'gitlab_problem',
      timeoutMs: 60_000,
      version: '0.0.0',
    })({ url: 'https://tracker.example/', answer: 'gitlab_project' });
  const answers = [send(1), send(1), send(1), send(2)];
  for (const expected of [[1], [1, 1], [1, 1, 2], [1, 1, 2, 1]]) {
    await expect.poll(() => parsed, { timeout: 60_000 }).toEqual(expected);
    ends.at(-1)!();
  }
  expect(await Promise.all(answers)).toHaveLength(4);
});
