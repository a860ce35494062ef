import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import type { BadgeDeps } from './badge-handlers.ts';
import { readBadgeToken } from './badge-link.ts';
import { findBadge } from './badge-queries.ts';
import { drawBadge } from './badge-svg.ts';

/**
 * Headers of an image that other sites can embed. If the image is opened directly, it's a document, so the
 * policy forbids everything.
 */
const headers = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': 'max-age=60',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * Serves `/badge/<token>.svg`. The token authorizes the request and is never logged: log entries contain the
 * pattern of the route. A token that Pacekeeper didn't sign costs no query, and gets the same response as a
 * deleted configuration or disabled badges.
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
