import { ApiError, type FieldError } from '../../../platform/errors.ts';

/** 400 with all errors of a channel's fields. */
export function channelRefused(errors: FieldError[]): ApiError {
  const [first] = errors;
  return new ApiError('validation_failed', first && `${first.field}: ${first.message}`, { errors });
}
