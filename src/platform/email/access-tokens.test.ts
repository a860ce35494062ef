import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { jwtVerify } from 'jose';
import { afterEach, describe, expect, test } from 'vitest';
import { createMailInbox, type MailInbox } from '../../../tests/helpers/mail-inbox.ts';
import { temporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { authority, serverCertificates, serverKey } from '../../../tests/helpers/tls-certificates.ts';
import { checkMailLogin } from '../../operator/doctor/check-mail-login.ts';
import { readConfig } from '../config.ts';
import { createSilentLog } from '../log.ts';
import { createMailer, type Mailer } from './index.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

const tls = { key: serverKey, cert: serverCertificates.nothing };

interface TokenEndpoint {
  url: string;
  /** Bodies of the requests, in order. */
  requests: URLSearchParams[];
  /** Responds to the request with this number. */
  respond: (count: number) => { status?: number; headers?: Record<string, string>; body: unknown };
}

/** Starts a token endpoint that issues the tokens `token-1`, `token-2`, and so on. */
async function openTokenEndpoint(): Promise<TokenEndpoint> {
  const server = createServer(tls, (request, response) => {
    void text(request).then((body) => {
      const count = endpoint.requests.push(new URLSearchParams(body));
      const { status = 200, headers, body: answer } = endpoint.respond(count);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const endpoint: TokenEndpoint = {
    url: `https://good.test:${(server.address() as AddressInfo).port}/tenant/oauth2/v2.0/token`,
    requests: [],
    respond: (count) => ({
      body: { token_type: 'Bearer', expires_in: 3_599, access_token: `token-${count}` },
    }),
  };
  return endpoint;
}

/** The style in which a mail server rejects an access token: as Microsoft 365 does, or as Google does. */
type Rejection = 'status 535' | 'a challenge, then status 535';

interface OAuthInbox extends MailInbox {
  logins: { username: string | undefined; accessToken: string | undefined }[];
  /** Tokens that the mail server rejects. */
  rejected: Set<string>;
}

async function openInbox(
  rejection: Rejection = 'status 535',
  reply = '5.7.3 Unsuccessful',
): Promise<OAuthInbox> {
  const logins: OAuthInbox['logins'] = [];
  const rejected = new Set<string>();
  const inbox = await createMailInbox({
    ...tls,
    disabledCommands: [],
    authOptional: false,
    authMethods: ['XOAUTH2'],
    onAuth({ username, accessToken }, _session, callback) {
      logins.push({ username, accessToken });
      if (!rejected.has(accessToken!)) return callback(null, { user: username! });
      if (rejection === 'status 535')
        return callback(
          Object.assign(new Error(reply.replace('TOKEN', accessToken!)), { responseCode: 535 }),
        );
      return callback(null, { data: { status: '400', schemes: 'Bearer' } });
    },
  });
  opened.push(() => inbox.close());
  return Object.assign(inbox, { logins, rejected });
}

function openMailer(inbox: MailInbox, env: Record<string, string>): Mailer {
  const config = readConfig({
    PACEKEEPER_SMTP_URL: `smtp://good.test:${inbox.port}`,
    PACEKEEPER_EMAIL_FROM: 'Pacekeeper <alerts@acme.example>',
    ...env,
  });
  const mailer = createMailer(config, {
    secretKey: randomBytes(32),
    version: '0.1.0',
    log: createSilentLog(),
    ca: authority,
    resolveName: () => Promise.resolve(['127.0.0.1']),
  })!;
  opened.push(() => mailer.close());
  return mailer;
}

const clientOf = ({ url }: TokenEndpoint) => ({
  PACEKEEPER_SMTP_OAUTH_TOKEN_URL: url,
  PACEKEEPER_SMTP_OAUTH_CLIENT_ID: 'client of Acme',
  PACEKEEPER_SMTP_OAUTH_CLIENT_SECRET: 's3cret/of~the+client',
});

let sent = 0;
const send = (mailer: Mailer) =>
  mailer.send(
    {
      to: ['ana@acme.example'],
      subject: 'Subject',
      text: 'Text\n',
      html: '<p>Text</p>',
      messageId: `${(sent += 1)}@acme.example`,
      inReplyTo: null,
      date: new Date('2026-03-15T08:00:00Z'),
    },
    { fairKey: 'a', timeoutMs: 30_000 },
  );

describe('an access token for the mail server', () => {
  test('is fetched with client credentials, and used for all messages until it expires', async () => {
    const [endpoint, inbox] = [await openTokenEndpoint(), await openInbox()];
    const mailer = openMailer(inbox, clientOf(endpoint));
    const results = await Promise.all([send(mailer), send(mailer), send(mailer)]);
    results.push(await send(mailer));
    expect(results.map(({ error }) => error)).toEqual([null, null, null, null]);
    expect(endpoint.requests.map((each) => Object.fromEntries(each))).toEqual([
      {
        grant_type: 'client_credentials',
        client_id: 'client of Acme',
        client_secret: 's3cret/of~the+client',
        scope: 'https://outlook.office365.com/.default',
      },
    ]);
    expect(inbox.logins).toEqual(
      Array.from({ length: 4 }, () => ({ username: 'alerts@acme.example', accessToken: 'token-1' })),
    );
    expect(inbox.mails).toHaveLength(4);
  });

  test('is fetched again when it has expired', async () => {
    const [endpoint, inbox] = [await openTokenEndpoint(), await openInbox()];
    // Send the lifetime as text, as some providers do.
    endpoint.respond = (count) => ({ body: { access_token: `token-${count}`, expires_in: '0.000001' } });
    const mailer = openMailer(inbox, {
      ...clientOf(endpoint),
      PACEKEEPER_SMTP_OAUTH_USER: 'shared@acme.example',
    });
    await send(mailer);
    await send(mailer);
    expect(inbox.logins).toEqual([
      { username: 'shared@acme.example', accessToken: 'token-1' },
      { username: 'shared@acme.example', accessToken: 'token-2' },
    ]);
  });

  test.each<Rejection>(['status 535', 'a challenge, then status 535'])(
    'is replaced within the attempt if it was cached and the mail server rejects it with %s',
    async (rejection) => {
      const [endpoint, inbox] = [await openTokenEndpoint(), await openInbox(rejection)];
      const mailer = openMailer(inbox, clientOf(endpoint));
      await send(mailer);
      inbox.rejected.add('token-1');
      expect(await send(mailer)).toMatchObject({ accepted: ['ana@acme.example'], error: null });
      expect(inbox.logins.at(-1)).toMatchObject({ accessToken: 'token-2' });
      expect(endpoint.requests).toHaveLength(2);
    },
  );

  test('that is rejected although it is new causes an error with the mailbox and the reply, but without the token', async () => {
    const endpoint = await openTokenEndpoint();
    const inbox = await openInbox('status 535', '5.7.3 Unsuccessful for TOKEN');
    inbox.rejected.add('token-1');
    const result = await send(openMailer(inbox, clientOf(endpoint)));
    expect(result).toMatchObject({ accepted: [], status: 535 });
    expect(result.error).toEqual({
      code: 'login_failed',
      message:
        'The mail server rejected the access token for alerts@acme.example. Check that the client has permission to send as this mailbox. It returned: 535 5.7.3 Unsuccessful for …',
    });
    expect(endpoint.requests).toHaveLength(1);
  });
});

describe('an error of the token endpoint', () => {
  test.each<[string, ReturnType<TokenEndpoint['respond']>, string]>([
    [
      'names the error and its description, without the secret',
      {
        status: 401,
        body: {
          error: 'invalid_client',
          error_description: 'AADSTS7000215: Invalid client secret s3cret/of~the+client.\r\nTrace ID: 1',
        },
      },
      'The token endpoint of the mail server returned the error invalid_client: AADSTS7000215: Invalid client secret …. Trace ID: 1.',
    ],
    [
      'without a description names the error',
      { status: 400, body: { error: 'invalid_scope' } },
      'The token endpoint of the mail server returned the error invalid_scope.',
    ],
    [
      'that isn’t an OAuth response names the status',
      { status: 503, body: '<html>Service unavailable</html>' },
      'The token endpoint of the mail server returned status 503 without a token.',
    ],
    [
      'that is a redirect names the status, and the credentials are not sent to the other URL',
      { status: 307, headers: { location: '/other' }, body: '' },
      'The token endpoint of the mail server returned status 307 without a token.',
    ],
    [
      'that is a response without a token names the status',
      { body: { token_type: 'Bearer' } },
      'The token endpoint of the mail server returned status 200 without a token.',
    ],
  ])('%s', async (_title, response, message) => {
    const [endpoint, inbox] = [await openTokenEndpoint(), await openInbox()];
    endpoint.respond = () => response;
    const result = await send(openMailer(inbox, clientOf(endpoint)));
    expect(result.error).toEqual({ code: 'login_failed', message });
    expect(endpoint.requests).toHaveLength(1);
    expect(inbox.logins).toEqual([]);
  });

  test('contains neither its host nor the mail server if the endpoint can’t be reached', async () => {
    const [endpoint, inbox] = [await openTokenEndpoint(), await openInbox()];
    const env = { ...clientOf(endpoint), PACEKEEPER_SMTP_OAUTH_TOKEN_URL: 'https://other.test:1/token' };
    const result = await send(openMailer(inbox, env));
    expect(result.error).toEqual({
      code: 'login_failed',
      message: 'Token endpoint of the mail server: connection refused.',
    });
  });
});

test('the doctor requests a token, and reports the error of the token endpoint', async () => {
  const [endpoint, inbox] = [await openTokenEndpoint(), await openInbox()];
  const config = readConfig({
    PACEKEEPER_SMTP_URL: `smtp://good.test:${inbox.port}`,
    PACEKEEPER_EMAIL_FROM: 'alerts@acme.example',
    ...clientOf(endpoint),
  });
  const check = () => checkMailLogin(config, { ca: authority, resolveName: async () => ['127.0.0.1'] });
  expect(await check()).toMatchObject([{ name: 'mail_login', status: 'ok' }]);
  endpoint.respond = () => ({ status: 401, body: { error: 'invalid_client' } });
  expect(await check()).toMatchObject([
    { status: 'fail', message: expect.stringContaining('invalid_client') },
  ]);
  expect(await checkMailLogin(readConfig({}))).toEqual([]);
  expect(inbox.logins).toEqual([]);
});

test('a service account gets a token for its mailbox with an assertion that it signs', async () => {
  const [endpoint, inbox] = [await openTokenEndpoint(), await openInbox()];
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const file = path.join(temporaryFolder(), 'account.json');
  const account = {
    type: 'service_account',
    client_email: 'mail@project.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: endpoint.url,
  };
  writeFileSync(file, JSON.stringify(account));
  const result = await send(openMailer(inbox, { PACEKEEPER_SMTP_OAUTH_KEY_FILE: file }));
  expect(result.error).toBeNull();
  const { grant_type: grantType, assertion } = Object.fromEntries(endpoint.requests[0]!);
  expect(grantType).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const { payload } = await jwtVerify(assertion!, publicKey, {
    issuer: 'mail@project.example',
    subject: 'alerts@acme.example',
    audience: endpoint.url,
    maxTokenAge: '5 minutes',
  });
  expect(payload['scope']).toBe('https://mail.google.com/');
  expect(inbox.logins).toEqual([{ username: 'alerts@acme.example', accessToken: 'token-1' }]);
});
