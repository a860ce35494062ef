import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request is valid for so long before and after its time, as Slack recommends. */
const maxClockDifferenceMs = 300_000;

/**
 * Whether Slack sent it, as `X-Slack-Signature` proves (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 *
 * @param now the time of the database
 */
export function isFromSlack(secret: string, headers: IncomingHttpHeaders, body: Buffer, now: Date): boolean {
  const timestamp = headerOf(headers, 'x-slack-request-timestamp');
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
  const [, hex = ''] = /^v0=([0-9a-f]{64})$/u.exec(headerOf(headers, 'x-slack-signature')) ?? [];
  const given = Buffer.from(hex.padStart(64, '0'), 'hex');
  const isRight = timingSafeEqual(given, expected);
  const atMs = /^\d{1,12}$/u.test(timestamp) ? Number(timestamp) * 1_000 : Number.NaN;
  return isRight && Math.abs(now.getTime() - atMs) <= maxClockDifferenceMs;
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
