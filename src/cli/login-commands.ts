import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';

import { ApiCallError, type ApiClient, createApiClient } from '../client/api-client.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import type { Schemas } from '../generated/auth-api.ts';
import { isItem } from './call-operation.ts';
import { addConnectionOptions, addServerOptions, type CliCommand } from './cli-command.ts';
import { CliError, describeError, exitCodeOf, exitCodes, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import { type ConnectionOptions, isWrongPath, requireServerUrl, wrongPathError } from './connect.ts';
import { withRetries } from './retries.ts';
import { endSession, type RefreshCookie, refreshCookieOf, refreshHeaders } from './session-client.ts';
import { readSessions, sessionFile, writeSession } from './session-file.ts';

interface LoginOptions {
  server?: string;
  email?: string;
  organization?: string;
  password?: boolean | string;
  sso?: boolean;
  retries: number;
}

/**
 * `login`: prompts for email and password on a terminal, or reads the password from standard input. With
 * `--sso`, the user approves the login in a browser, where all login methods are available.
 */
export const loginCommand: CliCommand = (command, { env, io }) => {
  addServerOptions(command)
    .option(
      '--email <address>',
      'Email address; without a terminal, the password is read from standard input',
    )
    .option('--organization <id-or-name>', 'Organization to use, if you belong to several')
    .option('--sso', 'Log in with a browser, on this or another machine (for single sign-on)')
    .addOption(new Option('--password [text]').hideHelp())
    .action(async (options: LoginOptions) => {
      if (options.password !== undefined) throw passwordInArguments(options.password);
      const server = requireServerUrl(options.server ?? (env['PACEKEEPER_SERVER_URL'] || null));
      warnOfPlainHttp(server, (text) => io.stderr(text));
      if (options.sso && options.email !== undefined)
        throw usageError('Use either --email or --sso. With --sso, you log in with a browser.');
      const api = withRetries(createApiClient({ baseUrl: server }), options.retries, io);
      const begin = options.sso ? await approveInBrowser(api, io) : await promptForPassword(api, options, io);
      const { body, cookie } = await logIn(begin, server, options.organization);
      const { user, organization, access_token } = body;
      const file = sessionFile(env);
      const previous = (await readSessions(file, io)).servers[server];
      const session = { email: user.email, organization: organization.name };
      await writeSession(file, server, { ...session, ...cookie, accessToken: access_token }, io);
      // The previous session is no longer stored, so end it now.
      if (previous) await endSession(server, previous).catch(() => undefined);
      io.stderr(
        `Logged in to ${server} as ${cleanLine(user.email, 254)} (organization: ${cleanLine(organization.name)}).\n`,
      );
      if (organization.two_factor_setup_required)
        io.stderr(
          `${cleanLine(organization.name)} requires two-factor authentication. Commands fail until you set it up: open ${server}/account in a browser and log in with your password.\n`,
        );
    });
};

interface LoggedIn {
  body: Schemas['LoginResponse'];
  cookie: RefreshCookie;
}

type StartLogin = () => Promise<{ body: Schemas['LoginResponse']; headers: Headers }>;

async function promptForPassword(api: ApiClient, options: LoginOptions, io: CliIo): Promise<StartLogin> {
  if (!io.isInputTerminal && options.email === undefined)
    throw usageError(
      'No terminal available. Use --email and pass the password on standard input, or use --sso.',
    );
  const email = options.email ?? (await io.ask('Email: ')).trim();
  if (email === '') throw usageError('No email address given.');
  const password = io.isInputTerminal
    ? await io.askHidden('Password: ')
    : (await io.readStdin()).replace(/\r?\n$/, '');
  if (password === '')
    throw usageError('No password given. Pass it on standard input, or run this on a terminal.');
  return async () => {
    try {
      return await api.send('login', { body: { email, password } });
    } catch (error) {
      if (!requiresCode(error)) throw error;
    }
    if (!io.isInputTerminal)
      throw new CliError(
        'This account uses two-factor authentication. Run this on a terminal, use --sso to approve the login in a browser, or use an API key.',
        exitCodes.notAllowed,
      );
    const code = (await io.ask('Code from your authenticator app, or a recovery code: ')).trim();
    return api.send('login', { body: { email, password, code } });
  };
}

function requiresCode(error: unknown): boolean {
  return error instanceof ApiCallError && error.errors.some(({ field }) => field === 'code');
}

/** Returns a login that shows a code and waits until the user approves it in a browser. */
async function approveInBrowser(api: ApiClient, io: CliIo): Promise<StartLogin> {
  return async () => {
    const { device_code, user_code, verification_url, expires_in } = await api.call('startDeviceLogin');
    io.stderr(
      `Open ${cleanLine(verification_url, 2_000)}\nCheck that the page shows the code ${cleanLine(user_code)}, and approve the login there.\n`,
    );
    const until = performance.now() + expires_in * 1_000;
    while (performance.now() < until) {
      const { status, body, headers } = await api
        .send('claimDeviceLogin', { body: { device_code } })
        .catch((error: unknown) => {
          if (error instanceof ApiCallError && error.code === 'not_found') throw notApproved();
          throw error;
        });
      if (status === 200 && 'access_token' in body) return { body, headers };
      await sleep(('interval' in body ? body.interval : 5) * 1_000, undefined, { signal: io.signal });
    }
    throw notApproved();
  };
}

function notApproved(): CliError {
  return new CliError(
    'The login expired before it was approved. Run the command again.',
    exitCodes.notAllowed,
  );
}

/** Logs in and switches to the requested organization, if any. */
async function logIn(begin: StartLogin, server: string, organization: string | undefined): Promise<LoggedIn> {
  const first = await begin().catch((error: unknown) => {
    throw isWrongPath(error) ? wrongPathError(server) : error;
  });
  const cookie = refreshCookieOf(first.headers);
  if (cookie === null || !isItem(first.body.organization))
    throw new CliError(
      `${server} didn't return a session. A proxy or a login page may have responded; check the server URL.`,
      exitCodes.unreachable,
    );
  try {
    const wanted = chooseOrganization(first.body, organization);
    if (wanted === null) return { body: first.body, cookie };
    const { body, headers } = await createApiClient({
      baseUrl: server,
      token: first.body.access_token,
    }).send('switchOrganization', {
      body: { organization_id: wanted },
      headers: refreshHeaders(cookie),
    });
    return { body, cookie: refreshCookieOf(headers) ?? cookie };
  } catch (error) {
    await endSession(server, cookie).catch(() => undefined);
    throw error;
  }
}

function passwordInArguments(value: boolean | string): CliError {
  const seen =
    typeof value === 'string' && value !== '-'
      ? ' Change this password: other users of this machine may have seen it.'
      : '';
  return usageError(
    `A password can't be passed as an argument, because other users of the machine can read it. Pass it on standard input, or run this command in a terminal.${seen}`,
  );
}

/** `logout`: ends the session. */
export const logoutCommand: CliCommand = (command, { env, io }) => {
  command
    .option('--server <url>', 'Server URL (default: PACEKEEPER_SERVER_URL, then the last login)')
    .action(async (options: { server?: string }) => {
      const file = sessionFile(env);
      const sessions = await readSessions(file, io);
      const named = options.server ?? (env['PACEKEEPER_SERVER_URL'] || null);
      const server = named === null ? sessions.current : requireServerUrl(named);
      const session = server === null ? undefined : sessions.servers[server];
      if (server === null || !session) {
        io.stderr(server === null ? 'Not logged in.\n' : `Not logged in to ${server}.\n`);
        return;
      }
      // Delete the local session even if the server can't be reached.
      await writeSession(file, server, null, io);
      try {
        await endSession(server, session);
      } catch (error) {
        throw new CliError(
          `${describeError(error)}\nThe session was deleted from this computer but couldn't be ended on the server, where it expires within 14 days. To end it now, change your password on the server.`,
          exitCodeOf(error),
        );
      }
      io.stderr(`Logged out of ${server}.\n`);
    });
};

/** `whoami`: prints the server, credential, organization, and role. */
export const whoamiCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command).action(async (options: ConnectionOptions) => {
    const { server, api, credential } = await connect(options);
    if (credential === 'api_key') {
      const { api_key, organization, role } = await api.call('getCaller');
      const key = `API key ${api_key === null ? '' : `"${cleanLine(api_key.name)}"`}`.trim();
      io.stdout(
        `server: ${server}\ncredential: ${key}\norganization: ${cleanLine(organization.name)}\nrole: ${role}\n`,
      );
      return;
    }
    const me = await api.call('getMe');
    io.stdout(
      `server: ${server}\nuser: ${cleanLine(me.user.email, 254)}\norganization: ${cleanLine(me.organization.name)}\nrole: ${me.organization.role}\n`,
    );
  });
};

/**
 * Returns the ID of the organization to switch to. `null` if the session already belongs to it or none was
 * requested.
 */
function chooseOrganization(
  { organization, organizations }: Schemas['LoginResponse'],
  wanted: string | undefined,
): number | null {
  if (wanted === undefined) return null;
  const found = organizations.filter(({ id, name }) => String(id) === wanted || name === wanted);
  const [only] = found;
  if (!only || found.length > 1) {
    const list = organizations.map(({ id, name }) => `${id} ${cleanLine(name)}`).join(', ');
    throw new CliError(
      `${only ? 'Several organizations are' : "You don't belong to an organization"} named "${wanted}". Available: ${list}.`,
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
