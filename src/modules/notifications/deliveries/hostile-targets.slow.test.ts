import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { HostileReport } from '../../../../tests/helpers/send-to-hostile-targets.ts';
import { createWebhookInbox, type WebhookResponse } from '../../../../tests/helpers/webhook-inbox.ts';

const run = promisify(execFile);
const program = fileURLToPath(
  new URL('../../../../tests/helpers/send-to-hostile-targets.ts', import.meta.url),
);
const inbox = await createWebhookInbox();
afterAll(() => inbox.close());

type Target = [answer: WebhookResponse, outcome: string];

const stalling: Target[] = [
  [{ kind: 'silence' }, 'timeout'],
  [{ kind: 'header_drip' }, 'timeout'],
  [{ kind: 'body_drip' }, '200'],
  [{ kind: 'body_drip', status: 500 }, 'http_status'],
  [{ kind: 'endless_body' }, '200'],
  [{ kind: 'gzip_bomb' }, '200'],
  [{ kind: 'many_headers', count: 1_000 }, '200'],
  [{ kind: 'no_http' }, 'invalid_response'],
  [{ kind: 'reset' }, 'connection_failed'],
];

const flooding: Target[] = [
  [{ kind: 'endless_headers' }, 'invalid_response'],
  [{ kind: 'many_headers', count: 10_000 }, 'invalid_response'],
];

const megabyte = 1024 * 1024;

test('requests to 64 receivers that stall, drip, or never finish all end, and use less than 20 MB', async () => {
  const { heapBytes, rssBytes, keptHeapBytes } = await sendToEach(stalling, 64, 1_000);
  expect(heapBytes).toBeLessThan(20 * megabyte);
  expect(rssBytes).toBeLessThan(20 * megabyte);
  expect(keptHeapBytes).toBeLessThan(10 * megabyte);
});

test('requests to 64 receivers that flood the client all end, and use less than 20 MB of heap', async () => {
  // The memory of the process isn't checked, because rejected data is garbage that is collected only after
  // enough of it accumulates.
  const { heapBytes, keptHeapBytes } = await sendToEach(flooding, 64, 60_000);
  expect(heapBytes).toBeLessThan(20 * megabyte);
  expect(keptHeapBytes).toBeLessThan(10 * megabyte);
});

/** Sends requests to `count` targets concurrently from a separate process, cycling through `kinds`. */
async function sendToEach(
  kinds: readonly Target[],
  count: number,
  timeoutMs: number,
): Promise<HostileReport> {
  const targets = Array.from({ length: count }, (_, index) => ({
    path: `target-${index}`,
    target: kinds[index % kinds.length]!,
  }));
  const answers = new Map(targets.map(({ path, target: [answer] }) => [`/${path}`, answer]));
  inbox.answerAlways(({ path }) => answers.get(path) ?? { status: 200 });
  const paths = targets.map(({ path }) => path).join(',');
  const { stdout } = await run(process.execPath, [
    '--expose-gc',
    program,
    inbox.url,
    String(timeoutMs),
    'ok',
    paths,
  ]);
  const report = JSON.parse(stdout) as HostileReport;
  const expected = targets.map(({ path, target: [, outcome] }) => [path, outcome]);
  expect(report.outcomes).toEqual(Object.fromEntries(expected));
  return report;
}
