import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatDisabledReason, formatHealth } from './channel-health.tsx';

const channel = (
  is_active: boolean,
  status: Schemas['ChannelHealthStatus'],
  consecutive_failures: number,
) => ({
  is_active,
  health: { status, consecutive_failures, last_success_at: null, last_failure_at: null, error: null },
});

test.each([
  [channel(true, 'degraded', 1), 'Degraded', null],
  [channel(true, 'unknown', 0), 'No delivery yet', null],
  [channel(false, 'degraded', 1), null, 'The last attempt failed.'],
  [channel(false, 'failing', 1_200), null, 'The last 1,200 attempts failed.'],
  [channel(false, 'healthy', 0), null, null],
])('only an enabled channel has a health, and a disabled one the reason: %o', (of, health, reason) => {
  expect(formatHealth(of)).toBe(health);
  expect(formatDisabledReason(of)).toBe(reason);
});
