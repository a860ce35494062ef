import { type OutboundClient, OutboundError } from '../../platform/outbound/index.ts';
import { authorizationHeader } from '../../sources/source-credential.ts';
import { outboundRunError } from '../../sources/unexpected-response.ts';
import { readTarget } from './git-session.ts';
import type { RepositoryAccess } from './repository-access.ts';

export interface MovedRepository {
  url: string;
  /**
   * False if any redirect left the origin, even if a later one returned to it, because another host chose the
   * final URL.
   */
  getsCredential: boolean;
}

const service = '/info/refs?service=git-upload-pack';
const keptMs = 3_600_000;
const maxKept = 1_000;

/**
 * Finds and caches the new URLs of repositories that have moved. Git isn't allowed to follow redirects,
 * because it would send the credential to the new host. Redirects are followed here instead: at most five,
 * each through the guard, and never from https to http.
 */
export function createRedirectCache(client: OutboundClient) {
  const redirects = new Map<string, MovedRepository & { until: number }>();
  const keyOf = ({ organizationId, url, credential }: RepositoryAccess): string =>
    JSON.stringify([organizationId, url, credential?.name ?? null]);

  return {
    /** Returns the redirect that was found within the last hour, or null. */
    known(repository: RepositoryAccess): MovedRepository | null {
      const moved = redirects.get(keyOf(repository));
      if (moved && moved.until > performance.now()) return moved;
      redirects.delete(keyOf(repository));
      return null;
    },

    /** Removes the stored redirect of a repository, because it can be outdated. */
    forget(repository: RepositoryAccess): void {
      redirects.delete(keyOf(repository));
    },

    /**
     * Returns the new URL of a repository, or null if it hasn't moved.
     * @throws RunError if a redirect leads to a URL that isn't allowed
     */
    async find(repository: RepositoryAccess): Promise<MovedRepository | null> {
      const { credential, signal } = repository;
      const { url, scheme } = readTarget(repository.url);
      if (scheme === 'ssh') return null;
      const token =
        credential && 'token' in credential ? { username: 'x-access-token', ...credential } : credential;
      const authorization = token && authorizationHeader(token, 'basic');
      try {
        const {
          url: finalUrl,
          leftOrigin,
          body,
        } = await client.stream({
          url: `${url}${service}`,
          purpose: 'git',
          headers: {
            'git-protocol': 'version=2',
            ...(authorization !== null && { authorization }),
          },
          timeoutMs: 30_000,
          maxBytes: 64 * 1024 * 1024,
          followRedirects: 5,
          signal,
        });
        // Only the final URL is required, so the body is discarded.
        for await (const _ of body) break;
        if (!finalUrl.endsWith(service)) return null;
        const address = finalUrl.slice(0, -service.length);
        if (address === url) return null;
        const moved = { url: address, getsCredential: !leftOrigin };
        if (redirects.size >= maxKept) redirects.clear();
        redirects.set(keyOf(repository), { ...moved, until: performance.now() + keptMs });
        return moved;
      } catch (error) {
        if (error instanceof OutboundError) throw outboundRunError(error);
        throw error;
      }
    },
  };
}
