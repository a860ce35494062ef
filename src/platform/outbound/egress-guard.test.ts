import { describe, expect, it } from 'vitest';
import { createEgressGuard, normalizeHost } from './egress-guard.ts';

const open = createEgressGuard({ allow: [] });

function check(allow: string[], table: Record<string, boolean>): void {
  const guard = createEgressGuard({ allow });
  for (const [address, expected] of Object.entries(table)) {
    expect(guard.check(address).isAllowed, `${address} with [${allow.join(' ')}]`).toBe(expected);
  }
}

/** Splits text into a list of words. */
function list(text: string): string[] {
  return text.trim().split(/\s+/u);
}

const privateV4 = list(`
  0.0.0.0 0.0.0.1 0.255.255.255
  10.0.0.0 10.0.0.1 10.255.255.255
  100.64.0.0 100.64.0.1 100.100.100.100 100.127.255.255
  127.0.0.0 127.0.0.1 127.0.1.1 127.1.2.3 127.255.255.255
  169.254.0.0 169.254.1.1 169.254.255.255
  172.16.0.0 172.16.0.1 172.17.0.1 172.31.255.255
  192.0.0.0 192.0.0.8 192.0.0.170 192.0.0.255 192.0.2.0 192.0.2.1 192.0.2.255
  192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.0 192.168.1.1 192.168.255.255 192.175.48.1
  198.18.0.0 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 203.0.113.255
  224.0.0.0 224.0.0.1 233.252.0.1 239.255.255.255
  240.0.0.0 240.0.0.1 255.255.255.254 255.255.255.255
`);

const metadata = list(`
  169.254.169.254 169.254.169.253 169.254.170.2 169.254.170.23 169.254.42.42 169.254.0.23
  100.100.100.200 192.0.0.192 168.63.129.16
  fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fd00:42::42
`);

const privateV6 = list(`
  :: ::1 ::2 0:0:0:0:0:0:0:1
  fe80::1 fe80::1%eth0 febf::1 fec0::1 feff::1
  fc00::1 fd00::1 fd12:3456:789a::1 fdff:ffff::1
  ff00::1 ff01::1 ff02::1 ff05::1:3 ff0e::1
  2001:db8::1 2001:db8:ffff::1 3fff::1 3fff:fff::1 2001:2::1 2001:3::1 2001:4:112::1
  2001:10::1 2001:20::1 2001:30::1 2001:1ff::1 100::1 5f00::1 2620:4f:8000::1
  4000::1 8000::1 a000::1 e000::1 200::1 1::1
`);

/** IPv6 addresses whose packets end up at an IPv4 address. */
const embeddedV4 = list(`
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0.0.0.0
  ::ffff:8.8.8.8 0:0:0:0:0:ffff:7f00:0001
  ::ffff:0:127.0.0.1 ::ffff:0:a00:1 ::ffff:0:8.8.8.8
  ::127.0.0.1 ::10.0.0.1 ::8.8.8.8 ::a9fe:a9fe
  64:ff9b::127.0.0.1 64:ff9b::a00:1 64:ff9b::8.8.8.8 64:ff9b::a9fe:a9fe
  64:ff9b:1::127.0.0.1 64:ff9b:1:7f00:0:100:: 64:ff9b:1:abcd::8.8.8.8
  2002:7f00:1:: 2002:a00:1::1 2002:c0a8:101::1 2002:a9fe:a9fe::1 2002:808:808::1
  2001:0:7f00:1:: 2001::f5ff:fffe 2001:0:808:808:0:0:f7f7:f7f7 2001:0:4136:e378:8000:63bf:3fff:fdd2
  2600:1:2:3:0:5efe:127.0.0.1 2600:1:2:3:200:5efe:10.0.0.1 fe80::5efe:10.0.0.1
`);

const noAddress = [
  ...list(`
  localhost example.com 127.1 127.0.1 2130706433 0x7f000001 017700000001 0177.0.0.1
  0x7f.0.0.1 127.0.0.1. 127.0.0.01 [::1] 127.0.0.1:80 127%2e0%2e0%2e1
  1.2.3.4.5 256.1.1.1 ::: 12345:: ::ffff:127.0.0.256 10.0.0.0/8 ８.8.8.8
`),
  '',
  ' ',
  '127.0.0.1 ',
  ' 127.0.0.1',
];

const publicAddresses = list(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255
  128.0.0.1 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0
  192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 140.82.121.4
  2001:4860:4860::8888 2606:4700::1111 2a00:1450:4001:81b::200e 2400:cb00::1 2003::1 2620:fe::fe
  2600:1:2:3:0:5efe:8.8.8.8
`);

describe('the egress guard', () => {
  it('rejects all non-public addresses', () => {
    const hostile = [...privateV4, ...metadata, ...privateV6, ...embeddedV4, ...noAddress];
    expect(hostile.length).toBeGreaterThanOrEqual(120);
    for (const address of hostile) {
      const verdict = open.check(address);
      expect(verdict, address).toMatchObject({ isAllowed: false });
      expect(verdict.isAllowed ? '' : verdict.reason, address).toMatch(/^(?:an?|the|not an?) /u);
    }
  });

  it('allows public addresses', () => {
    for (const address of publicAddresses) expect(open.check(address), address).toEqual({ isAllowed: true });
  });

  it('allows only the non-public ranges that the operator lists', () => {
    check(['10.0.0.0/8', 'fd00::/8'], {
      '10.0.0.1': true,
      '10.255.255.255': true,
      '11.0.0.1': true,
      '192.168.0.1': false,
      '127.0.0.1': false,
      'fd12::1': true,
      'fc00::1': false,
      '::1': false,
    });
    check(['127.0.0.1'], { '127.0.0.1': true, '127.0.0.2': false });
    check(['10.1.2.3/8'], { '10.200.0.1': true });
    check(['0.0.0.0/0'], { '127.0.0.1': true, '192.168.0.1': true, '::1': false });
  });

  it('allows a metadata address only if it is listed individually', () => {
    const wide = ['0.0.0.0/0', '::/0', '169.254.0.0/16', '169.254.169.254/31', 'fd00::/8', 'fd00:ec2::/64'];
    const v4 = metadata.filter((address) => !address.includes(':'));
    check(wide, Object.fromEntries(metadata.map((address) => [address, false])));
    check(metadata, Object.fromEntries(metadata.map((address) => [address, true])));
    check(
      v4.map((address) => `${address}/32`),
      Object.fromEntries(v4.map((address) => [address, true])),
    );
    check(['169.254.0.0/16'], { '169.254.1.1': true, '169.254.169.254': false });
    check(['0.0.0.0/0', '::/0'], { '::ffff:169.254.169.254': false, '64:ff9b::169.254.169.254': false });
  });

  it('checks both the IPv6 form and the embedded address of an IPv4 address that is written as IPv6', () => {
    check(['127.0.0.0/8'], {
      '::ffff:127.0.0.1': true,
      '::ffff:10.0.0.1': false,
      '64:ff9b::127.0.0.1': false,
      '2002:7f00:1::': false,
      '::127.0.0.1': false,
    });
    check(['::ffff:10.0.0.0/104'], { '10.1.2.3': true, '::ffff:10.1.2.3': true, '::ffff:8.8.8.8': false });
    check(['64:ff9b::/96'], { '64:ff9b::8.8.8.8': true, '64:ff9b::10.0.0.1': false, '10.0.0.1': false });
    check(['64:ff9b::/96', '10.0.0.0/8'], { '64:ff9b::10.0.0.1': true, '64:ff9b::127.0.0.1': false });
    check(['64:ff9b:1::/48'], { '64:ff9b:1::8.8.8.8': true, '64:ff9b:1::10.0.0.1': false });
    check(['2002::/16'], { '2002:808:808::1': true, '2002:a00:1::1': false });
    check(['2001::/32'], {
      '2001:0:808:808:0:0:f7f7:f7f7': true,
      '2001:0:7f00:1:0:0:f7f7:f7f7': false,
      '2001:0:808:808:0:0:f5ff:fffe': false,
    });
  });

  it('rejects invalid ranges at startup', () => {
    for (const text of [
      '',
      'x',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/',
      '10.0.0/8',
      '::/129',
      '10.0.0.0/8/8',
      'fe80::1%eth0',
      '010.0.0.0/8',
      '10.0.0.0/8 ,',
    ]) {
      expect(() => createEgressGuard({ allow: [text] }), text).toThrow(/invalid address range/u);
    }
    for (const text of ['10.0.0.0/8', ' 10.0.0.0/8 ', '::1', 'fd00::/8', '0.0.0.0/0'])
      expect(() => createEgressGuard({ allow: [text] }), text).not.toThrow();
  });
});

describe('the host form check', () => {
  const spellingsOfLoopback = list(`
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 017700000001 0177.0.0.1 0x7F.0x0.0x0.0x1
  127%2e0%2e0%2e1 %31%32%37.0.0.1 127.0.0.1. １２７.0.0.1 127。0。0。1 [::1] ::1
  [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] ::ffff:7f00:1 127.0.0.1%00 localhost LOCALHOST
  localhost. a.localhost A.b.LocalHost. loc%61lhost ｌocalhost
`);

  it('detects every spelling of a private address', () => {
    for (const host of spellingsOfLoopback) expect(open.checkHostForm(host).isAllowed, host).toBe(false);
    for (const host of [
      '3232235777',
      '0xa9fea9fe',
      '169.254.43518',
      '[fd00::1]',
      '[fe80::1%25eth0]',
      '0',
      '0x0',
      '[::]',
    ]) {
      expect(open.checkHostForm(host).isAllowed, host).toBe(false);
    }
  });

  it('rejects names that can only be local, and invalid hosts', () => {
    for (const host of [
      'printer.local',
      'a.b.local.',
      'db.internal',
      'metadata.google.internal',
      'local',
      'INTERNAL',
      'x.LOCAL',
    ]) {
      expect(open.checkHostForm(host).isAllowed, host).toBe(false);
    }
    for (const host of [
      '',
      ' ',
      'a b',
      'user@example.com',
      'example.com/x',
      'example.com:80',
      'example.com?x',
      'a\\b',
      '.',
      '[::1',
      '256.256.256.256',
      '1.2.3.4.5',
      'exa\tmple.com',
      '[::1]:80',
    ]) {
      expect(open.checkHostForm(host), host).toEqual({ isAllowed: false, reason: 'not a valid host name' });
    }
  });

  it('allows public IP addresses, and names whose addresses are checked later', () => {
    for (const host of [
      'example.com',
      'hooks.slack.com',
      'notlocalhost',
      'localhost.example.com',
      'mylocal',
      'internal.example.com',
      'xn--bcher-kva.example',
      'bücher.example',
      '8.8.8.8',
      '134744072',
      '[2606:4700::1111]',
      'example.com.',
    ]) {
      expect(open.checkHostForm(host), host).toEqual({ isAllowed: true });
    }
  });

  it('allows local names if the operator allows the addresses that they can resolve to', () => {
    const loopback = createEgressGuard({ allow: ['127.0.0.0/8'] });
    const intranet = createEgressGuard({ allow: ['10.0.0.0/8'] });
    for (const host of ['localhost', 'a.localhost', '127.1', '[::ffff:127.0.0.1]', 'db.internal']) {
      expect(loopback.checkHostForm(host).isAllowed, host).toBe(true);
    }
    expect(loopback.checkHostForm('[::1]').isAllowed).toBe(false);
    expect(intranet.checkHostForm('localhost').isAllowed).toBe(false);
    expect(intranet.checkHostForm('db.internal').isAllowed).toBe(true);
    expect(intranet.checkHostForm('127.0.0.1').isAllowed).toBe(false);
  });

  it('normalizes hosts like a URL parser', () => {
    expect(normalizeHost('EXAMPLE.com.')).toBe('example.com');
    expect(normalizeHost('0x7f.1')).toBe('127.0.0.1');
    expect(normalizeHost('[::FFFF:7F00:1]')).toBe('::ffff:7f00:1');
  });
});
