import type { Database } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import { type ApiKeyStatus, findApiKey } from '../api-keys/api-key-queries.ts';
import { type ApiKeyAuthenticationRow, hasExpired } from '../sessions/authentication-queries.ts';
import type { DeploymentTokenClaims } from '../sessions/deployment-tokens.ts';
import type { LoginClaims } from '../sessions/login-tokens.ts';

/**
 * Returns the error for a key that has a typo or is another kind of credential. The database isn't queried.
 */
export function malformedKeyError(text: string): ApiError {
  return rejected(
    isLikeToken(text)
      ? 'This is an access token. Send it as Authorization: Bearer TOKEN instead of in X-API-Key.'
      : "This isn't an API key. Check that you copied all of it: API keys look like pk_12_3kZq….",
  );
}

/**
 * Returns the same error for a wrong secret and an unknown ID, because it must not reveal which IDs exist.
 */
export function unknownKeyError(): ApiError {
  return rejected('Unknown API key. Check that it belongs to this server, or create a new one.');
}

const keyProblems: Readonly<Record<ApiKeyStatus, string>> = {
  expired: 'The API key has expired. Create a new one.',
  inactive: 'The API key is disabled. Ask an administrator to enable it.',
  deactivated: 'The API key was revoked. Create a new one.',
  // The key itself is active, but its creator lost the permission to create it.
  active:
    'The API key stopped working because its creator lost the permission to create it. Create a new one.',
};

/**
 * Returns the error for a key that was sent with the correct secret but isn't usable. Reads the reason in a
 * separate query, so that requests with valid keys don't pay for it.
 */
export async function unusableKeyError(
  db: Database,
  { organization_id, id }: Pick<ApiKeyAuthenticationRow, 'organization_id' | 'id'>,
): Promise<ApiError> {
  const key = await findApiKey(db, organization_id, id);
  return key ? rejected(keyProblems[key.status]) : unknownKeyError();
}

export function malformedAuthorizationError(): ApiError {
  return rejected(
    'The Authorization header is invalid. Send the access token as Authorization: Bearer TOKEN.',
  );
}

/** Returns the error for a token that this installation didn't sign. */
export function unknownTokenError(token: string): ApiError {
  return rejected(
    token.startsWith('pk_')
      ? 'This is an API key. Send it in X-API-Key instead of in Authorization.'
      : 'Unknown access token. Check that you copied all of it, or log in again.',
  );
}

/**
 * Returns the error for a token that has a valid signature but is no longer valid. Reads the reason in a
 * separate query, so that requests with valid tokens don't pay for it.
 */
export async function endedTokenError(db: Database, claims: LoginClaims): Promise<ApiError> {
  return rejected(
    (await hasExpired(db, claims))
      ? 'The access token has expired. Refresh it or log in again.'
      : 'The session of this access token has ended. Log in again.',
  );
}

/** Returns the error for a deployment token that this installation issued and that is no longer valid. */
export async function endedDeploymentTokenError(
  db: Database,
  claims: DeploymentTokenClaims,
): Promise<ApiError> {
  return rejected(
    (await hasExpired(db, claims))
      ? 'The deployment token has expired. Exchange a new ID token of the CI job.'
      : 'The deployment token has ended, because its trust was changed, disabled, or deleted. Exchange a new ID token of the CI job.',
  );
}

function isLikeToken(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
}

function rejected(detail: string): ApiError {
  return new ApiError('unauthenticated', detail);
}
