import { ApiError } from '../../../platform/errors.ts';

/**
 * Returns the error for a link that can't be used. Links that never existed get the same error, so the error
 * doesn't reveal which tokens existed.
 *
 * @param remedy A sentence that explains how to get another link.
 */
export function unusableLinkError(remedy: string): ApiError {
  return new ApiError('not_found', `This link isn't valid, was used, or has expired. ${remedy}`);
}
