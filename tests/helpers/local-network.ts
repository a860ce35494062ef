import type { NetworkSettings } from '../../src/platform/outbound/index.ts';

/** Network settings that allow requests to servers on loopback. */
export const localNetwork: NetworkSettings = {
  egressAllow: ['127.0.0.1/32'],
  insecureHosts: ['127.0.0.1'],
  caCertificates: null,
  proxyUrl: null,
  noProxy: [],
  proxyHosts: [],
};
