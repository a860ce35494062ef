import { isItem } from '../domain/json/json-item.ts';
import { RunError } from '../domain/runs/run-error.ts';
import type { RunErrorCode } from '../domain/runs/run-error-codes.ts';
import { type BasicCredential, isAllowedFor, type TokenCredential } from '../sources/source-credential.ts';
import type { ClusterCredential, HelperCredential } from './agent-credential.ts';
import { runCredentialProgram } from './credential-program.ts';
import { createTokenCache } from './token-cache.ts';

/** Credentials that vendor programs issue for registries, Helm repositories, Git over HTTPS, and clusters. */
export interface ProgramCredentials {
  /**
   * Returns the credential for a server from its Docker credential helper. If the server rejects the
   * credential, the helper runs once more.
   *
   * @param host `host` or `host:port`
   * @throws RunError
   */
  open(credential: HelperCredential, host: string): Promise<BasicCredential | TokenCredential>;
  /** Returns the token of a cluster from the exec plugin of its credential. */
  clusterToken(credential: ExecClusterCredential): Promise<string>;
  rejectClusterToken(credential: ExecClusterCredential): void;
}

export type ExecClusterCredential = ClusterCredential & { exec: NonNullable<ClusterCredential['exec']> };

/** A credential that a host rejects is replaced only if it is at least this old. */
const minRejectedMs = 10_000;

export function createProgramCredentials({ clock }: { clock: () => Date }): ProgramCredentials {
  interface Server {
    credential: HelperCredential;
    host: string;
  }
  const servers = new WeakMap<HelperCredential, Map<string, Server>>();
  const passwords = createTokenCache({
    clock,
    minRejectedMs,
    request: ({ credential, host }: Server) => askHelper(credential, host),
  });
  const tokens = createTokenCache({ clock, minRejectedMs, request: askPlugin });

  function serverOf(credential: HelperCredential, host: string): Server {
    const known = servers.get(credential) ?? new Map<string, Server>();
    servers.set(credential, known);
    const server = known.get(host) ?? { credential, host };
    known.set(host, server);
    return server;
  }

  async function open(
    credential: HelperCredential,
    host: string,
  ): Promise<BasicCredential | TokenCredential> {
    const { name, hosts } = credential;
    const listed = listedHost(hosts, host);
    if (listed === null)
      throw new RunError(
        'credential_not_for_host',
        `Credential "${name}" isn't valid for ${host}. Add the host to it in the agent's configuration.`,
      );
    const server = serverOf(credential, listed);
    const issued = await passwords.get(server);
    const renew = async () => {
      passwords.reject(server);
      const next = await passwords.get(server);
      return next.password === issued.password ? null : { ...sendable(credential, next), renew };
    };
    return { ...sendable(credential, issued), renew };
  }

  return {
    open,
    clusterToken: async (credential) => (await tokens.get(credential)).token,
    rejectClusterToken: (credential) => tokens.reject(credential),
  };
}

/** Returns the issued user name and password in the form of the credential's type. */
function sendable(
  { as: type, name, hosts }: HelperCredential,
  { username, password }: Password,
): BasicCredential | TokenCredential {
  if (type !== 'https_pat') return { type, name, hosts, username: username ?? azureTokenUser, password };
  return { type, name, hosts, token: password, ...(username && { username }) };
}

/**
 * Returns the entry of a credential's hosts that covers a host, or null. Helpers receive this entry instead
 * of the host of the job, so that jobs can't start a program for each port.
 */
function listedHost(hosts: readonly string[], host: string): string | null {
  if (hosts.includes(host)) return host;
  if (!URL.canParse(`https://${host}`)) return null;
  const url = new URL(`https://${host}`);
  return hosts.find((entry) => isAllowedFor({ hosts: [entry] }, url)) ?? null;
}

/** User name with which Azure's registries accept an identity token. */
const azureTokenUser = '00000000-0000-0000-0000-000000000000';

interface Password {
  /** Null if the password is an identity token. */
  username: string | null;
  password: string;
  expiresAt: Date | null;
}

/**
 * Requests the credential for a server from a Docker credential helper.
 * https://github.com/docker/docker-credential-helpers
 */
async function askHelper(credential: HelperCredential, host: string): Promise<Password> {
  const { name, program } = credential;
  // Docker stores the credential of Docker Hub under this address.
  const server = host === 'docker.io' ? 'https://index.docker.io/v1/' : host;
  const { output, exitCode } = await runCredentialProgram(program, `${server}\n`);
  const fail = (problem: string, code: RunErrorCode = 'credential_failed') =>
    new RunError(code, `${program.command} of credential "${name}" ${problem} ${host}.`);
  if (exitCode !== 0) {
    // Only this message is recognized, because the protocol defines it. Other output isn't shown, because it
    // can contain secrets.
    if (/credentials not found/iu.test(output.slice(0, 1_000)))
      throw fail('has no credentials for', 'credential_missing');
    throw fail(`failed with exit code ${exitCode} for`);
  }
  const answer = parseItem(output);
  const { Username: username, Secret: secret } = answer;
  if (
    typeof username !== 'string' ||
    typeof secret !== 'string' ||
    secret === '' ||
    !isSendable(username + secret)
  )
    throw fail('returned no user name and password for');
  return {
    // The protocol defines this user name for identity tokens, which Azure's helpers return.
    username: username === '<token>' ? null : username,
    password: secret,
    expiresAt: expiryOf(secret),
  };
}

/**
 * Returns the expiry time that a password contains, or null, because helpers don't return the time
 * separately. Azure's passwords are JSON Web Tokens, and those of ECR are JSON in Base64 with a time in
 * seconds.
 */
function expiryOf(secret: string): Date | null {
  const [, payload = ''] = secret.split('.');
  const ecr = parseItem(Buffer.from(secret, 'base64').toString('utf8'))['expiration'];
  const seconds = ecr ?? parseItem(Buffer.from(payload, 'base64url').toString('utf8'))['exp'];
  return typeof seconds === 'number' && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000) : null;
}

/**
 * Runs the exec plugin of a cluster's credential.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
async function askPlugin(
  credential: ExecClusterCredential,
): Promise<{ token: string; expiresAt: Date | null }> {
  const { name, exec, apiServer } = credential;
  const { apiVersion, providesClusterInfo, ...program } = exec;
  const info = {
    kind: 'ExecCredential',
    apiVersion,
    spec: { interactive: false, ...(providesClusterInfo && { cluster: { server: apiServer } }) },
  };
  const env = { ...program.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  const { output, exitCode } = await runCredentialProgram({ ...program, env }, '');
  const fail = (problem: string) =>
    new RunError('credential_failed', `${program.command} of credential "${name}" ${problem}.`);
  if (exitCode !== 0) throw fail(`failed with exit code ${exitCode}`);
  const answer = parseItem(output);
  if (answer['kind'] !== 'ExecCredential') throw fail("didn't return an ExecCredential");
  if (answer['apiVersion'] !== apiVersion)
    throw fail(`returned an apiVersion other than ${apiVersion}. Set apiVersion to that of the plugin`);
  const status = isItem(answer['status']) ? answer['status'] : {};
  const { token, expirationTimestamp } = status;
  if (typeof token !== 'string' || token === '' || !isSendable(token))
    throw fail(
      typeof status['clientCertificateData'] === 'string'
        ? "returned a client certificate, which isn't supported. Use a plugin that returns a token"
        : 'returned no token',
    );
  const expiresAt = new Date(typeof expirationTimestamp === 'string' ? expirationTimestamp : Number.NaN);
  return { token, expiresAt: Number.isNaN(expiresAt.getTime()) ? null : expiresAt };
}

function isSendable(text: string): boolean {
  return /^[\x20-\x7e]*$/u.test(text);
}

function parseItem(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isItem(value) ? value : {};
  } catch {
    return {};
  }
}
