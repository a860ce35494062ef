import type { FastifyRequest } from 'fastify';

const contentTypes = new WeakMap<FastifyRequest, string>();

/**
 * Hides the content type from Fastify, which would otherwise reject an unsupported type before the request is
 * authenticated.
 */
export function hideContentType(request: FastifyRequest, _reply: unknown, done: () => void): void {
  const { headers } = request.raw;
  if (headers['content-type'] !== undefined) {
    contentTypes.set(request, headers['content-type']);
    delete headers['content-type'];
  }
  done();
}

/** Returns the media type without its parameters, or an empty string if the request has none. */
export function mediaTypeOf(request: FastifyRequest): string {
  return (contentTypes.get(request) ?? '').split(';')[0]!.trim().toLowerCase();
}
