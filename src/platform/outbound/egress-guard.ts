import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ownValue } from '../../domain/json/own-value.ts';

export type EgressVerdict = { isAllowed: true } | EgressRejection;

export interface EgressRejection {
  isAllowed: false;
  /**
   * A noun phrase that completes the sentence "The address is", suitable for users. Example: "a private
   * address".
   */
  reason: string;
  /** True if the operator can allow the address. */
  canBeAllowed?: true;
}

export interface EgressGuard {
  /**
   * Checks if a request can use this IP address (IPv4 in dotted decimal notation, or IPv6). Only public
   * addresses and those that the operator listed are allowed. Rejects anything that isn't an address.
   */
  check(address: string): EgressVerdict;
  /**
   * Checks the host of a URL without resolving it. Detects literal addresses in every spelling that a URL
   * allows (decimal, octal, hexadecimal, percent-encoded, bracketed) and names that can only be local. A
   * local name passes if the operator allows an address that it can resolve to; its actual addresses are
   * checked when it's resolved.
   */
  checkHostForm(host: string): EgressVerdict;
}

/**
 * Creates a guard that allows public addresses and those in `allow`.
 *
 * @param options.allow CIDRs (or single addresses) that are allowed although they aren't public.
 * @throws If an entry isn't a CIDR.
 */
export function createEgressGuard(options: { allow: readonly string[] }): EgressGuard {
  const allowed = options.allow.map(parseCidr);
  const isListed = (ip: Ip): boolean => allowed.some((cidr) => contains(cidr, ip));
  const isNamedExactly = (ip: Ip): boolean =>
    allowed.some((cidr) => cidr.prefix === fullPrefix(cidr.base) && contains(cidr, ip));

  function checkIpv4(ip: ipaddr.IPv4): EgressVerdict {
    if (isMetadata(ip)) return isNamedExactly(ip) ? yes : no('a cloud metadata address');
    const range = ip.range();
    if (range === 'unicast' || isListed(ip)) return yes;
    return no(ownValue(rangeLabels, range) ?? 'a reserved address');
  }

  function checkIpv6(ip: ipaddr.IPv6): EgressVerdict {
    if (isMetadata(ip)) return isNamedExactly(ip) ? yes : no('a cloud metadata address');
    const range = ip.range();
    if (range === 'ipv4Mapped') {
      // Check the embedded IPv4 address, because the kernel connects to it. Legitimate names don't use this
      // spelling, so even a public address must be listed.
      const inner = ip.toIPv4Address();
      const verdict = checkIpv4(inner);
      return verdict.isAllowed && !isListed(inner) ? no('an IPv4 address written as IPv6') : verdict;
    }
    const form = embeddedIpv4(ip);
    if (form) {
      if (form.isOwnRange && !isListed(ip)) return no(form.label);
      return form.inner.map(checkIpv4).find((verdict) => !verdict.isAllowed) ?? yes;
    }
    if (isListed(ip)) return yes;
    if (range !== 'unicast') return no(ownValue(rangeLabels, range) ?? 'a reserved address');
    // Only 2000::/3 is allocated. The rest of the space isn't used on the public internet.
    return contains(globalUnicast, ip) ? yes : no('a reserved address');
  }

  function check(address: string): EgressVerdict {
    const ip = parseIp(address);
    if (ip === null) return never('not an IP address');
    return isIpv4(ip) ? checkIpv4(ip) : checkIpv6(ip);
  }

  function checkHostForm(host: string): EgressVerdict {
    const name = normalizeHost(host);
    if (name === null) return never('not a valid host name');
    if (isIP(name) !== 0) return check(name);
    if (isLocalhost(name)) {
      return loopbackAddresses.some((address) => check(address).isAllowed) ? yes : no('a loopback address');
    }
    if (localSuffixes.some((suffix) => name.endsWith(suffix) || name === suffix.slice(1))) {
      return allowed.length > 0 ? yes : no('a local network name');
    }
    return yes;
  }

  return { check, checkHostForm };
}

/**
 * Creates a guard that allows only the host that an operator configured, at any address. Cloud metadata
 * addresses are rejected unless the host itself is one.
 */
export function createSingleHostGuard(host: string): EgressGuard {
  const only = normalizeHost(host);
  const isAddress = only !== null && isIP(only) !== 0;
  return {
    check(address) {
      const ip = parseIp(address);
      if (ip === null) return never('not an IP address');
      if (isAddress) return normalizeHost(address) === only ? yes : never('not the configured host');
      return isMetadata(ip) ? never('a cloud metadata address') : yes;
    },
    checkHostForm: (name) =>
      only !== null && normalizeHost(name) === only ? yes : never('not the configured host'),
  };
}

/** Addresses of `localhost` and its subdomains, regardless of DNS (RFC 6761). */
export const loopbackAddresses = ['127.0.0.1', '::1'] as const;

export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Normalizes a host like a URL parser: lower case, `0x7f.1` and `127%2e1` as `127.0.0.1`, IPv6 without
 * brackets, no trailing dot. Returns `null` if the text isn't a valid host or contains more than a host
 * (port, path, user).
 */
export function normalizeHost(host: string): string | null {
  let name = normalHosts.get(host);
  if (name !== undefined) return name;
  name = readHost(host);
  if (normalHosts.size >= maxNormalHosts) normalHosts.clear();
  if (host.length <= maxNameLength) normalHosts.set(host, name);
  return name;
}

/** Cache of normalized hosts. Each request normalizes its host several times, and an agent uses few hosts. */
const normalHosts = new Map<string, string | null>();
const maxNormalHosts = 1_000;
/** Maximum length of a DNS name. */
const maxNameLength = 253;

function readHost(host: string): string | null {
  if (host === '' || /[\s/?#@\\]/u.test(host)) return null;
  const bracketed = isIP(host) === 6 ? `[${host.split('%', 1)[0]}]` : host;
  const isBracketed = bracketed.startsWith('[') && bracketed.endsWith(']');
  if (!isBracketed && bracketed.includes(':')) return null;
  const hostname = URL.parse(`http://${bracketed}/`)?.hostname;
  if (hostname === undefined) return null;
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/u, '') || null;
}

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an IP address. Returns `null` for other text. Drops a zone (`%eth0`), because it doesn't affect the
 * range.
 */
function parseIp(text: string): Ip | null {
  // ipaddr.js parses `::127.0.0.1` as `::ffff:127.0.0.1`. Normalizing it to hexadecimal notation prevents
  // this.
  const plain = isIP(text) === 6 ? normalizeHost(text) : text;
  return plain === null || isIP(plain) === 0 ? null : ipaddr.parse(plain);
}

interface Cidr {
  base: Ip;
  prefix: number;
}

function parseCidr(text: string): Cidr {
  const [address = '', prefixText, ...rest] = text.trim().split('/');
  const base = address.includes('%') ? null : parseIp(address);
  const isPrefix = prefixText === undefined || /^\d{1,3}$/u.test(prefixText);
  const prefix = base && prefixText === undefined ? fullPrefix(base) : Number(prefixText);
  if (!base || !isPrefix || rest.length > 0 || prefix > fullPrefix(base)) {
    throw new Error(`invalid address range "${text}" (expected, for example, 10.0.0.0/8 or fd00::/8)`);
  }
  // Convert an IPv4-mapped range. For example, `::ffff:10.0.0.0/104` is equivalent to 10.0.0.0/8.
  if (!isIpv4(base) && base.isIPv4MappedAddress() && prefix >= 96) {
    return { base: base.toIPv4Address(), prefix: prefix - 96 };
  }
  return { base, prefix };
}

function contains(cidr: Cidr, ip: Ip): boolean {
  return cidr.base.kind() === ip.kind() && ip.match(cidr.base, cidr.prefix);
}

function fullPrefix(ip: Ip): number {
  return isIpv4(ip) ? 32 : 128;
}

function isIpv4(ip: Ip): ip is ipaddr.IPv4 {
  return ip.kind() === 'ipv4';
}

const yes: EgressVerdict = { isAllowed: true };
const no = (reason: string): EgressVerdict => ({ isAllowed: false, reason, canBeAllowed: true });
/** Creates a verdict that the operator can't override. */
const never = (reason: string): EgressVerdict => ({ isAllowed: false, reason });

const globalUnicast = parseCidr('2000::/3');
const localSuffixes = ['.local', '.internal'];

/**
 * Addresses at which clouds provide credentials without authentication. A wide range that an operator allows
 * must not include them by accident, so each must be listed as a single address. 168.63.129.16 is formally a
 * public address.
 */
const metadataAddresses = [
  '169.254.169.254', // AWS, Google, Azure, Oracle, DigitalOcean, OpenStack, Hetzner
  '169.254.169.253', // AWS name server
  '169.254.170.2', // AWS ECS
  '169.254.170.23', // AWS EKS
  '169.254.42.42', // Scaleway
  '169.254.0.23', // Tencent
  '100.100.100.200', // Alibaba
  '192.0.0.192', // Oracle (earlier address)
  '168.63.129.16', // Azure
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS EKS
  'fd20:ce::254', // Google
  'fd00:42::42', // Scaleway
].map(parseCidr);

function isMetadata(ip: Ip): boolean {
  return metadataAddresses.some((cidr) => contains(cidr, ip));
}

const rangeLabels: Record<string, string | undefined> = {
  unspecified: 'an unspecified address',
  broadcast: 'the broadcast address',
  multicast: 'a multicast address',
  linkLocal: 'a link-local address',
  loopback: 'a loopback address',
  carrierGradeNat: 'a shared (carrier-grade NAT) address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  deprecatedSiteLocal: 'a private address',
  benchmarking: 'a benchmarking address',
};

interface EmbeddedForm {
  /** The IPv4 addresses to which a packet to this address can be forwarded. */
  inner: ipaddr.IPv4[];
  /**
   * True if the whole range is a gateway to IPv4. The range must then be listed in addition to the IPv4
   * address.
   */
  isOwnRange: boolean;
  label: string;
}

/**
 * Returns the IPv4 addresses embedded in an IPv6 address, to which a translator or tunnel forwards packets.
 */
function embeddedIpv4(ip: ipaddr.IPv6): EmbeddedForm | null {
  const bytes = ip.toByteArray();
  const at = (offset: number): ipaddr.IPv4 => new ipaddr.IPv4(bytes.slice(offset, offset + 4));
  const own = (label: string, inner: ipaddr.IPv4[]): EmbeddedForm => ({ inner, isOwnRange: true, label });

  switch (ip.range()) {
    case 'rfc6145': // ::ffff:0:a.b.c.d
      return own('an IPv4 address translated to IPv6', [at(12)]);
    case 'rfc6052': {
      const label = 'an IPv4 address behind NAT64';
      if (contains(wellKnownNat64, ip)) return own(label, [at(12)]);
      // With the local-use prefix, the IPv4 address can either follow the first 48 bits (and skip byte 8, which is
      // zero) or be at the end.
      const after48 = new ipaddr.IPv4([bytes[6] ?? 0, bytes[7] ?? 0, bytes[9] ?? 0, bytes[10] ?? 0]);
      const inner = [after48, at(12)].filter((address) => address.octets.some((octet) => octet !== 0));
      return own(label, inner);
    }
    case '6to4':
      return own('an IPv4 address behind 6to4', [at(2)]);
    case 'teredo': {
      const client = new ipaddr.IPv4(bytes.slice(12, 16).map((byte) => byte ^ 0xff));
      return own('an IPv4 address behind Teredo', [at(4), client]);
    }
    default:
  }
  // The deprecated form ::a.b.c.d. Both ::1 and :: belong to other ranges.
  if (ip.range() === 'unicast' && contains(ipv4Compatible, ip)) {
    return own('an IPv4 address written as IPv6', [at(12)]);
  }
  // ISATAP: any prefix, followed by 0000:5efe or 0200:5efe and the IPv4 address.
  if (((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe) {
    if (ip.range() === 'unicast') {
      return { inner: [at(12)], isOwnRange: false, label: 'an IPv4 address behind ISATAP' };
    }
  }
  return null;
}

const wellKnownNat64 = parseCidr('64:ff9b::/96');
const ipv4Compatible = parseCidr('::/96');
