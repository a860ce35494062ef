import type { FastifyRequest } from 'fastify';
import { withoutTrailing } from '../../../domain/text/trailing.ts';

export interface LinkOptions {
  baseUrl: string;
  /** True if the operator hasn't set the base URL, so links can fail for other people. */
  isBaseUrlGuessed?: boolean;
}

/**
 * Returns the URL of a page with a token. The token follows the `#`, so it doesn't appear in server logs or
 * the Referer header.
 */
export function oneTimeLink(
  baseUrl: string,
  path: '/invitations/accept' | '/link-chat-account' | '/login' | '/reset-password',
  token: string,
): string {
  return `${withoutTrailing(baseUrl, '/')}${path}#token=${token}`;
}

/**
 * Returns the base of a link in the response to a request. If no base URL is configured, this is the origin
 * to which the client sent the request, which is the best available guess.
 */
export function linkBase(
  { baseUrl, isBaseUrlGuessed = false }: LinkOptions,
  request: FastifyRequest,
): string {
  const origin = `${request.protocol}://${request.host}`;
  return isBaseUrlGuessed && URL.canParse(origin) ? new URL(origin).origin : baseUrl;
}
