import type { FastifyRequest } from 'fastify';

/** Address and program that use a session, as later shown to its owner. */
export interface SessionClient {
  address: string;
  userAgent: string | null;
}

const maxUserAgent = 256;

/**
 * Reads the client of a request. Clients can send any `User-Agent`, so only printable ASCII of a limited
 * length is stored.
 */
export function sessionClientOf({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): SessionClient {
  const userAgent = (headers['user-agent'] ?? '')
    .replaceAll(/[^ -~]/g, '')
    .trim()
    .slice(0, maxUserAgent);
  return { address: ip, userAgent: userAgent === '' ? null : userAgent };
}
