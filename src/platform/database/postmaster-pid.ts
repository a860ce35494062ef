import { readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { isPostgresOf } from './process-identity.ts';
import { temporarySocketFolderPrefix } from './socket-folder.ts';

export interface PostmasterPid {
  pid: number;
  port: number;
  socketDir: string;
  isReady: boolean;
}

/**
 * Returns the contents of `postmaster.pid`, which a running PostgreSQL writes to its data directory.
 * `undefined` if the file doesn't exist.
 */
export function readPostmasterPid(pgDataDir: string): PostmasterPid | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(pgDataDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  // Lines of the file: PID, data directory, start time, port, socket directory, TCP address, shared memory,
  // state.
  return {
    // The PID is negative in single-user mode.
    pid: Math.abs(Number(lines[0])),
    port: Number(lines[3]),
    socketDir: lines[4] ?? '',
    isReady: lines[7]?.trim() === 'ready',
  };
}

/**
 * Cleans up after a killed owner of the data directory. Stops its PostgreSQL, which continues to run as an orphan.
 * Removes a `postmaster.pid` whose process isn't a PostgreSQL of this directory, because PostgreSQL doesn't start if
 * any process has this PID (in containers, this is always the case). The caller must hold the serve lock.
 *
 * @returns The type of leftover that was found.
 */
export async function cleanUpOrphanedPostgres(
  pgDataDir: string,
): Promise<'nothing' | 'orphan' | 'stale_file'> {
  const former = readPostmasterPid(pgDataDir);
  if (!former) return 'nothing';
  if (isPostgresOf(former.pid, pgDataDir)) {
    await stopOrphan(former.pid, pgDataDir);
    removeTemporarySocketFolder(former.socketDir);
    return 'orphan';
  }
  if (
    former.socketDir !== '' &&
    (await acceptsConnections(join(former.socketDir, `.s.PGSQL.${former.port}`)))
  ) {
    // The server is running, but isn't a visible process, so another container uses this directory. Two
    // servers would destroy the data.
    throw new EmbeddedPostgresError(
      'already_running',
      `Another container or machine is using ${pgDataDir}. Stop that Pacekeeper first.`,
    );
  }
  rmSync(join(pgDataDir, 'postmaster.pid'), { force: true });
  removeTemporarySocketFolder(former.socketDir);
  return 'stale_file';
}

function removeTemporarySocketFolder(socketDir: string): void {
  if (basename(socketDir).startsWith(temporarySocketFolderPrefix))
    rmSync(socketDir, { recursive: true, force: true });
}

/** Stops an orphan with a fast shutdown, then an immediate shutdown, then SIGKILL. */
async function stopOrphan(pid: number, pgDataDir: string): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 30_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ];
  for (const [signal, patienceMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 20) {
      if (!isPostgresOf(pid, pgDataDir)) {
        if (signal === 'SIGKILL') rmSync(join(pgDataDir, 'postmaster.pid'), { force: true });
        return;
      }
      await sleep(20);
    }
  }
  throw new EmbeddedPostgresError(
    'not_started',
    `A previous PostgreSQL process (${pid}) for ${pgDataDir} won't exit. Stop it manually, then restart Pacekeeper.`,
  );
}

function acceptsConnections(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
