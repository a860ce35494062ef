import { ApiCallError, type ApiClient, createApiClient } from '../client/api-client.ts';
import { isItem } from '../domain/json/json-item.ts';
import { CliError, exitCodes, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import { type ConnectionOptions, requireServerUrl } from './connect.ts';
import { withRetries } from './retries.ts';

/** The trust that a CI job uses. */
export interface JobIdentity {
  /** The `code` of the trust. */
  trust: string;
  /** Audience of the ID token. Defaults to the URL of the server. */
  audience?: string | undefined;
}

const requestTimeoutMs = 10_000;

/**
 * Connects without a key: exchanges the ID token of the CI job for a token that can report deployments for
 * five minutes. The trust must allow it. The ID token comes from `PACEKEEPER_ID_TOKEN`, or is requested from
 * GitHub Actions.
 */
export async function connectAsJob(
  options: Pick<ConnectionOptions, 'server' | 'retries'>,
  { trust, audience }: JobIdentity,
  env: NodeJS.ProcessEnv,
  io: Pick<CliIo, 'stderr'>,
): Promise<ApiClient> {
  const server = requireServerUrl(options.server ?? (env['PACEKEEPER_SERVER_URL'] || null));
  const retrying = (client: ApiClient) => withRetries(client, options.retries, io);
  const id_token = await readIdToken(env, audience ?? server);
  try {
    const { access_token } = await retrying(createApiClient({ baseUrl: server })).call(
      'exchangeDeploymentToken',
      { body: { trust, id_token } },
    );
    return retrying(createApiClient({ baseUrl: server, token: access_token }));
  } catch (error) {
    if (!(error instanceof ApiCallError) || (error.status !== 401 && error.status !== 403)) throw error;
    throw new CliError(`${server} rejected the CI job. ${error.detail}`, exitCodes.notAllowed);
  }
}

async function readIdToken(env: NodeJS.ProcessEnv, audience: string): Promise<string> {
  const given = env['PACEKEEPER_ID_TOKEN']?.trim() ?? '';
  if (given !== '') return given;
  const url = env['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? '';
  const token = env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? '';
  if (url !== '' && token !== '') return requestGitHubToken(url, token, audience);
  throw usageError(
    'No ID token found. In GitHub Actions, add "permissions: id-token: write" to the job. In GitLab CI, add PACEKEEPER_ID_TOKEN to the id_tokens of the job. Elsewhere, set PACEKEEPER_ID_TOKEN.',
  );
}

/** https://docs.github.com/en/actions/reference/security/oidc */
async function requestGitHubToken(url: string, token: string, audience: string): Promise<string> {
  const target = URL.parse(url);
  if (target === null) throw usageError("ACTIONS_ID_TOKEN_REQUEST_URL isn't a URL.");
  target.searchParams.set('audience', audience);
  let reason: string;
  try {
    const response = await fetch(target, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const body: unknown = response.ok ? await response.json() : null;
    if (isItem(body) && typeof body['value'] === 'string') return body['value'];
    reason = `it returned status ${response.status}`;
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  throw new CliError(
    `GitHub Actions issued no ID token: ${reason}. Run the job again.`,
    exitCodes.unreachable,
  );
}
