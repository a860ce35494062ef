import { withoutVariables } from '../../../../domain/channels/request-address.ts';
import { parseSigningSecret } from '../../../../platform/secrets/index.ts';
import { acknowledgeTokenPattern } from './acknowledge-link.ts';
import type { ChannelSecrets } from './channel-secrets.ts';

/** Placeholder origin that completes a path to a URL, so that the secret parts of the path can be found. */
const anyOrigin = 'https://receiver.example';

/** Minimum length of a part of a value. Shorter parts reveal nothing useful. */
const minPartLength = 6;

/** Words in documented URLs of platforms and in authentication schemes, which aren't secret. */
const publicWords = new Set(
  'api authorization basic bearer digest enqueue hooks incoming incomingwebhook invoke manual message paths publish sendmessage services token trigger triggers v1 v2 webhook webhooks workflows'.split(
    ' ',
  ),
);

/** Returns the secret values of a channel, and parts of them that are also secret. */
export function secretValues(secrets: ChannelSecrets): string[] {
  const { url, closingPath, headers, presetOptions, signingSecret, previousSigningSecret, token } = secrets;
  const values = [
    // The URL of a tracker isn't secret.
    ...(token === null ? valuesOfUrl(url) : [token]),
    ...(closingPath === null ? [] : valuesOfUrl(`${anyOrigin}${withoutVariables(closingPath)}`)),
    ...Object.values(headers).flatMap(valuesOfHeader),
    ...Object.values(presetOptions),
    ...[signingSecret, previousSigningSecret].flatMap((secret) =>
      secret === null ? [] : valuesOfSigningSecret(secret),
    ),
  ];
  return [...new Set(values)].filter((value) => value !== '' && !publicWords.has(value.toLowerCase()));
}

/**
 * Returns the acknowledge tokens in a body. They're secret, because anyone who has one can acknowledge the
 * alert.
 */
export function findAcknowledgeTokens(body: string): string[] {
  return [...new Set(body.match(acknowledgeTokenPattern) ?? [])];
}

/**
 * Returns the secret parts of a webhook URL: everything except the origin. Anyone who has the path and the
 * query can send to the webhook.
 */
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

/**
 * Returns the value of a header, its parts that are long enough, and for Basic authentication the decoded
 * credentials and the password.
 */
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
  return part.length >= minPartLength;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
