import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../platform/errors.ts';
import { clientNetwork, createRateLimit } from '../../../platform/http/index.ts';

/** What keeps passwords from being guessed. It cannot be turned off. */
export interface LoginLimits {
  /** Counts one attempt of an address (of IPv6: of its network), and on an account where one is named. Throws `rate_limited`. */
  take(request: FastifyRequest, account?: string): void;
  /** Counts one attempt of someone who is logged in. What others try at the account or the address has no part in it. */
  takeOfUser(userId: number): void;
}

const perAccountAndMinute = 10;
const perAddressAndMinute = 100;

export function createLoginLimits(): LoginLimits {
  const accounts = createRateLimit(perAccountAndMinute);
  const addresses = createRateLimit(perAddressAndMinute);
  const users = createRateLimit(perAccountAndMinute);
  const refuse = (retryAfterSeconds: number) => {
    if (retryAfterSeconds > 0)
      throw new ApiError('rate_limited', 'Too many attempts to log in.', { retryAfterSeconds });
  };
  return {
    take(request, account) {
      let { retryAfterSeconds } = addresses.take(clientNetwork(request.ip));
      // An address that has to wait does not use up what the owner of the account has left.
      if (retryAfterSeconds === 0 && account !== undefined) {
        ({ retryAfterSeconds } = accounts.take(account));
      }
      refuse(retryAfterSeconds);
    },
    takeOfUser: (userId) => refuse(users.take(String(userId)).retryAfterSeconds),
  };
}
