import { jobKinds } from '../modules/agents/index.ts';
import { startSilenceEndLoop } from '../modules/alerts/index.ts';
import { startAuditExportLoop } from '../modules/audit-exports/index.ts';
import { startDigestLoop } from '../modules/discovery/index.ts';
import { startFreshnessLoop } from '../modules/freshness/index.ts';
import { startHookLoop } from '../modules/hooks/index.ts';
import { registerServer, startEvaluationLoop } from '../modules/monitoring/index.ts';
import { startDeliveryLoop, startOwnerMailLoop } from '../modules/notifications/index.ts';
import { startFanOutLoop, startMovedReleasesLoop } from '../modules/upstream/index.ts';
import { startHousekeeping } from './housekeeping.ts';
import { housekeepingTasks } from './housekeeping-tasks.ts';
import type { Metrics } from './metrics.ts';
import type { ServerParts } from './server-parts.ts';

/** Starts all background loops. Any number of servers can run the same loops on one database. */
export async function startLoops(parts: ServerParts, metrics: Metrics): Promise<{ stop(): Promise<void> }> {
  const { isHeldBack, ...server } = await registerServer(parts);
  const loops = [
    ...Object.values(jobKinds).map((kind) => kind.startSchedules(parts)),
    startHookLoop(parts),
    startFanOutLoop(parts),
    startDigestLoop(parts),
    startMovedReleasesLoop(parts),
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
