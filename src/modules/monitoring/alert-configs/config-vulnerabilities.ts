import { sql } from 'kysely';
import { judgeFindings } from '../../../domain/rules/judge-findings.ts';
import type { StoredIgnore } from '../../../domain/vulnerabilities/ignored-vulnerability.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import {
  readAdvisories,
  toIgnored,
  toKnownVulnerabilities,
  type VulnerabilityRow,
  vulnerabilitiesOf,
} from '../evaluation/vulnerability-queries.ts';

interface ConfigRow {
  version: string | null;
  ignored_vulnerabilities: StoredIgnore[];
  vulnerabilities: VulnerabilityRow | null;
  now: Date;
}

/**
 * Returns the vulnerabilities of the deployed version in the last evaluation, worst first. Returns `null` if
 * the configuration doesn't exist.
 */
export async function findConfigVulnerabilities(
  db: Database,
  organizationId: number,
  id: number,
): Promise<Schemas['Vulnerability'][] | null> {
  // If the release is a Helm chart, use the version of its application, which only the explanation contains.
  const { rows } = await sql<ConfigRow>`
    SELECT coalesce(e.explanation #>> '{vulnerabilities,version}', c.deployed_version) AS version,
      c.ignored_vulnerabilities, ${vulnerabilitiesOf()} AS vulnerabilities, pacekeeper_now() AS now
    FROM alert_configs c
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    LEFT JOIN alert_config_explanations e ON e.organization_id = c.organization_id AND e.alert_config_id = c.id
    WHERE c.organization_id = ${organizationId} AND c.id = ${id}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  if (row.vulnerabilities === null || row.version === null) return [];
  const keys = row.vulnerabilities.packages.map(({ key }) => key);
  const advisories = [...(await readAdvisories(db, keys)).values()].flat();
  const findings = toKnownVulnerabilities(advisories).find(row.version) ?? [];
  const ignored = row.ignored_vulnerabilities.map(toIgnored);
  const names = findings.flatMap(({ id: finding, aliases }) => [finding, ...aliases]);
  const summaries = await readSummaries(db, keys, names);
  return findings.map((finding) => {
    const verdict = judgeFindings([finding], {}, ignored, row.now.getTime());
    const texts = [finding.id, ...finding.aliases].map((name) => summaries.get(name) ?? '');
    return {
      id: finding.id,
      aliases: [...finding.aliases],
      severity: finding.severity,
      summary: texts.find((text) => text !== '') ?? '',
      fixed_in: finding.fixedIn,
      is_ignored: verdict.ignored.length > 0,
      ignored_until:
        verdict.nextCrossingAtMs === null ? null : new Date(verdict.nextCrossingAtMs).toISOString(),
      url: `https://osv.dev/vulnerability/${encodeURIComponent(finding.id)}`,
    };
  });
}

async function readSummaries(
  db: Database,
  keys: readonly string[],
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; summary: string }>`
    SELECT id, summary FROM vulnerabilities
    WHERE organization_id = 1 AND package_key = ANY(${keys}::text[]) AND id = ANY(${ids}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, summary }) => [id, summary]));
}
