import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { clientNetwork } from './client-network.ts';
import type { Caller } from './operation.ts';
import { createRateLimit } from './rate-limit.ts';

type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;

/** Wrong credentials from one address before it has to wait. */
const wrongPerMinute = 300;

/**
 * The same, but an address that has sent too many wrong credentials is not listened to for a while. All doors of a
 * server share one count. Nobody guesses 256 bits; this is for the database, which each guess asks.
 */
export function limitGuessing(authenticate: Authenticate): Authenticate {
  const limit = createRateLimit(wrongPerMinute);
  return async (request) => {
    const network = clientNetwork(request.ip);
    if (limit.isExhausted(network)) {
      throw new ApiError('rate_limited', 'Too many wrong credentials came from this address.', {
        retryAfterSeconds: 60,
      });
    }
    try {
      return await authenticate(request);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthenticated') limit.take(network);
      throw error;
    }
  };
}
