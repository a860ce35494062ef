import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { startEmbeddedAgent } from '../agent/embedded-agent.ts';
import { createAuthenticator, createEmbeddedAgentToken, createLoginTokens, ensureFirstStart } from '../modules/accounts/index.ts';
import { createReleaseCache } from '../modules/monitoring/index.ts';
import { parseContentLimits } from '../domain/parsers/content-limits.ts';
import type { Config } from '../platform/config.ts';
import { createWakeUps, isDatabaseAway } from '../platform/database/index.ts';
import { createHttpServer, serveContractFiles, serveOperations } from '../platform/http/index.ts';
import type { Log } from '../platform/log.ts';
import { createEgressGuard, createHttpPolicy, createOutboundClient } from '../platform/outbound/index.ts';
import { createSandbox } from '../platform/sandbox/index.ts';
import { createPasswords, createSecretBox, createTokenSigner } from '../platform/secrets/index.ts';
import { serveAcknowledgePage } from './acknowledge-page.ts';
import { startLoops } from './loops.ts';
import { createMetrics } from './metrics.ts';
import { openInstallation, type OpenOptions } from './open-installation.ts';
import { createOperations } from './operations.ts';
import { serveHealth } from './serve-health.ts';
import { serveMetrics } from './serve-metrics.ts';
import type { ServerParts } from './server-parts.ts';

export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:8080`. */
  url: string;
  baseUrl: string;
  /** Of the administrator, when this was the first start. */
  firstLogin: { email: string; password: string } | null;
  /** Finishes what is in flight, gives leases back, and stops everything, the embedded database last. */
  stop(): Promise<void>;
}

export interface StartOptions extends Pick<OpenOptions, 'poolSize' | 'onStatement'> {
  /** In tests: an answer that the contract does not describe becomes a 500 that says so. */
  validateResponses?: boolean;
}

const stopWithinMs = 20_000;

/** Starts a whole server: database, API, loops, embedded agent. */
export async function startServer(config: Config, log: Log, options: StartOptions = {}): Promise<RunningServer> {
  const undo: (() => Promise<unknown>)[] = [];
  const stopAll = async () => {
    for (const step of undo.splice(0).reverse()) {
      await step().catch((error: unknown) => log.warn({ err: error }, 'a part did not stop cleanly'));
    }
  };
  try {
    const installation = await openInstallation(config, log, options);
    undo.push(() => installation.close());
    const { db, secretKey } = installation;
    const firstLogin = await ensureFirstStart(db, config);

    const wakeUps = createWakeUps({ connection: config.databaseListenUrl ?? installation.connection, log });
    undo.push(() => wakeUps.close());
    const sandbox = createSandbox({ workers: 2, deadlineMs: 2_000, maxHeapMb: parseContentLimits.maxHeapMb });
    undo.push(() => sandbox.close());
    const outbound = createOutboundClient({
      guard: createEgressGuard({ allow: config.egressAllow }),
      allowHttp: createHttpPolicy({ insecureHosts: config.insecureHosts, allowHttpWebhooks: config.allowHttpWebhooks }),
    });
    undo.push(() => outbound.close());

    const metrics = createMetrics(db);
    const stopping = new AbortController();
    const app = await createHttpServer({
      log,
      trustedProxies: config.trustedProxies,
      isUnavailable: isDatabaseAway,
      onAnswered: metrics.onAnswered,
    });
    const url = await chooseAddress(config);
    const baseUrl = (config.baseUrl ?? url).replace(/\/+$/, '');

    const embeddedAgentToken = config.embeddedAgent ? createEmbeddedAgentToken() : null;
    const loginTokens = createLoginTokens({ current: secretKey });
    const authenticator = createAuthenticator({ db, loginTokens, baseUrl, embeddedAgentToken, log });
    undo.push(() => authenticator.stop());

    const parts: ServerParts = {
      config,
      log,
      db,
      wakeUps,
      sandbox,
      outbound,
      secretBox: createSecretBox({ current: secretKey }),
      acknowledgeSigner: createTokenSigner({ purpose: 'acknowledge-link', current: secretKey }),
      passwords: createPasswords(),
      loginTokens,
      authenticate: authenticator.authenticate,
      releaseCache: createReleaseCache(),
      baseUrl,
      version: packageJson.version,
      defaults: { retryScheduleSeconds: config.retryScheduleSeconds },
    };
    const operations = createOperations(parts);
    const serveOptions = {
      authenticate: authenticator.authenticate,
      requestsPerMinute: config.rateLimitPerMinute,
      validateResponses: options.validateResponses ?? false,
      stopping: stopping.signal,
    };
    serveOperations(app, 'client', operations.client, serveOptions);
    serveOperations(app, 'agent', operations.agent, serveOptions);
    serveOperations(app, 'auth', operations.auth, serveOptions);
    await serveContractFiles(app);
    serveHealth(app, db);
    undo.push(await serveMetrics(app, metrics, authenticator.authenticate, config));
    serveAcknowledgePage(app, parts);

    await app.listen({ host: config.host, port: Number(new URL(url).port) });
    undo.push(async () => {
      stopping.abort();
      await Promise.race([app.close(), sleep(stopWithinMs, undefined, { ref: false })]);
    });
    const loops = await startLoops(parts, metrics);
    undo.push(() => loops.stop());
    if (embeddedAgentToken !== null) {
      const agent = await startEmbeddedAgent({ serverUrl: loopbackUrl(url), token: embeddedAgentToken, config, log });
      undo.push(() => agent.stop());
    }
    return { url, baseUrl, firstLogin, stop: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** With `PORT=0` the port has to be known before the routes are made, for the links in messages. */
async function chooseAddress(config: Config): Promise<string> {
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The embedded agent reaches its own server, wherever that listens. */
function loopbackUrl(url: string): string {
  const { hostname, port } = new URL(url);
  const host = hostname === '0.0.0.0' ? '127.0.0.1' : hostname === '[::]' ? '[::1]' : hostname;
  return `http://${host}:${port}`;
}
