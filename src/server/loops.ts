import { startSilenceEndLoop } from '../modules/alerts/index.ts';
import { startAuditExportLoop } from '../modules/audit-exports/index.ts';
import { startDigestLoop } from '../modules/discovery/index.ts';
import { startFreshnessLoop } from '../modules/freshness/index.ts';
import { startHookLoop } from '../modules/hooks/index.ts';
import { registerServer, startEvaluationLoop } from '../modules/monitoring/index.ts';
import { startDeliveryLoop, startOwnerMailLoop } from '../modules/notifications/index.ts';
import { startReferenceLoop } from '../modules/reference/index.ts';
import { startScheduleLoop } from '../modules/runs/index.ts';
import { startFanOutLoop } from '../modules/upstream/index.ts';
import { startHousekeeping } from './housekeeping.ts';
import { housekeepingTasks } from './housekeeping-tasks.ts';
import type { Metrics } from './metrics.ts';
import type { ServerParts } from './server-parts.ts';

/** Starts all background loops. Any number of servers can run the same loops on one database. */
export async function startLoops(parts: ServerParts, metrics: Metrics): Promise<{ stop(): Promise<void> }> {
  const { isHeldBack, ...server } = await registerServer(parts);
  const loops = [
    startScheduleLoop('gather', parts),
    startScheduleLoop('scrape', parts),
    startScheduleLoop('helm_sync', parts),
    startScheduleLoop('discovery', parts),
    startReferenceLoop(parts),
    startHookLoop(parts),
    startFanOutLoop(parts),
    startDigestLoop(parts),
    startEvaluationLoop({ ...parts, isHeldBack }),
    startFreshnessLoop(parts),
    startSilenceEndLoop(parts),
    startAuditExportLoop(parts),
    startDeliveryLoop({ ...parts, onOutcome: metrics.onDelivery }),
    startOwnerMailLoop(parts),
    await startHousekeeping(parts, housekeepingTasks(parts)),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await server.stop();
    },
  };
}
