import { type DeliveryErrorCode, deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import { limitResetWaitMs, rateLimitOf } from '../../../../domain/channels/receiver-rate-limit.ts';
import type { ReceiverResponse, Rejection } from '../../../../domain/channels/receiver-response.ts';
import type { ClosingMethod } from '../../../../domain/channels/request-format.ts';
import { parseBoundedJson } from '../../../../domain/json/bounded-json.ts';
import { cleanLine } from '../../../../domain/templates/clean-text.ts';
import {
  type OutboundClient,
  OutboundError,
  type OutboundErrorCode,
  type OutboundTruncatedResponse,
} from '../../../../platform/outbound/index.ts';
import { signWebhook } from '../../../../platform/secrets/index.ts';
import { createSecretFinder, maskSecrets, maskSpans, type SecretFinder } from '../secrets/find-secrets.ts';
import { encodingsOf } from '../secrets/secret-forms.ts';
import { maxStoredBytes, type SendResult } from './send-answer.ts';

export interface WebhookRequest {
  url: string;
  method: ClosingMethod;
  contentType: string;
  /** Custom headers. They never replace Pacekeeper's headers. */
  headers: Readonly<Record<string, string>>;
  webhookId: string;
  /** Empty for DELETE. */
  body: string;
  /** Time of the request, which the receiver gets as `webhook-timestamp`. */
  at: Date;
  /** The current secret, then the previous one while it's valid. If empty, the message isn't signed. */
  signingSecrets: readonly string[];
  /** Secrets to mask in the stored response and in error messages. */
  hidden: readonly string[];
  timeoutMs: number;
  /** Pacekeeper version for `User-Agent`. */
  version: string;
  /** Returns the reason why the receiver rejected the message in a response with a 2xx status, or `null`. */
  findRejection?: (answer: ReceiverResponse) => Rejection | null;
  signal?: AbortSignal;
}

const readBytes = 64 * 1024;
/**
 * Maximum length of a response body that is examined for a rejection. It limits memory use and the time that parsing
 * takes in this process.
 */
const examinedBytes = 16 * 1024;
/** Limits for parsing another server's response in this process. */
const parsedLimits = { values: 5_000, members: 5_000, depth: 100 };
/**
 * Maximum number of characters that one character of a secret can become: a quotation mark in JSON inside
 * JSON in a URL.
 */
const longestEscape = 12;

/**
 * Sends one message according to Standard Webhooks. A 2xx status is a success when the headers arrive, even
 * if the body is incomplete, unless `findRejection` returns a rejection. Redirects aren't followed. Rejects
 * only if `signal` aborts the request.
 */
export async function sendWebhook(outbound: OutboundClient, request: WebhookRequest): Promise<SendResult> {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  const timestamp = Math.floor(request.at.getTime() / 1_000);
  const { webhookId, body, signingSecrets } = request;
  // The finder is created lazily, because most responses are empty or "ok".
  let finder: SecretFinder | null = null;
  const getFinder = () => (finder ??= createSecretFinder(request.hidden, encodingsOf));
  // Read beyond the stored part, so that a secret that starts in the stored part is complete.
  const lookahead = longestEscape * Math.max(0, ...request.hidden.map(({ length }) => length));
  try {
    const answer = await outbound.requestHead({
      url: request.url,
      purpose: 'webhook',
      method: request.method,
      headers: {
        ...lowerCaseNames(request.headers),
        'content-type': request.contentType,
        'user-agent': `Pacekeeper/${request.version}`,
        'webhook-id': webhookId,
        'webhook-timestamp': String(timestamp),
        ...(signingSecrets.length > 0 && {
          'webhook-signature': signWebhook(webhookId, timestamp, body, signingSecrets),
        }),
      },
      ...(request.method !== 'DELETE' && { body }),
      timeoutMs: request.timeoutMs,
      maxBytes: readBytes,
      keepBytes: Math.min(
        Math.max(maxStoredBytes + lookahead, request.findRejection ? examinedBytes : 0),
        readBytes,
      ),
      ...(request.signal && { signal: request.signal }),
    });
    const { status, headers } = answer;
    const isStoredCut = answer.body.length > maxStoredBytes + lookahead;
    const stored = { ...answer, body: answer.body.subarray(0, maxStoredBytes + lookahead) };
    const received = readAnswer(answer);
    const limited = { status, headers, json: received.json, now: request.at };
    const rejection = status >= 200 && status < 300 ? (request.findRejection?.(received) ?? null) : null;
    const error = rejection === null ? errorOfStatus(status) : rejectionError(rejection, getFinder);
    return {
      status,
      body: toText({ ...stored, isCut: answer.isCut || isStoredCut }, getFinder),
      retryAfter: headers['retry-after'] ?? null,
      // Treat a rate limit in the body of a 2xx response like status 429.
      rateLimit: rateLimitOf(rejection?.isRateLimit === true ? { ...limited, status: 429 } : limited),
      respondedAtMs: performance.now(),
      usedUpWaitMs: error === null ? limitResetWaitMs(limited) : null,
      durationMs: durationMs(),
      error,
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) {
      // If the sender didn't abort, a header or the URL isn't valid in HTTP. This is rare, because both are
      // validated earlier.
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

/**
 * Returns a response as text and JSON. A body that was cut or is too complex has no JSON, so presets find no
 * error in it, and it doesn't meet a condition with a path.
 */
function readAnswer({ body, isCut }: OutboundTruncatedResponse): ReceiverResponse {
  const text = new TextDecoder().decode(body);
  if (isCut || !/^\s*[{[]/u.test(text)) return { text, json: undefined };
  const parsed = parseBoundedJson(body, parsedLimits);
  return { text, json: parsed.ok ? parsed.value : undefined };
}

function rejectionError({ message }: Rejection, getFinder: () => SecretFinder): SendResult['error'] {
  const said = cleanLine(maskSecrets(message, getFinder()), maxRejectionLength);
  return { code: 'message_rejected', message: `${deliveryCodes.message_rejected[0]} ${said}` };
}

const maxRejectionLength = 300;

function errorOfStatus(status: number): SendResult['error'] {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return { code: 'gone', message: deliveryCodes.gone[0] };
  if (status >= 300 && status < 400) return { code: 'redirect', message: deliveryCodes.redirect[0] };
  return { code: 'http_status', message: `The receiver returned ${status}.` };
}

/**
 * Maps errors of outbound requests to delivery errors. Size limits and redirect errors of sources don't occur
 * here, because bodies are cut and redirects aren't followed.
 */
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

/** Returns the part of a body to store, with secrets masked and without NUL, which PostgreSQL can't store. */
function toText({ body, isCut }: OutboundTruncatedResponse, getFinder: () => SecretFinder): string {
  const text = new TextDecoder().decode(body).replaceAll('\0', '\uFFFD');
  if (!isCut && text.length < minSearchableLength) return text;
  // The cut must not split a character.
  const kept = new TextDecoder().decode(body.subarray(0, maxStoredBytes), { stream: true });
  const finder = getFinder();
  // Text this close to the cut is dropped, because it could be an incomplete secret that the finder can't
  // detect.
  const end = isCut ? Math.min(kept.length, Math.max(0, text.length - finder.longest)) : kept.length;
  return maskSpans(text, finder.find(text, end), end);
}

/** Length of the shortest text that can contain a secret: one character in quotation marks. */
const minSearchableLength = 3;
