import { ApiError, type FieldError } from '../../../platform/errors.ts';

/** Creates a 400 error with all field errors of a channel. */
export function invalidChannelError(errors: FieldError[]): ApiError {
  const [first] = errors;
  return new ApiError('validation_failed', first && `${first.field}: ${first.message}`, { errors });
}
