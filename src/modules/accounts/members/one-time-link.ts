import type { FastifyRequest } from 'fastify';

export interface LinkOptions {
  baseUrl: string;
  /** The operator hasn't set the base URL, so that it may lead nowhere for other people. */
  isBaseUrlGuessed?: boolean;
}

/**
 * The address of a page with a token. After the `#` it reaches no server's log and no Referer. The link goes back to
 * whoever made the request: without a base URL, the address that they used themselves is the best that is known.
 */
export function oneTimeLink(
  { baseUrl, isBaseUrlGuessed = false }: LinkOptions,
  request: FastifyRequest,
  path: '/invitations/accept' | '/reset-password',
  token: string,
): string {
  const origin = `${request.protocol}://${request.host}`;
  const base = isBaseUrlGuessed && URL.canParse(origin) ? new URL(origin).origin : baseUrl;
  return `${base.replace(/\/+$/, '')}${path}#token=${token}`;
}
