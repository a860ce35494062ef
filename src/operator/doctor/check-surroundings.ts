import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import type { Config } from '../../platform/config.ts';
import { createEgressGuard, createNameResolver } from '../../platform/outbound/index.ts';
import { openableUrl } from '../../server/listen-address.ts';
import { type Check, fail, listSome, ok, reasonOf, warn } from './check.ts';
import type { ChannelSeen } from './doctor-queries.ts';

const megabyte = 1_048_576;
/** Less is full soon: PostgreSQL alone writes half a gigabyte ahead. */
const littleSpaceMb = 1_024;
const noSpaceMb = 200;
const resolveWithinMs = 5_000;
/** Hosts that are looked at; who has more sees from these what is wrong. */
const maxHosts = 50;

export function checkDataFolder({ dataDir, databaseUrl }: Config): Check {
  const name = 'data_folder';
  const isNeeded = databaseUrl === null;
  if (!existsSync(dataDir)) {
    return isNeeded
      ? warn(
          name,
          `${dataDir} does not exist.`,
          'The first start makes it. If there was one, set PACEKEEPER_DATA_DIR to it.',
        )
      : ok(name, `${dataDir} does not exist yet; the server makes it for its caches.`);
  }
  const { uid } = statSync(dataDir);
  const ownUid = process.getuid?.() ?? uid;
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fail(
      name,
      `${dataDir} belongs to user ${uid}, and user ${ownUid} cannot write in it.`,
      'Run this, and the server, as that user, or make the folder writable.',
    );
  }
  const { bavail, bsize } = statfsSync(dataDir);
  const freeMb = Math.floor((bavail * bsize) / megabyte);
  const found = `${dataDir} belongs to user ${uid} and has ${freeMb} MB free.`;
  if (freeMb < noSpaceMb && isNeeded) return fail(name, found, 'Make room on its disk.');
  if (freeMb < littleSpaceMb) return warn(name, found, 'Make room on its disk before it is full.');
  return ok(name, found);
}

export function checkBaseUrl({ baseUrl, host, port, trustedProxies }: Config): Check {
  const name = 'base_url';
  const listens = openableUrl(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  if (baseUrl === null) {
    return isLoopback(host)
      ? ok(name, `Only this machine reaches the server, at ${listens}.`)
      : warn(
          name,
          `Links in messages lead to ${listens}, which other machines can't open.`,
          'Set PACEKEEPER_BASE_URL to the address that they use.',
        );
  }
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    return warn(
      name,
      `${baseUrl} is not encrypted: passwords and keys can be read on their way.`,
      'Put a proxy with a certificate in front, and set PACEKEEPER_BASE_URL to its https:// address.',
    );
  }
  if (protocol === 'https:' && trustedProxies.length === 0) {
    return warn(
      name,
      `${baseUrl} is served by a proxy, and all requests seem to come from it.`,
      'Name the addresses of the proxy in PACEKEEPER_TRUSTED_PROXIES.',
    );
  }
  return ok(name, `People reach the server at ${baseUrl}.`);
}

/** Whether names are resolved here, what private addresses may be reached, and whether channels can be. No request is made. */
export async function checkEgress(
  { egressAllow, databaseUrl, baseUrl }: Config,
  channels: readonly ChannelSeen[],
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
    return fail(
      name,
      `The name ${known} cannot be resolved (${reasonOf(error)}).`,
      'Look at the name servers of this machine (/etc/resolv.conf).',
    );
  }
  const guard = createEgressGuard({ allow: egressAllow });
  const hosts = [
    ...new Set(channels.filter(({ isActive }) => isActive).flatMap(({ urlMasked }) => hostOf(urlMasked))),
  ].slice(0, maxHosts);
  const problems = await Promise.all(
    hosts.map(async (host) => {
      try {
        const found = isName(host) ? await resolve(host) : [host];
        const refused = found.map((address) => guard.check(address)).find((verdict) => !verdict.isAllowed);
        return refused && !refused.isAllowed ? [`${host} is ${refused.reason}`] : [];
      } catch {
        return [`${host} cannot be resolved`];
      }
    }),
  );
  const allowed =
    egressAllow.length === 0
      ? 'No private address may be reached.'
      : `Private addresses that may be reached: ${egressAllow.join(', ')}.`;
  const wrong = problems.flat();
  if (wrong.length > 0) {
    return warn(
      name,
      `Channels that cannot be reached: ${listSome(wrong)}. ${allowed}`,
      'Correct the address of the channel, or name its range in PACEKEEPER_EGRESS_ALLOW.',
    );
  }
  return ok(name, `Names are resolved (${known} is ${addresses[0]}). ${allowed}`);
}

function hostOf(url: string): string[] {
  const hostname = URL.parse(url)?.hostname ?? '';
  return hostname === '' ? [] : [hostname.replace(/^\[|\]$/g, '')];
}

const isName = (host: string) => !/^[\d.]+$/.test(host) && !host.includes(':');

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);
