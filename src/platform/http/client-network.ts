import ipaddr from 'ipaddr.js';

/**
 * Under which name an address is counted where too many attempts are refused: an IPv4 address by itself, of IPv6 the
 * first 64 bits. Whoever has one IPv6 address has all 2^64 beside it, and would never be refused.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
