import { normalizeHost } from '../platform/outbound/index.ts';

/**
 * A secret in the agent's configuration. It is sent only to the hosts that it lists, and never
 * after a redirect leaves the origin.
 */
export type SourceCredential = TokenCredential | SshKeyCredential | BasicCredential | HeadersCredential;

interface CredentialBase {
  name: string;
  /** Hosts (any port) or `host:port`. `github.com` covers `api.github.com`. */
  hosts: readonly string[];
}

/** A personal access token. `username` is for Basic authentication; most hosts accept any. */
export interface TokenCredential extends CredentialBase {
  type: 'https_pat' | 'github_token';
  token: string;
  username?: string;
}

/** For git over ssh only. */
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

/** For HTTP only: sent as they are. */
export interface HeadersCredential extends CredentialBase {
  type: 'http_headers';
  headers: Readonly<Record<string, string>>;
}

/** What a `github_token` without `hosts` is meant for. */
export const githubHosts = ['github.com', 'api.github.com'] as const;

/** Whether the credential may be sent to this address. */
export function isMeantFor(credential: Pick<SourceCredential, 'hosts'>, url: URL): boolean {
  const name = normalizeHost(url.hostname);
  const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
  return credential.hosts.some((entry) => {
    const named = readHostEntry(entry);
    if (named === null || name === null) return false;
    const isSameName = named.name === name || (named.name === 'github.com' && name === 'api.github.com');
    return isSameName && (named.port === null || named.port === port);
  });
}

/** The headers that a credential adds to a request, by their names in lower case. */
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
 * The value of `Authorization`. Null for a key that can't be used over HTTP, and for headers.
 * @param prefers How the platform expects a token. `basic` is used only where the credential has a user name.
 */
export function authorizationHeader(
  credential: SourceCredential,
  prefers: 'bearer' | 'basic',
): string | null {
  switch (credential.type) {
    case 'ssh_key':
    case 'http_headers':
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
