import { sql } from 'kysely';
import { judgeFindings } from '../../domain/rules/judge-findings.ts';
import { countsDays } from '../../domain/rules/rule-type.ts';
import { type RuleTypeId, ruleTypes, vulnerabilityRuleTypeIds } from '../../domain/rules/rule-types.ts';
import type { AlertSeverity } from '../../domain/rules/severity.ts';
import type { KnownVulnerabilities } from '../../domain/vulnerabilities/find-vulnerabilities.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Tx } from '../../platform/database/index.ts';
import {
  type EvaluatedDeployed,
  evaluatedDeployedSql,
  evaluatedLookupVersion,
  readAdvisories,
  toIgnored,
  toKnownVulnerabilities,
  type VulnerabilityRow,
  vulnerabilityRowSql,
} from '../monitoring/index.ts';
import {
  type ChangedVerdicts,
  type ComparedVerdict,
  findMostChangedOrganizations,
  minChangedResults,
} from './count-changed-verdicts.ts';
import type { ConfigKey } from './load-lifecycles.ts';

/**
 * Number of alert configurations that are evaluated at a time, with the records of their packages in memory.
 */
const configBatchSize = 1_000;

/**
 * Returns the organizations with many results that the current vulnerability data would change, in descending
 * order of changed results.
 *
 * @param newKeys Packages that had no records before. New data about them isn't a change of known results.
 */
export async function findLargeFindingChanges(
  tx: Tx,
  configs: readonly ConfigKey[],
  newKeys: ReadonlySet<string>,
  nowMs: number,
): Promise<ChangedVerdicts[]> {
  if (configs.length < minChangedResults) return [];
  const verdicts: ComparedVerdict[] = [];
  for (let at = 0; at < configs.length; at += configBatchSize)
    verdicts.push(...(await compare(tx, configs.slice(at, at + configBatchSize), newKeys, nowMs)));
  return findMostChangedOrganizations(tx, verdicts, vulnerabilityRuleTypeIds);
}

async function compare(
  tx: Tx,
  configs: readonly ConfigKey[],
  newKeys: ReadonlySet<string>,
  nowMs: number,
): Promise<ComparedVerdict[]> {
  const keysOf = (row: ConfigRow) => row.vulnerabilities?.packages.map(({ key }) => key) ?? [];
  const rows = (await readConfigs(tx, configs)).filter((row) => !keysOf(row).some((key) => newKeys.has(key)));
  const advisories = await readAdvisories(tx, [...new Set(rows.flatMap(keysOf))]);
  const sets = new Map<string, KnownVulnerabilities>();
  const knownOf = (keys: readonly string[]) => {
    const name = keys.join(' ');
    const known = sets.get(name) ?? toKnownVulnerabilities(keys.flatMap((key) => advisories.get(key) ?? []));
    sets.set(name, known);
    return known;
  };
  return rows.map((row) => {
    const keys = keysOf(row);
    const version = evaluatedLookupVersion(row.deployed);
    const findings = keys.length === 0 || version === null ? null : knownOf(keys).find(version);
    const ignored = row.ignored_vulnerabilities.map(toIgnored);
    const verdict = findings && judgeFindings(findings, row.thresholds, ignored, nowMs);
    const before = row.severity ?? (row.state === 'no_data' ? 'no_data' : 'ok');
    const after = verdict?.severity ?? (verdict === null ? 'no_data' : 'ok');
    // Days depend on the releases, which aren't loaded here. A rule that counts them is compared only if no vulnerability
    // is left, because its alert then resolves.
    const isKept = countsDays(ruleTypes[row.rule_type]) && verdict !== null && verdict.counted.length > 0;
    return { organizationId: row.organization_id, before, after: isKept ? before : after };
  });
}

interface ConfigRow {
  organization_id: number;
  rule_type: RuleTypeId;
  state: string;
  severity: AlertSeverity | null;
  deployed: EvaluatedDeployed | null;
  thresholds: Record<AlertSeverity, number | null>;
  ignored_vulnerabilities: Schemas['IgnoredVulnerability'][];
  vulnerabilities: VulnerabilityRow | null;
}

/**
 * Reads the configurations that have been evaluated, with the version that vulnerabilities are matched with.
 */
async function readConfigs(tx: Tx, configs: readonly ConfigKey[]): Promise<ConfigRow[]> {
  const { rows } = await sql<ConfigRow>`
    SELECT c.organization_id, r.rule_type, c.state, c.severity, c.ignored_vulnerabilities, ${vulnerabilityRowSql()} AS vulnerabilities,
      ${evaluatedDeployedSql()} AS deployed,
      jsonb_build_object('moderate', r.threshold_moderate, 'high', r.threshold_high, 'critical', r.threshold_critical)
        AS thresholds
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
