import { expect, test } from 'vitest';
import type { Sandbox } from '../../../platform/sandbox/index.ts';
import type { SourceHttp } from '../../../sources/source-http.ts';
import { createSourcePreview } from './preview-scrape-source.ts';

const body = {
  source: 'prometheus',
  url: 'https://prometheus.example.org',
  query: 'app_build_info',
  label: 'version',
  series: {},
  parser_type: 'regex',
  parse_expression: null,
  version_transform: 'none',
} as const;

/** Starts previews of a source on a server that never responds. */
function startPreviews() {
  const requests: AbortSignal[] = [];
  const preview = createSourcePreview({
    sandbox: {} as Sandbox,
    sourceHttp: {
      forJob: ({ signal }) =>
        ({
          get: () => {
            requests.push(signal);
            return new Promise<never>((_, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason as Error));
            });
          },
          end: () => undefined,
        }) as Partial<SourceHttp> as SourceHttp,
    },
  });
  return { preview, requests };
}

const codeOf = (result: Promise<unknown>) =>
  result.then(
    () => null,
    (error: { code?: string }) => error.code,
  );

test('a preview whose caller disconnects aborts its request or leaves the queue', async () => {
  const { preview, requests } = startPreviews();
  const callers = Array.from({ length: 4 }, () => new AbortController());
  const codes = callers.map(({ signal }) => codeOf(preview(1, body, signal)));
  await expect.poll(() => requests.length).toBe(2);
  // The third preview leaves the queue, so the fourth one is next.
  callers[2]!.abort();
  expect(await codes[2]).toBe('unavailable');
  callers[0]!.abort();
  expect(await codes[0]).toBe('unavailable');
  expect(requests[0]!.aborted).toBe(true);
  await expect.poll(() => requests.length).toBe(3);
  for (const caller of callers) caller.abort();
  expect(await Promise.all(codes)).toEqual(callers.map(() => 'unavailable'));
  expect(requests).toHaveLength(3);
});

test('up to ten previews of an organization are queued, and more are rejected', async () => {
  const { preview, requests } = startPreviews();
  const caller = new AbortController();
  const codes = Array.from({ length: 12 }, () => codeOf(preview(1, body, caller.signal)));
  expect(await codeOf(preview(1, body, caller.signal))).toBe('rate_limited');
  const other = codeOf(preview(2, body, caller.signal));
  await expect.poll(() => requests.length).toBe(3);
  caller.abort();
  expect(await Promise.all([...codes, other])).toEqual(Array.from({ length: 13 }, () => 'unavailable'));
  // Ended previews no longer count toward the limit.
  const next = new AbortController();
  const last = codeOf(preview(1, body, next.signal));
  await expect.poll(() => requests.length).toBe(4);
  next.abort();
  expect(await last).toBe('unavailable');
});
