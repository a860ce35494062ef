import { RunError } from '../domain/runs/run-error.ts';
import type { RunErrorCode } from '../domain/runs/run-error-codes.ts';
import { OutboundError, type OutboundErrorCode } from '../platform/outbound/index.ts';
import { isWebPage } from './json-body.ts';
import { isLimitExhausted, readRetryTime } from './rate-limit-headers.ts';
import { explainS3Rejection } from './s3-requests.ts';
import type { SourceCredential } from './source-credential.ts';

export interface ErrorResponse {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  /** Beginning of the body, which can contain the only explanation of the error. */
  text: string;
}

/** The requested resource, for error messages. */
export interface RequestedResource {
  host: string;
  /** Name of the resource, such as `the repository owner/repo`. */
  what: string;
  credential: Pick<SourceCredential, 'name'> | null;
  now: Date;
}

/** Returns the error with which an unexpected response ends the run. */
export function unexpectedResponseError(answer: ErrorResponse, asked: RequestedResource): RunError {
  const { status, headers } = answer;
  const { host, what, credential, now } = asked;
  if (isRateLimit(answer)) return rateLimitedError(asked, readRetryTime(headers, now) ?? later(now, 60));
  const s3 = status < 500 ? explainS3Rejection(answer, asked) : null;
  if (s3) return new RunError(s3.code, s3.message);
  if (status === 401 || status === 407) {
    return new RunError(
      'unauthorized',
      credential
        ? `${host} rejected credential "${credential.name}". Check that it's valid and hasn't expired.`
        : `${host} requires a credential for ${what}. Add one to the job.`,
    );
  }
  if (status === 403) return new RunError('unauthorized', forbiddenMessage(answer.text, asked));
  if (status === 451) {
    return new RunError('not_found', `${host} doesn't provide ${what} for legal reasons.`);
  }
  if (status === 404 || status === 410) {
    return new RunError(
      'not_found',
      credential
        ? `${host} has no ${withoutArticle(what)}, or credential "${credential.name}" can't access it. Check the name and permissions.`
        : `${host} has no public ${withoutArticle(what)}. Check the name; if it's private, add a credential to the job.`,
    );
  }
  if (status >= 500 || status === 408) {
    const retryAt = readRetryTime(headers, now);
    return new RunError(
      'upstream_error',
      `${host} returned ${status} for ${what}. The run will be retried.`,
      retryAt ? { retryAt } : {},
    );
  }
  return new RunError(
    'invalid_index',
    `${host} returned ${status} for ${what}. Check the URL and source type.`,
  );
}

/**
 * Returns a message for a 403. States the cause only if the response shows it, because hosts also use this
 * status for blocked addresses.
 */
function forbiddenMessage(text: string, { host, what, credential }: RequestedResource): string {
  if (/ip allow ?list/iu.test(text))
    return `${host} allows access to ${what} only from listed addresses. Add the address of the agent to the list.`;
  if (isWebPage(text))
    return `${host} returned a web page that denies access to ${what}. It can block the address of the agent${credential ? `, or credential "${credential.name}"` : ', or require a credential'}.`;
  if (!credential) return `${host} requires a credential to read ${what}. Add one to the job.`;
  return /\bSAML\b|single sign-on|\bSSO\b/iu.test(text)
    ? `Credential "${credential.name}" isn't authorized for the single sign-on of the organization of ${what}. Authorize it on ${host}.`
    : `Credential "${credential.name}" can't read ${what} on ${host}. Check its permissions.`;
}

export function rateLimitedError(
  asked: Pick<RequestedResource, 'host' | 'credential'>,
  retryAt: Date,
): RunError {
  const more = asked.credential ? '' : ' A credential raises the limit.';
  return new RunError(
    'rate_limited',
    `${asked.host} is rate limiting requests until ${retryAt.toISOString()}. The run will be retried then.${more}`,
    { retryAt },
  );
}

/**
 * Converts an error of the outbound client. Its message is kept, because it contains the host but no secrets.
 */
export function outboundRunError(error: OutboundError): RunError {
  return new RunError(runCodes[error.code], `${error.message}.`, { cause: error });
}

const runCodes: Record<OutboundErrorCode, RunErrorCode> = {
  target_not_allowed: 'target_not_allowed',
  insecure_redirect: 'target_not_allowed',
  timeout: 'timeout',
  connection_failed: 'unreachable',
  name_not_found: 'unreachable',
  tls_failed: 'unreachable',
  invalid_response: 'invalid_index',
  too_many_redirects: 'invalid_index',
  too_large: 'too_large',
};

/**
 * True if the response reports a rate limit. GitHub responds with 403 for both of its limits. For the
 * secondary limit, the only header is `Retry-After`, which might be missing.
 */
function isRateLimit({ status, headers, text }: ErrorResponse): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    isLimitExhausted(headers) ||
    headers['retry-after'] !== undefined ||
    /rate limit|abuse detection/iu.test(text)
  );
}

function withoutArticle(what: string): string {
  return what.replace(/^the /u, '');
}

function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1_000);
}
