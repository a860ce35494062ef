/**
 * True if a URL uses HTTP or HTTPS. The API guarantees that, but a URL with another scheme could run a script
 * in this page.
 */
export function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url);
}
