import { parseSigningSecret } from '../../../../platform/secrets/index.ts';
import { acknowledgeTokenPattern } from '../render/acknowledge-link.ts';
import type { ChannelSecrets } from './channel-secrets.ts';

/** Shorter parts of a value say nothing on their own. */
const shortestPart = 6;

/** Words of the documented URLs of platforms and of authentication schemes, which are no secrets. */
const publicWords = new Set(
  'api authorization basic bearer digest enqueue hooks incoming incomingwebhook invoke manual message paths publish sendmessage services token trigger triggers v1 v2 webhook webhooks workflows'.split(
    ' ',
  ),
);

/** Everything of a channel that a person must not see, and the parts of it that are secret on their own. */
export function secretValues(secrets: ChannelSecrets): string[] {
  const { url, headers, presetOptions, signingSecret, previousSigningSecret, token } = secrets;
  const values = [
    // The URL of a tracker is no secret.
    ...(token === null ? valuesOfUrl(url) : [token]),
    ...Object.values(headers).flatMap(valuesOfHeader),
    ...Object.values(presetOptions),
    ...[signingSecret, previousSigningSecret].flatMap((secret) =>
      secret === null ? [] : valuesOfSigningSecret(secret),
    ),
  ];
  return [...new Set(values)].filter((value) => value !== '' && !publicWords.has(value.toLowerCase()));
}

/** The acknowledge links in a body: whoever has one may acknowledge. */
export function tokensIn(body: string): string[] {
  return [...new Set(body.match(acknowledgeTokenPattern) ?? [])];
}

/** All but the origin: the path and the query of a webhook are what lets others send to it. */
function valuesOfUrl(text: string): string[] {
  const url = URL.parse(text);
  if (url === null) return [text];
  const { pathname, search, hash, username, password, searchParams } = url;
  const segments = pathname.split('/').filter((segment) => !isPublic(segment));
  const isSecretPath = segments.some((segment) => segment !== '');
  const parts = [...segments, ...segments.flatMap((segment) => segment.split(/[^A-Za-z0-9%_-]+/))];
  return [
    ...(isSecretPath ? [pathname, `${pathname}${search}`] : []),
    ...[...parts, decoded(pathname), ...parts.map(decoded)].filter(isLongEnough),
    search.slice(1),
    ...search
      .slice(1)
      .split('&')
      .map((pair) => pair.slice(pair.indexOf('=') + 1)),
    ...searchParams.values(),
    ...[username, password, hash.slice(1)].map(decoded),
  ];
}

/** A whole value, what is behind its scheme, and what Basic authentication hides in base64. */
function valuesOfHeader(value: string): string[] {
  const parts = value.split(/[\s=:,;"']+/).filter(isLongEnough);
  const [, basic] = /^basic\s+([A-Za-z0-9+/]+=*)$/i.exec(value) ?? [];
  const pair = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8');
  return [value, ...parts, pair, pair.slice(pair.indexOf(':') + 1)];
}

function valuesOfSigningSecret(secret: string): string[] {
  const key = parseSigningSecret(secret);
  const bytes = key === null ? [] : [key.toString('base64'), key.toString('base64url'), key.toString('hex')];
  return [secret, secret.replace(/^whsec_/, ''), ...bytes];
}

function isPublic(segment: string): boolean {
  return publicWords.has(segment.toLowerCase());
}

function isLongEnough(part: string): boolean {
  return part.length >= shortestPart;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
