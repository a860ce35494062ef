import { sql } from 'kysely';
import type { TargetMetric } from '../../../domain/freshness/freshness-metrics.ts';
import type { LabelMatcher } from '../../../domain/routing/match-rule.ts';
import {
  containsWords,
  type Database,
  defineTable,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';

export interface TargetRow {
  id: number;
  name: string;
  label_matchers: LabelMatcher[];
  metric: TargetMetric;
  limit: number;
  goal_percent: number;
  is_active: boolean;
  known: number | null;
  unknown: number | null;
  out_of_target: number | null;
  forecast_30d: number | null;
  met_since: Date | null;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

/** Writable fields of a target. */
export type TargetValues = Pick<
  TargetRow,
  'name' | 'label_matchers' | 'metric' | 'limit' | 'goal_percent' | 'is_active'
>;

const columns = [
  'id',
  'name',
  sql<LabelMatcher[]>`label_matchers`.as('label_matchers'),
  sql<TargetRow['metric']>`metric`.as('metric'),
  'max_value as limit',
  'goal_percent',
  'is_active',
  'known',
  'unknown',
  'out_of_target',
  'forecast_30d',
  'met_since',
  'created_at',
  'updated_at',
  'revision',
] as const;

function selectTargets(db: Database | Tx) {
  return db.selectFrom('freshness_targets').select(columns);
}

interface TargetChanges extends Partial<TargetValues> {
  /** True to clear the stored measurements and the reported state. */
  clearsHistory: boolean;
}

export const {
  find: findTarget,
  listById: listTargetsById,
  lock: lockTarget,
  update: updateTarget,
  delete: deleteTarget,
} = defineTable('freshness_targets', selectTargets, {
  toColumns: ({ label_matchers, limit, clearsHistory, ...values }: TargetChanges) => ({
    ...values,
    ...(label_matchers !== undefined && { label_matchers: JSON.stringify(label_matchers) }),
    ...(limit !== undefined && { max_value: limit }),
    ...(clearsHistory && {
      known: null,
      unknown: null,
      out_of_target: null,
      forecast_30d: null,
      met_since: null,
      reported: null,
      differs_since: null,
    }),
  }),
});

const sorts = { created_at: 'created_at', name: 'lower(name)' };

export interface TargetFilters {
  q?: string | undefined;
  is_active?: boolean | undefined;
  sort?: string | undefined;
}

export async function listTargets(
  db: Database,
  organizationId: number,
  { q, is_active, sort = '-created_at' }: TargetFilters,
  page: PageRequest,
): Promise<Page<TargetRow>> {
  const query = selectTargets(db)
    .where('organization_id', '=', organizationId)
    .$if(q !== undefined, (query) => query.where(containsWords(['name'], q!)))
    .$if(is_active !== undefined, (query) => query.where('is_active', '=', is_active!));
  return readPage(db, query, page, sortOrder(sort, sorts, 'id'));
}

export async function countTargets(tx: Tx, organizationId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM freshness_targets WHERE organization_id = ${organizationId}`.execute(tx);
  return rows[0]!.count;
}

/** @returns The IDs, in the same order. */
export async function insertTargets(
  tx: Tx,
  organizationId: number,
  targets: readonly TargetValues[],
): Promise<number[]> {
  const rows = await tx
    .insertInto('freshness_targets')
    .values(
      targets.map(({ label_matchers, limit, ...values }) => ({
        organization_id: organizationId,
        label_matchers: JSON.stringify(label_matchers),
        max_value: limit,
        ...values,
      })),
    )
    .returning('id')
    .execute();
  // The IDs are in the order of the values, because a single statement inserts all rows.
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}
