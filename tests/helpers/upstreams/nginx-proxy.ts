import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../temporary-folder.ts';

/** Path of nginx on this machine, or `null` if it isn't installed. */
export const nginxPath =
  ['/usr/sbin/nginx', 'nginx'].find((each) => spawnSync(each, ['-v']).status === 0) ?? null;

/** Suffix for the titles of tests that are skipped without nginx. */
export const noNginxSuffix = nginxPath === null ? ' (skipped: nginx is not installed)' : '';

/**
 * Starts nginx on a port of 127.0.0.1.
 *
 * @param locations The `location` blocks of its configuration.
 */
export async function startNginx(port: number, locations: string): Promise<{ close(): Promise<void> }> {
  const folder = temporaryFolder();
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events {}
http {
  access_log off;
${kinds.map((kind) => `  ${kind}_temp_path ${folder}/${kind};\n`).join('')}
  server {
    listen 127.0.0.1:${port};
${locations}
  }
}
`,
  );
  const child = spawn(nginxPath!, ['-p', folder, '-c', path.join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await sleep(50);
  }
  return {
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.end();
  });
}

/** Returns a port on which nothing listens. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
