import { lookup, Resolver } from 'node:dns/promises';
import { raceAbort } from './race-abort.ts';

/**
 * The IP addresses of a host name, in the order in which they are to be tried; rejects when there are
 * none. `signal` ends the waiting.
 */
export type ResolveName = (hostname: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Asks the name servers without the thread pool, because `getaddrinfo` holds one of Node's four
 * threads until it ends: four names whose servers never answer would stop files, hashes and everyone
 * else's lookups. Only a name that the servers do not know goes there, two at a time, for the sake of
 * the hosts file and of search domains.
 * @param options.servers name servers (`address` or `address:port`) instead of the system's
 */
export function createNameResolver(options: { servers?: readonly string[] } = {}): ResolveName {
  const fallback = createLimit(2);

  return async function resolveName(hostname, signal) {
    signal.throwIfAborted();
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (options.servers) resolver.setServers(options.servers);
    const onAbort = (): void => resolver.cancel();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      signal.throwIfAborted();
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      const failure = answers.find((answer) => answer.status === 'rejected' && !isUnknownName(answer.reason));
      if (failure?.status === 'rejected') throw failure.reason;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    const found = await raceAbort(
      fallback(() => {
        // Whoever stopped waiting for its turn leaves it to the next.
        signal.throwIfAborted();
        return lookup(hostname, { all: true, order: 'verbatim' });
      }),
      signal,
    );
    return found.map((entry) => entry.address);
  };
}

/** The servers say that there is no such name or address, or there is no name server at all. */
function isUnknownName(reason: unknown): boolean {
  const code = reason instanceof Error && 'code' in reason ? reason.code : '';
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === 'ECONNREFUSED' || code === 'EBADNAME';
}

function createLimit(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
