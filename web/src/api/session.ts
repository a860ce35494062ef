import {
  ApiCallError,
  type ApiClient,
  type ApiOperationId,
  type ApiResponse,
  clientOf,
  createApiClient,
} from '../../../src/client/api-client.ts';
import { basePath, withBasePath } from './page-location.ts';

/**
 * API client that authenticates with the session cookie. `api` renews expired access tokens automatically.
 */
const client = createApiClient({ baseUrl: basePath });

/** Operations that don't require a session and never renew one. */
const withoutLogin: ReadonlySet<ApiOperationId> = new Set([
  'login',
  'refreshLogin',
  'logout',
  'resetPassword',
  'listLoginProviders',
  'useLoginLink',
  'acceptInvitation',
]);

/**
 * Key of the expiry time of the access token, in milliseconds. Scripts can't read the cookie itself. All tabs
 * share this entry.
 */
const expiryKey = withBasePath('pacekeeper-login-until');
const renewEarlyMs = 20_000;

let onLoggedOut: () => void = () => {};
/** Sets the function to call when a request fails because the session has ended. */
export function setLoggedOutListener(listener: () => void): void {
  onLoggedOut = listener;
}

let onTwoFactorRequired: () => void = () => {};
/**
 * Sets the function to call when a request fails because the organization requires two-factor authentication
 * and the user hasn't set it up.
 */
export function setTwoFactorRequiredListener(listener: () => void): void {
  onTwoFactorRequired = listener;
}

/**
 * Returns true if a session can exist. Requesting the session instead would cause a rejected request on every
 * first visit.
 */
export const canHaveSession = (): boolean => localStorage.getItem(expiryKey) !== null;

export const api: ApiClient = clientOf(async (operationId, input) => {
  const send = async () => {
    const answer = await client.sendUnchecked(operationId, input);
    storeExpiry(answer.body);
    if (operationId === 'logout') localStorage.removeItem(expiryKey);
    return answer;
  };
  if (withoutLogin.has(operationId)) return send();
  try {
    if (isExpiringSoon() && canHaveSession()) await renewLogin();
    return await send().catch(async (error: unknown) => {
      if (!isSessionEnded(error)) throw error;
      localStorage.setItem(expiryKey, '0');
      await renewLogin();
      return send();
    });
  } catch (error) {
    if (isSessionEnded(error)) {
      localStorage.removeItem(expiryKey);
      onLoggedOut();
    }
    if (error instanceof ApiCallError && error.code === 'two_factor_required') onTwoFactorRequired();
    throw error;
  }
});

export type { ApiOperationId, ApiResponse as ApiAnswer };
export { ApiCallError };

function isSessionEnded(error: unknown): boolean {
  return error instanceof ApiCallError && error.code === 'unauthenticated';
}

function storeExpiry(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('access_token' in body) || !('expires_in' in body))
    return;
  localStorage.setItem(expiryKey, String(Date.now() + Number(body.expires_in) * 1_000));
}

function isExpiringSoon(): boolean {
  return Number(localStorage.getItem(expiryKey) ?? 0) < Date.now() + renewEarlyMs;
}

let renewal: Promise<void> | null = null;

/**
 * Renews the access token. Reusing a refresh token ends the session, so only one request in one tab renews it. All
 * others then use the new access token.
 */
function renewLogin(): Promise<void> {
  renewal ??= withLock(async () => {
    if (isExpiringSoon()) await api.call('refreshLogin');
  }).finally(() => {
    renewal = null;
  });
  return renewal;
}

/**
 * Runs work under a lock shared by all tabs. Browsers support locks only on https and localhost. Elsewhere,
 * tabs aren't synchronized.
 */
async function withLock(work: () => Promise<void>): Promise<void> {
  await ('locks' in navigator ? navigator.locks.request(withBasePath('pacekeeper-login'), work) : work());
}
