import { sql } from 'kysely';
import type { ChangeCause } from '../../domain/alerts/open-alert.ts';
import type { Actor } from '../../domain/audit/actor.ts';
import type { Schemas } from '../../generated/client-api.ts';
import {
  type Database,
  listOrder,
  type Page,
  type PageRequest,
  readPage,
  type Tx,
} from '../../platform/database/index.ts';

/** Entry in the trail of an alert, or an entry for an event without an alert. */
export interface NewEntry {
  alertId: number | null;
  action: string;
  actor: Actor;
  from?: string | null;
  to?: string | null;
  detail?: string | null;
  cause?: ChangeCause | null;
  /**
   * Event, if people are notified. Contains the event type, the sequence number among the events of the
   * alert, and the data that messages can show.
   */
  event?: { type: string; id: string; sequence: number | null; data: object };
}

export interface WrittenEntry extends NewEntry {
  id: number;
  createdAt: Date;
}

/** Writes entries in the given order, in the transaction of the recorded change. */
export async function writeEntries(
  tx: Tx,
  organizationId: number,
  entries: readonly NewEntry[],
): Promise<WrittenEntry[]> {
  return writeEntriesAcrossOrganizations(
    tx,
    entries.map((entry) => ({ organizationId, ...entry })),
  );
}

/** Writes entries of many organizations in one statement. */
export async function writeEntriesAcrossOrganizations<Entry extends NewEntry & { organizationId: number }>(
  tx: Tx,
  entries: readonly Entry[],
): Promise<(Entry & WrittenEntry)[]> {
  if (entries.length === 0) return [];
  const rows = await tx
    .insertInto('audit_entries')
    .values(
      entries.map((entry) => ({
        organization_id: entry.organizationId,
        alert_id: entry.alertId,
        action: entry.action,
        event_type: entry.event?.type ?? null,
        event_id: entry.event?.id ?? null,
        sequence: entry.event?.sequence ?? null,
        actor_type: entry.actor.type,
        actor_id: entry.actor.id,
        actor_name: entry.actor.name,
        from_value: entry.from ?? null,
        to_value: entry.to ?? null,
        detail: entry.detail ?? null,
        cause: entry.cause ?? null,
        data: entry.event ? JSON.stringify(entry.event.data) : null,
      })),
    )
    .returning(['id', 'created_at'])
    .execute();
  // The IDs are in the order of the values, because a single statement inserts all rows.
  const sorted = rows.toSorted((a, b) => a.id - b.id);
  return entries.map((entry, index) => ({
    ...entry,
    id: sorted[index]!.id,
    createdAt: sorted[index]!.created_at,
  }));
}

type TrailAction = Schemas['AlertAction'];

/** Lists the trail of one alert, newest first. */
export async function listEntriesOfAlert(
  db: Database,
  organizationId: number,
  alertId: number,
  page: PageRequest,
): Promise<Page<Schemas['AuditTrailEntry']>> {
  const query = db
    .selectFrom('audit_entries')
    .select(['id', 'actor_id', 'actor_name', 'from_value', 'to_value', 'detail', 'created_at'])
    .select(sql<ChangeCause | null>`cause`.as('cause'))
    .select([sql<TrailAction>`action`.as('action'), sql<Actor['type']>`actor_type`.as('actor_type')])
    .where('organization_id', '=', organizationId)
    .where('alert_id', '=', alertId);
  const { items, ...rest } = await readPage(
    db,
    query,
    page,
    listOrder([{ column: 'id', isDescending: true }]),
  );
  return {
    ...rest,
    items: items.map(({ actor_type, actor_id, actor_name, from_value, to_value, created_at, ...row }) => ({
      ...row,
      alert_id: alertId,
      actor: { type: actor_type, id: actor_id, name: actor_name },
      from: from_value,
      to: to_value,
      created_at: created_at.toISOString(),
      updated_at: created_at.toISOString(),
    })),
  };
}

/** Detaches entries from alerts that will be deleted. Deliveries still refer to these entries. */
export async function detachEntries(
  tx: Tx,
  organizationId: number,
  alertIds: readonly number[],
): Promise<void> {
  await sql`
    UPDATE audit_entries SET alert_id = NULL
    WHERE organization_id = ${organizationId} AND alert_id = ANY(${alertIds}::bigint[])`.execute(tx);
}
