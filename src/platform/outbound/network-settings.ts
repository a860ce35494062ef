import { isIP } from 'node:net';
import { Agent, setGlobalDispatcher } from 'undici';
import { connectTcp } from './connect-tcp.ts';
import { createConnector } from './connection-pools.ts';
import {
  createEgressGuard,
  createSingleHostGuard,
  isLocalhost,
  loopbackAddresses,
  normalizeHost,
} from './egress-guard.ts';
import { type AllowHttp, createHttpPolicy } from './http-policy.ts';
import { createOutboundClient, type OutboundClient } from './outbound-client.ts';
import { createOutboundProxy, type ProxySettings } from './outbound-proxy.ts';
import { createNameResolver, type ResolveName } from './resolve-name.ts';
import { trustCertificates } from './trusted-certificates.ts';

/** The operator's network settings for a process. They're plain values because they're copied to threads. */
export interface NetworkSettings {
  readonly egressAllow: readonly string[];
  readonly insecureHosts: readonly string[];
  /** Certificate authorities (PEM) that are trusted in addition to the default authorities. */
  readonly caCertificates: string | null;
  /** URL of the outbound proxy. Includes the user and password if the proxy requires them. */
  readonly proxyUrl: string | null;
  readonly noProxy: readonly string[];
  readonly proxyHosts: readonly string[];
}

/** Picks the settings from a larger object. */
export function pickNetwork(config: NetworkSettings): NetworkSettings {
  const { egressAllow, insecureHosts, caCertificates, proxyUrl, noProxy, proxyHosts } = config;
  return { egressAllow, insecureHosts, caCertificates, proxyUrl, noProxy, proxyHosts };
}

/** Creates the client that this thread uses for all targets that a user can choose. */
export function openOutbound(
  network: NetworkSettings,
  options: { allowHttpWebhooks?: boolean; userAgent?: string } = {},
): { client: OutboundClient; allowHttp: AllowHttp } {
  const { allowHttpWebhooks = false, userAgent } = options;
  if (network.caCertificates !== null) trustCertificates(network.caCertificates);
  const allowHttp = createHttpPolicy({ insecureHosts: network.insecureHosts, allowHttpWebhooks });
  const client = createOutboundClient({
    guard: createEgressGuard({ allow: network.egressAllow }),
    allowHttp,
    proxy: proxyOf(network),
    ...(userAgent === undefined ? {} : { userAgent }),
  });
  return { client, allowHttp };
}

/**
 * Creates a client for one HTTPS server from the operator's configuration. The server can have a private
 * address, but the client can't connect to other hosts.
 */
export function openOutboundTo(
  network: NetworkSettings,
  options: {
    host: string;
    ca: string | null;
    isDirect: boolean;
    userAgent: string;
    resolveName?: ResolveName;
  },
): OutboundClient {
  const { host, ca, isDirect, userAgent, resolveName } = options;
  return createOutboundClient({
    guard: createSingleHostGuard(host),
    allowHttp: () => false,
    proxy: isDirect ? null : proxyOf(network),
    userAgent,
    ...(ca === null ? {} : { ca }),
    ...(resolveName === undefined ? {} : { resolveName }),
  });
}

/**
 * Configures this process to trust the operator's certificates and to use the operator's proxy for `fetch`,
 * which calls the Pacekeeper server. Unlike users' targets, the server's address isn't checked.
 */
export function prepareNetwork(network: NetworkSettings): void {
  if (network.caCertificates !== null) trustCertificates(network.caCertificates);
  const settings = proxyOf(network);
  if (settings === null) return;
  const resolveName = createNameResolver();
  const proxy = createOutboundProxy(settings, resolveName);
  const connect = createConnector(async ({ hostname, port, signal }) => {
    const host = `${hostname}:${port}`;
    const name = normalizeHost(hostname) ?? hostname;
    if (!proxy.isDirect(name)) return proxy.connect({ addresses: [name], port, host, signal });
    if (isIP(name) !== 0) return connectTcp([name], port, host, signal);
    const addresses = isLocalhost(name) ? [...loopbackAddresses] : await resolveName(name, signal);
    return connectTcp(addresses, port, host, signal);
  }, {});
  setGlobalDispatcher(new Agent({ connect }));
}

function proxyOf({ proxyUrl, noProxy, proxyHosts }: NetworkSettings): ProxySettings | null {
  return proxyUrl === null ? null : { url: proxyUrl, noProxy, proxyHosts };
}
