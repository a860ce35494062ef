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

/** The operator's network settings of a process. Plain values, because they are copied to threads. */
export interface NetworkSettings {
  readonly egressAllow: readonly string[];
  readonly insecureHosts: readonly string[];
  /** Certificate authorities to trust in addition to the default ones (PEM). */
  readonly caCertificates: string | null;
  /** Includes the user and password if the proxy requires them. */
  readonly proxyUrl: string | null;
  readonly noProxy: readonly string[];
  readonly proxyHosts: readonly string[];
}

/** Picks the settings from a larger object. */
export function pickNetwork(config: NetworkSettings): NetworkSettings {
  const { egressAllow, insecureHosts, caCertificates, proxyUrl, noProxy, proxyHosts } = config;
  return { egressAllow, insecureHosts, caCertificates, proxyUrl, noProxy, proxyHosts };
}

/** Creates the client with which this thread requests every target that a user can choose. */
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
 * Creates a client for one HTTPS server that the operator's configuration names. It can be at a private address, and the
 * client reaches nothing else.
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
 * Makes this process trust the operator's certificates, and its `fetch`, with which it calls the Pacekeeper server, go
 * through the operator's proxy. Unlike users' targets, the server's address is not checked.
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
