import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyBudget } from './body-budget.ts';
import { clientBlock } from './client-network.ts';
import { declaredBytes, readBodyBytes, tooLarge } from './read-body-bytes.ts';

/**
 * Reads the body of a request that is authenticated by its signature. The sender is unknown until the body
 * has been read, so a budget limits the total memory of these bodies.
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
