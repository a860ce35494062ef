import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { clientNetwork } from './client-network.ts';
import type { Caller } from './operation.ts';
import { createRateLimit } from './rate-limit.ts';

type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;

/** Counts invalid credentials per client network, across all endpoints of a server. */
export interface InvalidCredentialLimit {
  /**
   * Counts one request with invalid credentials.
   *
   * @throws ApiError `rate_limited` if the network has sent too many invalid credentials.
   */
  countInvalid(request: FastifyRequest): void;
}

/** Number of invalid credentials that a network can send per minute before it gets 429. */
const invalidPerMinute = 300;

export function createInvalidCredentialLimit({ isOn }: { isOn: boolean }): InvalidCredentialLimit {
  const limit = createRateLimit(isOn ? invalidPerMinute : 0);
  return {
    countInvalid(request) {
      if (limit.take(clientNetwork(request.ip)).retryAfterSeconds === 0) return;
      throw new ApiError(
        'rate_limited',
        'Too many failed authentication attempts from this address. Check your credentials, and try again in a minute.',
        {
          retryAfterSeconds: 60,
        },
      );
    },
  };
}

/**
 * Wraps `authenticate` so that a network that has sent too many invalid credentials gets 429 for further
 * ones. Valid credentials still work, because many people and agents can share a network. This is safe,
 * because credentials of 256 bits can't be guessed, and those with an invalid checksum or signature never
 * reach the database.
 */
export function limitInvalidCredentials(
  authenticate: Authenticate,
  guessing: InvalidCredentialLimit,
): Authenticate {
  return async (request) => {
    try {
      return await authenticate(request);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthenticated') guessing.countInvalid(request);
      throw error;
    }
  };
}
