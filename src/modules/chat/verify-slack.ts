import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { headerOf, isWithinTolerance } from '../../platform/http/index.ts';

/**
 * True if `X-Slack-Signature` proves that Slack sent the request
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 *
 * @param now the database time
 */
export function isFromSlack(secret: string, headers: IncomingHttpHeaders, body: Buffer, now: Date): boolean {
  const timestamp = headerOf(headers, 'x-slack-request-timestamp');
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
  const [, hex = ''] = /^v0=([0-9a-f]{64})$/u.exec(headerOf(headers, 'x-slack-signature')) ?? [];
  const given = Buffer.from(hex.padStart(64, '0'), 'hex');
  return timingSafeEqual(given, expected) && isWithinTolerance(timestamp, now);
}
