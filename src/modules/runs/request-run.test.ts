import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { transaction } from '../../platform/database/index.ts';
import { jobKinds } from '../agents/index.ts';
import { requestRuns } from './request-run.ts';

const { db } = await createTestDatabase({ poolSize: 2 });

test.each(['gather', 'scrape', 'helm_sync'] as const)(
  'a %s job that was deleted in the meantime gets no run, without an error',
  async (kind) => {
    const job = { organizationId: 1, jobId: 4_711, credentialName: null };
    expect(await transaction(db, (tx) => requestRuns(tx, jobKinds[kind], [job], 'manual'))).toBe(0);
  },
);
