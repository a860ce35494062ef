import { type DeliveryErrorCode, deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import {
  type OutboundClient,
  type OutboundCutResponse,
  OutboundError,
  type OutboundErrorCode,
} from '../../../../platform/outbound/index.ts';
import { signWebhook } from '../../../../platform/secrets/index.ts';
import { createSecretFinder, maskSecrets, maskSpans, type SecretFinder } from '../secrets/find-secrets.ts';
import { allForms } from '../secrets/secret-forms.ts';
import { maxStoredBytes, type SendAnswer } from './send-answer.ts';

export interface WebhookRequest {
  url: string;
  /** Custom headers; they never take the place of ours. */
  headers: Readonly<Record<string, string>>;
  webhookId: string;
  body: string;
  /** The time of the request as the receiver sees it. */
  at: Date;
  /** The current secret, then the previous one while it is still valid. None: the message is not signed. */
  signingSecrets: readonly string[];
  /** What must not be in anything that is kept of the response. */
  hidden: readonly string[];
  timeoutMs: number;
  /** The version of Pacekeeper. */
  version: string;
  signal?: AbortSignal;
}

const readBytes = 64 * 1024;
/** At most so many characters stand for one of a secret: a quotation mark in JSON in JSON in a URL. */
const longestEscape = 12;

/**
 * Sends one message as Standard Webhooks has it. 2xx is success as soon as the headers are there: what the
 * body then does is cut. Redirects are not followed.
 * Rejects only when `signal` ends it.
 */
export async function sendWebhook(outbound: OutboundClient, request: WebhookRequest): Promise<SendAnswer> {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  const timestamp = Math.floor(request.at.getTime() / 1_000);
  const { webhookId, body, signingSecrets } = request;
  // Most answers are empty or "ok".
  let finder: SecretFinder | null = null;
  const getFinder = () => (finder ??= createSecretFinder(request.hidden, allForms));
  // Beyond what is kept, so that a secret that begins there is read as a whole.
  const lookahead = longestEscape * Math.max(0, ...request.hidden.map(({ length }) => length));
  try {
    const answer = await outbound.requestHead({
      url: request.url,
      purpose: 'webhook',
      method: 'POST',
      headers: {
        ...lowerCaseNames(request.headers),
        'content-type': 'application/json',
        'user-agent': `Pacekeeper/${request.version}`,
        'webhook-id': webhookId,
        'webhook-timestamp': String(timestamp),
        ...(signingSecrets.length > 0 && {
          'webhook-signature': signWebhook(webhookId, timestamp, body, signingSecrets),
        }),
      },
      body,
      timeoutMs: request.timeoutMs,
      maxBytes: readBytes,
      keepBytes: Math.min(maxStoredBytes + lookahead, readBytes),
      ...(request.signal && { signal: request.signal }),
    });
    const { status } = answer;
    return {
      status,
      body: toText(answer, getFinder),
      retryAfter: answer.headers['retry-after'] ?? null,
      durationMs: durationMs(),
      error: errorOfStatus(status),
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) {
      // A header or address that HTTP does not allow; our own checks come before, so that this is rare.
      if (request.signal?.aborted) throw error;
      const message = "Couldn't build the request.";
      return {
        status: null,
        body: null,
        retryAfter: null,
        durationMs: durationMs(),
        error: { code: 'invalid_response', message },
      };
    }
    return {
      status: null,
      body: null,
      retryAfter: null,
      durationMs: durationMs(),
      error: { code: deliveryErrorCodes[error.code], message: maskSecrets(error.message, getFinder()) },
    };
  }
}

function errorOfStatus(status: number): SendAnswer['error'] {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return { code: 'gone', message: deliveryCodes.gone[0] };
  if (status >= 300 && status < 400) return { code: 'redirect', message: deliveryCodes.redirect[0] };
  return { code: 'http_status', message: `The receiver returned ${status}.` };
}

/** Limits and redirects of sources have no meaning here, as a body is cut and no redirect is followed. */
export const deliveryErrorCodes: Readonly<Record<OutboundErrorCode, DeliveryErrorCode>> = {
  target_not_allowed: 'target_not_allowed',
  timeout: 'timeout',
  connection_failed: 'connection_failed',
  name_not_found: 'name_not_found',
  tls_failed: 'tls_failed',
  invalid_response: 'invalid_response',
  too_large: 'invalid_response',
  too_many_redirects: 'redirect',
  insecure_redirect: 'redirect',
};

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** What is kept of a body: text without secrets and without NUL, which PostgreSQL cannot hold. */
function toText({ body, isCut }: OutboundCutResponse, getFinder: () => SecretFinder): string {
  const text = new TextDecoder().decode(body).replaceAll('\0', '\uFFFD');
  if (!isCut && text.length < shortestSearched) return text;
  // Complete characters only.
  const kept = new TextDecoder().decode(body.subarray(0, maxStoredBytes), { stream: true });
  const finder = getFinder();
  // What begins so near to a cut might be a secret, and is not compared with any.
  const end = isCut ? Math.min(kept.length, Math.max(0, text.length - finder.longest)) : kept.length;
  return maskSpans(text, finder.find(text, end), end);
}

/** No secret, not even a quoted one, fits into less. */
const shortestSearched = 3;
