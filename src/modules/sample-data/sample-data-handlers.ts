import type { Config } from '../../platform/config.ts';
import { type Database, transaction } from '../../platform/database/index.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { createRateLimit, type Handlers } from '../../platform/http/index.ts';
import {
  auditPerson,
  deleteSampleOrganization,
  findSampleOrganization,
  insertMember,
  insertSampleOrganization,
  lockUser,
} from '../accounts/index.ts';
import type { FindVersions } from '../upstream/index.ts';
import { fillSampleOrganization } from './fill-sample-organization.ts';

export interface SampleDataDeps {
  db: Database;
  findVersions: FindVersions;
  config: Pick<Config, 'rateLimitPerMinute'>;
}

/**
 * Maximum number of times per minute that a user can create sample data. Creating and deleting it takes about 300 ms, and
 * adds two entries to the audit log. Deletions have no separate limit, because there's nothing to delete without sample
 * data.
 */
const loadsPerMinute = 5;

/** Handles the creation and deletion of the caller's sample data. */
export function sampleDataHandlers(deps: SampleDataDeps): Handlers<'loadSampleData' | 'deleteSampleData'> {
  const { db, config } = deps;
  const limit = createRateLimit(config.rateLimitPerMinute > 0 ? loadsPerMinute : 0);
  return {
    async loadSampleData({ caller: { userId, actor }, requestId }) {
      const id = await transaction(db, async (tx) => {
        // The lock serializes concurrent requests of the user.
        const user = await lockUser(tx, userId!);
        if (!user) throw new ApiError('unauthenticated');
        const existing = await findSampleOrganization(tx, user.id);
        if (existing !== undefined) return existing;
        const { retryAfterSeconds } = limit.take(String(user.id));
        if (retryAfterSeconds > 0)
          throw new ApiError('rate_limited', 'Sample data was loaded too often. Try again in a minute.', {
            retryAfterSeconds,
          });
        const created = await insertSampleOrganization(tx, user.id);
        await insertMember(tx, created, { userId: user.id, role: 'viewer' });
        await fillSampleOrganization(tx, deps, created, user.now);
        await auditPerson(tx, user, { action: 'member.sample_data_loaded', actor, requestId });
        return created;
      });
      return {
        status: 200,
        body: { id, name: 'Sample data', role: 'viewer', two_factor_setup_required: false, is_sample: true },
      };
    },

    async deleteSampleData({ caller: { organizationId, userId, actor }, requestId }) {
      await transaction(db, async (tx) => {
        const user = await lockUser(tx, userId!);
        if (!user) throw new ApiError('unauthenticated');
        if ((await findSampleOrganization(tx, user.id)) === organizationId)
          throw new ApiError('conflict', 'Switch to another organization before you delete the sample data.');
        if (!(await deleteSampleOrganization(tx, user.id, { moveLoginsTo: organizationId })))
          throw notFound();
        await auditPerson(tx, user, { action: 'member.sample_data_deleted', actor, requestId });
      });
      return { status: 204 };
    },
  };
}
