import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import type { Config } from '../../platform/config.ts';
import { createEgressGuard, createNameResolver, createOutboundProxy } from '../../platform/outbound/index.ts';
import { browserUrl } from '../../server/listen-address.ts';
import { type Check, failedCheck, listSome, ok, reasonOf, warn } from './check.ts';
import type { ChannelState } from './doctor-queries.ts';

const megabyte = 1_048_576;
/**
 * Amount of free space below which the disk may soon be full. The write-ahead log of PostgreSQL alone can take half a
 * gigabyte.
 */
const lowSpaceMb = 1_024;
const noSpaceMb = 200;
const resolveWithinMs = 5_000;
/** Maximum number of hosts to check. Even in a larger installation, this is enough to reveal a problem. */
const maxHosts = 50;

export function checkDataFolder({ dataDir, databaseUrl }: Config): Check {
  const name = 'data_directory';
  const isNeeded = databaseUrl === null;
  if (!existsSync(dataDir)) {
    return isNeeded
      ? warn(
          name,
          `${dataDir} doesn't exist.`,
          'The first start creates it. If you have an existing one, set PACEKEEPER_DATA_DIR.',
        )
      : ok(name, `${dataDir} doesn't exist yet. The server creates it for caches.`);
  }
  const { uid } = statSync(dataDir);
  const ownUid = process.getuid?.() ?? uid;
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return failedCheck(
      name,
      `${dataDir} is owned by user ${uid} and isn't writable by user ${ownUid}.`,
      'Run this command and the server as that user, or make the directory writable.',
    );
  }
  const { bavail, bsize } = statfsSync(dataDir);
  const freeMb = Math.floor((bavail * bsize) / megabyte);
  const found = `${dataDir} is owned by user ${uid}; ${freeMb} MB free.`;
  if (freeMb < noSpaceMb && isNeeded) return failedCheck(name, found, 'Free up disk space.');
  if (freeMb < lowSpaceMb) return warn(name, found, 'Free up disk space soon.');
  return ok(name, found);
}

export function checkBaseUrl({ baseUrl, host, port, trustedProxies }: Config): Check {
  const name = 'base_url';
  const listens = browserUrl(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  if (baseUrl === null) {
    return isLoopback(host)
      ? ok(name, `The server is reachable only from this machine, at ${listens}.`)
      : warn(
          name,
          `Links in messages point to ${listens}, which other machines can't reach.`,
          'Set PACEKEEPER_BASE_URL to the public URL.',
        );
  }
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    return warn(
      name,
      `${baseUrl} isn't encrypted. Passwords and keys can be intercepted.`,
      'Put a TLS proxy in front and set PACEKEEPER_BASE_URL to its https:// URL.',
    );
  }
  if (protocol === 'https:' && trustedProxies.length === 0) {
    return warn(
      name,
      `${baseUrl} is behind a proxy, so all requests appear to come from it.`,
      'Add the proxy addresses to PACEKEEPER_TRUSTED_PROXIES.',
    );
  }
  return ok(name, `Server URL: ${baseUrl}`);
}

/**
 * Checks that host names can be resolved, which private addresses are allowed, and that channels can be
 * reached. Sends no requests.
 */
export async function checkEgress(
  { egressAllow, databaseUrl, baseUrl, proxyUrl, noProxy, proxyHosts }: Config,
  channels: readonly ChannelState[],
): Promise<Check> {
  const name = 'egress';
  const resolveName = createNameResolver();
  const resolve = (host: string) => resolveName(host, AbortSignal.timeout(resolveWithinMs));
  const own = [databaseUrl, baseUrl].flatMap((url) => (url === null ? [] : hostOf(url))).find(isName);
  const known = own ?? 'localhost';
  let addresses: string[];
  try {
    addresses = await resolve(known);
  } catch (error) {
    return failedCheck(
      name,
      `Can't resolve ${known} (${reasonOf(error)}).`,
      "Check this machine's DNS settings (/etc/resolv.conf).",
    );
  }
  const guard = createEgressGuard({ allow: egressAllow });
  const proxy =
    proxyUrl === null ? null : createOutboundProxy({ url: proxyUrl, noProxy, proxyHosts }, resolveName);
  const hosts = [
    ...new Set(channels.filter(({ isActive }) => isActive).flatMap(({ urlMasked }) => hostOf(urlMasked))),
  ]
    .filter((host) => proxy === null || proxy.isDirect(host) || !proxy.isByName(host))
    .slice(0, maxHosts);
  const unresolved: string[] = [];
  const problems = await Promise.all(
    hosts.map(async (host) => {
      try {
        const found = isName(host) ? await resolve(host) : [host];
        const refused = found.map((address) => guard.check(address)).find((verdict) => !verdict.isAllowed);
        return refused && !refused.isAllowed ? [`${host} is ${refused.reason}`] : [];
      } catch {
        unresolved.push(host);
        return [`can't resolve ${host}`];
      }
    }),
  );
  const allowed =
    egressAllow.length === 0
      ? 'No private addresses are allowed.'
      : `Allowed private ranges: ${egressAllow.join(', ')}.`;
  const wrong = problems.flat();
  if (wrong.length > 0) {
    return warn(
      name,
      `Unreachable channels: ${listSome(wrong)}. ${allowed}`,
      [
        ...(unresolved.length > 0
          ? ["Fix the host name in the channel URL, or check this machine's DNS settings."]
          : []),
        ...(wrong.length > unresolved.length
          ? ['Fix the channel URL, or add its range to PACEKEEPER_EGRESS_ALLOW.']
          : []),
      ].join(' '),
    );
  }
  return ok(name, `DNS works (${known} is ${addresses[0]}). ${allowed}`);
}

/** Checks that the outbound proxy can be reached. Sends no requests through it. */
export async function checkProxy(proxyUrl: string): Promise<Check> {
  const name = 'outbound_proxy';
  const { host } = new URL(proxyUrl);
  const proxy = createOutboundProxy({ url: proxyUrl, noProxy: [], proxyHosts: [] }, createNameResolver());
  try {
    await proxy.check(AbortSignal.timeout(resolveWithinMs));
    return ok(name, `The outbound proxy at ${host} can be reached.`);
  } catch (error) {
    return failedCheck(
      name,
      `The outbound proxy at ${host} can't be reached (${reasonOf(error)}).`,
      'Fix PACEKEEPER_PROXY_URL, or start the proxy. Until then, all outbound requests fail.',
    );
  }
}

function hostOf(url: string): string[] {
  const hostname = URL.parse(url)?.hostname ?? '';
  return hostname === '' ? [] : [hostname.replace(/^\[|\]$/g, '')];
}

const isName = (host: string) => !/^[\d.]+$/.test(host) && !host.includes(':');

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);
