import { lookup, Resolver } from 'node:dns/promises';
import { createLimit } from '../fairness/index.ts';
import { findInHostsFile, readSearchDomains } from './local-names.ts';
import { raceAbort } from './race-abort.ts';

/**
 * Resolves a host name to IP addresses, in the order of connection attempts. Rejects if there are none.
 * `signal` aborts the wait.
 */
export type ResolveName = (hostname: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Creates a resolver that queries DNS servers without Node's thread pool. `getaddrinfo` would occupy one of
 * its four threads until it returns, so four names with unresponsive servers would block file access,
 * hashing, and all other lookups. Names that the servers don't know are looked up in the hosts file and the
 * search domains. Only the remaining names use `getaddrinfo`, at most two at a time, because the duration
 * depends on external DNS servers.
 *
 * @param options.servers DNS servers (`address` or `address:port`) instead of the system's servers.
 */
export function createNameResolver(
  options: {
    servers?: readonly string[];
    hostsFile?: string;
    resolvFile?: string;
    lookupAll?: LookupAll;
  } = {},
): ResolveName {
  const { hostsFile = '/etc/hosts', resolvFile = '/etc/resolv.conf', lookupAll = lookupInThread } = options;
  const fallback = createLimit(2);

  return async function resolveName(hostname, signal) {
    signal.throwIfAborted();
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (options.servers) resolver.setServers(options.servers);
    const queryDns = async (name: string) => {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      signal.throwIfAborted();
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      const failure = answers.find((answer) => answer.status === 'rejected' && !isUnknownName(answer.reason));
      return { addresses, failure: failure?.status === 'rejected' ? failure.reason : null };
    };
    const onAbort = (): void => resolver.cancel();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const { addresses, failure } = await queryDns(hostname);
      if (addresses.length > 0) return addresses;
      if (failure !== null) throw failure;
      const local = await findInHostsFile(hostsFile, hostname);
      if (local.length > 0) return local;
      for (const domain of await readSearchDomains(resolvFile)) {
        const found = await queryDns(`${hostname}.${domain}`);
        if (found.addresses.length > 0) return found.addresses;
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    return raceAbort(
      fallback.run(() => {
        // A caller that aborted while waiting must not start a lookup.
        signal.throwIfAborted();
        return lookupAll(hostname);
      }),
      signal,
    );
  };
}

type LookupAll = (hostname: string) => Promise<string[]>;

async function lookupInThread(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true, order: 'verbatim' });
  return found.map((entry) => entry.address);
}

/**
 * True if the servers report that the name or its addresses don't exist, or if no DNS server is available.
 */
function isUnknownName(reason: unknown): boolean {
  const code = reason instanceof Error && 'code' in reason ? reason.code : '';
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === 'ECONNREFUSED' || code === 'EBADNAME';
}
