import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { authorizationHeader, type SourceCredential } from '../../sources/source-credential.ts';
import type { ProxyTicket } from './guarded-proxy.ts';
import { createPrivateFile, type PrivateFile } from './private-file.ts';

/** Location of a repository, in the form that git requires. */
export interface GitTarget {
  url: string;
  scheme: 'https' | 'http' | 'ssh';
  hostname: string;
  port: number;
}

/** Configuration of every git process, regardless of the configuration of the machine or repository. */
const fixedConfig: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.askPass', ''],
  ['core.bigFileThreshold', '16m'],
  ['credential.helper', ''],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.unpackLimit', '1'],
  ['fetch.writeCommitGraph', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '30'],
  ['http.proxyAuthMethod', 'basic'],
  ['http.sslVerify', 'true'],
  ['pack.threads', '1'],
  ['protocol.version', '2'],
  ['submodule.recurse', 'false'],
];

const inheritedVariables = ['PATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'];

/**
 * Returns the environment of a git process that only reads local data. It can't use any protocol.
 * @param home An empty directory.
 */
export function localGitEnvironment(home: string, gitDir: string): Record<string, string> {
  return environment(home, gitDir, '', []);
}

/**
 * Returns the environment of a git process that connects to the remote repository. Secrets are passed in the
 * environment and never as arguments, which other users of the machine can see. The remote `origin` is
 * configured only in this environment. Local commands run without it, so that they report a missing object
 * instead of fetching it.
 */
export function remoteGitEnvironment(options: {
  home: string;
  gitDir: string;
  target: GitTarget;
  ticket: ProxyTicket;
  credential: SourceCredential | null;
  /** Directory from `writeSshFolder`. Only for `ssh`. */
  sshFolder: string | null;
  /** File with the only certificates to trust. Null to trust the default certificates. */
  caFile: string | null;
}): Record<string, string> {
  const { home, gitDir, target, ticket, credential, sshFolder, caFile } = options;
  const config: [string, string][] = [
    ['remote.origin.url', target.url],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.partialclonefilter', 'blob:none'],
    ['remote.origin.tagOpt', '--no-tags'],
  ];
  if (target.scheme === 'ssh') {
    return {
      ...environment(home, gitDir, 'ssh', config),
      GIT_SSH_COMMAND: `ssh -F ${quote(path.join(sshFolder ?? '', 'config'))}`,
      GIT_SSH_VARIANT: 'ssh',
      PACEKEEPER_PROXY: JSON.stringify({
        port: ticket.port,
        authorization: `Basic ${Buffer.from(`${ticket.user}:${ticket.secret}`).toString('base64')}`,
        target: `${target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname}:${target.port}`,
      }),
    };
  }
  config.push(['http.proxy', `http://${ticket.user}:${ticket.secret}@127.0.0.1:${ticket.port}`]);
  // Git hosts accept a token as the password of basic authentication, with any non-empty username.
  const withName =
    credential && 'token' in credential
      ? { ...credential, username: credential.username ?? 'x-access-token' }
      : credential;
  const authorization = withName ? authorizationHeader(withName, 'basic') : null;
  if (authorization !== null) config.push(['http.extraHeader', `Authorization: ${authorization}`]);
  const own = environment(home, gitDir, target.scheme, config);
  return caFile === null ? own : { ...own, GIT_SSL_CAINFO: caFile };
}

function environment(
  home: string,
  gitDir: string,
  allowedProtocol: string,
  config: readonly (readonly [string, string])[],
): Record<string, string> {
  const all = [...fixedConfig, ...config];
  const own = inheritedVariables.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return {
    ...Object.fromEntries(own),
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_DIR: gitDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_ALLOW_PROTOCOL: allowedProtocol,
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(
      all.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

/**
 * Writes the key, known hosts, and configuration for one ssh process. The caller must delete the directory
 * afterwards.
 *
 * @returns The key. The caller must close it before deleting the directory.
 */
export async function writeSshFolder(
  folder: string,
  credential: { privateKey: string; knownHosts: string },
): Promise<PrivateFile> {
  mkdirSync(folder, { mode: 0o700 });
  const at = (name: string): string => path.join(folder, name);
  const write = (name: string, text: string): void => writeFileSync(at(name), text, { mode: 0o600 });
  write('known_hosts', credential.knownHosts);
  write('connect.mjs', connectThroughProxy);
  const key = await createPrivateFile(at('key'), credential.privateKey);
  write(
    'config',
    Object.entries({
      IdentityFile: `"${key.path}"`,
      IdentitiesOnly: 'yes',
      IdentityAgent: 'none',
      AddKeysToAgent: 'no',
      UserKnownHostsFile: `"${at('known_hosts')}"`,
      GlobalKnownHostsFile: '/dev/null',
      StrictHostKeyChecking: 'yes',
      UpdateHostKeys: 'no',
      VerifyHostKeyDNS: 'no',
      PreferredAuthentications: 'publickey',
      PasswordAuthentication: 'no',
      KbdInteractiveAuthentication: 'no',
      BatchMode: 'yes',
      ForwardAgent: 'no',
      ForwardX11: 'no',
      ClearAllForwardings: 'yes',
      PermitLocalCommand: 'no',
      CanonicalizeHostname: 'no',
      ControlMaster: 'no',
      ControlPath: 'none',
      ConnectTimeout: '20',
      ServerAliveInterval: '15',
      ServerAliveCountMax: '3',
      LogLevel: 'ERROR',
      // The target is passed in the environment, because a shell would interpret a host in the command line. The memory
      // limit of git is removed, because this helper reserves more memory than it uses.
      ProxyCommand: `/bin/sh -c 'ulimit -S -v unlimited; exec "$0" "$1"' ${quote(process.execPath)} ${quote(at('connect.mjs'))}`,
    })
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  );
  return key;
}

/** Script that ssh runs to connect its standard input and output to the target through the guarded proxy. */
const connectThroughProxy = `
import { request } from 'node:http';
const { port, authorization, target } = JSON.parse(process.env.PACEKEEPER_PROXY);
const asking = request({
  host: '127.0.0.1', port, method: 'CONNECT', path: target,
  headers: { host: target, 'proxy-authorization': authorization },
});
asking.on('connect', (answer, socket, head) => {
  if (answer.statusCode !== 200) process.exit(1);
  process.stdout.write(head);
  process.stdin.pipe(socket).pipe(process.stdout);
  socket.on('close', () => process.exit(0)).on('error', () => process.exit(1));
});
asking.on('error', () => process.exit(1)).end();
`;

/** Quotes text for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
