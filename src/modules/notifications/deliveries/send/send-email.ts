import { type DeliveryErrorCode, deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import type { EmailContent } from '../../../../domain/templates/render-email.ts';
import type { Database } from '../../../../platform/database/index.ts';
import type { Mail, MailErrorCode, Mailer, MailResult } from '../../../../platform/email/index.ts';
import { findAllowedRecipients } from './email-policy.ts';
import { maxStoredBytes, type SendResult } from './send-answer.ts';

export interface EmailRequest extends Pick<Mail, 'messageId' | 'inReplyTo' | 'unsubscribeUrl'> {
  /** Body created by `renderOnce`. */
  body: string;
  recipients: readonly string[];
  /** Recipients that an earlier attempt reached. */
  acceptedRecipients: readonly string[];
  at: Date;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Sends an email to the allowed recipients of a channel that haven't received it yet. Rejects only if
 * `signal` aborts it.
 */
export async function sendEmail(
  db: Database,
  mailer: Mailer | null,
  organizationId: number,
  request: EmailRequest,
): Promise<SendResult> {
  const startedAt = performance.now();
  const { recipients, acceptedRecipients, timeoutMs, signal, messageId, inReplyTo, unsubscribeUrl, at } =
    request;
  if (mailer === null)
    return answer({ code: 'email_unavailable', message: deliveryCodes.email_unavailable[0] });
  const left = recipients.filter((address) => !acceptedRecipients.includes(address));
  const allowed = await findAllowedRecipients(db, organizationId, left, mailer.domains);
  const to = left.filter((address) => allowed.has(address));
  const skipped = left
    .filter((address) => !allowed.has(address))
    .map((address) => ({ address, why: 'not a member, and not in an allowed domain' }));
  if (to.length === 0) {
    if (skipped.length === 0) return answer(null);
    return answer(errorWithoutRecipients(skipped, acceptedRecipients.length > 0), {
      replies: skipped.map(replyLine),
    });
  }
  // `renderOnce` created this body, so it's valid JSON.
  const content = JSON.parse(request.body) as EmailContent;
  const result = await mailer.send(
    { ...content, to, messageId, inReplyTo, unsubscribeUrl: unsubscribeUrl ?? null, date: at },
    { fairKey: String(organizationId), timeoutMs, signal },
  );
  const refused = result.rejectedRecipients.map(({ address, reply }) => ({ address, why: reply }));
  return answer(errorOf(result, [...skipped, ...refused]), {
    status: result.status,
    accepted: result.accepted,
    replies: [
      ...(result.reply === null ? [] : [result.reply]),
      ...result.accepted.map((address) => `${address}: accepted`),
      ...[...refused, ...skipped].map(replyLine),
    ],
  });

  function answer(
    error: SendResult['error'],
    {
      status = null,
      accepted = [],
      replies = [],
    }: { status?: number | null; accepted?: readonly string[]; replies?: readonly string[] } = {},
  ): SendResult {
    return {
      status,
      body: replies.length === 0 ? null : cut(replies.join('\n')),
      retryAfter: null,
      durationMs: Math.round(performance.now() - startedAt),
      error,
      accepted,
      hasReached: accepted.length + acceptedRecipients.length > 0,
    };
  }
}

interface Unreached {
  address: string;
  why: string;
}

function errorWithoutRecipients(skipped: readonly Unreached[], hasReached: boolean): SendResult['error'] {
  return hasReached
    ? { code: 'recipients_skipped', message: skippedMessage(skipped) }
    : { code: 'recipients_not_allowed', message: deliveryCodes.recipients_not_allowed[0] };
}

/**
 * Returns the error of an email. An email that reached only some recipients is retried only if the mail
 * server could still accept the others.
 */
function errorOf(
  { error, rejectedRecipients }: MailResult,
  unreached: readonly Unreached[],
): SendResult['error'] {
  if (error !== null) return { code: codes[error.code], message: error.message };
  if (unreached.length === 0) return null;
  const isDeferred = rejectedRecipients.some(({ status }) => status < 500);
  return { code: isDeferred ? 'mail_deferred' : 'recipients_skipped', message: skippedMessage(unreached) };
}

const codes: Readonly<Record<MailErrorCode, DeliveryErrorCode>> = {
  deferred: 'mail_deferred',
  rejected: 'mail_rejected',
  login_failed: 'mail_login_failed',
  timeout: 'timeout',
  connection_failed: 'connection_failed',
  name_not_found: 'name_not_found',
  tls_failed: 'tls_failed',
  invalid_response: 'invalid_response',
};

const namedRecipients = 3;

function skippedMessage(unreached: readonly Unreached[]): string {
  const named = unreached.slice(0, namedRecipients).map(({ address, why }) => `${address} (${why})`);
  const more = unreached.length - named.length;
  return `Not sent to ${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}

function replyLine({ address, why }: Unreached): string {
  return `${address}: ${why}`;
}

/** Cuts a text to the maximum number of stored bytes without splitting a character. */
function cut(text: string): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, maxStoredBytes), { stream: true });
}
