import type { FastifyReply, FastifyRequest } from 'fastify';
import { smallBodyBytes } from './body-limits.ts';
import { declaredBytes } from './read-body-bytes.ts';

/** Time for the caller to read the response before the connection is destroyed. */
const lingerMs = 500;

/**
 * Closes the connection after the response if the rest of a large body hasn't arrived, because the rest isn't
 * read. Call it before the response is sent. The socket is destroyed with a delay, because a client that is
 * still sending would otherwise see a reset instead of the response.
 */
export function closeOnUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return;
  const bytes = declaredBytes(raw);
  // Don't close the connection for a small body, which Node reads and discards.
  if (bytes !== null && bytes <= smallBodyBytes) return;
  void reply.header('connection', 'close');
  // Mark the body as read by the application, so that Node doesn't read and discard the rest.
  raw.read(0);
  const { socket } = raw;
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}
