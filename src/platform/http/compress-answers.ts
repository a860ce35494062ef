import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Minimum size for compression. A smaller response already fits into one packet. */
const minCompressedBytes = 1024;
/**
 * Maximum size of a response that is compressed synchronously, which takes less than a millisecond. A stream
 * costs three times as much.
 */
const maxAtOnceBytes = 128 * 1024;
/**
 * Maximum number of concurrent compression streams. A stream uses a megabyte until the client has read the
 * response. Beyond this number, responses are sent uncompressed, so clients that don't read can't exhaust the
 * memory.
 */
const maxStreams = 32;

/** Compresses responses for clients that accept it. */
export async function compressResponses(app: FastifyInstance): Promise<void> {
  let streams = 0;
  // Register this hook before the plugin, so that it runs before the hook that the plugin adds to each route.
  app.addHook('onSend', (request, reply, payload, done) => {
    const isSmall =
      (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
      Buffer.byteLength(payload) <= maxAtOnceBytes;
    const isCompressed = reply.getHeader('content-encoding') !== undefined;
    const acceptsNone = request.headers['accept-encoding'] === undefined;
    // A destroyed response doesn't emit `close` again, so its stream would be counted forever.
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
    // The plugin's default doesn't include YAML. Event streams are excluded, because compression would buffer
    // their events.
    customTypes: /^(?:text\/(?!event-stream)|application\/(?:json|yaml|javascript)|image\/svg)/,
    brotliOptions: {
      params: {
        // Brotli's default quality takes 50 times as long, because it's intended for files that are compressed once.
        [constants.BROTLI_PARAM_QUALITY]: 4,
        // This window uses 128 kB per stream instead of 4 MB. The result is 5% longer.
        [constants.BROTLI_PARAM_LGWIN]: 17,
      },
    },
    // Request bodies are decompressed in request-body.ts, never here.
    globalDecompression: false,
  });
}
