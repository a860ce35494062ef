import { ApiError } from '../../platform/errors.ts';

/**
 * The same for a link that never existed, so that tokens can't be told apart.
 * @param remedy How to get another link, as a sentence.
 */
export function unusableLink(remedy: string): ApiError {
  return new ApiError('not_found', `This link isn't valid, was used, or has expired. ${remedy}`);
}
