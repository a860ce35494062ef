import { createApiClient } from '../client/api-client.ts';
import type { Schemas } from '../generated/auth-api.ts';
import { addConnectionOptions, type CliCommand } from './cli-command.ts';
import { CliError, exitCodes, usageError } from './cli-error.ts';
import {
  type ConnectionOptions,
  checkServer,
  refreshHeaders,
  refreshTokenOf,
  withRetries,
} from './connect.ts';
import { readSessions, sessionFile, writeSession } from './session-file.ts';

interface LoginOptions {
  server?: string;
  email?: string;
  organization?: string;
  retries: number;
}

/** `login`: asks for e-mail and password on a terminal, or takes the password from standard input. */
export const loginCommand: CliCommand = (command, { env, io }) => {
  addConnectionOptions(command)
    .option('--email <address>', 'Email address; reads the password from standard input')
    .option('--organization <id-or-name>', 'Organization to use, if you belong to several')
    .action(async (options: LoginOptions) => {
      const server = checkServer(options.server ?? env['PACEKEEPER_SERVER_URL'] ?? null);
      warnOfPlainHttp(server, (text) => io.stderr(text));
      if (!io.isInputTerminal && options.email === undefined)
        throw usageError('No terminal available. Use --email and pass the password on standard input.');
      const email = options.email ?? (await io.ask('Email: ')).trim();
      const password = io.isInputTerminal
        ? await io.askHidden('Password: ')
        : (await io.readStdin()).replace(/\r?\n$/, '');
      const api = withRetries(createApiClient({ baseUrl: server }), options.retries, io);
      let answer = await api.send('login', { body: { email, password } });
      let refreshToken = refreshTokenOf(answer.headers);
      const wanted = chooseOrganization(answer.body, options.organization);
      if (wanted !== null && refreshToken !== null) {
        const switched = createApiClient({ baseUrl: server, token: answer.body.access_token });
        answer = await switched.send('switchOrganization', {
          body: { organization_id: wanted },
          headers: refreshHeaders(refreshToken),
        });
        refreshToken = refreshTokenOf(answer.headers);
      }
      if (refreshToken === null)
        throw new CliError("The server didn't return a session. Check that the URL points to Pacekeeper.");
      const { user, organization, access_token } = answer.body;
      const file = sessionFile(env);
      const session = { email: user.email, organization: organization.name };
      await writeSession(file, server, { ...session, accessToken: access_token, refreshToken });
      io.stderr(`Logged in to ${server} as ${user.email} (organization: ${organization.name}).\n`);
    });
};

/** `logout` */
export const logoutCommand: CliCommand = (command, { env, io }) => {
  command
    .option('--server <url>', 'Server URL (default: the last login)')
    .action(async (options: { server?: string }) => {
      const file = sessionFile(env);
      const sessions = await readSessions(file);
      const server = options.server === undefined ? sessions.current : checkServer(options.server);
      const session = server === null ? undefined : sessions.servers[server];
      if (server === null || !session) {
        io.stderr('Not logged in.\n');
        return;
      }
      // The login is forgotten here also when the server is out of reach.
      await writeSession(file, server, null);
      await createApiClient({ baseUrl: server }).call('logout', {
        headers: refreshHeaders(session.refreshToken),
      });
      io.stderr(`Logged out of ${server}.\n`);
    });
};

/** `whoami` */
export const whoamiCommand: CliCommand = (command, { env, io, connect }) => {
  addConnectionOptions(command).action(async (options: ConnectionOptions) => {
    const { server, api } = await connect(options);
    const isKey = options.apiKeyFile !== undefined || Boolean(env['PACEKEEPER_API_KEY']);
    if (isKey) {
      // A key has no name for itself; that it opens something is what can be said. Every key may read scrape jobs.
      await api.call('listScrapeJobs', { query: { limit: 1 } });
      io.stdout(`server: ${server}\ncredential: API key\n`);
      return;
    }
    const me = await api.call('getMe');
    io.stdout(
      `server: ${server}\nuser: ${me.user.email}\norganization: ${me.organization.name}\nrole: ${me.organization.role}\n`,
    );
  });
};

/** The id of another organization than the one that the login began in; null when it is the right one. */
function chooseOrganization(
  { organization, organizations }: Schemas['LoginResponse'],
  wanted: string | undefined,
): number | null {
  if (wanted === undefined) return null;
  const found = organizations.filter(({ id, name }) => String(id) === wanted || name === wanted);
  const [only] = found;
  if (!only || found.length > 1) {
    const list = organizations.map(({ id, name }) => `${id} ${name}`).join(', ');
    throw new CliError(
      `${only ? 'Several organizations are' : 'You belong to no organization'} named "${wanted}". Available: ${list}.`,
      exitCodes.notAllowed,
    );
  }
  return only.id === organization.id ? null : only.id;
}

function warnOfPlainHttp(server: string, warn: (text: string) => void): void {
  const { protocol, hostname } = new URL(server);
  if (protocol === 'https:' || /^(localhost|127\.|\[::1\])/.test(hostname)) return;
  warn(`Warning: ${server} doesn't use HTTPS. Your password is sent unencrypted.\n`);
}
