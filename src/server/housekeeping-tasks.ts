import {
  deleteExpiredChatLinksAcrossOrganizations,
  deleteExpiredLoginsAcrossOrganizations,
  deleteOldFeedbackAcrossOrganizations,
} from '../modules/accounts/index.ts';
import {
  checkedJobKinds,
  deleteDeadAgentsAcrossOrganizations,
  detectFailingJobsAcrossOrganizations,
  detectRecoveredJobsAcrossOrganizations,
  jobKinds,
  notifyOfflineAgentsAcrossOrganizations,
  notifyRecoveredAgentsAcrossOrganizations,
} from '../modules/agents/index.ts';
import {
  deleteOldAlertsAcrossOrganizations,
  markRemindedAcrossOrganizations,
} from '../modules/alerts/index.ts';
import { deleteOldEntriesAcrossOrganizations } from '../modules/audit/index.ts';
import { deleteOldPressesAcrossOrganizations } from '../modules/chat/index.ts';
import {
  addLabelChangesAcrossOrganizations,
  foldRowCountsAcrossOrganizations,
} from '../modules/counts/index.ts';
import {
  deleteOldExposuresAcrossOrganizations,
  deleteOldVersionsAcrossOrganizations,
} from '../modules/deployed/index.ts';
import { deleteOldDeploymentsAcrossOrganizations } from '../modules/deployments/index.ts';
import {
  applyAliasesAcrossOrganizations,
  expireLiveVersionsAcrossOrganizations,
} from '../modules/discovery/index.ts';
import {
  endTargetProblemsAcrossOrganizations,
  scheduleFreshnessAcrossOrganizations,
} from '../modules/freshness/index.ts';
import { deleteOldHookDeliveriesAcrossOrganizations } from '../modules/hooks/index.ts';
import { isCauseOver, isEvaluatedWithThisParser } from '../modules/monitoring/index.ts';
import {
  archiveRuleMatchesAcrossOrganizations,
  cancelOldWaitingDeliveriesAcrossOrganizations,
  createOpeningDigestsAcrossOrganizations,
  createParsingChangeDigestsAcrossOrganizations,
  deleteOldDeliveriesAcrossOrganizations,
  deleteOldSilencesAcrossOrganizations,
  notifyChannelProblemsAcrossOrganizations,
  openingDigestBatchSize,
  sendRemindersAcrossOrganizations,
} from '../modules/notifications/index.ts';
import {
  deleteOldRunsAcrossOrganizations,
  endExpiredClaimsAcrossOrganizations,
  type RunPosition,
  requeueExpiredRunsAcrossOrganizations,
} from '../modules/runs/index.ts';
import { reparseVersionsAcrossOrganizations } from '../modules/upstream/index.ts';
import {
  afterCommit,
  changeTopic,
  renewStatistics,
  runsTopic,
  type Tx,
  wake,
} from '../platform/database/index.ts';
import { withDeferredTriggers } from '../platform/due-rows/index.ts';
import { deleteOldIdempotencyKeysAcrossOrganizations } from '../platform/http/index.ts';
import { afterClockStable, clockWatchTask } from './clock-watch.ts';
import { deleteOldAuditLogAcrossOrganizations } from './delete-old-audit-log.ts';
import type { HousekeepingTask } from './housekeeping.ts';
import { readTaskState, writeTaskState } from './housekeeping-state.ts';
import { recountNextOrganization } from './recount-rows.ts';
import type { ServerParts } from './server-parts.ts';

/** Maximum number of rows that one transaction deletes. */
const deletionBatchSize = 1_000;
/** Maximum number of old runs that one transaction checks. Some of them are kept. */
const runBatchSize = 2_000;
const notificationBatchSize = 100;
const reminderBatchSize = 200;
const requeueBatchSize = 500;
/** Claims of checks, each with up to a few hundred checks. */
const claimBatchSize = 20;
/** Maximum number of releases that one transaction reparses. */
const reparseBatchSize = 1_000;
/** Maximum number of count changes that one transaction adds up. */
const foldBatchSize = 5_000;
const readingDigestsAtOnce = 100;
const hourSeconds = 3_600;

export function housekeepingTasks({ onRun, log }: Pick<ServerParts, 'onRun' | 'log'>): HousekeepingTask[] {
  const tasks: HousekeepingTask[] = [
    clockWatchTask,
    {
      name: 'requeue-expired-runs',
      everySeconds: 5,
      async run(tx) {
        const claims = await endExpiredClaimsAcrossOrganizations(tx, checkedJobKinds, claimBatchSize);
        const { lost, failed } = await requeueExpiredRunsAcrossOrganizations(tx, jobKinds, requeueBatchSize);
        if (lost.length > failed.length) wake(tx, runsTopic());
        for (const run of lost) afterCommit(tx, () => onRun(run.kind, 'lost'));
        for (const run of failed) {
          wake(tx, changeTopic(run.organization_id, `${run.kind}_job`, run.job_id));
        }
        return claims === claimBatchSize ? 'more' : continueAfter(lost.length, requeueBatchSize);
      },
    },
    // After a long downtime, no source has succeeded and no agent has connected recently. Sources therefore get an hour
    // to succeed, and agents get two minutes to connect.
    afterClockStable(hourSeconds, {
      name: 'watch-sources',
      everySeconds: 300,
      run: async (tx) =>
        continueAfter(
          await detectFailingJobsAcrossOrganizations(tx, notificationBatchSize),
          notificationBatchSize,
        ),
    }),
    {
      name: 'watch-recovered-sources',
      everySeconds: 60,
      run: async (tx) =>
        continueAfter(
          await detectRecoveredJobsAcrossOrganizations(tx, notificationBatchSize),
          notificationBatchSize,
        ),
    },
    // Cluster scans, which have intervals of minutes, also get an hour.
    afterClockStable(hourSeconds, {
      name: 'expire-live-versions',
      everySeconds: 60,
      run: async (tx) => continueAfter((await expireLiveVersionsAcrossOrganizations(tx)) ? 1 : 0, 1),
    }),
    afterClockStable(120, {
      name: 'watch-agents',
      everySeconds: 15,
      async run(tx) {
        await deleteDeadAgentsAcrossOrganizations(tx);
        const offline = await notifyOfflineAgentsAcrossOrganizations(tx, notificationBatchSize);
        const ended = await notifyRecoveredAgentsAcrossOrganizations(tx, notificationBatchSize);
        return continueAfter(Math.max(offline, ended), notificationBatchSize);
      },
    }),
    afterClockStable(120, {
      name: 'watch-channels',
      everySeconds: 60,
      run: async (tx) => continueAfter((await notifyChannelProblemsAcrossOrganizations(tx)) ? 1 : 0, 1),
    }),
    {
      name: 'send-reminders',
      everySeconds: 60,
      async run(tx) {
        const reminded = await sendRemindersAcrossOrganizations(tx);
        await markRemindedAcrossOrganizations(tx, reminded);
        return continueAfter(reminded.length, reminderBatchSize);
      },
    },
    deletion('cancel-waiting-deliveries', cancelOldWaitingDeliveriesAcrossOrganizations),
    deletion('delete-old-deliveries', deleteOldDeliveriesAcrossOrganizations),
    deletion('archive-rule-matches', archiveRuleMatchesAcrossOrganizations),
    deletion('delete-old-alerts', deleteOldAlertsAcrossOrganizations),
    deletion('delete-old-silences', deleteOldSilencesAcrossOrganizations),
    deletion('delete-old-audit-entries', deleteOldEntriesAcrossOrganizations),
    deletion('delete-old-audit-log', deleteOldAuditLogAcrossOrganizations),
    deletion('delete-old-deployments', deleteOldDeploymentsAcrossOrganizations),
    deletion('delete-old-versions', deleteOldVersionsAcrossOrganizations),
    deletion('delete-old-exposures', deleteOldExposuresAcrossOrganizations),
    deletion('delete-old-hook-deliveries', deleteOldHookDeliveriesAcrossOrganizations),
    deletion('delete-old-chat-presses', deleteOldPressesAcrossOrganizations),
    deletion('delete-expired-chat-links', deleteExpiredChatLinksAcrossOrganizations),
    deletion('delete-old-feedback', deleteOldFeedbackAcrossOrganizations),
    deletion('delete-old-idempotency-keys', deleteOldIdempotencyKeysAcrossOrganizations),
    deletion('delete-expired-logins', async (tx) => {
      await deleteExpiredLoginsAcrossOrganizations(tx);
      return 0;
    }),
    oldRuns,
    {
      name: 'fold-row-counts',
      everySeconds: 10,
      async run(tx) {
        const added = await addLabelChangesAcrossOrganizations(tx, foldBatchSize);
        const folded = await foldRowCountsAcrossOrganizations(tx, foldBatchSize);
        return continueAfter(Math.max(added, folded), foldBatchSize);
      },
    },
    {
      name: 'recount-rows',
      everySeconds: 24 * hourSeconds,
      run: (tx) => recountNextOrganization(tx, log),
    },
    {
      name: 'renew-statistics',
      everySeconds: 5,
      async run(tx) {
        await renewStatistics(tx);
        return 'done';
      },
    },
    {
      name: 'read-versions-again',
      everySeconds: 60,
      run: async (tx) =>
        (await reparseVersionsAcrossOrganizations(tx, reparseBatchSize)) ? 'more_after_pause' : 'done',
    },
    {
      name: 'follow-aliases',
      everySeconds: 2,
      run: async (tx) => ((await applyAliasesAcrossOrganizations(tx, log)) ? 'more_after_pause' : 'done'),
    },
    {
      name: 'schedule-freshness',
      everySeconds: 60,
      async run(tx) {
        await scheduleFreshnessAcrossOrganizations(tx);
        return continueAfter(
          await endTargetProblemsAcrossOrganizations(tx, notificationBatchSize),
          notificationBatchSize,
        );
      },
    },
    {
      name: 'send-opening-digests',
      everySeconds: 5,
      run: async (tx) =>
        continueAfter(
          await createOpeningDigestsAcrossOrganizations(tx, isCauseOver, null),
          openingDigestBatchSize,
        ),
    },
    {
      name: 'send-reading-digests',
      everySeconds: 60,
      run: async (tx) =>
        continueAfter(
          await createParsingChangeDigestsAcrossOrganizations(tx, isEvaluatedWithThisParser),
          readingDigestsAtOnce,
        ),
    },
  ];
  return tasks.map(triggeringChannelsLast);
}

/**
 * Wraps a task so that it triggers notification channels in its last statement, as evaluations do. Until
 * then, the task can lock many configurations and alerts.
 */
function triggeringChannelsLast(task: HousekeepingTask): HousekeepingTask {
  return { ...task, run: (tx) => withDeferredTriggers(tx, () => task.run(tx)) };
}

const oldRuns: HousekeepingTask = afterClockStable(hourSeconds, {
  name: 'delete-old-runs',
  everySeconds: hourSeconds,
  async run(tx) {
    const { goOnAfter: after } = await readTaskState<{ goOnAfter: RunPosition | null }>(
      tx,
      'delete-old-runs',
    );
    const { goOnAfter } = await deleteOldRunsAcrossOrganizations(
      tx,
      Object.values(jobKinds),
      after ?? null,
      runBatchSize,
    );
    await writeTaskState(tx, 'delete-old-runs', { goOnAfter });
    return goOnAfter === null ? 'done' : 'more';
  },
});

/** Returns a task that deletes old rows in bounded batches. */
function deletion(name: string, deleteOld: (tx: Tx, limit: number) => Promise<number>): HousekeepingTask {
  return afterClockStable(hourSeconds, {
    name,
    everySeconds: hourSeconds,
    run: async (tx) => continueAfter(await deleteOld(tx, deletionBatchSize), deletionBatchSize),
  });
}

function continueAfter(count: number, limit: number): 'done' | 'more' {
  return count >= limit ? 'more' : 'done';
}
