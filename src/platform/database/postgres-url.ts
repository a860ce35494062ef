import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type pg from 'pg';

/** One server of a connection string. */
export interface PostgresHost {
  /** Host name, IP address, or directory of a socket. */
  host: string;
  port: number;
}

/** A parsed connection string, with the same meaning as in libpq. */
export interface PostgresUrl {
  /** Servers in the order in which they are tried. The one that accepts writes is used. */
  hosts: readonly [PostgresHost, ...PostgresHost[]];
  user: string;
  password: string;
  database: string;
  sslMode: SslMode | null;
  /**
   * The parameter `ssl` of other drivers: true for TLS that verifies the server, false for no TLS. `sslmode` takes
   * precedence.
   */
  ssl: boolean | null;
  sslFiles: { ca: string | null; cert: string | null; key: string | null };
  /** Other parameters, which are passed to the driver. */
  parameters: URLSearchParams;
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof sslModes)[number];

/** Supported values of `target_session_attrs`. The other values select a standby or a read-only server. */
const writableTargets = ['any', 'read-write', 'primary'];

/** Parameters that aren't passed to the driver, because this file evaluates them or only libpq supports them. */
const ownParameters = [
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'sslmode',
  'ssl',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'target_session_attrs',
  'load_balance_hosts',
  'uselibpqcompat',
];

export const encodingAdvice =
  'the user name and the password must be percent-encoded: write @ as %40, / as %2F, # as %23, ? as %3F, and % as %25';

/** A connection string isn't valid. The message completes a sentence about the variable, without secrets. */
export class PostgresUrlError extends Error {}

/**
 * Parses a connection string in the format of libpq, including several hosts, sockets, and `sslmode`.
 * @throws PostgresUrlError
 */
export function parsePostgresUrl(text: string): PostgresUrl {
  const [, rest] = /^postgres(?:ql)?:\/\/(.*)$/s.exec(text) ?? [];
  if (rest === undefined) throw new PostgresUrlError('it must begin with postgres:// or postgresql://');
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const at = authority.lastIndexOf('@');
  if (isCutOff(authority, rest) || rest.slice(0, authority.length + 1).endsWith('#')) throw notEncoded();
  const [user = '', ...secret] = authority.slice(0, Math.max(at, 0)).split(':');
  const tail = rest.slice(authority.length);
  const [path = '', query = ''] = tail.split(/\?(.*)/s, 2);
  if (path.includes('@')) throw notEncoded();
  if (query.includes('#')) throw new PostgresUrlError('a # must be written as %23');
  // Keep plus signs, as libpq does. `URLSearchParams` would replace them with spaces.
  const parameters = new URLSearchParams(query.replaceAll('+', '%2B'));
  if ([...parameters.keys()].some((name) => name.includes('@'))) throw notEncoded();
  const sslMode = readSslMode(parameters);
  const target = parameters.get('target_session_attrs') ?? 'read-write';
  if (!writableTargets.includes(target))
    throw new PostgresUrlError(
      `target_session_attrs=${target} isn't possible, because Pacekeeper must write: use read-write or primary`,
    );
  const result: PostgresUrl = {
    hosts: readHosts(decode(authority.slice(at + 1)), parameters),
    user: parameters.get('user') ?? decode(user),
    password: parameters.get('password') ?? decode(secret.join(':')),
    database: parameters.get('dbname') ?? decode(path.replace(/^\//, '')),
    sslMode,
    ssl: readSsl(parameters),
    sslFiles: {
      ca: parameters.get('sslrootcert'),
      cert: parameters.get('sslcert'),
      key: parameters.get('sslkey'),
    },
    parameters,
  };
  for (const name of ownParameters) parameters.delete(name);
  return result;
}

/** Returns the settings of the driver for one server of a connection string. */
export function driverConfig(
  { user, password, database, parameters, ...url }: PostgresUrl,
  { host, port }: PostgresHost,
): pg.ClientConfig {
  const options = Object.fromEntries(parameters);
  const ssl = sslOptions(url);
  return {
    ...options,
    host,
    port,
    ...(user !== '' && { user }),
    ...(password !== '' && { password }),
    ...(database !== '' && { database }),
    ...(ssl !== undefined && { ssl }),
  };
}

/**
 * Returns the TLS options of an `sslmode`, with its meaning in libpq: `require` encrypts without verifying
 * the server, unless `sslrootcert` is set, and `verify-ca` doesn't verify the host name. Undefined without a
 * mode. `prefer` and `allow` also accept a server without TLS, which the caller must detect.
 */
function sslOptions({
  sslMode,
  ssl,
  sslFiles,
}: Pick<PostgresUrl, 'sslMode' | 'ssl' | 'sslFiles'>): ConnectionOptions | false | undefined {
  const usesSystem = sslFiles.ca === 'system';
  const hasFiles = sslFiles.ca !== null || sslFiles.cert !== null;
  if (sslMode === 'disable' || (sslMode === null && ssl === false)) return false;
  if (sslMode === null && ssl === null && !hasFiles) return undefined;
  const mode = sslMode ?? (usesSystem || ssl === true ? 'verify-full' : 'prefer');
  const verifies =
    mode === 'verify-full' || mode === 'verify-ca' || (mode === 'require' && sslFiles.ca !== null);
  return {
    ...(sslFiles.ca !== null && !usesSystem && { ca: readFile('sslrootcert', sslFiles.ca) }),
    ...(sslFiles.cert !== null && { cert: readFile('sslcert', sslFiles.cert) }),
    ...(sslFiles.key !== null && { key: readFile('sslkey', sslFiles.key) }),
    ...(!verifies && { rejectUnauthorized: false }),
    ...(verifies && mode !== 'verify-full' && !usesSystem && { checkServerIdentity: () => undefined }),
  };
}

/** Last contents of each file, for use while the file is missing because it's being replaced. */
const lastContents = new Map<string, string>();

function readFile(parameter: string, name: string): string {
  try {
    const contents = readFileSync(name, 'utf8');
    lastContents.set(name, contents);
    return contents;
  } catch {
    // Use the last contents if possible, because the driver connects in callbacks, where an error would end the
    // process.
    const contents = lastContents.get(name);
    if (contents !== undefined) return contents;
    throw new PostgresUrlError(`${parameter}: the file ${name} can't be read`);
  }
}

function readSslMode(parameters: URLSearchParams): SslMode | null {
  const given = parameters.get('sslmode');
  const found = sslModes.find((mode) => mode === given);
  if (given !== null && found === undefined)
    throw new PostgresUrlError(`sslmode must be ${sslModes.join(', ')}`);
  return found ?? null;
}

function readSsl(parameters: URLSearchParams): boolean | null {
  const given = parameters.get('ssl');
  if (given === null) return null;
  if (given === '1' || given === 'true') return true;
  if (given === '0' || given === 'false') return false;
  throw new PostgresUrlError('ssl must be 1, 0, true, or false; for other settings, use sslmode');
}

/**
 * @param written Hosts and ports as written before the path. The parameter `host` replaces the hosts, but not the
 * ports.
 */
function readHosts(written: string, parameters: URLSearchParams): PostgresUrl['hosts'] {
  const host = parameters.get('host');
  const given = parameters.get('port') ?? (host === null ? '' : portsOf(written));
  const ports = given.split(',').filter((port) => port !== '');
  const parts = (host ?? written).split(',');
  const hosts = parts.map((part, index): PostgresHost => {
    const [, bracketed, plain, own] = /^(?:\[([^\]]*)\]|([^:]*|\/.*?))(?::(\d*))?$/s.exec(part) ?? [];
    // Only the parameter `host` can contain an IPv6 address without brackets, because its ports come from other parts
    // of the URL.
    const name = parameters.has('host') && isIPv6(part) ? part : (bracketed ?? plain);
    if (name === undefined) throw notEncoded();
    const port = Number(own || (ports[index] ?? ports[0] ?? '5432'));
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new PostgresUrlError('a port must be a number from 1 to 65535');
    return { host: name === '' ? 'localhost' : name, port };
  });
  const [first, ...others] = hosts;
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new PostgresUrlError('there must be one port, or as many as hosts');
  return [first!, ...others];
}

function portsOf(hosts: string): string {
  return hosts
    .split(',')
    .map((part) => /:(\d+)$/.exec(part)?.[1] ?? '')
    .join(',');
}

/**
 * True if the part before the last `@` is cut off, because the password contains an unencoded `/`, `?`, or `#`. In a
 * connection string without a password, such as `postgres://db/name?options=a@b`, the part before the slash is a host
 * and a port.
 */
function isCutOff(authority: string, rest: string): boolean {
  if (authority.includes('@') || !rest.includes('@')) return false;
  return /:(?!\d*$)/.test(authority.replace(/\[[^[\]]*\]/g, '')) || rest.startsWith(':');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notEncoded();
  }
}

function notEncoded(): PostgresUrlError {
  return new PostgresUrlError(encodingAdvice);
}
