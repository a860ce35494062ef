import {
  type ApiAnswer,
  ApiCallError,
  type ApiClient,
  type ApiOperationId,
  createApiClient,
} from '../../../src/client/api-client.ts';

/** The contract's client with the cookie of the login; an access token that runs out is renewed without a word. */
const client = createApiClient({ baseUrl: '' });

/** These need no login, and never start a renewal. */
const withoutLogin: ReadonlySet<ApiOperationId> = new Set([
  'login',
  'refreshLogin',
  'logout',
  'resetPassword',
  'listLoginProviders',
  'useLoginLink',
  'acceptInvitation',
]);

/** Until when the access token holds, in milliseconds. The cookie itself is out of reach; all tabs share this. */
const untilKey = 'pacekeeper-login-until';
const renewEarlyMs = 20_000;

let onLoggedOut: () => void = () => {};
/** Called when a request finds that the login is over. */
export function setLoggedOutListener(listener: () => void): void {
  onLoggedOut = listener;
}

let onTwoFactorRequired: () => void = () => {};
/**
 * Called when a request fails because the organization requires two-factor authentication and the user hasn't set it
 * up.
 */
export function setTwoFactorRequiredListener(listener: () => void): void {
  onTwoFactorRequired = listener;
}

/** Whether there may be a login. Asking the server would put a refused request before everybody's first. */
export const mayBeLoggedIn = (): boolean => localStorage.getItem(untilKey) !== null;

export const api: ApiClient = {
  async send(operationId, ...input) {
    const send = async () => {
      const answer = await client.send(operationId, ...input);
      rememberLogin(answer.body);
      if (operationId === 'logout') localStorage.removeItem(untilKey);
      return answer;
    };
    if (withoutLogin.has(operationId)) return send();
    try {
      if (isRunningOut() && mayBeLoggedIn()) await renewLogin();
      return await send().catch(async (error: unknown) => {
        if (!isLoginOver(error)) throw error;
        localStorage.setItem(untilKey, '0');
        await renewLogin();
        return send();
      });
    } catch (error) {
      if (isLoginOver(error)) {
        localStorage.removeItem(untilKey);
        onLoggedOut();
      }
      if (error instanceof ApiCallError && error.code === 'two_factor_required') onTwoFactorRequired();
      throw error;
    }
  },
  call: async (operationId, ...input) => (await api.send(operationId, ...input)).body,
};

export type { ApiAnswer, ApiOperationId };
export { ApiCallError };

function isLoginOver(error: unknown): boolean {
  return error instanceof ApiCallError && error.code === 'unauthenticated';
}

function rememberLogin(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('access_token' in body) || !('expires_in' in body))
    return;
  localStorage.setItem(untilKey, String(Date.now() + Number(body.expires_in) * 1_000));
}

function isRunningOut(): boolean {
  return Number(localStorage.getItem(untilKey) ?? 0) < Date.now() + renewEarlyMs;
}

let renewal: Promise<void> | null = null;

/**
 * A refresh token used twice ends the login. So of all tabs and requests that find the access token too old, one renews
 * it, and the others find it renewed.
 */
function renewLogin(): Promise<void> {
  renewal ??= underLock(async () => {
    if (isRunningOut()) await api.call('refreshLogin');
  }).finally(() => {
    renewal = null;
  });
  return renewal;
}

/** Browsers have locks on https and localhost only; elsewhere each tab is on its own. */
async function underLock(work: () => Promise<void>): Promise<void> {
  await ('locks' in navigator ? navigator.locks.request('pacekeeper-login', work) : work());
}
