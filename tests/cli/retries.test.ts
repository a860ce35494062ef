import { afterEach, expect, test, vi } from 'vitest';
import { resources } from '../../src/cli/resources/resource-table.ts';
import { withRetries } from '../../src/cli/retries.ts';
import { ApiCallError } from '../../src/client/api-call-error.ts';
import type { ApiClient } from '../../src/client/api-client.ts';

afterEach(() => void vi.restoreAllMocks());

/** Creates a client whose calls fail with the given codes, one after the other, and then succeed. */
function failing(codes: readonly ApiCallError['code'][], retries: number) {
  const left = [...codes];
  const lines: string[] = [];
  const send = () => {
    const code = left.shift();
    if (code === undefined) return Promise.resolve({ status: 200, body: 'done' });
    const status = code === 'request_in_progress' ? 409 : 503;
    return Promise.reject(new ApiCallError(code, code, { status, requestId: null, retryAfterSeconds: 0 }));
  };
  const client = withRetries({ sendUnchecked: send } as unknown as ApiClient, retries, {
    stderr: (text) => void lines.push(text),
  });
  return { call: () => client.call('listRules'), lines, left };
}

test('waiting for an earlier request with the same idempotency key doesn’t use up the retries', async () => {
  const { call, lines } = failing(['unavailable', ...Array(9).fill('request_in_progress'), 'unavailable'], 2);
  expect(await call()).toBe('done');
  // The client prints one line for each of the two failures, and one line for all waits together.
  expect(lines).toHaveLength(3);
});

test('waiting for an earlier request with the same idempotency key uses up retries after 70 seconds', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(69_999);
  now.mockReturnValue(70_000);
  const { call, left } = failing(Array(9).fill('request_in_progress'), 2);
  await expect(call()).rejects.toMatchObject({ code: 'request_in_progress' });
  // The call has made four attempts. The wait after the first one didn't count as a retry, and two retries
  // followed the second one.
  expect(left).toHaveLength(9 - 4);
});

test('--retries 0 disables all retries', async () => {
  const { call, left } = failing(['request_in_progress'], 0);
  await expect(call()).rejects.toMatchObject({ code: 'request_in_progress' });
  expect(left).toEqual([]);
});

test.each(resources.flatMap(({ job }) => job?.run ?? []))(
  '%s is retried when its response is lost, because a job has at most one open run',
  async (run) => {
    let calls = 0;
    const send = () => {
      calls += 1;
      const lost = new ApiCallError('unavailable', 'bad gateway', {
        status: 502,
        requestId: null,
        retryAfterSeconds: 0,
      });
      return calls === 1 ? Promise.reject(lost) : Promise.resolve({ status: 202, body: null });
    };
    const client = withRetries({ sendUnchecked: send } as unknown as ApiClient, 1, { stderr: () => {} });
    await client.sendUnchecked(run);
    expect(calls).toBe(2);
  },
);
