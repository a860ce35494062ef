import { type SignOnErrorCode, signOnErrors } from '../../../domain/sign-on/sign-on-errors.ts';

/**
 * Reports why a login by single sign-on failed. The user sees the message of the code. `reason` is for the
 * log and contains no secrets.
 */
export class SignOnError extends Error {
  readonly code: SignOnErrorCode;
  readonly reason: string;

  constructor(code: SignOnErrorCode, reason = '', cause?: unknown) {
    super(signOnErrors[code].message, cause === undefined ? undefined : { cause });
    this.name = 'SignOnError';
    this.code = code;
    this.reason = reason;
  }
}
