/**
 * Browser names by user agent token. The order matters, because the user agents of most browsers also contain
 * the names of others.
 */
const browsers: readonly (readonly [string, string])[] = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];
const systems: readonly (readonly [string, string])[] = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
];
const maxLength = 60;

/**
 * Returns a client name such as "Firefox on Linux". If the client isn't a browser, its user agent is
 * returned.
 */
export function describeClient(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown client';
  // Node.js, and therefore the CLI, sends this user agent.
  if (userAgent === 'node') return 'CLI or script';
  const find = (names: typeof browsers) => names.find(([part]) => userAgent.includes(part))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined)
    return userAgent.length > maxLength ? `${userAgent.slice(0, maxLength)}…` : userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
