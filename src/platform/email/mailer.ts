import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import { createTransport, type NodemailerError, type SMTPTransportOptions } from 'nodemailer';
import type { Config } from '../config.ts';
import type { SmtpAddress } from '../config-values.ts';
import { createFairLimit, NoCapacityError } from '../fairness/index.ts';
import type { Log } from '../log.ts';
import { createRateLimitedLog } from '../log-sparingly.ts';
import {
  OutboundError,
  type OutboundErrorCode,
  openOutboundTo,
  type ResolveName,
} from '../outbound/index.ts';
import { deriveKey } from '../secrets/index.ts';
import { type AccessTokenConfig, AccessTokenError, createAccessTokens } from './access-tokens.ts';
import { oneLine, withoutSecrets } from './one-line.ts';

/** One email. Addresses have no display names, and the sender is the address that the operator configured. */
export interface Mail {
  to: readonly string[];
  subject: string;
  text: string;
  html: string;
  /** Message ID without angle brackets. */
  messageId: string;
  /** ID of the message that this one follows, without angle brackets. */
  inReplyTo: string | null;
  /** URL of the page that removes recipients from the list, or `null` for messages that aren't sent to a list. */
  unsubscribeUrl?: string | null;
  date: Date;
}

export type MailErrorCode =
  | 'deferred'
  | 'rejected'
  | 'login_failed'
  | 'timeout'
  | 'connection_failed'
  | 'name_not_found'
  | 'tls_failed'
  | 'invalid_response';

/** An error reply of the mail server for one recipient. */
export interface RejectedRecipient {
  address: string;
  /** The SMTP reply code. A 4xx failure is temporary, a 5xx failure is permanent. */
  status: number;
  reply: string;
}

/** The result of one attempt. None of its strings contains the name of the mail server. */
export interface MailResult {
  /** Recipients that the mail server accepted. */
  accepted: readonly string[];
  /** Recipients that the mail server rejected individually. */
  rejectedRecipients: readonly RejectedRecipient[];
  /** The last SMTP reply code. Null without a reply. */
  status: number | null;
  /** The last reply about the message or its recipients. */
  reply: string | null;
  /** Reason why no recipient was accepted, or null if at least one was. */
  error: { code: MailErrorCode; message: string } | null;
}

export interface MailSendOptions {
  /** Key of the message's owner. Connections are assigned to the keys in turn. */
  fairKey: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface Mailer {
  /** Domains that the operator allows in addition to members' addresses. */
  domains: readonly string[];
  /**
   * Returns the ID of a message. The same text always has the same ID, but different installations have
   * different IDs.
   */
  messageIdOf(text: string): string;
  /** Sends one email. Failures are part of the result; the promise rejects only when `signal` aborts. */
  send(mail: Mail, options: MailSendOptions): Promise<MailResult>;
  close(): Promise<void>;
}

export type MailConfig = AccessTokenConfig &
  Pick<
    Config,
    'baseUrl' | 'smtpServer' | 'smtpStartTls' | 'smtpEhloName' | 'emailFrom' | 'emailReplyTo' | 'emailDomains'
  >;

interface MailerOptions {
  secretKey: Uint8Array;
  version: string;
  log: Log;
  /**
   * Certificates (PEM) that are trusted instead of the default certificates. Only for tests, as is
   * `resolveName`.
   */
  ca?: string;
  resolveName?: ResolveName;
}

/**
 * Maximum number of concurrent connections. Mail services limit the connections of a client, some of them to
 * 3.
 */
const maxConnections = 3;

/**
 * Creates a mailer for the operator's mail server.
 *
 * @returns `null` if the operator hasn't configured a mail server.
 */
export function createMailer(config: MailConfig, options: MailerOptions): Mailer | null {
  const { smtpServer, smtpStartTls, emailFrom, emailReplyTo, emailDomains } = config;
  if (smtpServer === null || emailFrom === null) return null;
  const warn = createRateLimitedLog(options.log.child({ part: 'email' }));
  const { host, port, isTls, login } = smtpServer;
  const outbound = openOutboundTo(config, {
    host,
    ca: null,
    isDirect: false,
    userAgent: `Pacekeeper/${options.version}`,
    ...(options.resolveName && { resolveName: options.resolveName }),
  });
  const tokens = createAccessTokens(config, {
    userAgent: `Pacekeeper/${options.version}`,
    ca: options.ca ?? null,
    ...(options.resolveName && { resolveName: options.resolveName }),
  });
  const startTls = smtpStartTls ?? (isLoopback(host) ? 'off' : 'required');
  const ehloName = config.smtpEhloName ?? publicHost(config.baseUrl);
  const slots = createFairLimit({ max: maxConnections, maxPerKey: maxConnections });
  const idKey = deriveKey(options.secretKey, 'email-thread');
  const idHost = emailFrom.address.slice(emailFrom.address.lastIndexOf('@') + 1);

  async function attempt(
    mail: Mail,
    credentials: Credentials | null,
    signal: AbortSignal,
  ): Promise<MailResult> {
    signal.throwIfAborted();
    let socket: Socket | undefined;
    const transport = createTransport({
      host,
      port,
      ...(ehloName !== null && { name: ehloName }),
      secure: isTls,
      requireTLS: !isTls && startTls === 'required',
      ignoreTLS: !isTls && startTls === 'off',
      ...(credentials !== null && { auth: authOf(credentials) }),
      ...(options.ca === undefined ? {} : { tls: { ca: options.ca } }),
      // `signal` enforces one deadline for the whole attempt, so these timeouts never apply first.
      connectionTimeout: connectionLimitMs,
      greetingTimeout: connectionLimitMs,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket(_options, callback) {
        outbound.connect({ hostname: host, port, signal }).then(
          (connection) => {
            socket = connection;
            callback(null, { connection });
          },
          (error: Error) => callback(error),
        );
      },
    });
    try {
      const info = await transport.sendMail({
        from: emailFrom!,
        ...(emailReplyTo !== null && { replyTo: emailReplyTo }),
        to: [...mail.to],
        envelope: { from: emailFrom!.address, to: [...mail.to] },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        date: mail.date,
        messageId: `<${mail.messageId}>`,
        ...(mail.inReplyTo !== null && {
          inReplyTo: `<${mail.inReplyTo}>`,
          references: `<${mail.inReplyTo}>`,
        }),
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(mail.unsubscribeUrl != null && { 'List-Unsubscribe': `<${mail.unsubscribeUrl}>` }),
        },
        xMailer: false,
        signal,
      });
      return {
        accepted: addressesIn(mail, info.accepted),
        rejectedRecipients: rejectionsOf(info.rejectedErrors),
        ...replyOf(info.response),
        error: null,
      };
    } catch (error) {
      if (credentials !== null) hideSecrets(error as NodemailerError, credentials);
      if (signal.aborted && !isTls && socket?.bytesRead === 0) throw new NoGreeting();
      throw error;
    } finally {
      transport.close();
    }
  }

  /**
   * Attempts to send an email, with an access token if the operator has configured how to get one. Providers can revoke
   * a token before it expires, so the attempt is repeated with a new one if the mail server rejects a cached one.
   */
  async function attemptWithLogin(mail: Mail, signal: AbortSignal): Promise<MailResult> {
    if (tokens === null) return attempt(mail, login, signal);
    const { user } = tokens;
    const { token, isNew } = await tokens.get();
    try {
      return await attempt(mail, { user, token }, signal);
    } catch (error) {
      if (!isLoginError(error as NodemailerError)) throw error;
      tokens.discard(token);
      if (isNew) throw error;
    }
    return attempt(mail, { user, token: (await tokens.get()).token }, signal);
  }

  return {
    domains: emailDomains,
    messageIdOf: (text) => `${createHmac('sha256', idKey).update(text).digest('hex').slice(0, 32)}@${idHost}`,

    async send(mail, { fairKey, timeoutMs, signal: stop }) {
      let release: () => void;
      try {
        release = await slots.enter(fairKey, { waitMs: waitForSlotMs, signal: stop });
      } catch (error) {
        if (!(error instanceof NoCapacityError)) throw error;
        return failed('timeout', 'The mail server is busy with other messages.');
      }
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        return await attemptWithLogin(mail, stop ? AbortSignal.any([stop, deadline]) : deadline);
      } catch (error) {
        stop?.throwIfAborted();
        warn({ err: error }, 'sending an email failed');
        if (error instanceof AccessTokenError) return failed('login_failed', error.message);
        if (deadline.aborted) return failed('timeout', error instanceof NoGreeting ? noGreeting : noResponse);
        return toResult(error as NodemailerError, tokens?.user ?? null);
      } finally {
        release();
      }
    },

    async close() {
      await Promise.all([outbound.close(), tokens?.close()]);
    },
  };
}

/**
 * Connection timeout of the transport. Longer than the deadline of any attempt, so it never applies first.
 */
const connectionLimitMs = 60_000;
/** The deadline of an attempt passed before the mail server sent anything on an unencrypted connection. */
class NoGreeting extends Error {}

const noResponse = "The mail server didn't respond in time.";
/**
 * Message for a mail server that sent no greeting. A server that expects TLS sends none, because it waits for
 * the client.
 */
const noGreeting =
  'The mail server accepted the connection but sent no greeting. If this port uses TLS from the start, as 465 does, use smtps:// instead of smtp:// in PACEKEEPER_SMTP_URL.';

/**
 * Maximum wait for a connection slot. Shorter than the difference between a delivery's lease and its timeout.
 */
const waitForSlotMs = 20_000;

/**
 * Returns the host of the base URL if other machines can resolve it. Mail servers reject clients that introduce
 * themselves with an address or a name without a dot, as containers have.
 */
function publicHost(baseUrl: string | null): string | null {
  const host = baseUrl === null ? undefined : URL.parse(baseUrl)?.hostname;
  return host !== undefined && /[a-z]/iu.test(host) && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/iu.test(host)
    ? host
    : null;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/**
 * Returns the accepted addresses as spelled in the mail, because the spelling in the server's response isn't
 * trusted.
 */
function addressesIn({ to }: Mail, accepted: readonly (string | { address: string })[]): string[] {
  const named = new Set(
    accepted.map((each) => (typeof each === 'string' ? each : each.address).toLowerCase()),
  );
  return to.filter((address) => named.has(address.toLowerCase()));
}

function rejectionsOf(errors: readonly NodemailerError[] = []): RejectedRecipient[] {
  return errors.flatMap(({ recipient, responseCode = 0, response = '' }) =>
    recipient === undefined
      ? []
      : [{ address: recipient.toLowerCase(), status: responseCode, reply: oneLine(response) }],
  );
}

/**
 * Converts an error to a result. Connection errors contain the host name, so they get fixed messages. Replies of the
 * mail server are passed on, because only they name the cause.
 */
function toResult(error: NodemailerError, oAuthUser: string | null): MailResult {
  if (error instanceof OutboundError) return failed(outboundCodes[error.code], outboundSentence(error));
  const { code, command = '', responseCode: status = null, response, originalCode = '' } = error;
  if (speaksNoTls.test(originalCode))
    return failed(
      'tls_failed',
      "The mail server doesn't use TLS from the start on this port. Use smtp:// (STARTTLS) instead of smtps:// in PACEKEEPER_SMTP_URL, or another port.",
    );
  if (code === 'ETLS' || isCertificateError(error)) {
    const isMissing = command === 'STARTTLS' && response !== undefined;
    return failed(
      'tls_failed',
      isMissing
        ? "The mail server doesn't offer STARTTLS."
        : "The TLS connection to the mail server failed: its certificate or protocol version isn't accepted.",
    );
  }
  if (code === 'ETIMEDOUT') return failed('timeout', noResponse);
  if (isLoginError(error))
    return failed('login_failed', loginSentence(oneLine(response ?? ''), oAuthUser), status);
  if (status === null) return failed('connection_failed', 'The connection to the mail server failed.');
  const isAboutMessage = /^(MAIL FROM|RCPT TO|DATA)/.test(command);
  const reply = oneLine(response ?? '');
  const isRejected = isAboutMessage && status >= 500;
  return {
    ...failed(isRejected ? 'rejected' : 'deferred', `The mail server returned ${reply || status}.`, status),
    rejectedRecipients: rejectionsOf(error.rejectedErrors),
    reply: isAboutMessage ? reply : null,
  };
}

type Credentials = NonNullable<SmtpAddress['login']> | { user: string; token: string };

function authOf(credentials: Credentials): SMTPTransportOptions['auth'] {
  return 'token' in credentials
    ? { type: 'OAuth2', user: credentials.user, accessToken: credentials.token }
    : { user: credentials.user, pass: credentials.password };
}

/**
 * If the mail server repeated the credentials, removes them from the error. The text of the error appears in
 * the log, and members of organizations can see it.
 */
function hideSecrets(error: NodemailerError, credentials: Credentials): void {
  if (typeof error.response !== 'string') return;
  const plain =
    'token' in credentials
      ? [credentials.token, `user=${credentials.user}\x01auth=Bearer ${credentials.token}\x01\x01`]
      : [credentials.password, `\0${credentials.user}\0${credentials.password}`];
  const secrets = plain.flatMap((text) => [text, Buffer.from(text).toString('base64')]);
  for (const field of ['response', 'message', 'stack'] as const)
    error[field] = withoutSecrets(error[field] ?? '', secrets);
}

function isLoginError({ code }: NodemailerError): boolean {
  return code === 'EAUTH' || code === 'ENOAUTH';
}

/**
 * Replies of servers that don't accept passwords: 504 and 538 for a method that they don't offer, and the texts of
 * Microsoft 365 and Google.
 */
const noPasswords =
  /^(?:504|538)\b|SmtpClientAuthentication|basic auth|oauth|unrecognized auth|application-specific/iu;

function loginSentence(reply: string, oAuthUser: string | null): string {
  const said = reply === '' ? '' : ` It returned: ${reply}`;
  if (oAuthUser !== null)
    return `The mail server rejected the access token for ${oAuthUser}. Check that the client has permission to send as this mailbox.${said}`;
  return noPasswords.test(reply)
    ? `The mail server doesn't accept this password. It may require OAuth (XOAUTH2), which an operator can configure with PACEKEEPER_SMTP_OAUTH_TOKEN_URL.${said}`
    : `The mail server rejected the user name or password.${said}`;
}

function failed(code: MailErrorCode, message: string, status: number | null = null): MailResult {
  return { accepted: [], rejectedRecipients: [], status, reply: null, error: { code, message } };
}

/** Error codes of a TLS connection to a server that sends plain text. */
const speaksNoTls = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL)$/;

function isCertificateError({ originalCode = '' }: NodemailerError): boolean {
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(originalCode);
}

const outboundCodes: Readonly<Record<OutboundErrorCode, MailErrorCode>> = {
  target_not_allowed: 'connection_failed',
  timeout: 'timeout',
  connection_failed: 'connection_failed',
  name_not_found: 'name_not_found',
  tls_failed: 'tls_failed',
  invalid_response: 'invalid_response',
  too_large: 'invalid_response',
  too_many_redirects: 'invalid_response',
  insecure_redirect: 'invalid_response',
};

function outboundSentence({ host, message }: OutboundError): string {
  return `Mail server: ${message.replace(`${host}: `, '')}.`;
}

function replyOf(response: string): { status: number | null; reply: string } {
  const [, status] = /^(\d{3})/.exec(response) ?? [];
  return { status: status === undefined ? null : Number(status), reply: oneLine(response) };
}
