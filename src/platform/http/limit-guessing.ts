import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { clientNetwork } from './client-network.ts';
import type { Caller } from './operation.ts';
import { createRateLimit } from './rate-limit.ts';

type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;

/** Counts wrong credentials by the network of the client. All endpoints of a server share one count. */
export interface GuessingLimit {
  /** @throws ApiError `rate_limited` when the network has sent too many wrong credentials */
  countWrong(request: FastifyRequest): void;
}

/** Wrong credentials from one address before it gets 429. */
const wrongPerMinute = 300;

export function createGuessingLimit({ isOn }: { isOn: boolean }): GuessingLimit {
  const limit = createRateLimit(isOn ? wrongPerMinute : 0);
  return {
    countWrong(request) {
      if (limit.take(clientNetwork(request.ip)).retryAfterSeconds === 0) return;
      throw new ApiError('rate_limited', 'Too many wrong credentials came from this address.', {
        retryAfterSeconds: 60,
      });
    },
  };
}

/**
 * The same, but an address that has sent too many wrong credentials gets 429 for them. What is sent is checked all the
 * same: many people and agents can share one address, and a valid credential works, whatever others there send. Nobody
 * guesses 256 bits, and whatever has a wrong checksum or signature never reaches the database.
 */
export function limitGuessing(authenticate: Authenticate, guessing: GuessingLimit): Authenticate {
  return async (request) => {
    try {
      return await authenticate(request);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthenticated') guessing.countWrong(request);
      throw error;
    }
  };
}
