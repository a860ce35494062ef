import { sql } from 'kysely';
import { judgeSupport } from '../../domain/rules/judge-support.ts';
import { type RuleTypeId, supportRuleTypeIds } from '../../domain/rules/rule-types.ts';
import type { AlertSeverity } from '../../domain/rules/severity.ts';
import type { SupportPhase } from '../../domain/support/support-phases.ts';
import { defaultSupportPhase } from '../../domain/support/support-phases.ts';
import type { Tx } from '../../platform/database/index.ts';
import {
  type EvaluatedDeployed,
  evaluatedDeployedSql,
  evaluatedLookupVersion,
  lifecycleProductSql,
  readSupportLines,
} from '../monitoring/index.ts';

/** Number of an organization's results that the current data changes. */
export interface ChangedVerdicts {
  organizationId: number;
  changed: number;
  /** Number of all alert configurations with a rule that uses the data. */
  total: number;
}

/**
 * A load needs an operator's confirmation if it changes at least `minChangedResults` results and more than `maxPart` of an
 * organization's results. Support for this much software rarely ends at the same time, so such a change suggests faulty
 * data.
 */
export const minChangedResults = 20;
const maxPart = 0.1;

/**
 * Returns the organizations with many results that the current data would change, in descending order of
 * changed results.
 *
 * @param newProducts Products that weren't in the data before. New data about them isn't a change of known
 * results.
 */
export async function findLargeLifecycleChanges(
  tx: Tx,
  configs: readonly { organizationId: number; id: number }[],
  newProducts: ReadonlySet<string>,
  nowMs: number,
): Promise<ChangedVerdicts[]> {
  if (configs.length < minChangedResults) return [];
  const rows = (await readConfigs(tx, configs)).filter(
    ({ product, state }) => state !== 'no_data' || product === null || !newProducts.has(product),
  );
  const products = [...new Set(rows.flatMap(({ product }) => (product === null ? [] : [product])))];
  const linesOf = await readSupportLines(tx, products);
  const verdicts = rows.map((row) => {
    const lines = row.product === null ? undefined : linesOf.get(row.product);
    const version = evaluatedLookupVersion(row.deployed);
    const verdict =
      lines === undefined || version === null
        ? null
        : judgeSupport({
            lines,
            version,
            phase: row.support_phase ?? defaultSupportPhase,
            thresholds: row.thresholds,
            paidUntil: row.paid_until,
            nowMs,
          });
    return {
      organizationId: row.organization_id,
      before: row.severity ?? (row.state === 'no_data' ? 'no_data' : 'ok'),
      after: verdict?.severity ?? (verdict === null || verdict.state === 'no_data' ? 'no_data' : 'ok'),
    };
  });
  return findMostChangedOrganizations(tx, verdicts, supportRuleTypeIds);
}

/** Previous and new result: a severity, `ok`, or `no_data`. */
export interface ComparedVerdict {
  organizationId: number;
  before: string;
  after: string;
}

/**
 * Returns the organizations with many changed results, in descending order of changed results. Totals include
 * only rules of these types.
 */
export async function findMostChangedOrganizations(
  tx: Tx,
  verdicts: readonly ComparedVerdict[],
  ruleTypeIds: readonly RuleTypeId[],
): Promise<ChangedVerdicts[]> {
  const changed = new Map<number, number>();
  for (const { organizationId, before, after } of verdicts)
    if (before !== after) changed.set(organizationId, (changed.get(organizationId) ?? 0) + 1);
  const many = [...changed].filter(([, count]) => count >= minChangedResults);
  if (many.length === 0) return [];
  const totals = await countConfigs(
    tx,
    many.map(([organizationId]) => organizationId),
    ruleTypeIds,
  );
  return many
    .map(([organizationId, count]) => ({
      organizationId,
      changed: count,
      total: totals.get(organizationId) ?? count,
    }))
    .filter(({ changed: count, total }) => count > total * maxPart)
    .toSorted((a, b) => b.changed - a.changed);
}

interface ConfigRow {
  organization_id: number;
  state: string;
  severity: AlertSeverity | null;
  product: string | null;
  deployed: EvaluatedDeployed | null;
  support_phase: SupportPhase | null;
  thresholds: Record<AlertSeverity, number | null>;
  paid_until: string | null;
}

/** Reads the configurations that have been evaluated, with the version whose support is checked. */
async function readConfigs(
  tx: Tx,
  configs: readonly { organizationId: number; id: number }[],
): Promise<ConfigRow[]> {
  const { rows } = await sql<ConfigRow>`
    SELECT c.organization_id, c.state, c.severity, ${lifecycleProductSql('g')} AS product, r.support_phase,
      ${evaluatedDeployedSql()} AS deployed,
      jsonb_build_object('moderate', r.threshold_moderate, 'high', r.threshold_high, 'critical', r.threshold_critical)
        AS thresholds,
      c.lifecycle_override ->> 'ends_on' AS paid_until
    FROM unnest(
      ${configs.map(({ organizationId }) => organizationId)}::bigint[], ${configs.map(({ id }) => id)}::bigint[]
    ) AS chosen (organization_id, id)
    JOIN alert_configs c USING (organization_id, id)
    JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    WHERE c.last_evaluated_at IS NOT NULL AND c.deployed_version IS NOT NULL AND c.state <> 'inactive'`.execute(
    tx,
  );
  return rows;
}

async function countConfigs(
  tx: Tx,
  organizationIds: readonly number[],
  ruleTypeIds: readonly RuleTypeId[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ organization_id: number; count: number }>`
    SELECT c.organization_id, count(*)::integer AS count FROM alert_configs c
    JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
    WHERE c.organization_id = ANY(${organizationIds}::bigint[]) AND r.rule_type = ANY(${ruleTypeIds})
    GROUP BY c.organization_id`.execute(tx);
  return new Map(rows.map((row) => [row.organization_id, row.count]));
}
