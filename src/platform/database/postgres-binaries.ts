import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError, externalServerRemedy } from './embedded-postgres-error.ts';
import { type PostgresAccount, spawnOptionsFor } from './postgres-account.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  majorVersion: number;
}

/**
 * Returns the binaries of the npm package for this platform, after a test with the account that will run
 * them. The binaries are copied to `dataDir` once if the account can't access their directory (`/root/…`), or
 * if symlinks are missing and can't be created.
 */
export function findPostgresBinaries(
  dataDir: string,
  account: PostgresAccount | undefined,
  { folder, version }: PlatformPackage = findPlatformPackage(),
): PostgresBinaries {
  const hasLinks = makeMissingLinks(folder);
  const failure = hasLinks ? tryBinaries(folder, account) : 'links are missing';
  if (failure === undefined) return binariesIn(folder, version);

  const copy = join(dataDir, 'postgres-binaries', version);
  if (!existsSync(copy)) copyBinaries(folder, copy);
  const failureOfCopy = tryBinaries(copy, account);
  if (failureOfCopy === undefined) return binariesIn(copy, version);
  throw new EmbeddedPostgresError(
    'unsupported_platform',
    `The PostgreSQL binaries in ${folder} don't run on this system: ${failureOfCopy}. ${externalServerRemedy}`,
  );
}

export interface PlatformPackage {
  /** Directory that contains `bin`, `lib`, and `share`. */
  folder: string;
  version: string;
}

export function findPlatformPackage(
  platform: string = process.platform,
  arch: string = process.arch,
): PlatformPackage {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(root, 'native'), version };
  } catch (error) {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      `No embedded PostgreSQL is available for ${platform} on ${arch} (the npm package ${name} isn't ` +
        'installed). It\'s available for Linux with glibc and macOS: run "npm ci" without --omit=optional. ' +
        externalServerRemedy,
      error,
    );
  }
}

function binariesIn(folder: string, version: string): PostgresBinaries {
  return {
    initdb: join(folder, 'bin', 'initdb'),
    postgres: join(folder, 'bin', 'postgres'),
    majorVersion: Number.parseInt(version, 10),
  };
}

/** Returns the reason why the binaries don't run. `undefined` if they run. */
function tryBinaries(folder: string, account: PostgresAccount | undefined): string | undefined {
  for (const program of ['initdb', 'postgres']) {
    const path = join(folder, 'bin', program);
    const { status, error, stderr } = spawnSync(path, ['--version'], {
      ...spawnOptionsFor(account),
      encoding: 'utf8',
    });
    if (error && 'code' in error && error.code === 'ENOENT' && existsSync(path)) {
      // The file exists, so its dynamic loader is missing.
      return "this system has no glibc (Alpine and other musl systems aren't supported)";
    }
    if (error) return `${program}: ${error.message}`;
    if (status !== 0) return `${program}: ${stderr.trim().split('\n').at(-1) ?? `exit code ${status}`}`;
  }
  return undefined;
}

/**
 * Creates missing symlinks. npm packages can't contain symlinks, and the install script that creates them may
 * be disabled.
 *
 * @returns True if all symlinks exist.
 */
function makeMissingLinks(folder: string): boolean {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      const path = join(folder, target.replace(/^native\//, ''));
      if (!lstatSync(path, { throwIfNoEntry: false })) symlinkSync(basename(source), path);
    }
    return true;
  } catch {
    return false;
  }
}

function copyBinaries(from: string, to: string): void {
  rmSync(dirname(to), { recursive: true, force: true });
  const half = `${to}.copying`;
  mkdirSync(half, { recursive: true, mode: 0o755 });
  cpSync(from, half, { recursive: true, verbatimSymlinks: true });
  makeWorldReadable(dirname(half));
  if (!makeMissingLinks(half)) {
    throw new EmbeddedPostgresError(
      'folder_not_usable',
      `${half} doesn't support symlinks. Set PACEKEEPER_DATA_DIR to another directory.`,
    );
  }
  renameSync(half, to);
}

/**
 * Grants access to all users, because a strict umask during installation must not prevent access by the
 * PostgreSQL account.
 */
function makeWorldReadable(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (statSync(path).isDirectory())
    for (const entry of readdirSync(path)) makeWorldReadable(join(path, entry));
}
