import { type SignOnErrorCode, signOnErrors } from '../../../domain/sign-on/sign-on-errors.ts';

/** Why a login by single sign-on failed. The person gets the code's message; `reason` is for the log and has no secrets. */
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
