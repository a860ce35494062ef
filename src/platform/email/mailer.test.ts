import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { createMailInbox, type MailInbox } from '../../../tests/helpers/mail-inbox.ts';
import { authority, serverCertificates, serverKey } from '../../../tests/helpers/tls-certificates.ts';
import { readConfig } from '../config.ts';
import { createSilentLog } from '../log.ts';
import { createMailer, type Mail, type Mailer } from './index.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function openInbox(options: Parameters<typeof createMailInbox>[0] = {}): Promise<MailInbox> {
  const inbox = await createMailInbox(options);
  opened.push(() => inbox.close());
  return inbox;
}

function openMailer(url: string, env: Record<string, string> = {}): Mailer {
  const config = readConfig({
    PACEKEEPER_SMTP_URL: url,
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

const mail: Mail = {
  to: ['ana@acme.example'],
  subject: 'Subject',
  text: 'Text\n',
  html: '<p>Text</p>',
  messageId: 'one@acme.example',
  inReplyTo: null,
  date: new Date('2026-03-15T08:00:00Z'),
};
const send = (mailer: Mailer, changes: Partial<Mail> = {}, timeoutMs = 5_000) =>
  mailer.send({ ...mail, ...changes }, { fairKey: 'a', timeoutMs });

const good = { key: serverKey, cert: serverCertificates.nothing, disabledCommands: [] };

describe('STARTTLS', () => {
  test('encrypts messages to remote servers and verifies the server name', async () => {
    const inbox = await openInbox(good);
    const result = await send(openMailer(`smtp://good.test:${inbox.port}`));
    expect(result).toMatchObject({ accepted: ['ana@acme.example'], status: 250, error: null });
    expect(inbox.mails[0]).toMatchObject({ from: 'alerts@acme.example', to: ['ana@acme.example'] });
    expect(inbox.mails[0]!.mail).toMatchObject({
      from: { address: 'alerts@acme.example', name: 'Pacekeeper' },
      subject: 'Subject',
      messageId: '<one@acme.example>',
      date: '2026-03-15T08:00:00.000Z',
    });
    expect(inbox.mails[0]!.head).toContain('Auto-Submitted: auto-generated');
  });

  test.each(['for a different host', 'expired', 'signed by an unknown authority'] as const)(
    'sends nothing to a server with an invalid certificate (%s)',
    async (problem) => {
      const inbox = await openInbox({ ...good, cert: serverCertificates[problem] });
      const result = await send(openMailer(`smtp://good.test:${inbox.port}`));
      expect(result).toMatchObject({ accepted: [], error: { code: 'tls_failed' } });
      expect(inbox.mails).toEqual([]);
    },
  );

  test('sends neither a message nor a password if the server does not offer it', async () => {
    const logins: unknown[] = [];
    const inbox = await openInbox({
      allowInsecureAuth: true,
      onAuth: (auth, _session, callback) => {
        logins.push(auth);
        callback(null, { user: auth.username });
      },
    });
    const result = await send(openMailer(`smtp://user:password@good.test:${inbox.port}`));
    expect(result.error).toEqual({
      code: 'tls_failed',
      message: "The mail server doesn't offer STARTTLS.",
    });
    expect([inbox.mails, logins]).toEqual([[], []]);
  });

  test('is optional if disabled by the operator or on the local machine', async () => {
    const inbox = await openInbox();
    const off = openMailer(`smtp://good.test:${inbox.port}`, { PACEKEEPER_SMTP_STARTTLS: 'off' });
    expect((await send(off)).error).toBeNull();
    expect((await send(openMailer(`smtp://127.0.0.1:${inbox.port}`))).error).toBeNull();
    const required = openMailer(`smtp://127.0.0.1:${inbox.port}`, { PACEKEEPER_SMTP_STARTTLS: 'required' });
    expect((await send(required)).error).toMatchObject({ code: 'tls_failed' });
    expect(inbox.mails).toHaveLength(2);
  });
});

test('an smtps:// connection is encrypted from the first byte', async () => {
  const inbox = await openInbox({ ...good, secure: true });
  expect((await send(openMailer(`smtps://good.test:${inbox.port}`))).error).toBeNull();
  const other = await openInbox({ ...good, cert: serverCertificates['for a different host'], secure: true });
  const refused = await send(openMailer(`smtps://good.test:${other.port}`));
  expect(refused.error).toMatchObject({ code: 'tls_failed' });
  expect([inbox.mails.length, other.mails.length]).toEqual([1, 0]);
});

describe('an SMTP login', () => {
  async function openWithLogin() {
    return openInbox({
      ...good,
      authOptional: false,
      onAuth: ({ username, password }, _session, callback) =>
        username === 'alerts' && password === 'p@ss:word/%'
          ? callback(null, { user: username })
          : callback(Object.assign(new Error('no such secret-p4ss'), { responseCode: 535 })),
    });
  }

  test('uses the user and password of the URL', async () => {
    const inbox = await openWithLogin();
    const password = encodeURIComponent('p@ss:word/%');
    const result = await send(openMailer(`smtp://alerts:${password}@good.test:${inbox.port}`));
    expect(result).toMatchObject({ status: 250, error: null });
  });

  test('fails with login_failed if rejected, without exposing the password', async () => {
    const inbox = await openWithLogin();
    const result = await send(openMailer(`smtp://alerts:secret-p4ss@good.test:${inbox.port}`));
    expect(result).toMatchObject({ accepted: [], status: 535, error: { code: 'login_failed' } });
    expect(JSON.stringify(result)).not.toContain('secret-p4ss');
    expect(inbox.mails).toEqual([]);
  });
});

describe('the name with which a client introduces itself', () => {
  /** Returns the name that the mail server received. */
  async function nameFor(env: Record<string, string>): Promise<string | undefined> {
    let name: string | undefined;
    const inbox = await openInbox({
      onMailFrom(_address, session, callback) {
        name = session.hostNameAppearsAs || undefined;
        callback();
      },
    });
    await send(openMailer(`smtp://127.0.0.1:${inbox.port}`, env));
    return name;
  }

  test('is the host of the base URL, unless the operator sets another one', async () => {
    const base = { PACEKEEPER_BASE_URL: 'https://pacekeeper.acme.example:8443/path' };
    expect(await nameFor(base)).toBe('pacekeeper.acme.example');
    expect(await nameFor({ ...base, PACEKEEPER_SMTP_EHLO_NAME: 'mx.acme.example' })).toBe('mx.acme.example');
  });

  test.each(['http://localhost:8080', 'http://192.0.2.1', 'http://[::1]:8080', 'http://pacekeeper'])(
    'does not contain the host of the base URL if other machines cannot resolve it: %s',
    async (url) => {
      expect(url).not.toContain(String(await nameFor({ PACEKEEPER_BASE_URL: url })));
    },
  );
});

test('replies go to the address that the operator sets', async () => {
  const inbox = await openInbox();
  const env = { PACEKEEPER_EMAIL_REPLY_TO: 'Platform team <platform@acme.example>' };
  await send(openMailer(`smtp://127.0.0.1:${inbox.port}`, env));
  expect(inbox.mails[0]!.mail.replyTo).toEqual([{ address: 'platform@acme.example', name: 'Platform team' }]);
});

test.each([
  [535, '5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled', /OAuth.*SmtpClient/],
  [504, 'Unrecognized authentication type', /OAuth.*Unrecognized/],
  [535, '5.7.8 Username and Password not accepted', /^The mail server rejected the user name.*5\.7\.8/],
] as const)(
  'the error of a login that fails with %i %s states the cause',
  async (responseCode, text, message) => {
    const inbox = await openInbox({
      ...good,
      onAuth: (_login, _session, callback) => callback(Object.assign(new Error(text), { responseCode })),
    });
    const result = await send(openMailer(`smtp://alerts:secret@good.test:${inbox.port}`));
    expect(result.error).toMatchObject({ code: 'login_failed', message: expect.stringMatching(message) });
  },
);

describe('a URL with the wrong kind of TLS for the port', () => {
  test('is reported if smtps:// is used on a port that starts without TLS', async () => {
    const inbox = await openInbox(good);
    expect((await send(openMailer(`smtps://good.test:${inbox.port}`))).error).toEqual({
      code: 'tls_failed',
      message:
        "The mail server doesn't use TLS from the start on this port. Use smtp:// (STARTTLS) instead of smtps:// in PACEKEEPER_SMTP_URL, or another port.",
    });
  });

  test('is reported if smtp:// is used on a port that expects TLS from the start', async () => {
    const inbox = await openInbox({ ...good, secure: true });
    const result = await send(openMailer(`smtp://good.test:${inbox.port}`), {}, 500);
    expect(result.error).toMatchObject({ code: 'timeout', message: expect.stringContaining('use smtps://') });
  });
});

test('the result of a rejected connection contains the text of the mail server', async () => {
  const inbox = await openInbox({
    onConnect: (_session, callback) =>
      callback(Object.assign(new Error('4.7.0 Try again later, closing connection'), { responseCode: 421 })),
  });
  const result = await send(openMailer(`smtp://127.0.0.1:${inbox.port}`));
  expect(result.error?.message).toContain('4.7.0 Try again later, closing connection');
});

test.each([
  ['deferred', { status: 451, text: 'greylisted, try again' }],
  ['rejected', { status: 552, text: 'too large' }],
] as const)('the result of a message that is %s contains the reply', async (code, reply) => {
  const inbox = await openInbox();
  inbox.answerNext(reply);
  const result = await send(openMailer(`smtp://127.0.0.1:${inbox.port}`));
  expect(result).toMatchObject({ accepted: [], status: reply.status, error: { code } });
  expect(result.reply).toBe(`${reply.status} ${reply.text}`);
});

test('recipients are accepted and rejected individually', async () => {
  const inbox = await openInbox();
  const replies = {
    'bob@acme.example': { status: 550, text: 'no such user' },
    'eve@acme.example': { status: 450 },
  };
  inbox.onRecipient = (address) => (replies as Record<string, { status: number }>)[address] ?? null;
  const mailer = openMailer(`smtp://127.0.0.1:${inbox.port}`);
  const to = ['ana@acme.example', 'bob@acme.example', 'eve@acme.example'];
  expect(await send(mailer, { to })).toMatchObject({
    accepted: ['ana@acme.example'],
    rejectedRecipients: [
      { address: 'bob@acme.example', status: 550, reply: '550 no such user' },
      { address: 'eve@acme.example', status: 450 },
    ],
    error: null,
  });
  // If no recipient was accepted, one deferred recipient is enough to defer the message.
  expect(await send(mailer, { to: to.slice(1) })).toMatchObject({
    accepted: [],
    error: { code: 'deferred' },
  });
  expect(await send(mailer, { to: ['bob@acme.example'] })).toMatchObject({
    accepted: [],
    error: { code: 'rejected' },
  });
  expect(inbox.mails).toHaveLength(1);
});

test('a long reply is truncated for storage', async () => {
  const inbox = await openInbox();
  inbox.onRecipient = () => ({ status: 550, text: `x${'📪'.repeat(200)}` });
  const result = await send(openMailer(`smtp://127.0.0.1:${inbox.port}`));
  expect(result.reply).toContain(`550 x${'📪'.repeat(97)}`);
  expect(result.reply!.length).toBeLessThanOrEqual(200);
  expect([result.reply!, result.error!.message].map((text) => text.isWellFormed())).toEqual([true, true]);
});

test('an error never contains the name of the mail server', async () => {
  const { port } = await openInbox().then(async (inbox) => {
    await inbox.close();
    return inbox;
  });
  const away = await send(openMailer(`smtp://good.test:${port}`));
  expect(away.error).toEqual({ code: 'connection_failed', message: 'Mail server: connection refused.' });

  const silent = await openInbox();
  silent.answerNext('silence');
  const slow = await send(openMailer(`smtp://127.0.0.1:${silent.port}`), {}, 300);
  expect(slow.error).toEqual({ code: 'timeout', message: "The mail server didn't respond in time." });
});

test('aborting the signal stops a message in flight', async () => {
  const inbox = await openInbox();
  inbox.answerNext('silence');
  const stop = new AbortController();
  const sending = openMailer(`smtp://127.0.0.1:${inbox.port}`).send(mail, {
    fairKey: 'a',
    timeoutMs: 10_000,
    signal: stop.signal,
  });
  await expect.poll(() => inbox.unaccepted.length).toBe(1);
  stop.abort(new Error('stopping'));
  await expect(sending).rejects.toThrow('stopping');
});

test('at most three messages are in flight at the same time', async () => {
  let [open, most] = [0, 0];
  const inbox = await openInbox({
    onConnect: (_session, callback) => {
      most = Math.max(most, ++open);
      callback();
    },
    onClose: () => void open--,
  });
  const mailer = openMailer(`smtp://127.0.0.1:${inbox.port}`);
  const results = await Promise.all(Array.from({ length: 12 }, () => send(mailer)));
  expect(results.every(({ error }) => error === null)).toBe(true);
  expect(inbox.mails).toHaveLength(12);
  // A connection that is closing can overlap with the next one, so up to twice the limit can be open.
  expect(most).toBeLessThanOrEqual(6);
});
