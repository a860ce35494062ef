import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { bodyDeadlineMs } from './body-limits.ts';

/**
 * Returns the body size that a request declares, `null` for a chunked body without a declared size, or 0
 * without a body.
 */
export function declaredBytes({ headers }: IncomingMessage): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Reads the body of a request without decompressing it. Before this call, nothing reads the body, so at most
 * a few packets of it are in memory.
 *
 * @param evicted Aborted with the error to throw when the body is evicted.
 * @throws ApiError 413 for more than `maxBytes`, 400 if the body doesn't arrive in time.
 */
export function readBodyBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
  evicted: AbortSignal,
): Promise<Buffer> {
  const { raw } = request;
  const deadlineMs = bodyDeadlineMs(declaredBytes(raw) ?? maxBytes);
  if (expectsContinue(raw)) reply.raw.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = () => {
      clearTimeout(timer);
      evicted.removeEventListener('abort', onEvicted);
      raw.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost);
    };
    const fail = (error: ApiError) => {
      end();
      // Ignore later errors of the connection, because the request has already failed.
      raw.on('error', () => undefined).pause();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) fail(tooLarge(maxBytes));
      else chunks.push(chunk);
    };
    const onEnd = () => {
      end();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes));
    };
    const onLost = () => fail(new ApiError('validation_failed', 'The request body was incomplete.'));
    const onEvicted = () => fail(evicted.reason as ApiError);
    const timer = setTimeout(() => {
      const seconds = Math.ceil(deadlineMs / 1_000);
      fail(new ApiError('validation_failed', `The request body didn't arrive within ${seconds} s.`));
    }, deadlineMs);
    evicted.addEventListener('abort', onEvicted);
    raw.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
  });
}

export function tooLarge(maxBytes: number): ApiError {
  return new ApiError('payload_too_large', `The request body exceeds ${maxBytes} bytes.`);
}

/** True if the client sends the body only after a 100 response. */
function expectsContinue({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}
