import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError, readConfig } from '../../platform/config.ts';
import {
  DatabaseUnavailableError,
  EmbeddedPostgresError,
  explainDatabaseError,
  isDatabaseUnavailable,
  MigrationError,
} from '../../platform/database/index.ts';
import { limitMemory, limitMemoryOnceStarted } from '../../platform/limit-memory.ts';
import { createLog, type Log } from '../../platform/log.ts';
import { prepareNetwork } from '../../platform/outbound/index.ts';
import { SecretKeyError } from '../../platform/secrets/index.ts';
import { onStopSignal } from '../../platform/stop-signals.ts';
import { StartError } from '../../server/open-installation.ts';
import { MetricsPortError } from '../../server/serve-metrics.ts';
import { type RunningServer, startServer } from '../../server/start-server.ts';

const usage = `Usage: pacekeeper serve

Runs the server until it receives SIGTERM, SIGINT, or SIGHUP. Configure it with environment variables.
`;

/**
 * Runs a server until it receives a stop signal, then stops it cleanly.
 *
 * @returns The exit code.
 */
export async function runServeCommand(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(usage);
    return 0;
  }
  if (argv.length > 0) {
    process.stderr.write(`pacekeeper serve: unknown argument "${argv[0]}".\n`);
    return 2;
  }
  limitMemory();
  const shutdownSignal = new Promise<NodeJS.Signals>((resolve) => void onStopSignal(resolve));
  try {
    const config = readConfig(env);
    prepareNetwork(config);
    const log = createLog({ level: config.logLevel, format: config.logFormat });
    for (const warning of config.warnings) log.warn(warning);
    // Ignore write errors. The process that reads the output can exit, and the disk can become unavailable.
    for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
    let server = await startServer(config, log);
    limitMemoryOnceStarted();
    if (server.firstLogin) {
      const { email, generatedPassword } = server.firstLogin;
      const password =
        generatedPassword === null
          ? 'the password from PACEKEEPER_ADMIN_PASSWORD'
          : `password ${generatedPassword}`;
      process.stdout.write(`Log in as ${email} with ${password}\n`);
    }
    process.stdout.write(`Pacekeeper is running at ${server.baseUrl}\n`);
    const stopped = shutdownSignal.then(() => 'stopped' as const);
    while ((await Promise.race([stopped, server.databaseReplaced])) !== 'stopped') {
      log.warn('starting again, because the database was promoted or replaced');
      await server.stop();
      const next = await startAgain(config, log, stopped);
      if (next === null) break;
      server = next;
      log.info({ base_url: server.baseUrl }, 'running again');
    }
    const signal = await shutdownSignal;
    log.info({ signal }, 'stopping');
    await server.stop();
    // All data is stored and all work is released, so exit even if an open handle would keep the process alive.
    setTimeout(() => process.exit(0), 2_000).unref();
    return 0;
  } catch (error) {
    const sentence = describeStartFailure(error);
    if (sentence === null) throw error;
    process.stderr.write(`pacekeeper: ${sentence}\n`);
    return 1;
  }
}

/** Starts a server after a failover. Retries while the database is unavailable, unless the process must stop. */
async function startAgain(
  config: Config,
  log: Log,
  stopped: Promise<'stopped'>,
): Promise<RunningServer | null> {
  for (;;) {
    try {
      return await startServer(config, log);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) && !isDatabaseUnavailable(error)) throw error;
      log.warn({ err: error }, 'the database is unavailable; will retry');
    }
    const delay = sleep(retryMs, undefined, { ref: true });
    if ((await Promise.race([stopped, delay])) === 'stopped') return null;
  }
}

const retryMs = 2_000;

/** Returns a one-line message for an error that the operator can fix. `null` for an internal error. */
export function describeStartFailure(error: unknown): string | null {
  if (
    error instanceof ConfigError ||
    error instanceof DatabaseUnavailableError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof MigrationError ||
    error instanceof SecretKeyError ||
    error instanceof StartError
  ) {
    return error.message;
  }
  const explained = explainDatabaseError(error);
  if (explained !== null) return explained;
  return error instanceof MetricsPortError
    ? listenFailure(error.cause, { host: 'PACEKEEPER_METRICS_HOST', port: 'PACEKEEPER_METRICS_PORT' })
    : listenFailure(error, { host: 'HOST', port: 'PORT' });
}

/**
 * Returns a message for an error of a port that can't be opened, or `null` for another error.
 *
 * @param settings Environment variables with the host and the port.
 */
function listenFailure(error: unknown, settings: { host: string; port: string }): string | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error && error.syscall === 'listen'))
    return null;
  const address =
    'port' in error ? `${'address' in error ? String(error.address) : ''}:${String(error.port)}` : '';
  switch (error.code) {
    case 'EADDRINUSE':
      return `${address} is already in use. Stop the other process or set ${settings.port}.`;
    case 'EACCES':
      return `Permission denied for ${address}. Set ${settings.port} to 1024 or higher.`;
    case 'EADDRNOTAVAIL':
      return `${address} isn't an address of this machine. Set ${settings.host}.`;
    default:
      return `Can't listen on ${address}: ${String(error.code)}.`;
  }
}
