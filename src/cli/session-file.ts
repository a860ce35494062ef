import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CliError } from './cli-error.ts';

/** A login at one server. */
export interface Session {
  email: string;
  organization: string;
  accessToken: string;
  refreshToken: string;
}

interface Sessions {
  /** The server that commands speak to when none is named. */
  current: string | null;
  servers: Record<string, Session>;
}

const nobody: Sessions = { current: null, servers: {} };

/** `$XDG_CONFIG_HOME/pacekeeper/session.json`: what `login` keeps, readable by its owner only. */
export function sessionFile(env: NodeJS.ProcessEnv): string {
  // The base directory rules have relative paths ignored.
  const given = env['XDG_CONFIG_HOME'];
  const base = given && path.isAbsolute(given) ? given : path.join(env['HOME'] ?? homedir(), '.config');
  return path.join(base, 'pacekeeper', 'session.json');
}

export async function readSessions(file: string): Promise<Sessions> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return nobody;
    throw new CliError(`Can't read the session: ${error instanceof Error ? error.message : file}`);
  }
  try {
    const sessions: unknown = JSON.parse(text);
    if (isSessions(sessions)) return sessions;
  } catch {
    // The sentence below says what to do.
  }
  throw new CliError(`${file} is corrupt. Delete it and log in again.`);
}

/** Keeps, or with null forgets, the login at a server. Reads the file anew: other commands may have written it. */
export async function writeSession(file: string, server: string, session: Session | null): Promise<void> {
  const before = await readSessions(file);
  const servers = { ...before.servers };
  if (session) servers[server] = session;
  else delete servers[server];
  const current = session ? server : before.current === server ? null : before.current;
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Replaced as a whole, so that nobody ever reads half of it.
  const next = path.join(folder, `.session-${process.pid}-${performance.now()}.json`);
  try {
    await writeFile(next, `${JSON.stringify({ current, servers }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(next, file);
  } finally {
    await rm(next, { force: true });
  }
}

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
    ['email', 'organization', 'accessToken', 'refreshToken'].every(
      (name) => typeof (value as Record<string, unknown>)[name] === 'string',
    )
  );
}
