import type { FastifyRequest } from 'fastify';

const contentTypes = new WeakMap<FastifyRequest, string>();

/** Fastify would refuse a request whose type it cannot read before anyone knows who sends it. */
export function hideContentType(request: FastifyRequest, _reply: unknown, done: () => void): void {
  const { headers } = request.raw;
  if (headers['content-type'] !== undefined) {
    contentTypes.set(request, headers['content-type']);
    delete headers['content-type'];
  }
  done();
}

/** Without its parameters; empty when there is none. */
export function mediaTypeOf(request: FastifyRequest): string {
  return (contentTypes.get(request) ?? '').split(';')[0]!.trim().toLowerCase();
}
