import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const hasProgram = (name: string) => spawnSync(name, ['--version']).status === 0;
const busybox = '/bin/busybox';

/**
 * True if this machine can run test containers, which requires root, Docker, and a program to run in them
 * (busybox-static).
 */
export const hasDocker =
  process.getuid?.() === 0 && hasProgram('dockerd') && hasProgram('docker') && existsSync(busybox);

/** True if the tests run as root and the `podman` program is installed. */
export const hasPodman = process.getuid?.() === 0 && hasProgram('podman');

export interface RealHost {
  socket: string;
  /** Runs `docker` with the given arguments. */
  docker(...args: string[]): void;
  close(): Promise<void>;
}

/** Starts a Docker daemon without networking that stores its data in the given directory. */
export async function startDocker(folder: string): Promise<RealHost> {
  const socket = path.join(folder, 'docker.sock');
  const host = await startDaemon(socket, 'dockerd', [
    '--host',
    `unix://${socket}`,
    '--pidfile',
    path.join(folder, 'pid'),
    '--data-root',
    path.join(folder, 'data'),
    '--exec-root',
    path.join(folder, 'exec'),
    '--iptables=false',
    '--ip6tables=false',
    '--bridge=none',
    '--storage-driver=vfs',
  ]);
  const docker = (...args: string[]) =>
    void execFileSync('docker', ['--host', `unix://${socket}`, ...args], { stdio: 'pipe' });
  return { ...host, docker };
}

/** Creates an image that contains only busybox, without a registry. */
export function importImage({ docker }: RealHost, folder: string, reference: string): void {
  const root = path.join(folder, 'root');
  mkdirSync(path.join(root, 'bin'), { recursive: true });
  copyFileSync(busybox, path.join(root, 'bin/busybox'));
  const archive = path.join(folder, 'root.tar');
  execFileSync('tar', ['--create', '--file', archive, '--directory', root, '.']);
  docker('import', archive, reference);
}

/** Starts the Podman service, which implements the Docker API. */
export async function startPodman(folder: string): Promise<Omit<RealHost, 'docker'>> {
  const socket = path.join(folder, 'podman.sock');
  const data = ['--root', path.join(folder, 'data'), '--runroot', path.join(folder, 'run')];
  return startDaemon(socket, 'podman', [...data, 'system', 'service', '--time=0', `unix://${socket}`]);
}

async function startDaemon(
  socket: string,
  program: string,
  args: readonly string[],
): Promise<Omit<RealHost, 'docker'>> {
  const daemon = spawn(program, args, { stdio: 'ignore' });
  for (let waited = 0; !existsSync(socket); waited += 100) {
    if (waited > 30_000 || daemon.exitCode !== null) throw new Error(`${program} doesn't start`);
    await sleep(100);
  }
  return {
    socket,
    async close() {
      daemon.kill();
      if (daemon.exitCode === null) await once(daemon, 'exit');
    },
  };
}
