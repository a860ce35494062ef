import { sql } from 'kysely';
import { type Database, transaction } from '../../platform/database/index.ts';
import { type DueLoop, finishDueRows, startDueLoop } from '../../platform/due-rows/index.ts';
import type { Log } from '../../platform/log.ts';
import { dueSchedulesTable, type JobTable, requestRuns } from '../runs/index.ts';

export const referenceSources: JobTable = {
  name: 'reference',
  table: 'reference_sources',
  runColumn: 'reference_source_id',
  capability: sql`'reference:' || jobs.name`,
  isClaimedWhenDue: false,
};

const referenceSourcesDue = dueSchedulesTable(referenceSources);

const dayMs = 86_400_000;

/**
 * Starts a loop that creates a run for reference data once a day, at the time of day at which the operator
 * enabled the source.
 */
export function startReferenceLoop(deps: { db: Database; log: Log }): DueLoop {
  return startDueLoop<{ id: number; url: string | null }>({
    ...deps,
    table: referenceSourcesDue,
    batchSize: 10,
    maxInFlight: 10,
    leaseMs: 30_000,
    columns: ['url'],
    handle: (claims) =>
      transaction(deps.db, async (tx) => {
        const held = await finishDueRows(
          tx,
          referenceSourcesDue,
          claims.map((claim) => ({
            claim,
            nextDueAt: claim.row.url === null ? null : new Date(claim.now.getTime() + dayMs),
          })),
        );
        const sources = claims
          .filter(({ leaseToken, row }) => held.has(leaseToken) && row.url !== null)
          .map(({ row }) => ({ organizationId: 1, jobId: row.id, credentialName: null }));
        await requestRuns(tx, referenceSources, sources, 'schedule');
      }),
  });
}
