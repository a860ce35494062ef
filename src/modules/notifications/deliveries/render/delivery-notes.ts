import type { Database } from '../../../../platform/database/index.ts';
import { type AlertNotes, type AlertVersions, readNotesOfAlerts } from '../../../notes/index.ts';
import type { DueDelivery } from '../claim/pick-deliveries.ts';
import type { StoredEvent } from '../plan/event-data.ts';

/** A digest can be about a thousand alerts, and shows few of them. */
const maxOfDigest = 20;

/** What messages say of release notes, by organization and alert. Messages that are stored have it already. */
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

/** Nothing lies ahead of an alert that is over, nor of a version that can't be compared. */
export function versionsOf({ data }: StoredEvent): AlertVersions[] {
  if (!('alert' in data)) return [];
  const { id, status, reason, discovered_version, latest_version } = data.alert;
  if (status === 'resolved' || reason !== 'behind' || latest_version === null) return [];
  return [{ alertId: id, from: discovered_version, to: latest_version }];
}
