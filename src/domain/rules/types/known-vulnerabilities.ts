import type { VulnerabilityRuleType } from '../rule-type.ts';
import { countThresholds } from '../severity.ts';

/** Published vulnerabilities of the deployed version. Releases are used only to suggest an upgrade. */
export const knownVulnerabilities: VulnerabilityRuleType = {
  kind: 'vulnerabilities',
  counts: 'vulnerabilities',
  label: 'Known vulnerabilities',
  description:
    'Number of published vulnerabilities. Critical counts critical ones, high counts high and critical ones, and moderate counts all, rated or not.',
  unit: ['vulnerability', 'vulnerabilities'],
  shortUnit: ['vulnerability', 'vulnerabilities'],
  lagPhrase: 'known',
  reason: 'known_vulnerabilities',
  thresholds: countThresholds,
};
