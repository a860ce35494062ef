import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { systemActor } from '../../../../domain/audit/actor.ts';
import type { Tx } from '../../../../platform/database/index.ts';
import { writeEntries } from '../../../audit/index.ts';
import type { StoredDeploymentEvent } from '../model/stored-events.ts';
import { type PlannedEvent, planDeliveries, routeEvents } from './plan-deliveries.ts';

const type = 'deployment.changed';

/** SQL condition: true if the organization of scrape job `jobs` has a channel for events about changed versions. */
export const getsDeploymentEvents: RawBuilder<boolean> = sql<boolean>`EXISTS (
  SELECT FROM notification_channels AS c
  WHERE c.organization_id = jobs.organization_id AND c.preset = 'cdevents' AND c.is_active)`;

/**
 * Writes events about changed versions and their deliveries, in the transaction of the changes. All active
 * channels with the preset `cdevents` get them, and notification rules don't apply. A channel gets the events
 * of a scrape job in their order. The number of statements doesn't depend on the number of events.
 */
export async function planDeploymentEvents(
  tx: Tx,
  organizationId: number,
  deployments: readonly StoredDeploymentEvent['deployment'][],
): Promise<void> {
  if (deployments.length === 0) return;
  const ids = deployments.map(() => randomUUID());
  const written = await writeEntries(
    tx,
    organizationId,
    deployments.map((deployment, index) => ({
      alertId: null,
      action: type,
      actor: systemActor,
      event: { type, id: ids[index]!, sequence: null, data: { deployment } },
    })),
  );
  const events = deployments.map(
    (deployment, index): PlannedEvent => ({
      entryId: written[index]!.id,
      eventId: ids[index]!,
      eventType: type,
      alertId: null,
      sequence: null,
      trouble: `deployed/${deployment.id}`,
      subject: { eventType: type, severity: null, ruleId: null, alertConfigId: null, labels: {} },
      isSnoozed: false,
    }),
  );
  const routed = await routeEvents(tx, organizationId, events);
  const targets = [...routed.routing.channels.byId.values()]
    .filter(({ preset, isActive }) => preset === 'cdevents' && isActive)
    .map(({ id }) => ({ channelId: id, isActive: true, viaRuleIds: [], fallbackReason: null }));
  const skippedReason = targets.length > 0 ? null : 'no_channel';
  await planDeliveries(tx, organizationId, events, {
    ...routed,
    routes: events.map(() => ({ matchedRuleIds: [], targets, skippedReason, stoppedByRuleId: null })),
    plans: events.map(() => ({ isNotified: targets.length > 0, skippedReason })),
  });
}
