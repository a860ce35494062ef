import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../platform/errors.ts';
import { clientNetwork, createRateLimit } from '../../../platform/http/index.ts';

/** Rate limits that prevent password guessing. They can't be disabled. */
export interface LoginLimits {
  /**
   * Counts one attempt for the address (the network for IPv6), and for the account if there is one. Throws
   * `rate_limited`.
   */
  take(request: FastifyRequest, account?: string): void;
  /**
   * Counts an attempt of a logged-in user. Attempts of other people for the same account or from the same
   * address are counted separately. Throws `rate_limited`.
   */
  takeOfUser(userId: number): void;
  /**
   * Counts a renewal of a session. Renewals are limited because each one adds a row that is kept for as long as the
   * session can last.
   */
  takeOfLogin(loginId: string): void;
}

const perAccountAndMinute = 10;
const perAddressAndMinute = 100;
/** Limit for renewals of one session. A browser or the CLI needs four per hour. */
const renewalsPerMinute = 60;

export function createLoginLimits(): LoginLimits {
  const accounts = createRateLimit(perAccountAndMinute);
  const addresses = createRateLimit(perAddressAndMinute);
  const users = createRateLimit(perAccountAndMinute);
  const logins = createRateLimit(renewalsPerMinute);
  const refuse = (retryAfterSeconds: number, message = 'Too many login attempts. Try again in a minute.') => {
    if (retryAfterSeconds > 0) throw new ApiError('rate_limited', message, { retryAfterSeconds });
  };
  return {
    take(request, account) {
      let { retryAfterSeconds } = addresses.take(clientNetwork(request.ip));
      // Attempts from an address over its limit don't count against the account, so they can't lock out its
      // owner.
      if (retryAfterSeconds === 0 && account !== undefined) {
        ({ retryAfterSeconds } = accounts.take(account));
      }
      refuse(retryAfterSeconds);
    },
    takeOfUser: (userId) => refuse(users.take(String(userId)).retryAfterSeconds),
    takeOfLogin: (loginId) =>
      refuse(logins.take(loginId).retryAfterSeconds, 'This session is renewed too often.'),
  };
}
