import type { FastifyReply, FastifyRequest } from 'fastify';
import { countValues } from '../../domain/json/count-values.ts';
import { ApiError, invalidField } from '../errors.ts';
import type { BodyBudget } from './body-budget.ts';
import { type BodyLimits, smallBodyBytes } from './body-limits.ts';
import { parseJson } from './check-body.ts';
import { mediaTypeOf } from './content-type.ts';
import type { Caller } from './operation.ts';
import { declaredBytes, readBodyBytes, tooLarge } from './read-body-bytes.ts';

/** Maximum nesting depth. Code that validates the body can be recursive. */
const maxDepth = 64;

/**
 * Reads the JSON body of a route outside the contract, whose caller is authenticated. The route must hide the content
 * type. Call `release` after the response.
 *
 * @throws ApiError If the body has another type, is too large, or isn't JSON.
 */
export async function readJsonBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { organizationId }: Caller,
  budget: BodyBudget,
  limits: BodyLimits,
): Promise<{ value: unknown; release(): void }> {
  const declared = declaredBytes(request.raw);
  if (declared !== null && declared > limits.bytes) throw tooLarge(limits.bytes);
  if (mediaTypeOf(request) !== 'application/json') throw new ApiError('unsupported_media_type');
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type', "Content-Encoding isn't supported.");
  const bytes = declared ?? limits.bytes;
  const lane = bytes <= smallBodyBytes ? 'small' : 'large';
  const reservation = budget.reserve(lane, String(organizationId), bytes);
  try {
    const body = await readBodyBytes(request, reply, limits.bytes, reservation.evicted);
    reservation.arrived();
    const { exceeded } = countValues(body, {
      values: limits.values,
      members: limits.values,
      depth: maxDepth,
    });
    if (exceeded?.limit === 'depth')
      throw invalidField('body', `must not have more than ${maxDepth} levels of nesting`);
    if (exceeded) throw invalidField('body', `must not have more than ${limits.values} fields and items`);
    return { value: parseJson(body), release: reservation.release };
  } catch (error) {
    reservation.release();
    throw error;
  }
}
