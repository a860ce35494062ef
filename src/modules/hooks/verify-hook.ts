import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { HookKind } from '../../domain/hooks/hook-names.ts';
import { headerOf, isTimely } from '../../platform/http/index.ts';

export interface ReceivedHook {
  headers: IncomingHttpHeaders;
  /** The `token` of the address; only Docker Hub has no other place for a secret. */
  token: string | null;
  body: Buffer;
}

/**
 * Whether the sender knows the secret, as its platform proves it. How long that takes doesn't depend on how much of a
 * signature is right.
 *
 * @param now the time of the database
 */
export function isAuthentic(kind: HookKind, secret: string, received: ReceivedHook, now: Date): boolean {
  const { headers, body } = received;
  switch (kind) {
    case 'github':
      return isSame(headerOf(headers, 'x-hub-signature-256'), `sha256=${hmac(secret, body)}`);
    case 'gitea':
      return isSame(headerOf(headers, 'x-gitea-signature'), hmac(secret, body));
    case 'gitlab':
      return isSame(headerOf(headers, 'x-gitlab-token'), secret);
    case 'registry':
      return isSame(headerOf(headers, 'authorization'), `Bearer ${secret}`);
    case 'docker_hub':
      return isSame(received.token ?? '', secret);
    case 'generic': {
      const timestamp = headerOf(headers, 'x-pacekeeper-timestamp');
      const isRight = isSame(
        headerOf(headers, 'x-pacekeeper-signature'),
        `sha256=${hmac(secret, Buffer.from(`${timestamp}.`), body)}`,
      );
      return isRight && isTimely(timestamp, now);
    }
  }
}

/** What tells a delivery from the others: its ID, and what it says, for a sender of a copy can choose the ID. */
export function deliveryKeys(kind: HookKind, { headers, body }: ReceivedHook): Buffer[] {
  const names: Partial<Record<HookKind, string>> = {
    github: 'x-github-delivery',
    gitea: 'x-gitea-delivery',
    // `X-Gitlab-Event-UUID` is also that of the events that the receivers of an event cause.
    gitlab: 'idempotency-key',
  };
  const name = names[kind];
  const id = name === undefined ? '' : headerOf(headers, name);
  const event = eventOf(kind, headers) ?? '';
  // Signed with the body: the same body at another time is another delivery, and no copy can choose the time.
  const signedAt = kind === 'generic' ? `${headerOf(headers, 'x-pacekeeper-timestamp')}.` : '';
  return [
    hash(Buffer.from(`body ${event}\n${signedAt}`), body),
    ...(id === '' ? [] : [hash(Buffer.from(`id ${id}`))]),
  ];
}

/** The type of the event. */
export function eventOf(kind: HookKind, headers: IncomingHttpHeaders): string | null {
  const event = kind === 'github' ? headerOf(headers, 'x-github-event') : '';
  return event === '' ? null : event;
}

function hmac(secret: string, ...parts: readonly Buffer[]): string {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(part);
  return mac.digest('hex');
}

/** Of hashes, which have the same length whatever is compared. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash(Buffer.from(given)), hash(Buffer.from(expected)));
}

function hash(...parts: readonly Buffer[]): Buffer {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest();
}
