import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalidField } from '../errors.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { BodyBudget, BodyLane, BodyReservation } from './body-budget.ts';
import { inlineLimits, smallBodyBytes } from './body-limits.ts';
import { checkBody, countBodyValues } from './check-body.ts';
import { checkInSandbox } from './check-large-body.ts';
import { clientBlock } from './client-network.ts';
import { mediaTypeOf } from './content-type.ts';
import type { ContractOperation } from './contract.ts';
import type { Caller } from './operation.ts';
import { declaredBytes, readBodyBytes, tooLarge } from './read-body-bytes.ts';

export interface BodyDeps {
  budget: BodyBudget;
  /** Checks bodies that would block the server's thread for too long. */
  sandbox: Pick<Sandbox, 'run'>;
}

export interface RequestBody {
  /** The body as typed by the contract, or `undefined` if there is none. */
  value: unknown;
  /** Releases the reserved bytes of the body. Call this after the response. */
  release(): void;
}

const none: RequestBody = { value: undefined, release: () => undefined };

/**
 * Reads and checks the body of an authenticated request. Checks sizes first, then the number of values, then
 * the content. Large bodies are checked in the sandbox.
 */
export async function readBody(
  operation: ContractOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | null,
  path: Readonly<Record<string, unknown>>,
  { budget, sandbox }: BodyDeps,
): Promise<RequestBody> {
  const { bytes: maxBytes } = operation.bodyLimits;
  // The body of a GET request is ignored.
  if (operation.method === 'GET') return none;
  const declared = declaredBytes(request.raw);
  if (declared !== null && declared > maxBytes) throw tooLarge(maxBytes);
  // If the operation doesn't define a body, the request's body is ignored.
  if (!operation.hasBody) return none;
  if (declared === 0) return withoutBody(operation);
  const mediaType = mediaTypeOf(request);
  if (!operation.mediaTypes.includes(mediaType)) throw new ApiError('unsupported_media_type');
  const isPacked = isGzip(operation, request);

  const heldBytes = (declared ?? maxBytes) + (isPacked ? maxBytes : 0);
  const { lane, holder } = holderOf(caller, request, heldBytes);
  const reservation = budget.reserve(lane, holder, heldBytes);
  try {
    const bytes = await readBodyBytes(request, reply, maxBytes, reservation.evicted);
    reservation.arrived();
    if (bytes.length === 0 && !isPacked) {
      reservation.release();
      return withoutBody(operation);
    }
    const value = await check(operation, bytes, mediaType, isPacked, path, holder, sandbox, reservation);
    return { value, release: reservation.release };
  } catch (error) {
    reservation.release();
    throw error;
  }
}

function withoutBody(operation: ContractOperation): RequestBody {
  if (operation.isBodyRequired) throw invalidField('body', 'must be a JSON object');
  return none;
}

async function check(
  operation: ContractOperation,
  bytes: Buffer,
  mediaType: string,
  isPacked: boolean,
  path: Readonly<Record<string, unknown>>,
  holder: string,
  sandbox: BodyDeps['sandbox'],
  reservation: BodyReservation,
): Promise<unknown> {
  const json = isPacked ? await decompressInline(bytes) : bytes;
  if (json !== null) reservation.shrinkTo(json.length);
  if (json === null || json.length > inlineLimits.bytes)
    return checkInSandbox(sandbox, operation, bytes, isPacked, path, holder);
  const values = countBodyValues(operation, json);
  if (values > inlineLimits.values) return checkInSandbox(sandbox, operation, json, false, path, holder);
  return checkBody(operation, json, values, path, mediaType);
}

/**
 * Decompresses a body in Node's thread pool. Returns `null` if the result is too large to be checked in the
 * server's thread.
 */
async function decompressInline(bytes: Buffer): Promise<Buffer | null> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: inlineLimits.bytes });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw invalidField('body', 'is not gzip');
  }
}

/**
 * True if a body is compressed. Only agents can compress their results. Size limits apply to the decompressed
 * body.
 */
function isGzip(operation: ContractOperation, request: FastifyRequest): boolean {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return false;
  if (encoding === 'gzip' && operation.interfaceName === 'agent') return true;
  throw new ApiError('unsupported_media_type', "Content-Encoding isn't supported.");
}

function holderOf(
  caller: Caller | null,
  request: FastifyRequest,
  bytes: number,
): { lane: BodyLane; holder: string } {
  if (!caller) return { lane: 'anonymous', holder: clientBlock(request.ip) };
  if (caller.via === 'embedded_agent') return { lane: 'embeddedAgent', holder: 'embedded agent' };
  const lane = bytes <= smallBodyBytes ? 'small' : 'large';
  return { lane, holder: String(caller.organizationId) };
}
