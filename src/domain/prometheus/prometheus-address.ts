import { readWebAddress } from '../artifacts/web-address.ts';
import { withoutTrailing } from '../text/trailing.ts';

export type ScrapeAddressResult = { ok: true; url: string } | { ok: false; message: string };

const maxLength = 2_048;

/** Normalizes the URL that a job reads to the form in which it is stored, without its fragment. */
export function normalizeScrapeUrl(text: string): ScrapeAddressResult {
  const address = readWebAddress(text);
  if (!address.ok) return address;
  address.url.hash = '';
  return address.url.href.length > maxLength
    ? { ok: false, message: `it has more than ${maxLength} characters, including percent-encoding` }
    : { ok: true, url: address.url.href };
}

/**
 * Normalizes the base URL of a Prometheus server. URLs copied from the pages of the Prometheus UI are
 * accepted.
 */
export function normalizePrometheusUrl(text: string): ScrapeAddressResult {
  const address = normalizeScrapeUrl(text);
  if (!address.ok) return address;
  const url = new URL(address.url);
  url.search = '';
  url.pathname = url.pathname.replace(/\/(?:graph|query|targets|alerts)\/?$|\/api\/v1(?:\/query)?\/?$/u, '/');
  return { ok: true, url: withoutTrailing(url.href, '/') };
}

/**
 * Returns the URL of an instant query.
 * @param url The base URL as returned by `normalizePrometheusUrl`.
 */
export function instantQueryUrl(url: string, query: string): string {
  return `${url}/api/v1/query?query=${encodeURIComponent(query)}`;
}
