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

/** Previews of a server that never answers. */
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

test('a preview whose caller is gone ends its request, or gives its turn away', async () => {
  const { preview, requests } = startPreviews();
  const callers = Array.from({ length: 4 }, () => new AbortController());
  const codes = callers.map(({ signal }) => codeOf(preview(1, body, signal)));
  await expect.poll(() => requests.length).toBe(2);
  // It waits, so the next one has its turn.
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

test('ten previews of an organization wait, and more are rejected', async () => {
  const { preview, requests } = startPreviews();
  const caller = new AbortController();
  const codes = Array.from({ length: 12 }, () => codeOf(preview(1, body, caller.signal)));
  expect(await codeOf(preview(1, body, caller.signal))).toBe('rate_limited');
  const other = codeOf(preview(2, body, caller.signal));
  await expect.poll(() => requests.length).toBe(3);
  caller.abort();
  expect(await Promise.all([...codes, other])).toEqual(Array.from({ length: 13 }, () => 'unavailable'));
  // None is counted any more.
  const next = new AbortController();
  const last = codeOf(preview(1, body, next.signal));
  await expect.poll(() => requests.length).toBe(4);
  next.abort();
  expect(await last).toBe('unavailable');
});
