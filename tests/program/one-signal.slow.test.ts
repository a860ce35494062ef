import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { isLong } from '../helpers/long-tests.ts';
import { programEnvironment, programMain } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const login = { email: 'admin@localhost', password: 'a password for signals' };

const started: ChildProcess[] = [];
const families: Process[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    for (const { pid } of [...familyOf(child.pid!), ...families.splice(0)]) tryToKill(pid, 'SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Process {
  pid: number;
  parent: number;
  name: string;
}

/** Returns a process and all its descendants. */
function familyOf(pid: number): Process[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  const all = stdout.split('\n').flatMap((line): Process[] => {
    const [, id, parent, state, name] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return id && !state!.startsWith('Z') ? [{ pid: Number(id), parent: Number(parent), name: name! }] : [];
  });
  const family = all.filter((each) => each.pid === pid);
  for (const member of family) family.push(...all.filter(({ parent }) => parent === member.pid));
  return family;
}

function tryToKill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Home directory that all servers share, because creating a database takes several seconds. */
const home = temporaryFolder();
afterAll(() => rmSync(home, { recursive: true, force: true }));
let channelCount = 0;

/** Starts a server with its database and makes the server start a sandbox process. */
async function start(command: string, args: string[]) {
  const dataDir = path.join(home, 'data');
  const child = spawn(command, args, {
    cwd: root,
    env: {
      ...programEnvironment(),
      HOME: home,
      PORT: '0',
      PACEKEEPER_DATA_DIR: dataDir,
      PACEKEEPER_ADMIN_PASSWORD: login.password,
    },
    // Start the command in a separate process group, as a terminal does.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const url = await vi.waitFor(() => /running at (http\S+)/.exec(output)?.[1] ?? expect.fail(output), {
    timeout: 60_000,
    interval: 20,
  });
  const { access_token } = await createApiClient({ baseUrl: url }).call('login', { body: login });
  const api = createApiClient({ baseUrl: url, token: access_token });
  const name = `Channel ${++channelCount}`;
  await api.call('createNotificationChannel', {
    body: { name, url: 'https://hooks.example.org/x', template: '{"text": "{{ alert.id }}"}' },
  });
  const family = familyOf(child.pid!);
  families.push(...family);
  expect(family.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/(main\.ts|pacekeeper\.mjs) serve/),
      expect.stringMatching(/postgres -D/),
      expect.stringMatching(/sandbox-process/),
    ]),
  );
  return { child, family, exited, output: () => output, dataDir };
}

async function checkCleanEnd({ family, exited, output, dataDir }: Awaited<ReturnType<typeof start>>) {
  expect(await exited, output()).toEqual([0, null]);
  const alive = family.filter(({ pid }) => tryToKill(pid, 0));
  const pids = new Set(familyOf(1).map(({ pid }) => pid));
  expect(alive.filter(({ pid }) => pids.has(pid))).toEqual([]);
  // The database must also have shut down cleanly, which removes this file.
  expect(existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  expect(readFileSync(path.join(dataDir, 'postgres.log'), 'utf8')).toMatch(/database system is shut down\n$/);
}

describe('a running server', () => {
  // Starting through npm takes several seconds, so the short form of the tests sends one signal to npm and
  // one to its process group.
  test.each(isLong ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const))(
    'stops all processes with exit code 0 after %s to npm start',
    async (signal) => {
      const running = await start('npm', ['start']);
      process.kill(running.child.pid!, signal);
      await checkCleanEnd(running);
    },
  );

  test.each(isLong ? (['SIGTERM', 'SIGINT', 'SIGHUP'] as const) : (['SIGHUP'] as const))(
    'stops all processes when %s is sent to the whole process group of npm start, as a terminal does',
    async (signal) => {
      const running = await start('npm', ['start']);
      process.kill(-running.child.pid!, signal);
      const ended = await running.exited;
      // npm doesn't wait for the server after SIGHUP, so its exit code proves nothing in that case.
      if (signal !== 'SIGHUP') expect(ended).toEqual([0, null]);
      await vi.waitFor(() => expect(running.family.filter(({ pid }) => tryToKill(pid, 0))).toEqual([]), {
        timeout: 60_000,
      });
      await checkCleanEnd({ ...running, exited: Promise.resolve([0, null]) });
    },
  );

  test('stops all processes with exit code 0 after SIGTERM to every process at the same time, as service managers can send it', async () => {
    const running = await start(process.execPath, [programMain, 'serve']);
    for (const { pid } of running.family) tryToKill(pid, 'SIGTERM');
    await checkCleanEnd(running);
  });

  const canIsolate = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;
  test.skipIf(!canIsolate)(
    'stops all processes with exit code 0 after SIGTERM to the first process of a container',
    async () => {
      const command = [process.execPath, programMain, 'serve'];
      const running = await start('unshare', ['--pid', '--fork', '--mount-proc', ...command]);
      const first = running.family.find(({ parent }) => parent === running.child.pid)!;
      process.kill(first.pid, 'SIGTERM');
      await checkCleanEnd(running);
    },
  );
});

describe('the systemd unit', () => {
  const file = path.join(root, 'deploy/systemd/pacekeeper.service');
  const unit = readFileSync(file, 'utf8');

  test('sends the stop signal only to the server and allows enough time for the shutdown', () => {
    expect(unit).toMatch(/^KillMode=mixed$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1])).toBeGreaterThanOrEqual(30);
    // Other users must not be able to read the data.
    expect(unit).toMatch(/^StateDirectoryMode=0700$/m);
    expect(unit).toMatch(/^UMask=0077$/m);
  });

  test('finds all its files, users, and groups after the commands in the guide have run', () => {
    const guide = readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
    const commands = /\*\*systemd\.\*\*[^]*?```shell\n([^]*?)```/.exec(guide)![1]!.split('\n');
    const valueOf = (name: string) => new RegExp(`^${name}=-?(.*)$`, 'm').exec(unit)![1]!;
    const positionOf = (...words: string[]) => {
      const index = commands.findIndex((command) =>
        words.every((word) => command.split(/[ =]/).includes(word)),
      );
      expect(index, words.join(' ')).toBeGreaterThanOrEqual(0);
      return index;
    };
    const program = path.dirname(valueOf('ExecStart').split(' ')[1]!);
    const data = `/var/lib/${valueOf('StateDirectory')}`;
    const variables = valueOf('EnvironmentFile');
    const steps = [
      positionOf('useradd', valueOf('User')),
      positionOf('install', '-d', '-o', valueOf('User'), data),
      positionOf('install', '-d', program, path.dirname(variables)),
      positionOf('tar', program),
      positionOf('npm', 'install', program),
      positionOf('install', '-g', valueOf('Group'), variables),
      positionOf('tee', variables),
      positionOf('install', 'deploy/systemd/pacekeeper.service', '/etc/systemd/system/'),
      positionOf('systemctl', 'daemon-reload'),
      positionOf('systemctl', 'enable', '--now', 'pacekeeper'),
    ];
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  });

  const canVerify = spawnSync('systemd-analyze', ['--version']).status === 0;
  test.skipIf(!canVerify)('passes the verification of systemd', () => {
    const folder = temporaryFolder();
    folders.push(folder);
    const copy = path.join(folder, 'pacekeeper.service');
    writeFileSync(copy, unit.replace('/usr/bin/node', process.execPath));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toBe('');
    expect(status).toBe(0);
  });
});
