import { createHash } from 'node:crypto';
import { basePathOf } from './base-path.ts';

/**
 * Name prefix of cookies over HTTPS. Browsers accept such cookies only from the host itself, over HTTPS, and
 * for all paths, so neither another host of the domain nor someone on the network can replace them with the
 * cookies of another session.
 */
const hostPrefix = '__Host-';

/** Name and attributes of a cookie. */
interface CookieNameAndAttributes {
  name: string;
  attributes: { httpOnly: true; secure: boolean; path: string };
}

/**
 * Returns the name and the attributes of a cookie. Over HTTPS, the name has the prefix `__Host-`, which
 * requires the path `/`. Several installations can share a host under different base paths, so the name ends
 * with a hash of the base path, if there is one.
 *
 * @param path The path of the cookie over HTTP, below the base path.
 */
export function cookieNameAndAttributes(
  name: string,
  path: string,
  baseUrl: string,
): CookieNameAndAttributes {
  const secure = isHttps(baseUrl);
  const basePath = basePathOf(baseUrl);
  const suffix =
    basePath === '' ? '' : `_${createHash('sha256').update(basePath, 'utf8').digest('hex').slice(0, 8)}`;
  return {
    name: `${secure ? hostPrefix : ''}${name}${suffix}`,
    attributes: { httpOnly: true, secure, path: secure ? '/' : `${basePath}${path}` },
  };
}

export function isHttps(baseUrl: string): boolean {
  return new URL(baseUrl).protocol === 'https:';
}
