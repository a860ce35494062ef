import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import type { BadgeDeps } from './badge-handlers.ts';
import { readBadgeToken } from './badge-link.ts';
import { findBadge } from './badge-queries.ts';
import { drawBadge } from './badge-svg.ts';

/** A picture that other sites may show. Opened by itself it is a document, which may do nothing at all. */
const headers = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': 'max-age=60',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * `/badge/<token>.svg`. The token is the right to see it, and is logged nowhere: log lines have the pattern of the route.
 * What we did not sign asks nothing of the database, and is answered like what was deleted or turned off.
 */
export function serveBadges(
  app: FastifyInstance,
  { db, badgeSigner }: Pick<BadgeDeps, 'db' | 'badgeSigner'>,
): void {
  app.get<{ Params: { file: string } }>('/badge/:file', async ({ params: { file } }, reply) => {
    const target = file.endsWith('.svg') ? readBadgeToken(badgeSigner, file.slice(0, -'.svg'.length)) : null;
    const badge = target && (await findBadge(db, target.organizationId, target.alertConfigId));
    if (!badge) throw new ApiError('not_found');
    return reply.headers(headers).send(drawBadge(badge));
  });
}
