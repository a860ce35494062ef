import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, copyFileSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { explainPostgresFailure, isStillExiting } from './explain-postgres-failure.ts';
import { type PostgresAccount, spawnOptionsFor } from './postgres-account.ts';
import { cleanUpOrphanedPostgres, readPostmasterPid } from './postmaster-pid.ts';

export interface PostmasterOptions {
  dataDir: string;
  pgDataDir: string;
  socketDir: string;
  postgres: string;
  account: PostgresAccount | undefined;
  /** PostgreSQL settings by name. */
  settings: Record<string, string | number>;
  log: Log;
}

/** Maximum size of the PostgreSQL log, and of the one previous log that is kept. */
const maxLogBytes = 5_000_000;
/**
 * Maximum pause between failed starts. The service is unavailable for up to this time after the disk works
 * again.
 */
const longestPauseMs = 5_000;
/** Minimum run time of PostgreSQL. If it exits sooner, the cause of the previous exit still exists. */
const minRunTimeMs = 5_000;

/**
 * Runs the PostgreSQL server of a data directory until `stop` is called, and restarts it if it exits.
 * Resolves when the server accepts connections.
 *
 * @throws EmbeddedPostgresError if the first start fails.
 */
export async function runPostmaster(options: PostmasterOptions): Promise<{ stop(): Promise<void> }> {
  const { log } = options;
  const stopping = new AbortController();
  let current = await startWhenFree(options);
  log.info({ pid: current.child.pid }, 'embedded PostgreSQL is ready');

  let restarting: Promise<void> = Promise.resolve();
  const restart = async (firstPauseMs: number) => {
    let failures = 0;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      await sleep(pauseMs, undefined, { signal: stopping.signal });
      try {
        current = await startWhenFree(options);
        log.info({ pid: current.child.pid }, 'embedded PostgreSQL is ready again');
        return;
      } catch (error) {
        // Log the first, second, fourth, … consecutive failure as an error, so an hour of failures creates
        // only a dozen lines.
        failures++;
        const level = Number.isInteger(Math.log2(failures)) ? 'error' : 'debug';
        log[level](
          { err: error, failures, data_dir: options.dataDir },
          'embedded PostgreSQL failed to start; retrying',
        );
      }
    }
  };
  const supervise = async () => {
    for (let pauseMs = 100; ; ) {
      const startedAt = performance.now();
      const end = await current.exited;
      if (stopping.signal.aborted) return;
      log.error(end, 'embedded PostgreSQL exited unexpectedly; restarting');
      // If the server repeatedly exits soon after its start, increase the pause each time.
      const livedShortly = performance.now() - startedAt < minRunTimeMs;
      pauseMs = livedShortly ? Math.min(pauseMs * 2, longestPauseMs) : 100;
      restarting = restart(pauseMs);
      await restarting;
    }
  };
  supervise().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.fatal({ err: error }, 'embedded PostgreSQL supervision stopped');
  });

  const logTruncation = setInterval(() => limitLog(options.dataDir), 60_000).unref();
  // Stop PostgreSQL whenever this process exits. After SIGKILL, this isn't possible: see
  // `cleanUpOrphanedPostgres`.
  const onExit = () => current.child.kill('SIGINT');
  process.once('exit', onExit);

  return {
    async stop() {
      stopping.abort();
      clearInterval(logTruncation);
      // Wait for a restart in progress, so that the server that it starts is also stopped.
      await restarting.catch(() => undefined);
      await stopPostmaster(current);
      process.off('exit', onExit);
    },
  };
}

interface Postmaster {
  child: ChildProcess;
  exited: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>;
}

/** Waits until the processes of a killed server have exited, and then starts the server. */
async function startWhenFree(options: PostmasterOptions): Promise<Postmaster> {
  for (let tries = 1; ; tries++) {
    await cleanUpOrphanedPostgres(options.pgDataDir);
    const started = await startPostmaster(options);
    if (typeof started !== 'string') return started;
    if (tries >= 50 || !isStillExiting(started)) throw explainPostgresFailure(started, options.dataDir);
    await sleep(200);
  }
}

/**
 * Starts the server and waits until it is ready.
 *
 * @returns The running server, or its output if it exited before it was ready.
 */
async function startPostmaster(options: PostmasterOptions): Promise<Postmaster | string> {
  limitLog(options.dataDir);
  const logFile = join(options.dataDir, 'postgres.log');
  const logFd = openSync(logFile, 'a', 0o600);
  const logStart = statSync(logFile).size;
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(options.postgres, ['-D', options.pgDataDir, '-k', options.socketDir, ...settings], {
    ...spawnOptionsFor(options.account),
    // Use a separate session. Ctrl-C signals all processes in the terminal session, but PostgreSQL must exit
    // last.
    detached: true,
    stdio: ['ignore', logFd, logFd],
    env: { LC_ALL: 'C', TZ: 'UTC' },
  });
  closeSync(logFd);
  child.unref();
  const exited = new Promise<Awaited<Postmaster['exited']>>((resolve, reject) => {
    child.on('error', reject);
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  let hasEnded = false;
  exited.then(
    () => (hasEnded = true),
    () => (hasEnded = true),
  );

  // Don't limit the wait. Recovery after a crash can take long, but completes as long as the server is
  // running.
  const startedAt = performance.now();
  for (let nextLogAtMs = 10_000; !hasEnded; await sleep(5)) {
    const pidFile = readPostmasterPid(options.pgDataDir);
    if (pidFile?.isReady && pidFile.pid === child.pid) return { child, exited };
    if (performance.now() - startedAt > nextLogAtMs) {
      options.log.info(
        { seconds: nextLogAtMs / 1000 },
        'embedded PostgreSQL is still starting (recovery after a crash)',
      );
      nextLogAtMs += 10_000;
    }
  }
  await exited.catch((error: unknown) => {
    throw new EmbeddedPostgresError(
      'not_started',
      `can't start ${options.postgres}: ${String(error)}`,
      error,
    );
  });
  return readFileSync(logFile).subarray(logStart).toString('utf8');
}

async function stopPostmaster({ child, exited }: Postmaster): Promise<void> {
  // The first signal requests a fast shutdown, which rolls back open transactions and writes a checkpoint.
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 60_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ];
  child.ref();
  for (const [signal, patienceMs] of steps) {
    child.kill(signal);
    const timeout = new AbortController();
    const isOver = await Promise.race([
      exited.then(() => true),
      sleep(patienceMs, false, { signal: timeout.signal }).catch(() => false),
    ]);
    timeout.abort();
    if (isOver) return;
  }
}

function limitLog(dataDir: string): void {
  const path = join(dataDir, 'postgres.log');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= maxLogBytes) return;
  try {
    copyFileSync(path, `${path}.1`);
  } catch {
    // The disk has no space for the copy, so emptying the file is even more important.
  }
  try {
    // Truncate the file instead of moving it, because the server keeps it open for appending.
    truncateSync(path);
  } catch {
    // The file isn't writable. PostgreSQL reports this problem, and the service can continue.
  }
}
