import { normalizeHost } from '../platform/outbound/index.ts';

/**
 * A secret of the agent's own configuration. It goes to the hosts that it names and nowhere else, and
 * never along when a redirect leaves the origin.
 */
export type SourceCredential = TokenCredential | SshKeyCredential | RegistryCredential;

interface CredentialBase {
  name: string;
  /** Hosts (any port) or `host:port`. `github.com` covers `api.github.com`. */
  hosts: readonly string[];
}

/** A personal access token. `username` is what Basic authentication wants beside it; most hosts take any. */
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

export interface RegistryCredential extends CredentialBase {
  type: 'registry_basic';
  username: string;
  password: string;
}

/** What a `github_token` without `hosts` is meant for. */
export const githubHosts = ['github.com', 'api.github.com'] as const;

/** Whether the credential may be sent to this address. */
export function isMeantFor(credential: SourceCredential, url: URL): boolean {
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
 * The value of `Authorization`; null for a key that is no use over HTTP.
 * @param prefers how the platform wants a token. `basic` is used only where the credential has a user name.
 */
export function authorizationHeader(
  credential: SourceCredential,
  prefers: 'bearer' | 'basic',
): string | null {
  switch (credential.type) {
    case 'ssh_key':
      return null;
    case 'registry_basic':
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
