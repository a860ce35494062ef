import { expect, it } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { toReferencePreview } from './reference-preview.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const lifecycle = {
  product: 'postgresql',
  label: 'PostgreSQL',
  version: '14.5',
  line: '14',
  phase: 'end_of_life',
  ends_on: '2026-11-12',
  has_ended: null,
  is_paid: false,
  newest: null,
  source: 'endoflife.date',
};
const vulnerabilities = {
  packages: ['Bitnami/nginx'],
  version: '1.0.0',
  ignored_count: 0,
  lowest_without: '1.1.0',
  counts: {
    critical: 0,
    high: 1,
    moderate: 0,
    low: 0,
    unknown: 0,
  },
  findings: [
    {
      id: 'CVE-1',
      aliases: [],
      severity: 'high',
      fixed_in: '1.1.0',
    },
  ],
  source: 'OSV',
};
const chart = { source_type: 'helm_repository', artifact_name: 'https://charts.example.org/nginx' } as const;
const image = { source_type: 'oci_registry', artifact_name: 'docker.io/library/nginx' } as const;

it('the preview of a rule that evaluates reference data includes the data used', () => {
  const textOf = (
    rule_type: string,
    result: object,
    facts: object = {},
    source?: Schemas['PreviewGatherSourceRequest'],
  ) =>
    toReferencePreview(
      {
        state: 'ok',
        state_reason: null,
        severity: null,
        behind_by: null,
        ...result,
        explanation: {
          rule: { rule_type },
          lifecycle: null,
          vulnerabilities: null,
          ...facts,
        },
      } as Schemas['PreviewRuleResponse'],
      { ...(source && { source }) },
      now,
    ).text;
  const alerting = (severity: string) => ({ state: 'alerting', severity });
  expect(textOf('end_of_life', alerting('critical'), { lifecycle })).toBe(
    'Would alert: critical. PostgreSQL 14 reached end of support on Nov 12, 2026.',
  );
  expect(textOf('end_of_life', {}, { lifecycle: { ...lifecycle, ends_on: '2028-11-12' } })).toBe(
    'No alert. PostgreSQL 14 is supported until Nov 12, 2028.',
  );
  expect(textOf('known_vulnerabilities', alerting('high'), { vulnerabilities })).toBe(
    'Would alert: high. 1.0.0 has 1 vulnerability: 1 high. 1.1.0 is the lowest release without vulnerabilities.',
  );
  const unknown = (state_reason: string) => ({ state: 'no_data', state_reason });
  expect(textOf('end_of_life', unknown('no_lifecycle'), {}, image)).toMatch(
    /^No data\. The lifecycle product or the application version of this software isn't known\./,
  );
  // This data is only known after a run.
  const undecided = 'Known after the first run';
  expect(textOf('known_vulnerabilities', unknown('no_vulnerability_data'), {}, image)).toBe(undecided);
  expect(textOf('known_vulnerabilities', unknown('no_vulnerability_data'))).toMatch(/^No data\. /);
  const unread = { lifecycle: { ...lifecycle, version: null, line: null } };
  expect(textOf('end_of_life', unknown('no_lifecycle'), unread, chart)).toBe(undecided);
});
