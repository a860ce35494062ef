import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { asciiDomain, withAsciiDomain } from '../domain/text/ascii-domain.ts';
import { withoutTrailing } from '../domain/text/trailing.ts';
import { encodingAdvice, PostgresUrlError, parsePostgresUrl } from './database/postgres-url.ts';
import { basePathOf, isUsableBasePath } from './http/base-path.ts';
import { parseSecretKey } from './secrets/secret-key.ts';

// This file contains schemas and parsers for the values of environment variables.

export function wholeNumber(min: number, max: number) {
  return z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(min).max(max));
}

export function yesOrNo() {
  return z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');
}

/** Accepts a secret key in the format of a generated key file and of `--new-key-file`. */
export function secretKey() {
  return z.string().transform((text, context): Buffer => {
    try {
      return parseSecretKey(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'not a key' });
      return z.NEVER;
    }
  });
}

/** Accepts an HTTP URL and removes trailing slashes, so that a path can be appended. */
export function httpUrl() {
  return z
    .string()
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(text) && url.username === '';
    })
    .transform((text) => withoutTrailing(text, '/'));
}

/**
 * Accepts the public URL of the server. The server must support its path as a base path. The host becomes ASCII,
 * because the URL is sent in headers.
 */
export function publicUrl() {
  return httpUrl()
    .refine((text) => isUsableBasePath(basePathOf(text)))
    .transform((text) => new URL(text).origin + basePathOf(text));
}

/** Accepts the URL of a document. It can contain a query, because mirrors may need one. */
export function documentUrl() {
  return z.string().refine((text) => {
    const url = URL.parse(text);
    return (
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      !text.includes('#') &&
      url.username === '' &&
      text.length <= 2_000
    );
  });
}

/**
 * Accepts the base URL of an API, or a URL template of files. A template contains `{ecosystem}`, which is replaced with
 * the name of an ecosystem. Only a template can contain a query.
 */
export function apiOrFilesUrl() {
  return z.union([
    z
      .string()
      .refine((text) => text.split('{ecosystem}').length === 2)
      .refine((text) => {
        const url = text.replace('{ecosystem}', 'Go');
        return documentUrl().safeParse(url).success && new URL(url).host === new URL(text).host;
      }),
    httpUrl().refine((text) => !/[{}]/.test(text)),
  ]);
}

export function postgresUrl() {
  return z.string().superRefine((text, context) => {
    try {
      parsePostgresUrl(text);
    } catch (error) {
      if (!(error instanceof PostgresUrlError)) throw error;
      context.addIssue({ code: 'custom', message: error.message, params: { isExplained: true } });
    }
  });
}

/** Accepts items separated by commas or spaces. `parse` returns `undefined` for an invalid item. */
export function listOf<Item>(parse: (text: string) => Item | undefined) {
  return z.string().transform((text, context): readonly Item[] => {
    const items = text.split(/[\s,]+/).filter((item) => item !== '');
    return items.flatMap((item) => {
      const parsed = parse(item);
      if (parsed !== undefined) return [parsed];
      context.addIssue({ code: 'custom', message: item });
      return [];
    });
  });
}

/**
 * Returns an address range such as `10.0.0.0/8`. A single address becomes a range that contains only this
 * address. `undefined` if the text isn't valid.
 */
export function addressRange(text: string): string | undefined {
  if (ipaddr.isValidCIDR(text)) return text;
  if (text.includes('/') || !(ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)))
    return undefined;
  return `${text}/${text.includes(':') ? 128 : 32}`;
}

/**
 * Returns the origin of a web page as browsers send it, such as `https://portal.example.com`. `undefined` if the text
 * isn't an origin.
 */
export function webOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined;
  return url.href === `${url.origin}/` && !/[?#]$/.test(text) ? url.origin : undefined;
}

export function hostWithPort(text: string): string | undefined {
  const host = withAsciiHost(text);
  return /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/.test(host) ? host.toLowerCase() : undefined;
}

/** Converts the host in the text to ASCII. A leading dot and a port stay unchanged. */
function withAsciiHost(text: string): string {
  return text.replace(
    /^(\.?)([^.:[\]][^:[\]]*)/u,
    (_, dot: string, host: string) => dot + (asciiDomain(host) ?? host),
  );
}

export function pauseSeconds(text: string): number | undefined {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return seconds >= 1 && seconds <= 604_800 ? seconds : undefined;
}

/**
 * Returns a host or address range, such as `git.lan`, `.corp.example`, or `10.0.0.0/8`. `undefined` if the
 * text isn't valid.
 */
export function hostOrRange(text: string): string | undefined {
  return addressRange(text) ?? hostSuffix(text);
}

/**
 * Returns a host that also matches its subdomains, with or without a leading dot. `undefined` if the text
 * isn't valid or matches all hosts.
 */
export function hostSuffix(text: string): string | undefined {
  const host = withAsciiHost(text);
  return /^\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(host) ? host.toLowerCase() : undefined;
}

export function proxyUrl() {
  return z.string().superRefine((text, context) => {
    const url = URL.parse(text);
    const isProxy = url !== null && /^https?:$/.test(url.protocol) && /^\/?$/.test(url.pathname);
    if (isProxy && url.search === '' && url.hash === '' && isDecodable(url.username + url.password)) return;
    addUrlIssue(text, context);
  });
}

/**
 * Adds a validation issue for an invalid URL. If the credentials aren't percent-encoded, the issue explains
 * this.
 */
function addUrlIssue(text: string, context: z.RefinementCtx): void {
  const [, credentials] = /^[a-z]+:\/\/(.*)@/s.exec(text) ?? [];
  const isEncoded = credentials === undefined || (isDecodable(credentials) && !/[/?#@]/.test(credentials));
  context.addIssue({
    code: 'custom',
    message: encodingAdvice,
    ...(!isEncoded && { params: { isExplained: true } }),
  });
}

/** A mail server. `smtp:` encrypts with STARTTLS, `smtps:` from the first byte. */
export interface SmtpAddress {
  host: string;
  port: number;
  isTls: boolean;
  login: { user: string; password: string } | null;
}

/** Accepts an SMTP URL such as `smtp://user:password@mail.example.com:587`. */
export function smtpUrl() {
  return z.string().transform((text, context): SmtpAddress => {
    const url = URL.parse(text);
    const isTls = url?.protocol === 'smtps:';
    // For this URL scheme, the parser leaves non-ASCII letters of the host percent-encoded.
    const hostname = url === null || !isDecodable(url.hostname) ? '' : decodeURIComponent(url.hostname);
    const host = asciiDomain(hostname.replace(/^\[|\]$/g, '')) ?? '';
    const isAddress =
      url !== null && (isTls || url.protocol === 'smtp:') && host !== '' && /^\/?$/.test(url.pathname);
    if (isAddress && url.search === '' && url.hash === '' && isDecodable(url.username + url.password)) {
      const [user, password] = [url.username, url.password].map(decodeURIComponent) as [string, string];
      const login = user === '' && password === '' ? null : { user, password };
      if ((login === null) === (user === '' || password === ''))
        return { host, port: Number(url.port) || (isTls ? 465 : 587), isTls, login };
    }
    addUrlIssue(text, context);
    return z.NEVER;
  });
}

/** Accepts the URL of an endpoint that receives credentials, so it must use TLS. */
export function tokenUrl() {
  return documentUrl().refine((text) => text.startsWith('https://'));
}

/** A service account that signs requests for access tokens. */
export interface ServiceAccount {
  clientEmail: string;
  privateKey: KeyObject;
  tokenUrl: string;
}

/** Accepts the path of a service account's key file, as Google Cloud creates it. */
export function serviceAccountFile() {
  const schema = z.object({ client_email: z.string(), private_key: z.string(), token_uri: tokenUrl() });
  return z.string().transform((path, context): ServiceAccount => {
    try {
      const file = schema.parse(JSON.parse(readFileSync(path, 'utf8')));
      const privateKey = createPrivateKey(file.private_key);
      if (privateKey.asymmetricKeyType === 'rsa')
        return { clientEmail: file.client_email, privateKey, tokenUrl: file.token_uri };
    } catch {
      // Add the issue below, as for a key that isn't an RSA key.
    }
    context.addIssue({ code: 'custom', message: path });
    return z.NEVER;
  });
}

/** Sender of emails. */
export interface EmailSender {
  name: string;
  address: string;
}

/** Accepts `alerts@example.com` or `Pacekeeper <alerts@example.com>`. */
export function emailSender() {
  return z.string().transform((text, context): EmailSender => {
    const [, name = '', bracketed] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? [];
    const address = withAsciiDomain(bracketed ?? text);
    if (emailPattern.test(address) && address.length <= 254)
      return { name: name.trim().replace(/^"(.*)"$/, '$1') || 'Pacekeeper', address };
    context.addIssue({ code: 'custom', message: text });
    return z.NEVER;
  });
}

/**
 * Returns a domain of email addresses, which doesn't include its subdomains. `undefined` if the text isn't
 * valid.
 */
export function emailDomain(text: string): string | undefined {
  const domain = asciiDomain(text);
  return domain !== null && emailPattern.test(`a@${domain}`) ? domain : undefined;
}

/** Format of addresses in HTML email fields, which excludes addresses that would need quotes in a message. */
const emailPattern =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/**
 * Reads certificates from a file. The file must contain at least one certificate, and all of its certificates
 * must be valid.
 */
export function certificatesFile() {
  return z.string().transform((path, context): string => {
    try {
      const certificates =
        readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
      for (const certificate of certificates) new X509Certificate(certificate);
      if (certificates.length > 0) return `${certificates.join('\n')}\n`;
    } catch {
      // Add the issue below, as for a file without certificates.
    }
    context.addIssue({ code: 'custom', message: path });
    return z.NEVER;
  });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
