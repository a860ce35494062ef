import type { FastifyReply, FastifyRequest } from 'fastify';
import { readBodyBytes } from './read-body-bytes.ts';

const never = new AbortController().signal;

/** The body of a route outside the contract, which limits both its size and how often anyone can send it. */
export function readSmallBody(
  request: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
): Promise<Buffer> {
  return readBodyBytes(request, reply, maxBytes, never);
}
