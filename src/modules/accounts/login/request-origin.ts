import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../platform/errors.ts';

/**
 * Throws `forbidden` unless the request comes from a page of this service: its `Origin` has to be the scheme and host
 * that were asked, or those of the base URL. Browsers send an `Origin` with every write.
 * @param options.mayBeAbsent for requests that programs without a page make, too.
 */
export function checkOrigin(
  request: FastifyRequest,
  baseUrl: string,
  { mayBeAbsent = false }: { mayBeAbsent?: boolean } = {},
): void {
  const { origin } = request.headers;
  if (origin === undefined ? mayBeAbsent : isOwnOrigin(origin, request, baseUrl)) return;
  throw new ApiError('forbidden', 'A request with the cookie of a login needs an Origin of this service.');
}

function isOwnOrigin(origin: string, request: FastifyRequest, baseUrl: string): boolean {
  return origin === originOf(`${request.protocol}://${request.host}`) || origin === originOf(baseUrl);
}

/** In the form that browsers send: lower case, without the usual port. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
