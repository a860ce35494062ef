import ipaddr from 'ipaddr.js';

/**
 * The name under which attempts from an address are counted: an IPv4 address itself, of IPv6 the first 64 bits. One IPv6
 * host has 2^64 addresses and could otherwise never be limited.
 */
export function clientNetwork(address: string): string {
  return networkOf(address, 64);
}

/**
 * The name under which an address shares what all clients without credentials share. The same as its network, except
 * that of IPv6 it's the first 48 bits: one customer of a provider has up to 2^16 networks. IPv4 addresses are scarce, and
 * a block of them often belongs to many customers, so each counts alone.
 */
export function clientBlock(address: string): string {
  return networkOf(address, 48);
}

function networkOf(address: string, prefixOfIpv6: 48 | 64): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, prefixOfIpv6 / 16).map((part) => part.toString(16));
  return `${groups.join(':')}::/${prefixOfIpv6}`;
}
