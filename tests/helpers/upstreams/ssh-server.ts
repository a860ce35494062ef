import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { fastestTemporaryFolder } from '../temporary-folder.ts';
import { createRepository, hasGit, type TestRepository } from './git-server.ts';

const sshd = ['/usr/sbin/sshd', '/usr/bin/sshd'].find((file) => existsSync(file)) ?? null;

/**
 * True if sshd is installed, for example from the Debian package openssh-server. The tests don't use the
 * machine's own sshd service or its configuration.
 */
export const hasSshd = sshd !== null && hasGit && existsSync('/usr/bin/ssh-keygen');

export interface SshServer {
  host: string;
  /** Private key that the server accepts. */
  privateKey: string;
  /** Private key that the server rejects. */
  otherKey: string;
  /** Host key of the server, as a line of a known_hosts file. */
  knownHosts: string;
  createRepository(name: string): TestRepository;
  close(): Promise<void>;
}

/** Starts a real sshd on loopback that serves git repositories to the current user. */
export async function startSshServer(): Promise<SshServer> {
  const folder = mkdtempSync(path.join(fastestTemporaryFolder, 'pacekeeper-sshd-'));
  const at = (name: string): string => path.join(folder, name);
  for (const name of ['host', 'user', 'other']) {
    execFileSync('/usr/bin/ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', at(name)]);
  }
  const port = await freePort();
  writeFileSync(at('authorized_keys'), `restrict ${readFileSync(at('user.pub'), 'utf8')}`, { mode: 0o600 });
  writeFileSync(
    at('config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${at('host')}`,
      `PidFile ${at('pid')}`,
      `AuthorizedKeysFile ${at('authorized_keys')}`,
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'UsePAM no',
      'StrictModes no',
      'PermitRootLogin prohibit-password',
      'AcceptEnv GIT_PROTOCOL',
    ].join('\n'),
  );
  // When it runs as root, sshd requires this directory for privilege separation.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const child = spawn(sshd ?? '', ['-D', '-e', '-f', at('config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Server listening')) resolve();
    });
    child.on('exit', () => reject(new Error(`sshd ended: ${said}`)));
  });
  const host = `127.0.0.1:${port}`;
  return {
    host,
    privateKey: readFileSync(at('user'), 'utf8'),
    otherKey: readFileSync(at('other'), 'utf8'),
    knownHosts: `[127.0.0.1]:${port} ${readFileSync(at('host.pub'), 'utf8')}`,
    createRepository: (name) =>
      createRepository(at(name), `ssh://${userInfo().username}@${host}${at(name)}`, 'sha1'),
    close: () =>
      new Promise((resolve) => {
        child.on('exit', () => {
          rmSync(folder, { recursive: true, force: true });
          resolve();
        });
        child.kill('SIGTERM');
      }),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
