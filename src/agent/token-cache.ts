import { RunError } from '../domain/runs/run-error.ts';

/**
 * Time for which all jobs share a failure or a new token, so that a thousand jobs don't send a thousand
 * requests.
 */
export const sharedResultMs = 60_000;

/**
 * Time before the expiry of a token at which the token is replaced, because an operation, such as a clone, can take a
 * few minutes.
 */
const reserveMs = 5 * 60_000;

/** Minimum time for which a token is used. With a wrong clock, a new token can seem to have expired already. */
const minCachedMs = 10_000;

export interface TokenCache<Key, Token> {
  /**
   * Returns a valid token. Only one request at a time is sent for each key.
   * @throws RunError
   */
  get(key: Key): Promise<Token>;
  /** Discards a token that a host rejected, if it's old enough, so that the next call requests another one. */
  reject(key: Key): void;
}

/**
 * Caches tokens until shortly before they expire.
 *
 * @param options.clock The clock of the process, because expiry times are compared with the clock of another
 * service.
 * @param options.minRejectedMs Minimum age at which `reject` discards a token. If the credential can't read a
 * resource, its new tokens are rejected, too, so replacing tokens more often wouldn't help.
 */
export function createTokenCache<Key extends object, Token extends { expiresAt: Date | null }>(options: {
  clock: () => Date;
  request: (key: Key) => Promise<Token>;
  minRejectedMs: number;
}): TokenCache<Key, Token> {
  const { clock, request, minRejectedMs } = options;
  interface Entry {
    answer: Promise<Token>;
    until: number;
    /** Null while the token is requested or if the request failed. */
    issuedAt: number | null;
  }
  // A credential whose file changed is a new object, so the token of the old one is dropped.
  const kept = new WeakMap<Key, Entry>();

  function get(key: Key): Promise<Token> {
    const known = kept.get(key);
    if (known && known.until > clock().getTime()) return known.answer;
    const answer = request(key);
    const entry: Entry = { answer, until: Number.POSITIVE_INFINITY, issuedAt: null };
    kept.set(key, entry);
    answer.then(
      ({ expiresAt }) => {
        entry.issuedAt = clock().getTime();
        entry.until = cachedUntil(expiresAt, entry.issuedAt);
      },
      (error: unknown) => {
        const retryAt = error instanceof RunError ? (error.retryAt?.getTime() ?? 0) : 0;
        entry.until = Math.max(clock().getTime() + sharedResultMs, retryAt);
      },
    );
    return answer;
  }

  function reject(key: Key): void {
    const issuedAt = kept.get(key)?.issuedAt ?? null;
    if (issuedAt !== null && clock().getTime() - issuedAt >= minRejectedMs) kept.delete(key);
  }

  return { get, reject };
}

/** Returns when a token is replaced. A token that is valid for less than ten minutes is used for half of that time. */
function cachedUntil(expiresAt: Date | null, now: number): number {
  if (expiresAt === null) return now + sharedResultMs;
  const validMs = expiresAt.getTime() - now;
  return now + Math.max(validMs - reserveMs, validMs / 2, minCachedMs);
}
