import { accessSync, chownSync, constants, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type FaultServer, startProgram } from './fault-world.ts';

/** User ID of the default unprivileged user on Linux. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const login = { email: 'admin@localhost', password: 'a password for faults' };
const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Returns true if other users can read and enter a path and all its parent directories, which the program
 * requires.
 */
function othersMayRead(file: string): boolean {
  for (let each = file; ; each = path.dirname(each)) {
    if ((statSync(each).mode & 0o005) === 0) return false;
    if (each === path.dirname(each)) return true;
  }
}

function serveAsNobody(dataDir: string) {
  return startProgram(
    ['serve'],
    {
      PORT: '0',
      HOME: '/nonexistent',
      PACEKEEPER_DATA_DIR: dataDir,
      PACEKEEPER_ADMIN_PASSWORD: login.password,
      PACEKEEPER_LOG_LEVEL: 'warn',
    },
    { uid: nobody, gid: nobody, cwd: '/' },
  );
}

async function write(server: Pick<FaultServer, 'url'>): Promise<number> {
  const { access_token } = await createApiClient({ baseUrl: server.url }).call('login', { body: login });
  const api = createApiClient({ baseUrl: server.url, token: access_token });
  await api.call('createScrapeJob', { body: { name: 'by hand', parser_type: 'manual' } });
  return (await api.call('listScrapeJobs')).total;
}

const canRun = isRoot && othersMayRead(import.meta.dirname) && othersMayRead(process.execPath);

describe.skipIf(!canRun)('an unprivileged process with the embedded database', () => {
  test('starts, keeps acknowledged writes after kill -9, and owns its database files', async () => {
    const dataDir = path.join(folder, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, nobody, nobody);
    const first = serveAsNobody(dataDir);
    const [, url] = await first.waitForOutput(/running at (\S+)/);
    expect(await write({ url: url! })).toBe(1);
    expect(statSync(path.join(dataDir, 'postgres')).uid).toBe(nobody);
    const second = serveAsNobody(dataDir);
    expect(await second.exited).toBe(1);
    expect(second.stderr()).toMatch(/already running/);
    first.process.kill('SIGKILL');
    await first.exited;

    const third = serveAsNobody(dataDir);
    const [, again] = await third.waitForOutput(/running at (\S+)/);
    expect(await write({ url: again! })).toBe(2);
    expect(await third.stop()).toBe(0);
    expect(third.stderr()).toBe('');
  });

  test('exits with a one-line error if it cannot write to the data directory', async () => {
    const dataDir = path.join(folder, 'of-root');
    mkdirSync(dataDir, { mode: 0o755 });
    const program = serveAsNobody(dataDir);
    expect(await program.exited).toBe(1);
    expect(program.stderr()).toMatch(/^pacekeeper: Can't write to the data directory .*of-root.*\n$/);
    accessSync(dataDir, constants.R_OK);
  });
});
