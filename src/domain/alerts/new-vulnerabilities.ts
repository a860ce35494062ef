import type { Verdict } from '../rules/judge.ts';
import { isCountedToward } from '../rules/judge-findings.ts';
import type { AlertSeverity } from '../rules/severity.ts';
import type { ConfigEvaluation } from './config-evaluation.ts';

/**
 * Returns the IDs of vulnerabilities that weren't found in the last evaluation and are at least as severe as
 * `severity`, worst first. A vulnerability whose ID has changed is recognized by its aliases.
 */
export function findNewVulnerabilities(
  { vulnerabilities }: Pick<Verdict, 'vulnerabilities'>,
  { vulnerabilityIds, isReconfigured }: Pick<ConfigEvaluation, 'vulnerabilityIds' | 'isReconfigured'>,
  severity: AlertSeverity | null,
): string[] {
  if (vulnerabilities === null || vulnerabilityIds === null || isReconfigured || severity === null) return [];
  const known = new Set(vulnerabilityIds);
  return vulnerabilities
    .filter(({ id, aliases }) => ![id, ...aliases].some((name) => known.has(name)))
    .filter((finding) => isCountedToward(finding, severity))
    .map(({ id }) => id);
}
