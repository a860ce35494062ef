import { ApiCallError, type ApiClient, createApiClient } from '../client/api-client.ts';
import { CliError, exitCodes } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import { readSessions, renewSession, type Session } from './session-file.ts';

/** The cookie that holds the refresh token of a session. */
const refreshCookie = 'pacekeeper_refresh';

/** The refresh token of a response, which a client that isn't a browser stores itself; null without a new one. */
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

/** The command that starts a session. */
export function logInAgain(server: string): string {
  return `pacekeeper login --server ${server}`;
}

/** Sends the access token. When it has expired, renews the session once and sends the request again. */
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
    // Another command may have renewed it: a refresh token can be used once.
    const latest = (await readSessions(file, io)).servers[server] ?? session;
    if (latest.accessToken !== token) {
      token = latest.accessToken;
      return;
    }
    // Interrupted in between, it would leave a used token behind, and the next command would look like token theft.
    await holdInterrupts(async () => {
      const { body, headers } = await anonymous.send('refreshLogin', {
        headers: refreshHeaders(latest.refreshToken),
      });
      token = body.access_token;
      const refreshToken = refreshTokenOf(headers);
      // Without a new one, a command that ran at the same time has it and stores it.
      if (refreshToken !== null)
        await renewSession(file, server, { ...latest, accessToken: token, refreshToken }, io);
    });
  }

  const api: ApiClient = {
    async send(operationId, ...input) {
      try {
        return await bearer().send(operationId, ...input);
      } catch (error) {
        if (!isUnauthenticated(error)) throw error;
      }
      try {
        await renew();
        return await bearer().send(operationId, ...input);
      } catch (error) {
        if (!isUnauthenticated(error)) throw error;
        throw new CliError(
          `Your session at ${server} has ended. Run '${logInAgain(server)}'.`,
          exitCodes.notAllowed,
        );
      }
    },
    call: async (operationId, ...input) => (await api.send(operationId, ...input)).body,
  };
  return api;
}

/** Ends a session at its server, so that its tokens are worthless wherever they were copied to. */
export async function endSession(
  server: string,
  { refreshToken }: Pick<Session, 'refreshToken'>,
): Promise<void> {
  await createApiClient({ baseUrl: server }).call('logout', { headers: refreshHeaders(refreshToken) });
}

/** The first interrupt takes effect after `work`; a second one at once, in case the server doesn't answer. */
async function holdInterrupts(work: () => Promise<void>): Promise<void> {
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
