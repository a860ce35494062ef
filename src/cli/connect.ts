import { readFile } from 'node:fs/promises';
import { ApiCallError, type ApiClient, clientOf, createApiClient } from '../client/api-client.ts';
import { isItem } from '../domain/json/json-item.ts';
import { withoutTrailing } from '../domain/text/trailing.ts';
import { CliError, exitCodes, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import { readProblem } from './read-text-file.ts';
import { withRetries } from './retries.ts';
import { createSessionClient, loginCommandFor } from './session-client.ts';
import { readSessions, sessionFile } from './session-file.ts';

export interface ConnectionOptions {
  server?: string;
  apiKeyFile?: string;
  retries: number;
}

export interface Connection {
  server: string;
  api: ApiClient;
  credential: 'api_key' | 'login';
}

/**
 * Returns the client for a server. The credential is a key from a file or the environment, or the session
 * that `login` stored. Calls without a response are retried, and an expired session is renewed automatically.
 */
export async function connect(
  options: ConnectionOptions,
  env: NodeJS.ProcessEnv,
  io: Pick<CliIo, 'stderr'>,
): Promise<Connection> {
  const file = sessionFile(env);
  const key = await readKey(options, env);
  const named = options.server ?? (env['PACEKEEPER_SERVER_URL'] || null);
  const sessions = named && key ? null : await readSessions(file, io);
  const server = requireServerUrl(named ?? sessions?.current ?? null);
  const retrying = (client: ApiClient) => withRetries(client, options.retries, io);
  if (key) {
    const client = explainRejectedKey(
      createApiClient({ baseUrl: server, apiKey: key.value }),
      key.source,
      server,
    );
    return { server, api: retrying(client), credential: 'api_key' };
  }
  const session = sessions?.servers[server];
  if (!session) {
    await requireServer(server);
    throw new CliError(
      `Not logged in to ${server}. Run '${loginCommandFor(server)}', set PACEKEEPER_API_KEY, or use --api-key-file.`,
      exitCodes.notAllowed,
    );
  }
  return { server, api: retrying(createSessionClient(server, session, file, io)), credential: 'login' };
}

/** Returns the server for commands without `--server`. Null if none is configured or its URL is invalid. */
export async function defaultServer(
  env: NodeJS.ProcessEnv,
  io: Pick<CliIo, 'stderr'>,
): Promise<string | null> {
  try {
    return requireServerUrl(
      env['PACEKEEPER_SERVER_URL'] || (await readSessions(sessionFile(env), io)).current,
    );
  } catch (error) {
    if (error instanceof CliError) return null;
    throw error;
  }
}

export function requireServerUrl(server: string | null): string {
  if (server === null) {
    throw usageError(
      "No server configured. Run 'pacekeeper login --server URL', or set PACEKEEPER_SERVER_URL and PACEKEEPER_API_KEY.",
    );
  }
  const url = URL.canParse(server) ? new URL(server) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw usageError(`Invalid server URL "${server}". ${serverUrlHint(server)}`);
  return withoutTrailing(url.href, '/');
}

/**
 * Suggests the likely URL for an address without a scheme. Plain HTTP is suggested only for the local
 * machine.
 */
function serverUrlHint(server: string): string {
  const isLocal = /^(?:localhost|127\.|\[::1\])/i.test(server);
  const guess = `${isLocal ? 'http' : 'https'}://${server}`;
  const isAddress = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?(?:\/[\w./-]*)?$/i.test(
    server,
  );
  return isAddress && URL.canParse(guess)
    ? `Did you mean ${guess}?`
    : 'Use a URL such as https://pacekeeper.example.org.';
}

interface Key {
  value: string;
  /** Origin of the key, for messages. */
  source: string;
}

async function readKey(
  { apiKeyFile }: Pick<ConnectionOptions, 'apiKeyFile'>,
  env: NodeJS.ProcessEnv,
): Promise<Key | null> {
  if (apiKeyFile === undefined) {
    const value = env['PACEKEEPER_API_KEY']?.trim() ?? '';
    return value === '' ? null : checkKey({ value, source: 'PACEKEEPER_API_KEY' });
  }
  const text = await readFile(apiKeyFile, 'utf8').catch((error: Error) => {
    throw usageError(`Can't read the API key file ${apiKeyFile}: ${readProblem(error)}`);
  });
  return checkKey({ value: parseKey(text), source: apiKeyFile });
}

/** Extracts the key from text that contains only the key or the JSON that `create api-key -o json` prints. */
function parseKey(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isItem(parsed) && typeof parsed['key'] === 'string') return parsed['key'];
  } catch {
    // The text isn't JSON, so it's the key itself.
  }
  return text.trim();
}

/** Checks the format of a key. The error never contains the value, which can be a different secret. */
function checkKey(key: Key): Key {
  if (/^pk_\w+$/.test(key.value)) return key;
  throw usageError(
    `${key.source} ${key.value === '' ? 'is empty' : "isn't an API key"}. API keys look like pk_12_3kZq….`,
  );
}

/**
 * Throws an error if the server can't be reached. Without this check, the error message would instruct the
 * user to log in, which wouldn't help.
 */
async function requireServer(server: string): Promise<void> {
  await createApiClient({ baseUrl: server })
    .call('getMe')
    .catch((error: unknown) => {
      if (isWrongPath(error)) throw wrongPathError(server);
      if (!(error instanceof ApiCallError) || error.status !== 401 || error.code === 'no_api') throw error;
    });
}

/**
 * True if the error is a 404. The operations called here exist on every server, so a 404 means that the URL isn't that
 * of the API.
 */
export function isWrongPath(error: unknown): boolean {
  return error instanceof ApiCallError && error.code === 'not_found';
}

export function wrongPathError(server: string): CliError {
  const { origin, pathname } = new URL(server);
  const hint = pathname === '/' ? 'Check the server URL.' : `Try ${origin} as the server URL.`;
  return new CliError(
    `${server} isn't a Pacekeeper server: the API wasn't found. ${hint}`,
    exitCodes.unreachable,
  );
}

function explainRejectedKey(client: ApiClient, source: string, server: string): ApiClient {
  return clientOf((operationId, input) =>
    client.sendUnchecked(operationId, input).catch((error: unknown) => {
      if (!(error instanceof ApiCallError)) throw error;
      if (error.code === 'unauthenticated')
        throw withDetail(error, `${server} rejected the API key from ${source}. ${error.detail}`);
      if (error.code === 'login_required')
        throw withDetail(
          error,
          `This requires a login, not the API key from ${source}. Run '${loginCommandFor(server)}', then try again without the key.`,
        );
      throw error;
    }),
  );
}

function withDetail(error: ApiCallError, detail: string): ApiCallError {
  const { code, status, requestId, body } = error;
  return new ApiCallError(code, detail, { status, requestId, body, cause: error });
}
