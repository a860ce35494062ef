import { readWebAddress } from '../artifacts/web-address.ts';

export type ScrapeAddress = { ok: true; url: string } | { ok: false; message: string };

const maxLength = 2_048;

/** The URL from which a job reads, as it is stored: its fragment is no part of it. */
export function normalizeScrapeUrl(text: string): ScrapeAddress {
  const address = readWebAddress(text);
  if (!address.ok) return address;
  address.url.hash = '';
  return address.url.href.length > maxLength
    ? { ok: false, message: `it has more than ${maxLength} characters, including percent-encoding` }
    : { ok: true, url: address.url.href };
}

/** The base URL of a Prometheus server; what people copy from its page is accepted. */
export function normalizePrometheusUrl(text: string): ScrapeAddress {
  const address = normalizeScrapeUrl(text);
  if (!address.ok) return address;
  const url = new URL(address.url);
  url.search = '';
  url.pathname = url.pathname.replace(/\/(?:graph|query|targets|alerts)\/?$|\/api\/v1(?:\/query)?\/?$/u, '/');
  return { ok: true, url: url.href.replace(/\/+$/u, '') };
}

/** Where an instant query is sent. @param url as `normalizePrometheusUrl` returned it */
export function instantQueryUrl(url: string, query: string): string {
  return `${url}/api/v1/query?query=${encodeURIComponent(query)}`;
}
