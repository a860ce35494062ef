import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { driverConfig, PostgresUrlError, parsePostgresUrl } from './postgres-url.ts';

function configOf(url: string) {
  const parsed = parsePostgresUrl(url);
  return driverConfig(parsed, parsed.hosts[0]);
}

test.each([
  ['ssl=1', {}],
  ['ssl=true', {}],
  ['ssl=0', false],
  ['ssl=false', false],
  ['ssl=1&sslmode=disable', false],
  ['ssl=0&sslmode=require', { rejectUnauthorized: false }],
])('%s has the meaning that other drivers give it, and sslmode takes precedence over ssl', (query, ssl) => {
  expect(configOf(`postgres://u:p@db/name?${query}`).ssl).toEqual(ssl);
});

test.each(['yes', 'require', '', '2'])(
  'ssl=%s is rejected with an error that lists the possible values',
  (value) => {
    expect(() => parsePostgresUrl(`postgres://u:p@db/name?ssl=${value}`)).toThrow(PostgresUrlError);
    expect(() => parsePostgresUrl(`postgres://u:p@db/name?ssl=${value}`)).toThrow('ssl must be 1, 0');
  },
);

test.each(['p@ss/word', 'p@/word', '@/@', 'p@ss?word', 'p/w@rd', 'p?w@rd', 'p#w@rd'])(
  'the password %s must be percent-encoded',
  (password) => {
    expect(() => parsePostgresUrl(`postgres://u:${password}@host/name`)).toThrow(/must be percent-encoded/);
    expect(parsePostgresUrl(`postgres://u:${encodeURIComponent(password)}@host/name`)).toMatchObject({
      hosts: [{ host: 'host', port: 5432 }],
      password,
      database: 'name',
    });
  },
);

test('a plus sign in a parameter stays a plus sign, as in libpq', () => {
  const url = 'postgres://db/name?password=a+b%20c&options=-c%20geqo=off+x&user=u+v';
  expect(parsePostgresUrl(url)).toMatchObject({ password: 'a+b c', user: 'u+v' });
  expect(configOf(url)).toMatchObject({ options: '-c geqo=off+x' });
});

test('the parameter `host` replaces the hosts, but not their ports', () => {
  const hostsOf = (url: string) => parsePostgresUrl(url).hosts.map(({ host, port }) => `${host}:${port}`);
  expect(hostsOf('postgres://user@localhost:5433/name?host=127.0.0.1')).toEqual(['127.0.0.1:5433']);
  expect(hostsOf('postgres://user@localhost:5433/name?host=/run/postgres')).toEqual(['/run/postgres:5433']);
  expect(hostsOf('postgres://user@localhost:5433/name?host=db&port=5434')).toEqual(['db:5434']);
});

test('the parameter host can have IPv6 addresses with and without brackets', () => {
  expect(parsePostgresUrl('postgres:///name?host=::1,[fd00::2],fe80::1:5433,db&port=5434').hosts).toEqual([
    { host: '::1', port: 5434 },
    { host: 'fd00::2', port: 5434 },
    { host: 'fe80::1:5433', port: 5434 },
    { host: 'db', port: 5434 },
  ]);
});

test('the last contents of a certificate file are used while the file is missing', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'pacekeeper-ca-')), 'ca.pem');
  const url = `postgres://u:p@db/name?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`;
  expect(() => configOf(url)).toThrow(`sslrootcert: the file ${file} can't be read`);
  writeFileSync(file, 'first');
  expect(configOf(url).ssl).toEqual({ ca: 'first' });
  writeFileSync(file, 'second');
  expect(configOf(url).ssl).toEqual({ ca: 'second' });
  rmSync(file);
  expect(configOf(url).ssl).toEqual({ ca: 'second' });
});
