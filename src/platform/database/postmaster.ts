import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, copyFileSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { explainPostgresFailure, isStillEnding } from './explain-postgres-failure.ts';
import { type PostgresAccount, runAs } from './postgres-account.ts';
import { clearFormerPostgres, readPostmasterPid } from './postmaster-pid.ts';

export interface PostmasterOptions {
  dataDir: string;
  pgDataDir: string;
  socketDir: string;
  postgres: string;
  account: PostgresAccount | undefined;
  /** PostgreSQL's settings, by name. */
  settings: Record<string, string | number>;
  log: Log;
}

/** PostgreSQL's own log may grow to this, twice: the file and the one before it. */
const maxLogBytes = 5_000_000;
/** Between two starts that fail: so long the service stands still after the disk is well again. */
const longestPauseMs = 5_000;
/** PostgreSQL that ends sooner than that has not got over what ended it before. */
const shortLifeMs = 5_000;

/**
 * Runs the PostgreSQL server of a data folder until it is stopped: when it dies, it is started again. Resolves once
 * it takes connections; rejects with an `EmbeddedPostgresError` when it does not get that far.
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
        // The first, the second, the fourth … of a row: an hour of failures is a dozen lines.
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
      // One that starts and dies, and starts and dies, is given more time each time.
      const livedShortly = performance.now() - startedAt < shortLifeMs;
      pauseMs = livedShortly ? Math.min(pauseMs * 2, longestPauseMs) : 100;
      restarting = restart(pauseMs);
      await restarting;
    }
  };
  supervise().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.fatal({ err: error }, 'embedded PostgreSQL supervision stopped');
  });

  const logRestart = setInterval(() => limitLog(options.dataDir), 60_000).unref();
  // Whatever ends this process, PostgreSQL shall not be left behind. (Not after SIGKILL: see clearFormerPostgres.)
  const onExit = () => current.child.kill('SIGINT');
  process.once('exit', onExit);

  return {
    async stop() {
      stopping.abort();
      clearInterval(logRestart);
      // A start that is under way is awaited, so that what it started is stopped too.
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

/** Starts the server; waits for the remains of one that was killed. */
async function startWhenFree(options: PostmasterOptions): Promise<Postmaster> {
  for (let tries = 1; ; tries++) {
    await clearFormerPostgres(options.pgDataDir);
    const started = await startPostmaster(options);
    if (typeof started !== 'string') return started;
    if (tries >= 50 || !isStillEnding(started)) throw explainPostgresFailure(started, options.dataDir);
    await sleep(200);
  }
}

/** Returns what the server wrote when it ended before it was ready. */
async function startPostmaster(options: PostmasterOptions): Promise<Postmaster | string> {
  limitLog(options.dataDir);
  const logFile = join(options.dataDir, 'postgres.log');
  const logFd = openSync(logFile, 'a', 0o600);
  const logStart = statSync(logFile).size;
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(options.postgres, ['-D', options.pgDataDir, '-k', options.socketDir, ...settings], {
    ...runAs(options.account),
    // Its own session: Ctrl-C goes to the whole session of the terminal, and PostgreSQL has to end last.
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

  // However long recovery takes after a crash, as long as the server lives it gets there.
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
  // Fast shutdown: open transactions are rolled back, a checkpoint is written.
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 60_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ];
  child.ref();
  for (const [signal, patienceMs] of steps) {
    child.kill(signal);
    const startTimeout = new AbortController();
    const isOver = await Promise.race([
      exited.then(() => true),
      sleep(patienceMs, false, { signal: startTimeout.signal }).catch(() => false),
    ]);
    startTimeout.abort();
    if (isOver) return;
  }
}

function limitLog(dataDir: string): void {
  const path = join(dataDir, 'postgres.log');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= maxLogBytes) return;
  try {
    copyFileSync(path, `${path}.1`);
  } catch {
    // No room for the copy: all the more reason to empty the file.
  }
  try {
    // The server keeps the file open for appending, so it is emptied and not moved.
    truncateSync(path);
  } catch {
    // It can only be read now. That is for PostgreSQL to complain of, and no reason to end the service.
  }
}
