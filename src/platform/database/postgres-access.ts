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
import { explainPostgresFailure, isStillEnding } from './explain-postgres-failure.ts';
import { type PostgresAccount, runAs } from './postgres-account.ts';

/** The one user of the embedded database. */
export const superuser = 'pacekeeper';

/** Everyone who reaches the socket needs the password, also processes of the same operating-system user. */
const accessRules = `# Written by Pacekeeper at every start.\nlocal all ${superuser} scram-sha-256\n`;

/**
 * Kept in PostgreSQL's own folder, so that whoever copies one copies both. Readable for the owner of the data folder
 * only, which as root isn't the user that PostgreSQL runs as.
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
 * Closes the database to everyone without its password, and returns that. Data folders of earlier versions, which had
 * none, get one. Call it while PostgreSQL doesn't run.
 */
export async function secureAccess(options: AccessOptions): Promise<string> {
  const { dataDir, pgDataDir, account } = options;
  let password = tryToRead(pgDataDir);
  if (password === null) {
    password = randomBytes(32).toString('base64url');
    await setPassword(options, password);
    // Only now: a start that was cut off before sets another one.
    replaceFile(passwordFile(pgDataDir), `${password}\n`, statSync(dataDir));
  }
  const rules = join(pgDataDir, 'pg_hba.conf');
  if (readFileSync(rules, 'utf8') !== accessRules)
    replaceFile(rules, accessRules, account ?? statSync(pgDataDir));
  return password;
}

/** The password of a database that runs. Throws when this user can't read it. */
export function readPassword(pgDataDir: string): string {
  const password = tryToRead(pgDataDir);
  if (password !== null) return password;
  throw new EmbeddedPostgresError(
    'folder_not_usable',
    `${passwordFile(pgDataDir)} is missing or invalid. Restart the server to create a new one.`,
  );
}

/** Null when there is none. */
function tryToRead(pgDataDir: string): string | null {
  const file = passwordFile(pgDataDir);
  let handle: number;
  try {
    // A link here could lead to a file that isn't meant to be sent as a password.
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

/** In single-user mode, in which PostgreSQL listens nowhere. The password goes in by standard input. */
async function setPassword(options: AccessOptions, password: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const output = await runAlone(options, `ALTER ROLE ${superuser} PASSWORD '${password}'\n`);
    if (output === null) return;
    if (tries >= 50 || !isStillEnding(output)) throw explainPostgresFailure(output, options.dataDir);
    await sleep(200);
  }
}

/** Returns what PostgreSQL wrote when it didn't run the statement. */
async function runAlone({ pgDataDir, postgres, account }: AccessOptions, statement: string) {
  const settings = ['log_min_error_statement=panic', 'password_encryption=scram-sha-256'];
  const args = ['--single', '-D', pgDataDir, ...settings.flatMap((setting) => ['-c', setting]), 'postgres'];
  const child = spawn(postgres, args, {
    ...runAs(account),
    // Ctrl-C would cancel the statement. When this process ends, so does its input, and PostgreSQL with it.
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

/** Written under another name first, for an owner, and readable by nobody else. A link in its place is replaced too. */
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
