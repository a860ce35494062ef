import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { clientNetwork } from './client-network.ts';
import type { Caller } from './operation.ts';
import { createRateLimit } from './rate-limit.ts';

type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;

/** Wrong credentials from one address before it is told to wait. */
const wrongPerMinute = 300;

/**
 * The same, but an address that has sent too many wrong credentials is told to wait. All doors of a server share one
 * count. What is sent is looked at all the same: many people and agents can stand behind one address, and a valid
 * credential works, whatever others there send. Nobody guesses 256 bits, and whatever has a wrong checksum or signature
 * never reaches the database.
 */
export function limitGuessing(authenticate: Authenticate): Authenticate {
  const limit = createRateLimit(wrongPerMinute);
  return async (request) => {
    try {
      return await authenticate(request);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unauthenticated') throw error;
      if (limit.take(clientNetwork(request.ip)).retryAfterSeconds === 0) throw error;
      throw new ApiError('rate_limited', 'Too many wrong credentials came from this address.', {
        retryAfterSeconds: 60,
      });
    }
  };
}
