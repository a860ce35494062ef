import type { FastifyReply, FastifyRequest } from 'fastify';
import { smallBodyBytes } from './body-limits.ts';
import { declaredBytes } from './read-body-bytes.ts';

/** Time for the caller to read the answer before the connection is cut. */
const lingerMs = 500;

/**
 * Called before an answer goes out. When the rest of a large body is still to come, nobody swallows it: the connection
 * ends with the answer. It is cut only a moment later, as whoever is still sending would otherwise see a reset in place
 * of the answer.
 */
export function closeOnUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return;
  const bytes = declaredBytes(raw);
  // Node reads and drops it.
  if (bytes !== null && bytes <= smallBodyBytes) return;
  void reply.header('connection', 'close');
  // Marks it as read by us, so that Node does not read and drop the rest.
  raw.read(0);
  const { socket } = raw;
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}
