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

/** What a running PostgreSQL says of itself in its data folder; `undefined` when there is no such file. */
export function readPostmasterPid(pgDataDir: string): PostmasterPid | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(pgDataDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  // The lines are: pid, data folder, start time, port, socket folder, TCP address, shared memory, state.
  return {
    // Negative in single-user mode.
    pid: Math.abs(Number(lines[0])),
    port: Number(lines[3]),
    socketDir: lines[4] ?? '',
    isReady: lines[7]?.trim() === 'ready',
  };
}

/**
 * Clears what an earlier owner of the data folder left when it was killed: its PostgreSQL, which lives on as an
 * orphan, is stopped; a `postmaster.pid` whose process is no PostgreSQL of this folder is removed, since
 * PostgreSQL itself refuses to start when any process has that pid (in containers it always has).
 * Call it with the serve lock only. Returns what was found.
 */
export async function clearFormerPostgres(pgDataDir: string): Promise<'nothing' | 'orphan' | 'stale_file'> {
  const former = readPostmasterPid(pgDataDir);
  if (!former) return 'nothing';
  if (isPostgresOf(former.pid, pgDataDir)) {
    await stopOrphan(former.pid, pgDataDir);
    removeTemporarySocketFolder(former.socketDir);
    return 'orphan';
  }
  if (former.socketDir !== '' && (await answers(join(former.socketDir, `.s.PGSQL.${former.port}`)))) {
    // Alive, but not among our processes: two containers share this folder. Two of them would destroy the data.
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

/** A fast shutdown first, an immediate one when that takes too long, and the hard way in the end. */
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

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
