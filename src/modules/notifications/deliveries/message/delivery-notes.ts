import type { Database } from '../../../../platform/database/index.ts';
import { type AlertNotes, type AlertVersions, readNotesOfAlerts } from '../../../notes/index.ts';
import type { DueDelivery } from '../model/pick-deliveries.ts';
import type { StoredEvent } from '../model/stored-events.ts';

/**
 * Maximum number of events in a digest whose notes are read. A digest can contain a thousand alerts but shows
 * only a few.
 */
const maxOfDigest = 20;

/**
 * Reads the release notes for new messages, by organization and alert. Stored messages already contain them.
 */
export async function readNotesOfDeliveriesAcrossOrganizations(
  db: Database,
  passes: readonly {
    deliveries: readonly DueDelivery[];
    digestEvents: ReadonlyMap<number, readonly StoredEvent[]>;
  }[],
): Promise<Map<number, ReadonlyMap<number, AlertNotes>>> {
  const alerts = passes.flatMap(({ deliveries, digestEvents }) =>
    deliveries
      .filter(({ bodySealed }) => bodySealed === null)
      .flatMap(({ organizationId, deliveryId, event }) => {
        const events = event.eventType === 'digest' ? (digestEvents.get(deliveryId) ?? []) : [event];
        return events
          .slice(0, maxOfDigest)
          .flatMap(versionsOf)
          .map((versions) => ({ organizationId, ...versions }));
      }),
  );
  const notes = new Map<number, ReadonlyMap<number, AlertNotes>>();
  for (const [organizationId, own] of Map.groupBy(alerts, (alert) => alert.organizationId)) {
    notes.set(organizationId, await readNotesOfAlerts(db, organizationId, own));
  }
  return notes;
}

/**
 * Returns the versions whose release notes a message needs. Empty for resolved alerts and for versions that
 * can't be compared.
 */
export function versionsOf({ data }: StoredEvent): AlertVersions[] {
  if (!('alert' in data)) return [];
  const { id, status, reason, discovered_version, latest_version } = data.alert;
  if (status === 'resolved' || reason !== 'behind' || latest_version === null) return [];
  return [{ alertId: id, from: discovered_version, to: latest_version }];
}
