import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import { createBodyReading } from '../agent/body-reading.ts';
import { startEmbeddedAgent } from '../agent/embedded-agent.ts';
import { parseContentLimits } from '../domain/parsers/content-limits.ts';
import { withoutTrailing } from '../domain/text/trailing.ts';
import {
  createAuthenticator,
  createDeploymentTokens,
  createEmbeddedAgentToken,
  createLoginTokens,
  createSingleSignOn,
  ensureFirstStart,
  type FirstLogin,
  serveSingleSignOn,
} from '../modules/accounts/index.ts';
import { findCreatedResource } from '../modules/audit/index.ts';
import { serveChatButtons } from '../modules/chat/index.ts';
import { createConfigurationApplier } from '../modules/configuration/index.ts';
import { createFreshnessThread } from '../modules/freshness/index.ts';
import { serveHooks } from '../modules/hooks/index.ts';
import { serveAcknowledgePage, serveBadges, serveCalendars } from '../modules/links/index.ts';
import {
  createEvaluationTurnScheduler,
  createReleaseCache,
  createSimulations,
} from '../modules/monitoring/index.ts';
import {
  endProblemsOfRemovedProvidersAcrossOrganizations,
  endProviderProblemAcrossOrganizations,
  notifyRejectedClientAcrossOrganizations,
} from '../modules/notifications/index.ts';
import { configureReferenceSources } from '../modules/reference/index.ts';
import type { Config } from '../platform/config.ts';
import {
  createWakeUps,
  isDatabaseUnavailable,
  isStatementTimeout,
  readDatabaseIdentity,
  transaction,
} from '../platform/database/index.ts';
import { createMailer } from '../platform/email/index.ts';
import {
  basePathOf,
  createBodyBudget,
  createHttpServer,
  createInvalidCredentialLimit,
  isHttps,
  limitInvalidCredentials,
  serveContractFiles,
  serveOperations,
} from '../platform/http/index.ts';
import type { Log } from '../platform/log.ts';
import { openOutbound } from '../platform/outbound/index.ts';
import { createSandbox } from '../platform/sandbox/index.ts';
import { createPasswords, createSecretBox, createTokenSigner } from '../platform/secrets/index.ts';
import { createSourceHttp } from '../sources/source-http.ts';
import { browserUrl, loopbackUrl, reserveListenAddress } from './listen-address.ts';
import { startLoops } from './loops.ts';
import { createMetrics } from './metrics.ts';
import { type OpenOptions, openInstallation } from './open-installation.ts';
import { createOperations } from './operations.ts';
import { createPreviewGit } from './preview-git.ts';
import { serveHealth } from './serve-health.ts';
import { serveMcp } from './serve-mcp.ts';
import { serveMetrics } from './serve-metrics.ts';
import { serveWebPage } from './serve-web-page.ts';
import type { ServerParts } from './server-parts.ts';
import { recordDatabaseIdentity, watchDatabase } from './watch-database.ts';

export interface RunningServer {
  /** URL at which the server listens, such as `http://127.0.0.1:8080`. */
  url: string;
  baseUrl: string;
  /** First credentials of the administrator, or `null` after the first login. */
  firstLogin: FirstLogin | null;
  /**
   * Resolves when the database was promoted or replaced. The server must then be stopped and started again,
   * so that its caches and event streams don't contain data that the database has lost.
   */
  databaseReplaced: Promise<void>;
  /**
   * Finishes in-flight work within 20 s, releases leases, and stops all components, with the embedded
   * database last.
   */
  stop(): Promise<void>;
}

export interface StartOptions extends Pick<OpenOptions, 'poolSize' | 'onStatement'> {
  /** True in tests: a response that doesn't match the contract becomes a 500 that describes the mismatch. */
  validateResponses?: boolean;
  /**
   * Time limit for in-flight work during shutdown. The loops and the agent enforce their own limits. Default:
   * 20,000.
   */
  shutdownTimeoutMs?: number;
  /** Creates the sandboxes of the server. Tests share sandboxes between servers. */
  createSandbox?: typeof createSandbox;
}

/** Additional time to release canceled work, which requires the API and the database. */
const releaseTimeoutMs = 2_500;
const minCloseMs = 500;

/** Starts a complete server: database, API, loops, and embedded agent. */
export async function startServer(
  config: Config,
  log: Log,
  options: StartOptions = {},
): Promise<RunningServer> {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(config, log, options);
    } catch (error) {
      // Retry with a random port, because another process may have taken the port after it was chosen.
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (config.port !== 0 || !isTaken || tries === 3) throw error;
    }
  }
}

async function startOnce(config: Config, log: Log, options: StartOptions): Promise<RunningServer> {
  const undo: (() => Promise<unknown>)[] = [];
  const stopAll = async () => {
    for (const step of undo.splice(0).reverse()) {
      await step().catch((error: unknown) =>
        log.warn({ err: error }, "a component didn't shut down cleanly"),
      );
    }
  };
  try {
    const address = await reserveListenAddress(config);
    undo.push(() => address.release());
    const { url } = address;
    const baseUrl = withoutTrailing(config.baseUrl ?? browserUrl(url), '/');
    const basePath = basePathOf(baseUrl);
    if (config.baseUrl === null && browserUrl(url) !== url) {
      log.warn(
        { base_url: baseUrl },
        "PACEKEEPER_BASE_URL isn't set, so links in messages work only on this machine. Set it to the public URL.",
      );
    }
    const installation = await openInstallation(config, log, options);
    undo.push(() => installation.close());
    const { db, secretKey } = installation;
    const firstLogin = await ensureFirstStart(db, { ...config, secretKey });
    // Don't watch the embedded database, because its timeline never changes.
    const identity = installation.isEmbedded ? null : await readDatabaseIdentity(db);
    await recordDatabaseIdentity(db, identity, log);
    const watch = watchDatabase(() => readDatabaseIdentity(db), identity);
    undo.push(async () => watch.stop());

    const wakeUps = createWakeUps({
      db,
      connection: config.databaseListenUrl ?? installation.connection,
      log,
    });
    undo.push(() => wakeUps.close());
    const sandbox = (options.createSandbox ?? createSandbox)({
      workers: 3,
      deadlineMs: 2_000,
      maxHeapMb: parseContentLimits.maxHeapMb,
    });
    undo.push(() => sandbox.close());
    // Responses of previewed sources and of trackers can be large and hostile, so they use a separate sandbox and don't
    // delay messages.
    const responseSandbox = (options.createSandbox ?? createSandbox)({
      ...parseContentLimits,
      workers: 2,
      niceness: 10,
    });
    undo.push(() => responseSandbox.close());
    const { client: outbound, allowHttp } = openOutbound(config, {
      allowHttpWebhooks: config.allowHttpWebhooks,
    });
    undo.push(() => outbound.close());
    const mailer = createMailer(config, { secretKey, version: packageJson.version, log });
    undo.push(async () => mailer?.close());

    const previewGit = createPreviewGit({ config, client: outbound, allowHttp, log });
    undo.push(() => previewGit.close());

    const bodyBudget = createBodyBudget();
    const metrics = createMetrics(db, bodyBudget);
    const stopping = new AbortController();
    const app = await createHttpServer({
      log,
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
      basePath,
      requiresHttps: isHttps(baseUrl),
      keepAliveMs: config.keepAliveSeconds * 1_000,
      isUnavailable: isDatabaseUnavailable,
      isTimeout: isStatementTimeout,
      onAnswered: metrics.onAnswered,
    });

    const embeddedAgentToken = config.embeddedAgent ? createEmbeddedAgentToken() : null;
    const loginTokens = createLoginTokens({ current: secretKey });
    const deploymentTokens = createDeploymentTokens(secretKey);
    const authenticator = createAuthenticator({
      db,
      loginTokens,
      deploymentTokens,
      configuredBaseUrl: config.baseUrl,
      embeddedAgentToken,
      log,
    });
    undo.push(() => authenticator.stop());
    const guessing = createInvalidCredentialLimit({ isOn: config.rateLimitPerMinute > 0 });
    const authenticate = limitInvalidCredentials(authenticator.authenticate, guessing);

    const secretBox = createSecretBox({ current: secretKey });
    const configurationApplies = createConfigurationApplier({ db, secretBox, log });
    const simulations = createSimulations({ connection: installation.connection, config, log });
    const freshnessThread = createFreshnessThread({ connection: installation.connection, config, log });
    const parts: ServerParts = {
      config,
      log,
      db,
      sandbox,
      responseSandbox,
      outbound,
      mailer,
      sourceHttp: createSourceHttp({ client: outbound, allowHttp, clock: () => new Date() }),
      startReading: createBodyReading(responseSandbox),
      previewGit,
      secretBox,
      acknowledgeSigner: createTokenSigner({ purpose: 'acknowledge-link', current: secretKey }),
      buttonSigner: createTokenSigner({ purpose: 'chat-button', current: secretKey }),
      badgeSigner: createTokenSigner({ purpose: 'badge', current: secretKey }),
      calendarSigner: createTokenSigner({ purpose: 'calendar', current: secretKey }),
      passwords: createPasswords(),
      loginTokens,
      deploymentTokens,
      singleSignOn: createSingleSignOn({
        db,
        secretBox,
        outbound,
        baseUrl,
        config,
        log,
        onClientRejected: (rejected) =>
          transaction(db, (tx) => notifyRejectedClientAcrossOrganizations(tx, rejected)),
        onClientAccepted: (providerId) =>
          transaction(db, (tx) => endProviderProblemAcrossOrganizations(tx, providerId, 'recovered')),
      }),
      authenticate,
      guessing,
      releaseCache: createReleaseCache(),
      evaluationTurns: createEvaluationTurnScheduler(),
      simulations,
      freshnessThread,
      configurationApplies,
      onRun: metrics.onRun,
      baseUrl,
      isBaseUrlGuessed: config.baseUrl === null,
      version: packageJson.version,
      defaults: { retryScheduleSeconds: config.retryScheduleSeconds },
    };
    const providerIds = parts.singleSignOn.providers.map(({ settings }) => settings.id);
    await transaction(db, (tx) => endProblemsOfRemovedProvidersAcrossOrganizations(tx, providerIds));
    const operations = createOperations(parts);
    const serveOptions = {
      basePath,
      authenticate,
      requestsPerMinute: config.rateLimitPerMinute,
      validateResponses: options.validateResponses ?? false,
      stopping: stopping.signal,
      bodies: { budget: bodyBudget, sandbox },
      idempotency: { db, findCreatedResource },
    };
    serveOperations(app, 'client', operations.client, serveOptions);
    serveOperations(app, 'agent', operations.agent, serveOptions);
    serveOperations(app, 'auth', operations.auth, serveOptions);
    await serveContractFiles(app, basePath);
    serveHealth(app, db, stopping.signal);
    undo.push(await serveMetrics(app, metrics, authenticate, config));
    serveSingleSignOn(app, parts);
    serveAcknowledgePage(app, parts);
    serveHooks(app, { ...parts, bodyBudget });
    serveChatButtons(app, { ...parts, bodyBudget });
    serveBadges(app, parts);
    serveCalendars(app, parts);
    serveMcp(app, { ...serveOptions, config, bodyBudget, url, baseUrl });
    await serveWebPage(app, { basePath });

    const workers: { stop(): Promise<unknown> }[] = [configurationApplies, simulations, freshnessThread];
    undo.push(() => stopServing(app, workers, stopping, log, options.shutdownTimeoutMs));
    await address.release();
    await app.listen({ host: config.host, port: Number(new URL(url).port) });
    await configureReferenceSources(db, {
      end_of_life: config.referenceData ? config.endOfLifeUrl : null,
      vulnerabilities: config.referenceData ? config.osvUrl : null,
      known_exploited: config.referenceData ? config.knownExploitedUrl : null,
      epss: config.referenceData ? config.epssUrl : null,
    });
    workers.push(await startLoops(parts, metrics));
    if (embeddedAgentToken !== null) {
      workers.push(
        await startEmbeddedAgent({ serverUrl: loopbackUrl(url), token: embeddedAgentToken, config, log }),
      );
    }
    return { url, baseUrl, firstLogin, databaseReplaced: watch.replaced, stop: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/**
 * Stops the workers, then the API. Pending requests end immediately, and running work can finish. The API
 * closes last because the agent requires it to release its tasks. Work that exceeds the time limit is cut
 * off, and its leases expire.
 */
async function stopServing(
  app: FastifyInstance,
  workers: readonly { stop(): Promise<unknown> }[],
  stopping: AbortController,
  log: Log,
  shutdownTimeoutMs = 20_000,
): Promise<void> {
  stopping.abort();
  const startedAt = performance.now();
  const stopWorkers = async () => {
    const outcomes = await Promise.allSettled(workers.map((worker) => worker.stop()));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        log.warn({ err: outcome.reason }, "a component didn't shut down cleanly");
    }
  };
  const timeLimit = (ms: number) => sleep(ms, undefined, { ref: false });
  await Promise.race([stopWorkers(), timeLimit(shutdownTimeoutMs + releaseTimeoutMs)]);
  const remainingMs = shutdownTimeoutMs - (performance.now() - startedAt);
  await Promise.race([app.close(), timeLimit(Math.max(remainingMs, minCloseMs))]);
  app.server.closeAllConnections();
}
