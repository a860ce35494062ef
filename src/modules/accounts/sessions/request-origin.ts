import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../platform/errors.ts';

/**
 * Throws `forbidden` unless a page of this service sent the request. Browsers send an `Origin` header with
 * every write. The header must match the scheme and host of the request, or those of the base URL. However,
 * `Origin` and `Host` also match each other on a foreign domain that resolves to this server. So if a base
 * URL is configured, the request must also be sent to the host of that URL.
 * @param configuredBaseUrl Null if it isn't configured.
 * @param options.mayBeAbsent True for requests that programs without a web page also send.
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

/**
 * True if the host is that of the base URL, or an address that a foreign domain can't imitate: loopback, or
 * the local address of the connection.
 */
function isOwnHost({ host, socket }: FastifyRequest, baseUrl: string): boolean {
  const base = new URL(baseUrl);
  const asked = `${base.protocol}//${host}`;
  if (!URL.canParse(asked)) return false;
  const { host: requestHost, hostname } = new URL(asked);
  if (requestHost === base.host || isLoopback(hostname)) return true;
  const address = socket.localAddress?.replace(/^::ffff:/, '');
  return address !== undefined && (hostname === address || hostname === `[${address}]`);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Returns the origin in the format that browsers send: lowercase, without the default port. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
