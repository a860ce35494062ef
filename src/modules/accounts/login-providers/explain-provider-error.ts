import * as oidc from 'openid-client';
import type { SignOnErrorCode } from '../../../domain/sign-on/sign-on-errors.ts';
import { OutboundError } from '../../../platform/outbound/index.ts';
import { SignOnError } from './sign-on-error.ts';

/** Errors of a token endpoint about the client, not about the person. */
const clientErrors = new Set(['invalid_client', 'unauthorized_client']);

export async function withSignOnErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toSignOnError(error);
  }
}

/**
 * Converts an error to a `SignOnError` with a code for the user and a reason for the log. The original error
 * is its cause.
 */
export function toSignOnError(error: unknown): SignOnError {
  if (error instanceof SignOnError) return error;
  return new SignOnError(codeOf(error), reasonOf(error), error);
}

function codeOf(error: unknown): SignOnErrorCode {
  if (error instanceof oidc.AuthorizationResponseError) return 'provider_refused';
  if (isClientRejected(error)) return 'client_rejected';
  if (isUnreachable(error)) return 'provider_unavailable';
  return 'response_invalid';
}

/**
 * True if the provider doesn't accept the client's credentials, for example because the secret has expired.
 * In the specification of OAuth, `invalid_client`, usually with status 401, has no other meaning.
 */
export function isClientRejected(error: unknown): boolean {
  if (error instanceof oidc.WWWAuthenticateChallengeError) return error.status === 401;
  if (!(error instanceof oidc.ResponseBodyError)) return false;
  const { error: code, status } = error;
  return clientErrors.has(code) || (status === 401 && code !== 'invalid_grant');
}

export function isUnreachable(error: unknown): boolean {
  for (const each of chainOf(error)) {
    if (each instanceof OutboundError) return true;
    if (each instanceof oidc.ResponseBodyError && each.status >= 500) return true;
    if (each instanceof oidc.ClientError && (each.code === 'OAUTH_TIMEOUT' || each.code === 'OAUTH_ABORT'))
      return true;
    if (each instanceof oidc.ClientError && each.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return true;
  }
  return false;
}

export function issuerMismatchError(configured: string, stated: unknown): SignOnError {
  return new SignOnError(
    'response_invalid',
    `the issuer is configured as ${configured}, but the provider states ${shown(stated)}; both must be identical, including a slash at the end`,
  );
}

/** Returns the error as one line for the log. The line includes the values that didn't match, but no tokens. */
function reasonOf(error: unknown): string {
  const detail = detailOf(error);
  if (detail !== null) return detail.slice(0, maxLength);
  const messages = chainOf(error).map(({ message }) => message);
  return messages.slice(0, 3).join(': ').slice(0, maxLength);
}

const maxLength = 1_000;

/**
 * Returns a sentence that describes a known error, including the expected value if its cause contains one; null for
 * other errors.
 */
function detailOf(error: unknown): string | null {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError)
    return providerErrorOf(error.error, error.error_description);
  if (error instanceof oidc.WWWAuthenticateChallengeError) {
    const [first] = error.cause;
    const { error: code, error_description: description } = first?.parameters ?? {};
    return code === undefined
      ? `the provider returned status ${error.status} and a challenge (${first?.scheme ?? 'unknown'})`
      : providerErrorOf(code, description);
  }
  const last = chainOf(error).at(-1);
  const cause: unknown = last?.cause;
  if (last === undefined || typeof cause !== 'object' || cause === null) return null;
  if (cause instanceof URL)
    return `the provider states the URL ${shown(cause.href)}, which isn't https://. If it is behind a proxy that ends TLS, set its public URL at the provider, or have the proxy send X-Forwarded-Proto`;
  const { attribute, body, expected, claim, claims, header, alg } = cause as Record<string, unknown>;
  if (attribute === 'issuer') return issuerMismatchError(String(expected), fieldOf(body, 'issuer')).reason;
  if (claim === 'iss') return issuerMismatchError(String(expected), fieldOf(claims, 'iss')).reason;
  const algorithm = alg ?? fieldOf(header, 'alg');
  if (algorithm !== undefined && /alg/i.test(last.message)) return algorithmProblem(algorithm, expected);
  if (typeof claim === 'string') {
    if (claims === undefined) return last.message;
    const given = fieldOf(claims, claim);
    if (given === undefined) return `${last.message}; claims received: ${namesOf(claims)}`;
    // Don't log the nonce, because it's a secret of the browser.
    if (claim === 'nonce') return last.message;
    return `${last.message}: ${shown(given)}${expected === undefined ? '' : `, expected ${shown(expected)}`}`;
  }
  return claims === undefined ? null : `${last.message}; claims received: ${namesOf(claims)}`;
}

function algorithmProblem(algorithm: unknown, expected: unknown): string {
  const wanted = expected === undefined ? '' : ` instead of ${shown(expected)}`;
  const remedy = String(algorithm).startsWith('HS')
    ? 'HS algorithms sign with the client secret. Choose a signing key (RS256, ES256) for this client at the provider'
    : 'Choose another algorithm, such as RS256 or ES256, at the provider';
  return `the provider signs ID tokens with ${shown(algorithm)}${wanted}. ${remedy}`;
}

function providerErrorOf(error: string, description: string | undefined): string {
  return `the provider returned the error ${shown(error)}${description === undefined ? '' : `: ${shown(description)}`}`;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function namesOf(claims: unknown): string {
  return typeof claims === 'object' && claims !== null ? shown(Object.keys(claims).join(', ')) : 'none';
}

/** Shortens a value from the provider and removes characters that change how a line is displayed. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 400);
}

function chainOf(error: unknown): Error[] {
  const errors: Error[] = [];
  for (let each = error; each instanceof Error && errors.length < 5; each = each.cause) errors.push(each);
  return errors;
}
