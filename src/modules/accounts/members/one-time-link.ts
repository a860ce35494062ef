import type { FastifyRequest } from 'fastify';

export interface LinkOptions {
  baseUrl: string;
  /** The operator hasn't set the base URL, so that it may lead nowhere for other people. */
  isBaseUrlGuessed?: boolean;
}

/** The address of a page with a token. After the `#` it reaches no server's log and no Referer. */
export function oneTimeLink(
  baseUrl: string,
  path: '/invitations/accept' | '/link-chat-account' | '/login' | '/reset-password',
  token: string,
): string {
  return `${baseUrl.replace(/\/+$/, '')}${path}#token=${token}`;
}

/**
 * Where a link leads that goes back to whoever made the request: without a base URL, the address that they used
 * themselves is the best that is known.
 */
export function linkBase(
  { baseUrl, isBaseUrlGuessed = false }: LinkOptions,
  request: FastifyRequest,
): string {
  const origin = `${request.protocol}://${request.host}`;
  return isBaseUrlGuessed && URL.canParse(origin) ? new URL(origin).origin : baseUrl;
}
