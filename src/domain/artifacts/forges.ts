export type ForgeKind = 'github' | 'gitlab' | 'gitea';

const hosts: readonly [RegExp, ForgeKind][] = [
  [/^(?:www\.)?github\.com$/u, 'github'],
  [/^(?:www\.)?gitlab\.com$|^gitlab\./u, 'gitlab'],
  [/^codeberg\.org$|^(?:gitea|forgejo)\./u, 'gitea'],
];

/**
 * Returns the kind of forge that a host runs, or `null` if its name doesn't show the kind.
 *
 * @param hostname Lowercase, without a port.
 */
export function forgeOfHost(hostname: string): ForgeKind | null {
  return hosts.find(([pattern]) => pattern.test(hostname))?.[1] ?? null;
}

const publicHosts = /^(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org)$/u;

/**
 * True if a host is a public forge, where every page of content belongs to a repository.
 * @param hostname Lowercase, without a port.
 */
export function isPublicForge(hostname: string): boolean {
  return publicHosts.test(hostname);
}

/**
 * True if a host is a public forge of a different kind than the given one. Returns `false` for a host such as
 * `gitlab.example.com`, because only the kind of a public forge is certain.
 */
export function isOtherForge(hostname: string, kind: ForgeKind): boolean {
  return publicHosts.test(hostname) && forgeOfHost(hostname) !== kind;
}
