import { expect, test } from 'vitest';
import { formatSyslogUrl, parseSyslogUrl } from './syslog-url.ts';

test.each<[string, string | null]>([
  ['syslog+tls://siem.example.org:6514', 'syslog+tls://siem.example.org:6514'],
  ['syslog+tls://siem.example.org', 'syslog+tls://siem.example.org:6514'],
  ['syslog+tcp://siem.example.org:601/', 'syslog+tcp://siem.example.org:601'],
  ['SYSLOG+TLS://SIEM.Example.ORG:443', 'syslog+tls://siem.example.org:443'],
  ['syslog+tcp://siem.example.org:80', 'syslog+tcp://siem.example.org:80'],
  ['syslog+tls://[2001:DB8::1]:6514', 'syslog+tls://[2001:db8::1]:6514'],
  // An IP address in a different notation is normalized.
  ['syslog+tls://0x7f.1:6514', 'syslog+tls://127.0.0.1:6514'],
  ['syslog+tcp://siem.example.org', null],
  ['syslog+udp://siem.example.org:514', null],
  ['syslog://siem.example.org:514', null],
  ['syslog+tls://user:password@siem.example.org:6514', null],
  ['syslog+tls://siem.example.org:6514/path', null],
  ['syslog+tls://siem.example.org:6514?x=1', null],
  ['syslog+tls://siem.example.org:6514#x', null],
  ['syslog+tls://siem.example.org\\@10.0.0.1:6514', null],
  ['syslog+tls://siem.example.org\n:6514', null],
  ['syslog+tls://siem.example.org:0', null],
  ['syslog+tls://siem.example.org:65536', null],
  ['syslog+tls://', null],
])('the URL %j is parsed as %j', (text, expected) => {
  const target = parseSyslogUrl(text);
  expect(target && formatSyslogUrl(target)).toBe(expected);
});
