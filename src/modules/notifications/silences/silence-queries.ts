import { sql } from 'kysely';
import type { Actor } from '../../../domain/audit/actor.ts';
import type { LabelMatcher } from '../../../domain/routing/match-rule.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  type Database,
  defineTable,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';

export type SilenceStatus = Schemas['SilenceStatus'];

export interface SilenceRow {
  id: number;
  label_matchers: LabelMatcher[];
  rule_ids: number[];
  severities: AlertSeverity[];
  starts_at: Date;
  ends_at: Date;
  reason: string;
  status: SilenceStatus;
  created_by_type: Actor['type'];
  created_by_id: number | null;
  created_by_name: string;
  created_at: Date;
  updated_at: Date;
  revision: number;
  /** Time at which `status` was determined. */
  now: Date;
}

/** Columns that edits of a silence write. */
export type SilenceValues = Pick<
  SilenceRow,
  'label_matchers' | 'rule_ids' | 'severities' | 'starts_at' | 'ends_at' | 'reason'
>;

const columns = [
  'id',
  sql<LabelMatcher[]>`label_matchers`.as('label_matchers'),
  'rule_ids',
  sql<AlertSeverity[]>`severities`.as('severities'),
  'starts_at',
  'ends_at',
  'reason',
  sql<SilenceStatus>`CASE WHEN ends_at <= pacekeeper_now() THEN 'ended'
    WHEN starts_at <= pacekeeper_now() THEN 'active' ELSE 'scheduled' END`.as('status'),
  sql<Actor['type']>`created_by_type`.as('created_by_type'),
  'created_by_id',
  'created_by_name',
  'created_at',
  'updated_at',
  'revision',
  sql<Date>`pacekeeper_now()`.as('now'),
] as const;

function selectSilences(db: Database | Tx) {
  return db.selectFrom('silences').select(columns);
}

/** Locking a silence waits for transactions that are planning deliveries with the silence. */
export const {
  find: findSilenceById,
  lock: lockSilence,
  update: updateSilence,
  delete: deleteSilence,
} = defineTable('silences', selectSilences, {
  toColumns: ({ label_matchers, ...values }: Partial<SilenceValues>) => ({
    ...values,
    ...(label_matchers !== undefined && { label_matchers: JSON.stringify(label_matchers) }),
  }),
});

const hasStatus: Record<SilenceStatus, ReturnType<typeof sql<boolean>>> = {
  scheduled: sql<boolean>`starts_at > pacekeeper_now() AND ends_at > pacekeeper_now()`,
  active: sql<boolean>`ends_at > pacekeeper_now() AND starts_at <= pacekeeper_now()`,
  ended: sql<boolean>`ends_at <= pacekeeper_now()`,
};

const sorts = { created_at: 'created_at', ends_at: 'ends_at' };

export async function listSilences(
  db: Database,
  organizationId: number,
  { status, sort = '-created_at' }: { status?: SilenceStatus | undefined; sort?: string | undefined },
  page: PageRequest,
): Promise<Page<SilenceRow>> {
  const query = selectSilences(db)
    .where('organization_id', '=', organizationId)
    .$if(status !== undefined, (query) => query.where(hasStatus[status!]));
  return readPage(db, query, page, sortOrder(sort, sorts, 'id'));
}

/** Counts the silences that haven't ended, and the different patterns in their label conditions. */
export async function countOpenSilences(
  tx: Tx,
  organizationId: number,
): Promise<{ silences: number; patterns: number }> {
  const { rows } = await sql<{ silences: number; patterns: number }>`
    WITH open AS (
      SELECT label_matchers FROM silences
      WHERE organization_id = ${organizationId} AND ends_at > pacekeeper_now()
    )
    SELECT (SELECT count(*) FROM open) AS silences, (
      SELECT count(DISTINCT matcher ->> 'value') FROM open, jsonb_array_elements(label_matchers) AS matcher
      WHERE matcher ->> 'operator' IN ('=~', '!~')
    ) AS patterns`.execute(tx);
  return rows[0]!;
}

export async function insertSilence(
  tx: Tx,
  organizationId: number,
  { label_matchers, ...values }: SilenceValues,
  actor: Actor,
): Promise<number> {
  const row = await tx
    .insertInto('silences')
    .values({
      organization_id: organizationId,
      label_matchers: JSON.stringify(label_matchers),
      created_by_type: actor.type,
      created_by_id: actor.id,
      created_by_name: actor.name,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function readNow(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(tx);
  return rows[0]!.now;
}
