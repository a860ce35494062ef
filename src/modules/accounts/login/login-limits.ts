import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../platform/errors.ts';
import { clientNetwork, createRateLimit } from '../../../platform/http/index.ts';

/** What keeps passwords from being guessed. It cannot be turned off. */
export interface LoginLimits {
  /** Counts one attempt of an address (of IPv6: of its network), and on an account where one is named. Throws `rate_limited`. */
  take(request: FastifyRequest, account?: string): void;
  /** Counts one attempt of someone who is logged in. What others try at the account or the address has no part in it. */
  takeOfUser(userId: number): void;
  /** Counts a renewal of a session. Each one leaves a row until the session would have expired. */
  takeOfLogin(loginId: string): void;
}

const perAccountAndMinute = 10;
const perAddressAndMinute = 100;
/** A browser or the CLI needs four per hour. */
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
      // An address that has to wait does not use up what the owner of the account has left.
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
