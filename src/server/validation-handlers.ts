import type { ValidateRegexInput, ValidateRegexResult } from '../domain/patterns/validate-regex.ts';
import { ApiError } from '../platform/errors.ts';
import type { Handlers } from '../platform/http/index.ts';
import { type Sandbox, SandboxBusyError, SandboxError } from '../platform/sandbox/index.ts';

/**
 * Returns the handler of `POST /validate/regex`, which checks that a pattern compiles and returns its match
 * in an optional sample.
 */
export function validationHandlers({ sandbox }: { sandbox: Sandbox }): Handlers<'validateRegex'> {
  return {
    async validateRegex({ caller, body }) {
      try {
        const result = await sandbox.run<ValidateRegexInput, ValidateRegexResult>(
          new URL('../domain/patterns/validate-regex.ts', import.meta.url),
          'validateRegex',
          body,
          { fairKey: String(caller.organizationId) },
        );
        return { status: 200, body: result };
      } catch (error) {
        if (error instanceof SandboxBusyError)
          throw new ApiError('unavailable', 'Too many concurrent checks. Try again shortly.');
        // The pattern compiles, because an invalid pattern fails immediately. Matching this sample takes too
        // long.
        if (error instanceof SandboxError) {
          const body = { valid: false, error: error.message, group_count: 0, match: null, groups: null };
          return { status: 200, body };
        }
        throw error;
      }
    },
  };
}
