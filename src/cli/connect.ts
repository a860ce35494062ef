import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiCallError, type ApiClient, createApiClient } from '../client/api-client.ts';
import { operations } from '../generated/operations.ts';
import { CliError, exitCodes, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import { readSessions, type Session, sessionFile, writeSession } from './session-file.ts';

export interface ConnectionOptions {
  server?: string;
  apiKeyFile?: string;
  retries: number;
}

export interface Connection {
  server: string;
  api: ApiClient;
}

/**
 * The server and who asks: a key from a file or from the environment, else the login that `login` keeps.
 * Calls that get no answer are tried again; a login renews itself.
 */
export async function connect(
  options: ConnectionOptions,
  env: NodeJS.ProcessEnv,
  io: Pick<CliIo, 'stderr'>,
): Promise<Connection> {
  const file = sessionFile(env);
  const apiKey = options.apiKeyFile
    ? await readKeyFile(options.apiKeyFile)
    : env['PACEKEEPER_API_KEY']?.trim() || null;
  const named = options.server ?? env['PACEKEEPER_SERVER_URL'] ?? null;
  const sessions = named && apiKey ? null : await readSessions(file);
  const server = checkServer(named ?? sessions?.current ?? null);
  if (apiKey !== null)
    return { server, api: withRetries(createApiClient({ baseUrl: server, apiKey }), options.retries, io) };
  const session = sessions?.servers[server];
  if (!session) {
    throw new CliError(
      `Not logged in to ${server}. Run 'pacekeeper login --server ${server}' or set PACEKEEPER_API_KEY.`,
      exitCodes.notAllowed,
    );
  }
  return { server, api: withRetries(createLoginClient(server, session, file), options.retries, io) };
}

export function checkServer(server: string | null): string {
  if (server === null) {
    throw usageError(
      "No server configured. Run 'pacekeeper login --server URL', or set PACEKEEPER_SERVER_URL and PACEKEEPER_API_KEY.",
    );
  }
  const url = URL.canParse(server) ? new URL(server) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw usageError(`Invalid server URL "${server}". Use a URL such as https://pacekeeper.example.org.`);
  return url.href.replace(/\/+$/, '');
}

async function readKeyFile(file: string): Promise<string> {
  const key = await readFile(file, 'utf8').catch((error: Error) => {
    throw usageError(`Can't read the API key file: ${error.message}`);
  });
  return key.trim();
}

/** The cookie by which the login interface knows a login. */
const refreshCookie = 'pacekeeper_refresh';

/** The refresh token of an answer, which a client that is no browser keeps by itself; null when it got no new one. */
export function refreshTokenOf(headers: Headers): string | null {
  for (const cookie of headers.getSetCookie()) {
    const [, value] = /^pacekeeper_refresh=([^;]+)/.exec(cookie) ?? [];
    if (value) return value;
  }
  return null;
}

export function refreshHeaders(refreshToken: string): Record<string, string> {
  return { cookie: `${refreshCookie}=${refreshToken}` };
}

/** Bears the access token; when it has run out, renews the login once and asks again. */
function createLoginClient(server: string, session: Session, file: string): ApiClient {
  const anonymous = createApiClient({ baseUrl: server });
  let token = session.accessToken;
  const bearer = () => createApiClient({ baseUrl: server, token });

  async function renew(): Promise<void> {
    // Another command may have renewed it meanwhile: a refresh token serves once.
    const latest = (await readSessions(file)).servers[server] ?? session;
    if (latest.accessToken !== token) {
      token = latest.accessToken;
      return;
    }
    const { body, headers } = await anonymous.send('refreshLogin', {
      headers: refreshHeaders(latest.refreshToken),
    });
    token = body.access_token;
    const refreshToken = refreshTokenOf(headers);
    // Without a new one, a command beside this one has it and keeps it.
    if (refreshToken !== null)
      await writeSession(file, server, { ...latest, accessToken: token, refreshToken });
  }

  const api: ApiClient = {
    async send(operationId, ...input) {
      try {
        return await bearer().send(operationId, ...input);
      } catch (error) {
        if (!(error instanceof ApiCallError) || error.code !== 'unauthenticated') throw error;
        await renew();
        return bearer().send(operationId, ...input);
      }
    },
    call: async (operationId, ...input) => (await api.send(operationId, ...input)).body,
  };
  return api;
}

/** Posts that do the same when they come twice. */
const repeatablePosts: ReadonlySet<string> = new Set([
  'setScrapeJobVersion',
  'evaluateRules',
  'acknowledgeAlert',
  'unacknowledgeAlert',
  'resolveAlert',
  'bulkAcknowledgeAlerts',
  'snoozeAlert',
  'unsnoozeAlert',
  'runGatherJob',
  'runScrapeJob',
  'runHelmSyncJob',
  'previewScrapeJob',
  'previewNotificationTemplate',
  'simulateNotificationRule',
  'deactivateAPIKey',
]);

/** The request has not reached anybody. */
const neverArrived = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** A server that restarts, or a moment without network, is no reason for a pipeline to fail. */
export function withRetries(client: ApiClient, retries: number, io: Pick<CliIo, 'stderr'>): ApiClient {
  const api: ApiClient = {
    async send(operationId, ...input) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await client.send(operationId, ...input);
        } catch (error) {
          if (!(error instanceof ApiCallError) || attempt > retries) throw error;
          if (!mayRepeat(error, operationId)) throw error;
          const seconds = Math.min(30, error.retryAfterSeconds ?? 2 ** (attempt - 1));
          io.stderr(`${error.detail} Retrying in ${seconds} s.\n`);
          await sleep(seconds * 1_000);
        }
      }
    },
    call: async (operationId, ...input) => (await api.send(operationId, ...input)).body,
  };
  return api;
}

function mayRepeat(error: ApiCallError, operationId: keyof typeof operations): boolean {
  // The server says that nothing was done.
  if (error.status === 503 || error.status === 429) return true;
  const isGateway = error.status === 502 || error.status === 504;
  if (error.code !== 'no_answer' && !isGateway) return false;
  if (operations[operationId].method !== 'POST' || repeatablePosts.has(operationId)) return true;
  const cause = error.cause instanceof Error ? error.cause.cause : undefined;
  return cause instanceof Error && 'code' in cause && neverArrived.has(String(cause.code));
}
