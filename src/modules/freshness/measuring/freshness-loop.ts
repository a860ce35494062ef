import { type Database, transaction } from '../../../platform/database/index.ts';
import {
  type Claim,
  type DueLoop,
  finishDueRows,
  releaseDueRows,
  startDueLoop,
} from '../../../platform/due-rows/index.ts';
import type { Log } from '../../../platform/log.ts';
import { sendMonthlyReport } from '../report/send-monthly-report.ts';
import { reportTargets } from '../targets/report-targets.ts';
import { dueFreshnessTable } from './freshness-due.ts';
import type { FreshnessThread } from './freshness-thread.ts';

interface DueState {
  organization_id: number;
}

const hourMs = 3_600_000;

/** Measures one organization at a time. Each organization is measured by only one server. */
export function startFreshnessLoop(deps: {
  db: Database;
  log: Log;
  freshnessThread: FreshnessThread;
}): DueLoop {
  const { db, freshnessThread } = deps;
  return startDueLoop<DueState>({
    ...deps,
    table: dueFreshnessTable,
    batchSize: 1,
    maxInFlight: 1,
    // The lease is long, because computing a year of a large installation takes minutes.
    leaseMs: 900_000,
    async handle([claim]) {
      try {
        await measureClaimed(claim!);
      } catch (error) {
        if (!freshnessThread.isStopped) throw error;
        // Release the row, so that another server, or this one after a restart, continues immediately.
        await releaseDueRows(db, dueFreshnessTable, [claim!], 0);
      }
    },
  });

  async function measureClaimed(claim: Claim<DueState>): Promise<void> {
    const organizationId = claim.row.organization_id;
    const { nowMs, targets, missing } = await freshnessThread.measure(organizationId);
    if (targets !== null) {
      await transaction(db, (tx) => reportTargets(tx, organizationId, targets, nowMs));
    }
    if (missing !== null) await freshnessThread.fill(organizationId, missing);
    const nextDueAt = new Date(Math.min(nowMs + hourMs, nextDayMs(nowMs, organizationId)));
    await transaction(db, async (tx) => {
      await sendMonthlyReport(tx, organizationId, nowMs);
      await finishDueRows(tx, dueFreshnessTable, [{ claim, nextDueAt }]);
    });
  }
}

/**
 * Returns a time shortly after midnight UTC, spread over ten minutes so that not all organizations are due at
 * the same time.
 */
function nextDayMs(nowMs: number, organizationId: number): number {
  const dayMs = 24 * hourMs;
  return (Math.floor(nowMs / dayMs) + 1) * dayMs + (organizationId % 600) * 1_000;
}
