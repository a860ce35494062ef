import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { explainPostgresFailure, isStillExiting } from './explain-postgres-failure.ts';
import { type PostgresAccount, spawnOptionsFor } from './postgres-account.ts';

/** Only user of the embedded database. */
export const superuser = 'pacekeeper';

/**
 * Access rules that require the password for every connection to the socket, even from processes of the same
 * operating-system user.
 */
const accessRules = `# Written by Pacekeeper at every start.\nlocal all ${superuser} scram-sha-256\n`;

/**
 * Returns the path of the password file. It is in the PostgreSQL data directory, so copies of the directory
 * include it. Only the owner of Pacekeeper's data directory can read it. If Pacekeeper runs as root,
 * PostgreSQL runs as a different user.
 */
const passwordFile = (pgDataDir: string) => join(pgDataDir, 'pacekeeper-password');

const passwordForm = /^[A-Za-z0-9_-]{43}$/;

export interface AccessOptions {
  dataDir: string;
  pgDataDir: string;
  postgres: string;
  account: PostgresAccount | undefined;
}

/**
 * Protects the database with a password, which is created if none is stored. Call it only while PostgreSQL
 * isn't running.
 *
 * @returns The password.
 */
export async function secureAccess(options: AccessOptions): Promise<string> {
  const { dataDir, pgDataDir, account } = options;
  let password = tryToRead(pgDataDir);
  if (password === null) {
    password = randomBytes(32).toString('base64url');
    await setPassword(options, password);
    // Store the password after it is set. If a start is interrupted before this point, the next start sets a
    // new password.
    replaceFile(passwordFile(pgDataDir), `${password}\n`, statSync(dataDir));
  }
  const rules = join(pgDataDir, 'pg_hba.conf');
  if (readFileSync(rules, 'utf8') !== accessRules)
    replaceFile(rules, accessRules, account ?? statSync(pgDataDir));
  return password;
}

/**
 * Returns the password of a running database. Throws if the password is missing or this user can't read it.
 */
export function readPassword(pgDataDir: string): string {
  const password = tryToRead(pgDataDir);
  if (password !== null) return password;
  throw new EmbeddedPostgresError(
    'folder_not_usable',
    `${passwordFile(pgDataDir)} is missing or invalid. Restart the server to create a new one.`,
  );
}

/** Returns the password, or `null` if no valid password is stored. */
function tryToRead(pgDataDir: string): string | null {
  const file = passwordFile(pgDataDir);
  let handle: number;
  try {
    // Don't follow symlinks, which could lead to a file that must not be sent as a password.
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ELOOP') return null;
    throw new EmbeddedPostgresError(
      'folder_not_usable',
      `Pacekeeper can't read ${file} (${String(code)}). Run it as the user that owns the file, or as root.`,
      error,
    );
  }
  try {
    const password = readFileSync(handle, 'utf8').trim();
    return passwordForm.test(password) ? password : null;
  } finally {
    closeSync(handle);
  }
}

/**
 * Sets the password in single-user mode, in which PostgreSQL doesn't accept connections. The password is
 * passed through standard input.
 */
async function setPassword(options: AccessOptions, password: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const output = await runInSingleUserMode(options, `ALTER ROLE ${superuser} PASSWORD '${password}'\n`);
    if (output === null) return;
    if (tries >= 50 || !isStillExiting(output)) throw explainPostgresFailure(output, options.dataDir);
    await sleep(200);
  }
}

/**
 * Runs a statement in single-user mode.
 *
 * @returns The output of PostgreSQL if the statement failed, otherwise `null`.
 */
async function runInSingleUserMode({ pgDataDir, postgres, account }: AccessOptions, statement: string) {
  const settings = ['log_min_error_statement=panic', 'password_encryption=scram-sha-256'];
  const args = ['--single', '-D', pgDataDir, ...settings.flatMap((setting) => ['-c', setting]), 'postgres'];
  const child = spawn(postgres, args, {
    ...spawnOptionsFor(account),
    // Without a separate session, Ctrl-C would cancel the statement. When this process ends, standard input
    // closes and PostgreSQL exits.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { LC_ALL: 'C', TZ: 'UTC' },
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(statement);
  const [status, output] = await Promise.all([exited, text(child.stderr)]);
  return status === 0 && !/\b(ERROR|FATAL|PANIC):/.test(output) ? null : output;
}

/**
 * Writes a file under a temporary name, then renames it. Only its owner can read the file. A symlink with the
 * final name is replaced, too.
 */
function replaceFile(file: string, content: string, { uid, gid }: { uid: number; gid: number }): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = openSync(draft, 'wx', 0o600);
    try {
      fchmodSync(handle, 0o600);
      if (process.getuid?.() === 0) fchownSync(handle, uid, gid);
      writeSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
