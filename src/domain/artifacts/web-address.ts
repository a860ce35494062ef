import { isHostName, looksLikeHost } from './host.ts';

export type WebAddress = { ok: true; url: URL } | { ok: false; message: string };

/** Parses an HTTP or HTTPS URL. Without a scheme, the text must start with a host, and HTTPS is used. */
export function readWebAddress(text: string): WebAddress {
  const fail = (message: string) => ({ ok: false as const, message });
  const pasted = text.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//iu.test(pasted);
  if (!hasScheme && !looksLikeHost(pasted.split(/[/?#]/u)[0] ?? ''))
    return fail("it isn't a valid URL; use https://host/path");
  const full = hasScheme ? pasted : `https://${pasted}`;
  if (!URL.canParse(full)) return fail("it isn't a valid URL; use https://host/path");
  const url = new URL(full);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return fail('only http and https URLs can be read');
  if (url.username !== '' || url.password !== '')
    return fail("it can't contain a user name or password; use a credential instead");
  if (!isHostName(url.hostname) || url.port === '0') return fail(`"${url.host.slice(0, 100)}" isn't a host`);
  return { ok: true, url };
}
