import { ApiCallError, type ApiClient, clientOf, createApiClient } from '../client/api-client.ts';
import { CliError, exitCodes } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import { readSessions, renewSession, type Session } from './session-file.ts';

/** The refresh token of a session, and the name of its cookie, which depends on the base URL of the server. */
export type RefreshCookie = Pick<Session, 'refreshToken' | 'refreshCookieName'>;

/**
 * Returns the refresh token of a response. The CLI must store the token because it has no cookie storage.
 * `null` if the response has no new token.
 */
export function refreshCookieOf(headers: Headers): RefreshCookie | null {
  for (const cookie of headers.getSetCookie()) {
    const [, name, value] = /^((?:__Host-)?pacekeeper_refresh(?:_[0-9a-f]+)?)=([^;]+)/.exec(cookie) ?? [];
    if (name && value) return { refreshToken: value, refreshCookieName: name };
  }
  return null;
}

export function refreshHeaders({ refreshToken, refreshCookieName }: RefreshCookie): Record<string, string> {
  return { cookie: `${refreshCookieName}=${refreshToken}` };
}

/** Returns the command that starts a session. */
export function loginCommandFor(server: string): string {
  return `pacekeeper login --server ${server}`;
}

/**
 * Creates a client that sends the access token. If the token has expired, the client renews the session once
 * and repeats the request.
 */
export function createSessionClient(
  server: string,
  session: Session,
  file: string,
  io: Pick<CliIo, 'stderr'>,
): ApiClient {
  const anonymous = createApiClient({ baseUrl: server });
  let token = session.accessToken;
  const bearer = () => createApiClient({ baseUrl: server, token });

  async function renew(): Promise<void> {
    // A refresh token can be used only once, and another command may have already renewed the session.
    const latest = (await readSessions(file, io)).servers[server] ?? session;
    if (latest.accessToken !== token) {
      token = latest.accessToken;
      return;
    }
    // An interrupt here would leave a used token in the file, and the server would treat the next command as
    // token theft.
    await deferInterrupts(async () => {
      const { body, headers } = await anonymous.send('refreshLogin', {
        headers: refreshHeaders(latest),
      });
      token = body.access_token;
      const cookie = refreshCookieOf(headers);
      // If the response has no new refresh token, a concurrent command has received it and stores it.
      if (cookie !== null) await renewSession(file, server, { ...latest, ...cookie, accessToken: token }, io);
    });
  }

  return clientOf(async (operationId, input) => {
    try {
      return await bearer().sendUnchecked(operationId, input);
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
    }
    try {
      await renew();
      return await bearer().sendUnchecked(operationId, input);
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
      throw new CliError(
        `Your session at ${server} has ended. Run '${loginCommandFor(server)}'.`,
        exitCodes.notAllowed,
      );
    }
  });
}

/** Ends a session on the server, which also invalidates any copies of its tokens. */
export async function endSession(server: string, cookie: RefreshCookie): Promise<void> {
  await createApiClient({ baseUrl: server }).call('logout', { headers: refreshHeaders(cookie) });
}

/**
 * Defers the first interrupt until `work` has finished. A second interrupt takes effect immediately, in case
 * the server doesn't respond.
 */
async function deferInterrupts(work: () => Promise<void>): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let held: NodeJS.Signals | null = null;
  const release = () => {
    for (const signal of signals) process.off(signal, hold);
  };
  const hold = (signal: NodeJS.Signals) => {
    held = signal;
    release();
  };
  for (const signal of signals) process.on(signal, hold);
  try {
    await work();
  } finally {
    release();
    if (held !== null) process.kill(process.pid, held);
  }
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiCallError && error.code === 'unauthenticated';
}
