import ipaddr from 'ipaddr.js';

/**
 * Returns the network by which attempts are counted: the address for IPv4, and the first 64 bits for IPv6. An
 * IPv6 host has 2^64 addresses, so limits per address would have no effect.
 */
export function clientNetwork(address: string): string {
  return networkOf(address, 64);
}

/**
 * Returns the block of addresses whose clients without credentials share capacity. For IPv6, these are the first 48
 * bits, because a customer can have 2^16 networks. For IPv4, it's a single address, because a larger block often
 * belongs to many customers.
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
