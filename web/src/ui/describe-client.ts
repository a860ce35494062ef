/** Most browsers name others as well, so the order counts. */
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

/** "Firefox on Linux". What isn't a browser is shown as it calls itself. */
export function describeClient(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown client';
  // What Node.js calls itself, and with it the command line.
  if (userAgent === 'node') return 'CLI or script';
  const find = (names: typeof browsers) => names.find(([part]) => userAgent.includes(part))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined)
    return userAgent.length > maxLength ? `${userAgent.slice(0, maxLength)}…` : userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
