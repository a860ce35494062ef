import { expect, test } from 'vitest';
import { kinds } from '../../domain/configuration/kinds.ts';
import type { ServerState } from '../../domain/configuration/plan-steps.ts';
import { normalizeIgnoreRule } from '../../domain/discovery/ignore-rules.ts';
import type { Item } from '../call-operation.ts';
import { exportConfiguration } from './export-configuration.ts';

/**
 * Returns the state of a server with one discovery job. A person has ignored one item of this job in each of
 * these files.
 */
function stateWith(files: readonly string[]): ServerState {
  const none = () =>
    Object.fromEntries(kinds.map(({ section }) => [section, [] as Item[]])) as ServerState['own'];
  const unfed_items = files.map((file, at) => ({
    id: at + 1,
    key: 'kubernetes:Deployment::web:image',
    artifact: { key: 'image:web' },
    place: { file },
    status: 'ignored',
    ignored_by: 'person',
    ignore_reason: null,
    edited_fields: [],
  }));
  const job = { id: 1, name: 'Deployments', group_job_id: null, ignore_rules: [], unfed_items };
  return {
    own: { ...none(), discovery_jobs: [job] },
    global: none(),
    settings: new Map(),
    settingKeys: [],
    operatorSettings: new Map(),
    templates: new Map(),
  };
}

test.each([
  ['that is too long for a rule', `${'a/'.repeat(150)}b.yaml`],
  ['with a star', 'a*.yaml'],
  ['with a question mark', 'a?.yaml'],
  ['with a control character', 'a\n.yaml'],
])('a decision about an item in a path %s is counted in a note instead of written to the file', (_, file) => {
  const options = { withVersions: false, withUrls: false, withDerived: false };
  const { document, notes } = exportConfiguration(
    stateWith(['b.yaml', file, `${'a'.repeat(294)}.yaml`]),
    options,
  );
  const [job] = document['discovery_jobs'] as { ignore_rules: { path: string }[] }[];
  expect(job!.ignore_rules.map(({ path }) => path)).toEqual(['/b.yaml', `/${'a'.repeat(294)}.yaml`]);
  expect(job!.ignore_rules.every((rule) => normalizeIgnoreRule(rule).ok)).toBe(true);
  expect(notes.join('\n')).toContain("The file doesn't contain 1 decision about");
});
