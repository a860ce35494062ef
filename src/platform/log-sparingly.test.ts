import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { createRateLimitedLog } from './log-sparingly.ts';

test('repeated messages are logged at most once every five seconds, with the number of skipped messages', () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    level: 'info',
    format: 'json',
    destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  let now = 0;
  const warn = createRateLimitedLog(log, () => now);
  for (; now < 10_000; now += 10) warn({ at: now }, 'away');
  warn({ at: now }, 'something else');
  expect(lines).toMatchObject([
    { msg: 'away', at: 0 },
    { msg: 'away', at: 5_000, leftOut: 499 },
    { msg: 'something else', at: 10_000 },
  ]);
  expect(lines).toHaveLength(3);
});
