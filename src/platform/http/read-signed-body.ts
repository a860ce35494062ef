import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyBudget } from './body-budget.ts';
import { clientBlock } from './client-network.ts';
import { declaredBytes, readBodyBytes, tooLarge } from './read-body-bytes.ts';

/**
 * The body of a request that its signature authenticates, so that the sender isn't known before it has been read. The
 * memory for all of them together is bounded.
 */
export async function readSignedBody(
  request: FastifyRequest,
  reply: FastifyReply,
  budget: BodyBudget,
  maxBytes: number,
): Promise<{ bytes: Buffer; release(): void }> {
  const declared = declaredBytes(request.raw);
  if (declared !== null && declared > maxBytes) throw tooLarge(maxBytes);
  const reservation = budget.reserve('hooks', clientBlock(request.ip), declared ?? maxBytes);
  try {
    const bytes = await readBodyBytes(request, reply, maxBytes, reservation.evicted);
    reservation.arrived();
    return { bytes, release: reservation.release };
  } catch (error) {
    reservation.release();
    throw error;
  }
}
