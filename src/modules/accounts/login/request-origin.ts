import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../platform/errors.ts';

/**
 * Throws `forbidden` unless the request comes from a page of this service: its `Origin` has to be the scheme and host
 * that were asked, or those of the base URL. Browsers send an `Origin` with every write. Where a base URL is configured,
 * the host has to be its host too: a name of someone else that leads here has the same `Origin` and `Host`.
 * @param configuredBaseUrl null when it is not configured
 * @param options.mayBeAbsent for requests that programs without a page make, too.
 */
export function checkOrigin(
  request: FastifyRequest,
  configuredBaseUrl: string | null,
  { mayBeAbsent = false }: { mayBeAbsent?: boolean } = {},
): void {
  const { origin } = request.headers;
  if (origin === undefined && mayBeAbsent) return;
  if (configuredBaseUrl !== null && !isOwnHost(request, configuredBaseUrl)) {
    throw new ApiError(
      'forbidden',
      "The request host doesn't match PACEKEEPER_BASE_URL. Use the configured URL; a proxy must forward the Host header.",
    );
  }
  if (origin !== undefined && isOwnOrigin(origin, request, configuredBaseUrl)) return;
  throw new ApiError('forbidden', "Requests that use a session cookie must have this server's Origin.");
}

function isOwnOrigin(origin: string, request: FastifyRequest, baseUrl: string | null): boolean {
  if (origin === originOf(`${request.protocol}://${request.host}`)) return true;
  return baseUrl !== null && origin === originOf(baseUrl);
}

/** That of the base URL, or an address that no one else's name can stand for: loopback, or the one that was connected to. */
function isOwnHost({ host, socket }: FastifyRequest, baseUrl: string): boolean {
  const base = new URL(baseUrl);
  const asked = `${base.protocol}//${host}`;
  if (!URL.canParse(asked)) return false;
  const { host: askedHost, hostname } = new URL(asked);
  if (askedHost === base.host || isLoopback(hostname)) return true;
  const address = socket.localAddress?.replace(/^::ffff:/, '');
  return address !== undefined && (hostname === address || hostname === `[${address}]`);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** In the form that browsers send: lower case, without the usual port. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
