import type { FastifyRequest } from 'fastify';

/** From where and by which program a session is used, as its owner sees it later. */
export interface SessionClient {
  address: string;
  userAgent: string | null;
}

const maxUserAgent = 256;

/** Anybody can send any `User-Agent`: what is kept is printable ASCII of a bounded length. */
export function sessionClientOf({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): SessionClient {
  const userAgent = (headers['user-agent'] ?? '')
    .replaceAll(/[^ -~]/g, '')
    .trim()
    .slice(0, maxUserAgent);
  return { address: ip, userAgent: userAgent === '' ? null : userAgent };
}
