import { withoutTrailing } from '../../domain/text/trailing.ts';

/**
 * First segments of the server's own paths. A base path can't begin with one of them: behind a proxy that strips the
 * base path, the server couldn't detect whether the path of a request still contains it.
 */
export const reservedPathSegments = [
  'ack',
  'api',
  'assets',
  'badge',
  'calendar',
  'chat',
  'docs',
  'health',
  'hooks',
  'metrics',
  'sso',
] as const;

/** Returns the path of a base URL without a slash at its end, such as `/pacekeeper`; empty if there's none. */
export function basePathOf(baseUrl: string): string {
  return withoutTrailing(new URL(baseUrl).pathname, '/');
}

/**
 * True if Pacekeeper can be served under the path. Rejects characters that clients and proxies could percent-encode in
 * different ways.
 */
export function isUsableBasePath(basePath: string): boolean {
  return (
    /^(\/[A-Za-z0-9._~-]+)*$/.test(basePath) &&
    !reservedPathSegments.some((segment) => basePath === `/${segment}` || basePath.startsWith(`/${segment}/`))
  );
}

/**
 * Returns the URL of a request without the base path. Proxies either keep the base path or strip it, and
 * agents on the same machine use none, so a URL without the base path stays as it is.
 */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url;
}
