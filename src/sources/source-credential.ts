import { normalizeHost } from '../platform/outbound/index.ts';

/**
 * Secret in the agent's configuration. The agent sends it only to the hosts in `hosts`, and never after a
 * redirect to another origin.
 */
export type SourceCredential =
  | TokenCredential
  | SshKeyCredential
  | BasicCredential
  | HeadersCredential
  | S3Credential;

interface CredentialBase {
  name: string;
  /** Host names (any port) or `host:port` entries. `github.com` covers `api.github.com`. */
  hosts: readonly string[];
  /**
   * Returns another credential after a host rejected this one, or null if there's none. Only credentials that a
   * program issues have this function.
   */
  renew?(): Promise<SourceCredential | null>;
}

/** Personal access token. `username` is for Basic authentication; most hosts accept any value. */
export interface TokenCredential extends CredentialBase {
  type: 'https_pat' | 'github_token';
  token: string;
  username?: string;
}

/** SSH key, used only for git over SSH. */
export interface SshKeyCredential extends CredentialBase {
  type: 'ssh_key';
  privateKey: string;
  knownHosts: string;
}

export interface BasicCredential extends CredentialBase {
  type: 'registry_basic' | 'http_basic';
  username: string;
  password: string;
}

/** HTTP headers that are sent unchanged. */
export interface HeadersCredential extends CredentialBase {
  type: 'http_headers';
  headers: Readonly<Record<string, string>>;
}

/** Access key for buckets of S3 and compatible services, with which requests are signed. */
export interface S3Credential extends CredentialBase {
  type: 's3';
  accessKeyId: string;
  secretAccessKey: string;
  /** Token of temporary access keys. Null if the key is permanent. */
  sessionToken: string | null;
  /** Region of the buckets. Null if the host contains it, or for services without regions. */
  region: string | null;
}

/** Default hosts of a `github_token` without `hosts`. */
export const githubHosts = ['github.com', 'api.github.com'] as const;

/** Returns true if the credential can be sent to this URL. */
export function isAllowedFor(credential: Pick<SourceCredential, 'hosts'>, url: URL): boolean {
  const name = normalizeHost(url.hostname);
  const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
  return credential.hosts.some((entry) => {
    const named = readHostEntry(entry);
    if (named === null || name === null) return false;
    const isSameName = named.name === name || (named.name === 'github.com' && name === 'api.github.com');
    return isSameName && (named.port === null || named.port === port);
  });
}

/**
 * Returns the headers that a credential adds to a request, with lowercase names. Signatures of an `s3` credential
 * depend on the request, so `signatureHeaders` returns them.
 */
export function credentialHeaders(
  credential: SourceCredential,
  prefers: 'bearer' | 'basic',
): Record<string, string> {
  if (credential.type === 'http_headers')
    return Object.fromEntries(
      Object.entries(credential.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
  const authorization = authorizationHeader(credential, prefers);
  return authorization === null ? {} : { authorization };
}

/**
 * Returns the value of `Authorization`, or null for an SSH key, custom headers, or an access key that signs requests.
 * @param prefers Authentication scheme that the platform expects for a token. `basic` applies only if the
 * credential has a username.
 */
export function authorizationHeader(
  credential: SourceCredential,
  prefers: 'bearer' | 'basic',
): string | null {
  switch (credential.type) {
    case 'ssh_key':
    case 'http_headers':
    case 's3':
      return null;
    case 'registry_basic':
    case 'http_basic':
      return basic(credential.username, credential.password);
    case 'https_pat':
    case 'github_token': {
      const { username, token } = credential;
      return prefers === 'basic' && username !== undefined ? basic(username, token) : `Bearer ${token}`;
    }
  }
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

function readHostEntry(entry: string): { name: string; port: number | null } | null {
  const whole = normalizeHost(entry);
  if (whole !== null) return { name: whole, port: null };
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/u.exec(entry) ?? [];
  const name = normalizeHost(host);
  return name === null ? null : { name, port: Number(port) };
}
