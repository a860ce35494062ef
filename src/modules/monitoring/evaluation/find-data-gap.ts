import { type RawBuilder, sql } from 'kysely';
import type { DataGap } from '../../../domain/rules/data-gap.ts';
import { supportRuleTypeIds, vulnerabilityRuleTypeIds } from '../../../domain/rules/rule-types.ts';
import { vulnerabilityPackagesSql } from './vulnerability-packages-of.ts';

/**
 * Returns the reason why the gather job `g` has no reference data for a rule type. Null if the reason is only
 * that its product or packages aren't known.
 */
export function dataGapSql(ruleType: RawBuilder<unknown>): RawBuilder<DataGap | null> {
  const isNotLoaded = (source: string) => sql`EXISTS (
    SELECT FROM reference_sources WHERE organization_id = 1 AND name = ${sql.lit(source)} AND as_of IS NULL)`;
  return sql<DataGap | null>`CASE
    WHEN ${ruleType} = ANY(${supportRuleTypeIds}) THEN
      CASE WHEN ${isNotLoaded('end_of_life')} THEN 'reference_not_loaded' END
    WHEN ${ruleType} = ANY(${vulnerabilityRuleTypeIds}) THEN
      CASE WHEN ${isNotLoaded('vulnerabilities')} THEN 'reference_not_loaded'
        WHEN (SELECT sum(package.record_count) = 0 FROM vulnerability_packages package
          WHERE package.organization_id = 1 AND package.key = ANY(${vulnerabilityPackagesSql('g')})
          HAVING count(*) >= greatest(1, cardinality(g.vulnerability_packages))) THEN 'no_vulnerability_records' END
    END`;
}
