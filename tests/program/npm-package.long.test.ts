import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import { programMain } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const run = promisify(execFile);
const folder = temporaryFolder();
/** Working directory for npx. */
const empty = path.join(folder, 'empty');
const built = path.dirname(programMain);
const started: ChildProcess[] = [];
let tarball: string;
let env: Record<string, string | undefined>;

/** Matches the environment variables that npm requires to reach a registry, except those that `npm test` sets. */
const reach =
  /^(PATH|HOME|LANG|(npm_config_)?(registry|cafile|https?[-_]proxy|no_?proxy)|NODE_EXTRA_CA_CERTS)$/i;

beforeAll(async () => {
  mkdirSync(empty);
  env = Object.fromEntries(Object.entries(process.env).filter(([name]) => reach.test(name)));
  const { stdout: usual } = await run('npm', ['config', 'get', 'cache'], { cwd: folder, env });
  // The installation of npx is deleted with the directory. The download cache is shared, so nothing is
  // downloaded twice.
  const cache = path.join(folder, 'cache');
  mkdirSync(cache);
  mkdirSync(path.join(usual.trim(), '_cacache'), { recursive: true });
  symlinkSync(path.join(usual.trim(), '_cacache'), path.join(cache, '_cacache'));
  Object.assign(env, { npm_config_cache: cache, npm_config_prefer_offline: 'true', npm_config_yes: 'true' });
  const { stdout } = await run('npm', ['pack', built, '--json', '--pack-destination', folder], {
    cwd: folder,
    env,
  });
  const [packed] = JSON.parse(stdout) as [{ filename: string }];
  tarball = path.join(folder, packed.filename);
});

afterAll(() => {
  for (const child of started) signalGroup(child, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const npxArguments = (args: readonly string[]) => [`--package=${tarball}`, 'pacekeeper', ...args];

async function npx(args: readonly string[], more: Record<string, string>): Promise<string> {
  return (await run('npx', npxArguments(args), { cwd: empty, env: { ...env, ...more } })).stdout;
}

/** Starts npx in a separate process group, as a terminal does. */
function startNpx(args: readonly string[], more: Record<string, string>) {
  const child = spawn('npx', npxArguments(args), {
    cwd: empty,
    env: { ...env, PACEKEEPER_LOG_FORMAT: 'json', ...more },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const waitFor = (pattern: RegExp) =>
    vi.waitFor(() => pattern.exec(output) ?? expect.fail(output), { timeout: 60_000, interval: 100 });
  return { child, waitFor, output: () => output };
}

/**
 * Sends a signal to the process group of a child.
 * @returns True if the group still has a process.
 */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid!, signal);
  } catch {
    return false;
  }
}

test('npx runs the server, the CLI, and an agent in an empty directory', async () => {
  // For root, the default data directory is /var/lib/pacekeeper.
  const server = startNpx(['serve'], {
    PORT: '0',
    ...(process.getuid?.() === 0 && { PACEKEEPER_DATA_DIR: './data' }),
  });
  const [, url] = await server.waitFor(/running at (http\S+)/);
  const [, email, password] = await server.waitFor(/Log in as (\S+) with password (\S+)/);
  expect(readdirSync(empty)).toEqual(['data']);
  const [installed] = globSync('cache/_npx/*/node_modules/.bin/pacekeeper', { cwd: folder });
  const { stdout: version } = await run(path.join(folder, installed!), ['--version'], { env });
  expect(version).toBe(`pacekeeper ${packageJson.version}\n`);
  const page = await fetch(url!, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('<div id="root">');
  for (const file of [
    '/docs',
    '/api/v1/swagger/assets/swagger-ui-bundle.js',
    '/api/spec/openapi-client.yaml',
  ])
    expect((await fetch(url! + file)).status, file).toBe(200);

  const login = { email: email!, password: password! };
  const { access_token } = await createApiClient({ baseUrl: url! }).call('login', { body: login });
  const api = createApiClient({ baseUrl: url!, token: access_token });
  await api.call('createScrapeJob', { body: { name: 'Web', parser_type: 'manual' } });
  const listed = await npx(['get', 'scrape-jobs'], await variables(api, url!, 'viewer'));
  expect(listed).toMatch(/^\d+\s+Web\b/m);

  const config = path.join(folder, 'agent.yaml');
  writeFileSync(config, 'name: elsewhere\n');
  const agent = startNpx(['agent', '--config', config], await variables(api, url!, 'agent'));
  await vi.waitFor(
    async () => {
      const { items } = await api.call('listAgents');
      expect(
        items.map(({ name }) => name),
        agent.output(),
      ).toContain('elsewhere');
    },
    { timeout: 60_000, interval: 200 },
  );

  // Sends SIGINT, as Ctrl-C does. npx exits immediately, but its child processes exit after they finish their
  // work.
  for (const { child, output } of [agent, server]) {
    signalGroup(child, 'SIGINT');
    await vi.waitFor(() => expect(signalGroup(child, 0), output()).toBe(false), {
      timeout: 60_000,
      interval: 100,
    });
  }
  expect(existsSync(path.join(empty, 'data/postgres/PG_VERSION'))).toBe(true);
  expect(existsSync(path.join(empty, 'data/postgres/postmaster.pid'))).toBe(false);
});

async function variables(api: ApiClient, url: string, role: 'viewer' | 'agent') {
  const { key } = await api.call('createAPIKey', { body: { name: role, role } });
  return { PACEKEEPER_SERVER_URL: url, PACEKEEPER_API_KEY: key, XDG_CONFIG_HOME: folder };
}
