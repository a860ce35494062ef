import { errors } from 'undici';
import { ownValue } from '../../domain/json/own-value.ts';
import type { EgressRejection } from './egress-guard.ts';
import type { OutboundPurpose } from './http-policy.ts';

/**
 * Reasons why an outbound request failed. The caller decides if a failure is retryable, because that depends
 * on the purpose.
 */
export type OutboundErrorCode =
  | 'target_not_allowed'
  | 'timeout'
  | 'connection_failed'
  | 'name_not_found'
  | 'tls_failed'
  | 'invalid_response'
  | 'too_large'
  | 'too_many_redirects'
  | 'insecure_redirect';

/**
 * Error of all functions in this directory. `message` is for users: it contains the host and the cause, but
 * never the path, query, credentials, or resolved address. `cause` is for the log.
 */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode;
  /** The target as `host` or `host:port`. */
  readonly host: string;

  constructor(code: OutboundErrorCode, host: string, sentence: string, cause?: unknown) {
    super(`${host}: ${sentence}`, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.code = code;
    this.host = host;
  }
}

/**
 * Creates the error for a target that the egress guard rejects. The second parameter is the guard's verdict.
 */
export function targetNotAllowedError(
  host: string,
  { reason, canBeAllowed }: Omit<EgressRejection, 'isAllowed'>,
): OutboundError {
  const remedy = `. An operator can add it to PACEKEEPER_EGRESS_ALLOW on ${connectingProcess}`;
  return new OutboundError(
    'target_not_allowed',
    host,
    `this address isn't allowed because it's ${reason}${canBeAllowed ? remedy : ''}`,
  );
}

/** Returns the sentence about plain HTTP that follows the host in an error message. */
export function plainHttpSentence(purpose: OutboundPurpose): string {
  const remedy =
    purpose === 'webhook'
      ? 'set PACEKEEPER_ALLOW_HTTP_WEBHOOKS=true on the server'
      : `add this host to PACEKEEPER_INSECURE_HOSTS, and a private address to PACEKEEPER_EGRESS_ALLOW, on ${connectingProcess}`;
  return `plain HTTP isn't allowed. Use HTTPS, or ask an operator to ${remedy}`;
}

/** Name of the process in messages about its settings, because each process has separate settings. */
const connectingProcess = 'the server or agent that connects to it';

/** Converts errors of Node and undici to an OutboundError. Unknown errors become `connection_failed`. */
export function toOutboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = errorCode(error);
  const known = ownValue(sentences, code);
  if (known) return new OutboundError(known[0], host, known[1], error);
  if (error instanceof errors.HTTPParserError) {
    return new OutboundError('invalid_response', host, "the response isn't valid HTTP", error);
  }
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR')) {
    return new OutboundError('invalid_response', host, 'the compressed response is corrupt', error);
  }
  return new OutboundError('connection_failed', host, 'the connection failed', error);
}

function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

const sentences: Record<string, [OutboundErrorCode, string] | undefined> = {
  ECONNREFUSED: ['connection_failed', 'connection refused'],
  ECONNRESET: ['connection_failed', 'connection reset'],
  EPIPE: ['connection_failed', 'the connection was closed while sending'],
  EHOSTUNREACH: ['connection_failed', 'no route to host'],
  ENETUNREACH: ['connection_failed', 'network unreachable'],
  UND_ERR_SOCKET: ['connection_failed', 'the connection closed before the response was complete'],
  ETIMEDOUT: ['timeout', 'connection timed out'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'connection timed out'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'response timed out'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'response timed out'],
  UND_ERR_HEADERS_OVERFLOW: ['invalid_response', 'the response headers are too large'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    'invalid_response',
    "the response length doesn't match Content-Length",
  ],
  UND_ERR_RES_EXCEEDED_MAX_SIZE: ['too_large', 'the response exceeds the size limit'],
};
