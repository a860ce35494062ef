export type ForgeKind = 'github' | 'gitlab' | 'gitea';

const hosts: readonly [RegExp, ForgeKind][] = [
  [/^(?:www\.)?github\.com$/u, 'github'],
  [/^(?:www\.)?gitlab\.com$|^gitlab\./u, 'gitlab'],
  [/^codeberg\.org$|^(?:gitea|forgejo)\./u, 'gitea'],
];

/** What runs on a host, where its name tells. @param hostname in lower case, without port. */
export function forgeOfHost(hostname: string): ForgeKind | null {
  return hosts.find(([pattern]) => pattern.test(hostname))?.[1] ?? null;
}

const publicHosts = /^(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org)$/u;

/** Whether a host is a public forge, so that what it has is in a repository. @param hostname in lower case, without port */
export function isPublicForge(hostname: string): boolean {
  return publicHosts.test(hostname);
}

/** Whether a host surely runs another forge: its operator is known, not just its name. */
export function isOtherForge(hostname: string, kind: ForgeKind): boolean {
  return publicHosts.test(hostname) && forgeOfHost(hostname) !== kind;
}
