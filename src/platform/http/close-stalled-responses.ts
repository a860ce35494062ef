import type { FastifyInstance } from 'fastify';

const longestStallMs = 30_000;
/**
 * Maximum size of a response that isn't monitored. The operating system buffers this much immediately,
 * whether or not the client reads.
 */
const maxUnmonitoredBytes = 16 * 1024;

/**
 * Closes connections whose clients stop reading a long response, because it stays in memory until they read
 * it.
 */
export function closeStalledResponses(app: FastifyInstance, afterMs = longestStallMs): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    const isShort =
      (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length <= maxUnmonitoredBytes;
    // Node clears the timer when the response ends.
    if (payload != null && !isShort) reply.raw.setTimeout(afterMs, () => reply.raw.destroy());
    done();
  });
}
