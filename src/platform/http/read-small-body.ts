import type { FastifyReply, FastifyRequest } from 'fastify';
import { readBodyBytes } from './read-body-bytes.ts';

const never = new AbortController().signal;

/** Reads the body of a route outside the contract. The route itself limits the size and the request rate. */
export function readSmallBody(
  request: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
): Promise<Buffer> {
  return readBodyBytes(request, reply, maxBytes, never);
}
