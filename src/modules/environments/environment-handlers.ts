import { type Database, hasSqlState } from '../../platform/database/index.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { createResultCache } from '../counts/index.ts';
import { compareEnvironments } from './compare-environments.ts';
import { readMatrix } from './read-matrix.ts';
import { readPromotions } from './read-promotions.ts';

const minuteMs = 60_000;

/**
 * Handlers for comparing the versions of services across environments, and for listing promotions between
 * environments.
 */
export function environmentHandlers({
  db,
}: {
  db: Database;
}): Handlers<'getEnvironmentMatrix' | 'listPromotions' | 'compareEnvironments'> {
  const kept = createResultCache();
  return {
    async compareEnvironments(request) {
      try {
        return { status: 200, body: await compareEnvironments({ db }, request, request.body) };
      } catch (error) {
        // Another request has created one of the comparisons at the same time.
        if (hasSqlState(error, '23505')) throw new ApiError('conflict', undefined, { cause: error });
        throw error;
      }
    },

    async getEnvironmentMatrix({ caller: { organizationId }, query }) {
      const { limit, offset, cursor, environments, ...filters } = query;
      const names = environments?.split(',').map((name) => name.trim());
      const body = await readMatrix(
        db,
        kept,
        organizationId,
        { ...filters, environments: names },
        { limit, offset, cursor },
      );
      return { status: 200, body };
    },

    async listPromotions({ caller: { organizationId }, query }) {
      const { limit, offset, cursor, since, ...filters } = query;
      if (filters.from !== undefined && filters.from === filters.to)
        throw invalidField('to', 'must not be the same environment as from');
      // Round to full minutes, because responses are cached for each requested time.
      const sinceMs = since === undefined ? undefined : Math.floor(Date.parse(since) / minuteMs) * minuteMs;
      const page = { limit, offset, cursor };
      const body = await readPromotions(db, kept, organizationId, { ...filters, sinceMs }, page);
      return { status: 200, body };
    },
  };
}
