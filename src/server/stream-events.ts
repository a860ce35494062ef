import type { WakeUps } from '../platform/database/index.ts';
import { ApiError } from '../platform/errors.ts';
import type { Caller, Handlers } from '../platform/http/index.ts';
import type { FastifyRequest } from 'fastify';

const streamsForOneCaller = 5;
const authorizeAgainMs = 60_000;
const keepAliveMs = 20_000;

export interface StreamDeps {
  wakeUps: WakeUps;
  authenticate(request: FastifyRequest): Promise<Caller | null>;
}

/**
 * `GET /events`: what has changed, as `{resource, id, change}` and nothing more; who sees it reads it by the usual
 * operations. Changes come as wake-ups of the topic `changes`, from every server.
 */
export function streamHandlers({ wakeUps, authenticate }: StreamDeps): Handlers<'streamEvents'> {
  const openStreams = new Map<string, number>();
  const listeners = new Map<number, Set<(message: string) => void>>();

  // One listener for all streams: `organization/resource/id`.
  wakeUps.on('changes', (detail) => {
    if (detail === undefined) return;
    const [organization, resource, id] = detail.split('/');
    const message = `data: ${JSON.stringify({ resource, id: Number(id), change: 'updated' })}\n\n`;
    const organizationId = Number(organization);
    // What is global is everybody's.
    const audiences = organizationId === 1 ? [...listeners.values()] : [listeners.get(organizationId) ?? new Set()];
    for (const audience of audiences) for (const listener of audience) listener(message);
  });

  return {
    async streamEvents({ caller, http, signal }) {
      const name = caller.userId === null ? `key ${caller.apiKeyId}` : `user ${caller.userId}`;
      const count = openStreams.get(name) ?? 0;
      if (count >= streamsForOneCaller) {
        throw new ApiError('rate_limited', `At most ${streamsForOneCaller} streams at a time.`, { retryAfterSeconds: 30 });
      }
      openStreams.set(name, count + 1);

      const { raw } = http.reply;
      const headers = Object.fromEntries(
        Object.entries(http.reply.getHeaders()).map(([key, value]) => [key, value as string]),
      );
      raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
      raw.write('retry: 3000\n\n');

      const audience = listeners.get(caller.organizationId) ?? new Set();
      listeners.set(caller.organizationId, audience);
      const send = (message: string) => {
        // Who does not read is not waited for: the page looks again when it reconnects.
        if (raw.writableLength > 256 * 1024) raw.destroy();
        else raw.write(message);
      };
      audience.add(send);
      const keepAlive = setInterval(() => send(': \n\n'), keepAliveMs);
      const authorize = setInterval(() => {
        void authenticate(http.request).then(
          (now) => now?.organizationId === caller.organizationId || raw.end(),
          () => raw.end(),
        );
      }, authorizeAgainMs);

      const close = () => {
        clearInterval(keepAlive);
        clearInterval(authorize);
        audience.delete(send);
        if (audience.size === 0) listeners.delete(caller.organizationId);
        const left = (openStreams.get(name) ?? 1) - 1;
        if (left > 0) openStreams.set(name, left);
        else openStreams.delete(name);
      };
      raw.once('close', close);
      signal.addEventListener('abort', () => raw.end(), { once: true });
      return 'streamed';
    },
  };
}
