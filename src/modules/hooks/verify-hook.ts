import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { HookKind } from '../../domain/hooks/hook-names.ts';
import { headerOf, isWithinTolerance } from '../../platform/http/index.ts';

export interface ReceivedHook {
  headers: IncomingHttpHeaders;
  /** The `token` query parameter of the URL. Docker Hub and Quay can send a secret only in the URL. */
  token: string | null;
  body: Buffer;
}

/**
 * True if the request proves that the sender has the secret. The method of proof depends on the sender's
 * platform. The comparison takes constant time, regardless of how much of a signature is correct.
 *
 * @param now the time of the database
 */
export function isAuthentic(kind: HookKind, secret: string, received: ReceivedHook, now: Date): boolean {
  const { headers, body } = received;
  switch (kind) {
    case 'github':
      return isSame(headerOf(headers, 'x-hub-signature-256'), `sha256=${hmac(secret, body)}`);
    case 'gitea':
      // If the content type is that of a form, Gitea and Forgejo sign only the JSON inside the form.
      return isSame(headerOf(headers, 'x-gitea-signature'), hmac(secret, Buffer.from(eventText(body))));
    case 'bitbucket':
      return isSame(headerOf(headers, 'x-hub-signature'), `sha256=${hmac(secret, body)}`);
    case 'azure_devops':
      return isSame(basicPassword(headerOf(headers, 'authorization')), secret);
    case 'harbor':
      // Accept the secret with and without `Bearer`, because Harbor sends the header value exactly as people entered
      // it.
      return isSame(headerOf(headers, 'authorization').replace(/^Bearer /u, ''), secret);
    case 'gitlab':
      return isSame(headerOf(headers, 'x-gitlab-token'), secret);
    case 'registry':
      return isSame(headerOf(headers, 'authorization'), `Bearer ${secret}`);
    case 'docker_hub':
    case 'quay':
      return isSame(received.token ?? '', secret);
    case 'generic': {
      const timestamp = headerOf(headers, 'x-pacekeeper-timestamp');
      const isRight = isSame(
        headerOf(headers, 'x-pacekeeper-signature'),
        `sha256=${hmac(secret, Buffer.from(`${timestamp}.`), body)}`,
      );
      return isRight && isWithinTolerance(timestamp, now);
    }
  }
}

/**
 * Returns the keys that identify a delivery: a hash of its ID and a hash of its content. The ID alone isn't
 * enough, because someone who replays a delivery can change the ID.
 *
 * A delivery from Quay has no keys. It contains neither an ID nor a time, so a second push of the same tag
 * has the same content and must not be dropped as a replay. The secret is part of the hook's URL, so only
 * someone who has it can replay the delivery.
 */
export function deliveryKeys(kind: HookKind, { headers, body }: ReceivedHook): Buffer[] {
  if (kind === 'quay') return [];
  const names: Partial<Record<HookKind, string>> = {
    github: 'x-github-delivery',
    gitea: 'x-gitea-delivery',
    // Don't use `X-Gitlab-Event-UUID`, which isn't unique: if a webhook receiver triggers further events, they have the
    // same value.
    gitlab: 'idempotency-key',
  };
  const name = names[kind];
  const id = name === undefined ? '' : headerOf(headers, name);
  const event = readEventTypeHeader(kind, headers) ?? '';
  // The timestamp is signed with the body, so a replayed delivery can't change it. The same body at another
  // time is another delivery.
  const signedAt = kind === 'generic' ? `${headerOf(headers, 'x-pacekeeper-timestamp')}.` : '';
  return [
    hash(Buffer.from(`body ${event}\n${signedAt}`), body),
    ...(id === '' ? [] : [hash(Buffer.from(`id ${id}`))]),
  ];
}

/** Returns the JSON of an event, which some platforms can send as the field `payload` of a form. */
export function eventText(body: Buffer): string {
  const raw = body.toString('utf8');
  return raw.startsWith('payload=') ? (new URLSearchParams(raw).get('payload') ?? '') : raw;
}

/** Returns the type of the event, or null if the platform doesn't send it in a header. */
export function readEventTypeHeader(kind: HookKind, headers: IncomingHttpHeaders): string | null {
  const event = kind === 'github' ? headerOf(headers, 'x-github-event') : '';
  return event === '' ? null : event;
}

/** Returns the password of basic authentication; empty if the header has another form. */
function basicPassword(authorization: string): string {
  const credentials = /^Basic (?<encoded>[A-Za-z0-9+/]+=*)$/iu.exec(authorization)?.groups?.['encoded'] ?? '';
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : '';
}

function hmac(secret: string, ...parts: readonly Buffer[]): string {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(part);
  return mac.digest('hex');
}

/** Compares hashes, because `timingSafeEqual` requires values of equal length. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash(Buffer.from(given)), hash(Buffer.from(expected)));
}

function hash(...parts: readonly Buffer[]): Buffer {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest();
}
