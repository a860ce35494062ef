import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { choosePostgresAccount, spawnOptionsFor } from './postgres-account.ts';
import { findPlatformPackage, findPostgresBinaries, type PlatformPackage } from './postgres-binaries.ts';

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];

/** Creates a temporary directory that every user can access. */
function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-binaries-'));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/**
 * Copies only the files that the programs need to print their version. The thousand small files of `share`
 * are skipped.
 */
function copyPackage(to: string, isCopied: (path: string) => boolean = () => true): PlatformPackage {
  const { folder, version } = findPlatformPackage();
  const share = join(folder, 'share');
  cpSync(folder, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path !== share && isCopied(path),
  });
  return { folder: to, version };
}

function linksOf(folder: string): string[] {
  return ['libpq.so.5', 'libicuuc.so.60'].filter((name) =>
    lstatSync(join(folder, 'lib', name), { throwIfNoEntry: false })?.isSymbolicLink(),
  );
}

test('the PostgreSQL programs are run directly from the npm package if possible', () => {
  const dataDir = openFolder();
  const { folder } = findPlatformPackage();
  const { initdb, majorVersion } = findPostgresBinaries(dataDir, undefined);
  expect(initdb).toBe(join(folder, 'bin', 'initdb'));
  expect(majorVersion).toBe(18);
  expect(statSync(join(dataDir, 'postgres-binaries'), { throwIfNoEntry: false })).toBeUndefined();
});

test.skipIf(!isRoot)(
  'programs are copied once and run from the copy if their user cannot access the original directory',
  () => {
    const [closed, dataDir] = [openFolder(), openFolder()];
    const account = choosePostgresAccount('/nowhere');
    const closedPackage = copyPackage(join(closed, 'native'));
    chmodSync(closed, 0o700);

    const { postgres } = findPostgresBinaries(dataDir, account, closedPackage);
    expect(postgres).toBe(join(dataDir, 'postgres-binaries', closedPackage.version, 'bin', 'postgres'));
    expect(
      spawnSync(postgres, ['--version'], { ...spawnOptionsFor(account), encoding: 'utf8' }).stdout,
    ).toMatch(/^postgres .* 18/);
    const copy = join(dataDir, 'postgres-binaries', closedPackage.version);
    expect(linksOf(copy)).toHaveLength(2);
    expect(readlinkSync(join(copy, 'lib', 'libpq.so.5'))).not.toContain('/');

    const { ino } = statSync(postgres);
    findPostgresBinaries(dataDir, account, closedPackage);
    expect(statSync(postgres).ino).toBe(ino);
  },
);

test('symbolic links missing from the installation are created', () => {
  const bare = copyPackage(join(openFolder(), 'native'), (path) => !lstatSync(path).isSymbolicLink());
  expect(linksOf(bare.folder)).toEqual([]);
  const { postgres } = findPostgresBinaries(openFolder(), undefined, bare);
  expect(postgres).toBe(join(bare.folder, 'bin', 'postgres'));
  expect(linksOf(bare.folder)).toHaveLength(2);
});

test('a platform without programs fails with an error that suggests DATABASE_URL', () => {
  expect(() => findPlatformPackage('sunos', 'sparc')).toThrow(
    /No embedded PostgreSQL is available for sunos on sparc.*set DATABASE_URL to a PostgreSQL server \(14 or later\)/s,
  );
});

test('the error for programs that do not run contains their own error message', () => {
  const folder = join(openFolder(), 'native');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  cpSync('/bin/false', join(folder, 'bin', 'initdb'));
  expect(() => findPostgresBinaries(openFolder(), undefined, { folder, version: '18.0.0' })).toThrow(
    /don't run on this system: initdb: .*DATABASE_URL/,
  );
});
