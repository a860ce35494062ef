import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type EgressVerdict = { isAllowed: true } | EgressRefusal;

export interface EgressRefusal {
  isAllowed: false;
  /** Completes the sentence "the address is …" and is fit for users. */
  reason: string;
  /** Whether the operator can allow it. */
  canBeAllowed?: true;
}

export interface EgressGuard {
  /**
   * Whether a request may go to this IP address (IPv4 in four decimal parts, or IPv6). Only public
   * addresses may, and what the operator named. Anything that is not an address is refused.
   */
  check(address: string): EgressVerdict;
  /**
   * What can be told about the host of a URL without resolving it: literal addresses in every spelling
   * that a URL allows (decimal, octal, hexadecimal, percent-encoded, bracketed), and names that can
   * only be local. Such a name is let through when the operator allows what it can stand for; the
   * addresses behind it are checked when it is resolved.
   */
  checkHostForm(host: string): EgressVerdict;
}

/**
 * @param options.allow CIDRs (or single addresses) that may be reached although they are not public.
 * @throws when one of them is not a CIDR.
 */
export function createEgressGuard(options: { allow: readonly string[] }): EgressGuard {
  const allowed = options.allow.map(parseCidr);
  const isNamed = (ip: Ip): boolean => allowed.some((cidr) => contains(cidr, ip));
  const isNamedExactly = (ip: Ip): boolean =>
    allowed.some((cidr) => cidr.prefix === fullPrefix(cidr.base) && contains(cidr, ip));

  function checkIpv4(ip: ipaddr.IPv4): EgressVerdict {
    if (isMetadata(ip)) return isNamedExactly(ip) ? yes : no('a cloud metadata address');
    const range = ip.range();
    if (range === 'unicast' || isNamed(ip)) return yes;
    return no(rangeLabels[range] ?? 'a reserved address');
  }

  function checkIpv6(ip: ipaddr.IPv6): EgressVerdict {
    if (isMetadata(ip)) return isNamedExactly(ip) ? yes : no('a cloud metadata address');
    const range = ip.range();
    if (range === 'ipv4Mapped') {
      // The kernel connects to the IPv4 address: it is that address in another spelling, which no honest
      // name uses. So it has to be named, even a public one.
      const inner = ip.toIPv4Address();
      const verdict = checkIpv4(inner);
      return verdict.isAllowed && !isNamed(inner) ? no('an IPv4 address written as IPv6') : verdict;
    }
    const form = embeddedIpv4(ip);
    if (form) {
      if (form.isOwnRange && !isNamed(ip)) return no(form.label);
      return form.inner.map(checkIpv4).find((verdict) => !verdict.isAllowed) ?? yes;
    }
    if (isNamed(ip)) return yes;
    if (range !== 'unicast') return no(rangeLabels[range] ?? 'a reserved address');
    // Only 2000::/3 is handed out; the rest of the space means nothing in public.
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
 * Allows the host that an operator configured, whatever its address is, and nothing else. Metadata addresses of clouds
 * stay closed, unless the host is one.
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

/** What `localhost` and its subdomains stand for, whatever a name server says (RFC 6761). */
export const loopbackAddresses = ['127.0.0.1', '::1'] as const;

export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * A host as a URL parser reads it: lower case, `0x7f.1` and `127%2e1` as `127.0.0.1`, IPv6 without
 * brackets, no trailing dot. Null when it is no host, or more than a host (port, path, user).
 */
export function normalizeHost(host: string): string | null {
  let name = normalHosts.get(host);
  if (name !== undefined) return name;
  name = readHost(host);
  if (normalHosts.size >= maxNormalHosts) normalHosts.clear();
  if (host.length <= maxNameLength) normalHosts.set(host, name);
  return name;
}

/** Each request asks for its host several times, and an agent for few hosts. */
const normalHosts = new Map<string, string | null>();
const maxNormalHosts = 1_000;
/** Names of DNS aren't longer. */
const maxNameLength = 253;

function readHost(host: string): string | null {
  if (host === '' || /[\s/?#@\\]/u.test(host)) return null;
  const bracketed = isIP(host) === 6 ? `[${host.replace(/%.*$/u, '')}]` : host;
  const isBracketed = bracketed.startsWith('[') && bracketed.endsWith(']');
  if (!isBracketed && bracketed.includes(':')) return null;
  const hostname = URL.parse(`http://${bracketed}/`)?.hostname;
  if (hostname === undefined) return null;
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/u, '') || null;
}

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** Null for whatever is not an address. A zone (`%eth0`) is dropped: it changes no range. */
function parseIp(text: string): Ip | null {
  // ipaddr.js reads `::127.0.0.1` as `::ffff:127.0.0.1`; in hexadecimal it cannot.
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
  // `::ffff:10.0.0.0/104` means 10.0.0.0/8.
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
/** Whatever the operator allows. */
const never = (reason: string): EgressVerdict => ({ isAllowed: false, reason });

const globalUnicast = parseCidr('2000::/3');
const localSuffixes = ['.local', '.internal'];

/**
 * Where clouds hand credentials to whoever asks. A wide range that an operator allows must not open
 * them by accident, so they count only when named alone. 168.63.129.16 is public in form.
 */
const metadataAddresses = [
  '169.254.169.254', // AWS, Google, Azure, Oracle, DigitalOcean, OpenStack, Hetzner
  '169.254.169.253', // AWS name server
  '169.254.170.2', // AWS ECS
  '169.254.170.23', // AWS EKS
  '169.254.42.42', // Scaleway
  '169.254.0.23', // Tencent
  '100.100.100.200', // Alibaba
  '192.0.0.192', // Oracle, old
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
  /** The IPv4 addresses that a packet to this address ends at, or may. */
  inner: ipaddr.IPv4[];
  /** Whether the whole range is a way into IPv4, which itself has to be named. */
  isOwnRange: boolean;
  label: string;
}

/** IPv6 addresses that carry an IPv4 address, by which a translator or tunnel sends them on. */
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
      // The local-use prefix may put the IPv4 address after /48 (around byte 8, which is zero) or last.
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
  // ::a.b.c.d, given up long ago; ::1 and :: have ranges of their own.
  if (ip.range() === 'unicast' && contains(ipv4Compatible, ip)) {
    return own('an IPv4 address written as IPv6', [at(12)]);
  }
  // ISATAP: any prefix, then 0000:5efe or 0200:5efe and the IPv4 address.
  if (((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe) {
    if (ip.range() === 'unicast') {
      return { inner: [at(12)], isOwnRange: false, label: 'an IPv4 address behind ISATAP' };
    }
  }
  return null;
}

const wellKnownNat64 = parseCidr('64:ff9b::/96');
const ipv4Compatible = parseCidr('::/96');
