import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** A smaller answer fits into one packet as it is. */
const minCompressedBytes = 1024;
/** Up to this size, an answer is compressed at once, in less than a millisecond. A stream costs three times as much. */
const maxAtOnceBytes = 128 * 1024;
/**
 * A stream keeps a megabyte for as long as the client takes to read. While so many are open, further answers are sent as they
 * are, so clients that don't read can't use up the memory.
 */
const maxStreams = 32;

/** Compresses answers for clients that accept it. */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  let streams = 0;
  // Before the hook of the library, which is one of each route.
  app.addHook('onSend', (request, reply, payload, done) => {
    const isSmall =
      (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
      Buffer.byteLength(payload) <= maxAtOnceBytes;
    const isCompressed = reply.getHeader('content-encoding') !== undefined;
    const acceptsNone = request.headers['accept-encoding'] === undefined;
    // A response that is closed is not closed again.
    if (payload == null || isSmall || isCompressed || acceptsNone || reply.raw.destroyed) return done();
    if (streams >= maxStreams) {
      request.headers['x-no-compression'] = 'true';
      return done();
    }
    streams += 1;
    reply.raw.once('close', () => {
      streams -= 1;
    });
    done();
  });
  await app.register(fastifyCompress, {
    threshold: minCompressedBytes,
    syncThreshold: maxAtOnceBytes,
    encodings: ['br', 'gzip'],
    // The library doesn't know YAML. Streams of events are never held back to be compressed.
    customTypes: /^(?:text\/(?!event-stream)|application\/(?:json|yaml|javascript)|image\/svg)/,
    brotliOptions: {
      params: {
        // The default quality of Brotli is meant for files that are compressed once, and takes 50 times as long.
        [constants.BROTLI_PARAM_QUALITY]: 4,
        // 128 kB instead of 4 MB, which are kept for each stream. The result is 5% longer.
        [constants.BROTLI_PARAM_LGWIN]: 17,
      },
    },
    // No body of a request is ever unpacked here: see request-body.ts.
    globalDecompression: false,
  });
}
