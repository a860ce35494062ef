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
