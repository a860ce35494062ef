import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CliError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';

/** A session on one server. */
export interface Session {
  email: string;
  organization: string;
  accessToken: string;
  refreshToken: string;
  /** Name of the cookie in which the server expects the refresh token. */
  refreshCookieName: string;
}

interface Sessions {
  /** Server that commands use by default. */
  current: string | null;
  servers: Record<string, Session>;
}

const noSessions: Sessions = { current: null, servers: {} };

/**
 * Returns the path of `$XDG_CONFIG_HOME/pacekeeper/session.json`, where `login` stores the session. Only the
 * owner can read the file.
 */
export function sessionFile(env: NodeJS.ProcessEnv): string {
  // The XDG Base Directory Specification requires that relative paths are ignored.
  const given = env['XDG_CONFIG_HOME'];
  const base = given && path.isAbsolute(given) ? given : path.join(env['HOME'] || homedir(), '.config');
  return path.join(base, 'pacekeeper', 'session.json');
}

export async function readSessions(file: string, io: Pick<CliIo, 'stderr'>): Promise<Sessions> {
  let text: string;
  try {
    await restrictAccess(file, io);
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return noSessions;
    throw new CliError(`Can't read the session: ${error instanceof Error ? error.message : file}`);
  }
  try {
    const sessions: unknown = JSON.parse(text);
    if (isSessions(sessions)) return sessions;
  } catch {
    // Ignore this error, because the error below contains the remedy.
  }
  throw new CliError(`${file} is corrupt. Delete it and log in again.`);
}

/**
 * Stores the session for a server, or removes it if `session` is null. A login makes its server the current
 * one. After a logout, the server remains current, so that error messages can suggest a login command for it.
 */
export async function writeSession(
  file: string,
  server: string,
  session: Session | null,
  io: Pick<CliIo, 'stderr'>,
): Promise<void> {
  await changeSessions(file, io, ({ current, servers: { [server]: _replaced, ...others } }) =>
    session ? { current: server, servers: { ...others, [server]: session } } : { current, servers: others },
  );
}

/**
 * Stores the new tokens of a session. The current server is unchanged, because the command can have used
 * another one.
 */
export async function renewSession(
  file: string,
  server: string,
  session: Session,
  io: Pick<CliIo, 'stderr'>,
): Promise<void> {
  await changeSessions(file, io, ({ current, servers }) => ({
    current,
    servers: { ...servers, [server]: session },
  }));
}

/**
 * Applies a change to the stored sessions. Reads the file again, because another command can have written it.
 */
async function changeSessions(
  file: string,
  io: Pick<CliIo, 'stderr'>,
  change: (before: Sessions) => Sessions,
): Promise<void> {
  const { current, servers } = change(await readSessions(file, io));
  try {
    await replaceFile(file, `${JSON.stringify({ current, servers }, null, 2)}\n`);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`Can't store the session: ${error instanceof Error ? error.message : file}`);
  }
}

/** Replaces the file atomically, so that no command reads a partially written file. */
async function replaceFile(file: string, text: string): Promise<void> {
  const directory = path.dirname(file);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await requirePrivateDirectory(directory);
  const next = path.join(directory, `.session-${process.pid}-${performance.now()}.json`);
  try {
    const handle = await open(next, 'wx', 0o600);
    try {
      // A umask can remove permissions from the mode, even those of the owner, so set the mode explicitly.
      await handle.chmod(0o600);
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    await rename(next, file);
  } finally {
    await rm(next, { force: true });
  }
}

/**
 * Removes write access of other users to the directory, and throws an error if it belongs to one of them. A
 * user with write access could replace the file, and with it the server that receives the password.
 */
async function requirePrivateDirectory(directory: string): Promise<void> {
  if (!hasFileModes) return;
  const { mode, uid } = await stat(directory);
  if (uid !== process.getuid?.() && uid !== 0)
    throw new CliError(`${directory} belongs to another user. Set XDG_CONFIG_HOME to a directory you own.`);
  if ((mode & 0o022) !== 0) await chmod(directory, mode & 0o755);
}

/** Restricts the file to its owner. A copied or restored file can have a different mode. */
async function restrictAccess(file: string, io: Pick<CliIo, 'stderr'>): Promise<void> {
  if (!hasFileModes) return;
  const { mode } = await stat(file);
  if ((mode & 0o077) === 0) return;
  await chmod(file, 0o600);
  io.stderr(
    `Warning: other users could read ${file}; now they can't. If someone may have copied it, run 'pacekeeper logout' and log in again.\n`,
  );
}

/** False on Windows, which has no file modes. */
const hasFileModes = process.platform !== 'win32';

function isSessions(value: unknown): value is Sessions {
  if (typeof value !== 'object' || value === null || !('current' in value) || !('servers' in value))
    return false;
  const { current, servers } = value;
  if (current !== null && typeof current !== 'string') return false;
  return typeof servers === 'object' && servers !== null && Object.values(servers).every(isSession);
}

function isSession(value: unknown): value is Session {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['email', 'organization', 'accessToken', 'refreshToken', 'refreshCookieName'].every(
      (name) => typeof (value as Record<string, unknown>)[name] === 'string',
    )
  );
}
