import { type RawBuilder, sql } from 'kysely';
import type { LabelMatcher } from '../../../domain/routing/match-rule.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { type Sandbox, throwSandboxFailure } from '../../../platform/sandbox/index.ts';
import type { CombinationsToMatch, matchCombinations } from './match-combinations-job.ts';

/** Maximum number of label value combinations that are compared with patterns. */
const maxCombinations = 5_000;

export interface SilenceCriteria {
  label_matchers: readonly LabelMatcher[];
  rule_ids: readonly number[];
  severities: readonly AlertSeverity[];
}

/**
 * Counts the open alerts that a silence matches. PostgreSQL and RE2 interpret patterns differently, so
 * PostgreSQL only groups alerts by the values of the labels with patterns, and the sandbox compares these
 * values.
 *
 * @throws ApiError 400 if the comparison takes too long, 503 if the sandbox is full.
 */
export async function countMatchingAlerts(
  { db, sandbox }: { db: Database; sandbox: Pick<Sandbox, 'run'> },
  organizationId: number,
  { label_matchers, rule_ids, severities }: SilenceCriteria,
): Promise<Schemas['PreviewSilenceResponse']> {
  const patterns = label_matchers.filter(({ operator }) => operator === '=~' || operator === '!~');
  const names = [...new Set(patterns.map(({ label }) => label))];
  const conditions = label_matchers.flatMap((matcher) => equality(matcher) ?? []);
  if (rule_ids.length > 0) conditions.push(sql<boolean>`rule_id = ANY(${[...rule_ids]}::bigint[])`);
  if (severities.length > 0) conditions.push(sql<boolean>`severity = ANY(${[...severities]}::text[])`);
  const { rows } = await sql<{ values: (string | null)[]; count: number }>`
    SELECT ARRAY(SELECT labels ->> name FROM unnest(${names}::text[]) WITH ORDINALITY AS named (name, place) ORDER BY place) AS values,
      count(*) AS count
    FROM alerts
    WHERE organization_id = ${organizationId} AND resolved_at IS NULL
      AND ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `)}
    GROUP BY 1 LIMIT ${maxCombinations + 1}`.execute(db);
  const compared = rows.slice(0, maxCombinations);
  const combinations = compared.map(({ values }) => values);
  const matches =
    patterns.length === 0 || rows.length === 0
      ? compared.map(() => true)
      : await compare(sandbox, organizationId, { patterns, names, combinations });
  const matching = compared.filter((_, index) => matches[index]);
  return {
    open_alerts: matching.reduce((sum, { count }) => sum + count, 0),
    open_alerts_is_exact: rows.length <= maxCombinations,
  };
}

const jobModule = new URL('./match-combinations-job.ts', import.meta.url);

async function compare(
  sandbox: Pick<Sandbox, 'run'>,
  organizationId: number,
  input: CombinationsToMatch,
): Promise<boolean[]> {
  try {
    return await sandbox.run<CombinationsToMatch, ReturnType<typeof matchCombinations>>(
      jobModule,
      'matchCombinations',
      input,
      { fairKey: String(organizationId) },
    );
  } catch (error) {
    throwSandboxFailure(error, {
      busy: 'Too many concurrent previews. Try again shortly.',
      tooCostly: {
        field: 'label_matchers',
        message:
          'take too long to compare with the labels of your open alerts. Use fewer or simpler patterns',
      },
    });
  }
}

/** Returns the SQL condition of a matcher, or null for patterns. A missing label is treated as empty. */
function equality({ label, operator, value }: LabelMatcher): RawBuilder<boolean> | null {
  if (operator === '=' && value !== '')
    return sql<boolean>`labels @> ${JSON.stringify({ [label]: value })}::jsonb`;
  if (operator === '=') return sql<boolean>`coalesce(labels ->> ${label}, '') = ''`;
  if (operator === '!=') return sql<boolean>`coalesce(labels ->> ${label}, '') <> ${value}`;
  return null;
}
