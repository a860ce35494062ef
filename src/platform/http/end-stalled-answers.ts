import type { FastifyInstance } from 'fastify';

const longestStallMs = 30_000;
/** The system takes less from us at once, whether or not the client reads. */
const maxUnheldBytes = 16 * 1024;

/** Ends connections whose clients read nothing of a long answer for a while: it stays in memory until they do. */
export function endStalledAnswers(app: FastifyInstance, afterMs = longestStallMs): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    const isShort =
      (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length <= maxUnheldBytes;
    // Node ends the timer with the answer.
    if (payload != null && !isShort) reply.raw.setTimeout(afterMs, () => reply.raw.destroy());
    done();
  });
}
