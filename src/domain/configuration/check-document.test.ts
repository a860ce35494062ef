import fc from 'fast-check';
import { expect, test } from 'vitest';
import schema from '../../generated/configuration-schema.json' with { type: 'json' };
import { createDocumentCheck } from './check-document.ts';

const check = createDocumentCheck(schema);

const valid = {
  settings: { 'gather.max_releases': 5 },
  rules: [{ name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } }],
  gather_jobs: [{ name: 'Web', source_type: 'github_releases', artifact_name: 'github.com/a/b' }],
  notification_channels: [{ name: 'Operations', url: 'https://hooks.example.org', preset: 'slack' }],
  notification_rules: [{ name: 'All', severities: ['high'], channels: [{ name: 'Operations', key: 1 }] }],
};

test('a valid document is returned unchanged', () => {
  expect(check(valid)).toMatchObject({ problems: [], document: valid, corrected: valid });
});

test('misspelled names and values are corrected so that the rest can be checked', () => {
  const { document, problems, originalPath } = check({
    rule: [{ name: 'Majors', rule_typ: 'major_behind', threshold: { hi: 1, high: 2 } }],
  });
  expect(document).toEqual({
    rules: [{ name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 2 } }],
  });
  expect(problems.map(({ path }) => originalPath(path).join('.')).sort()).toEqual([
    'rule',
    'rule.0.rule_typ',
    'rule.0.rule_typ',
    'rule.0.threshold',
    'rule.0.threshold.hi',
  ]);
});

test('the checked copy of any document is valid except for missing required fields', () => {
  const names = ['name', 'rules', 'rulez', 'thresholds', 'key', 'channels', 'preset', 'a/b', '~', '0'];
  const anything = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, 0, -1, 1.5, '', 'slack', 'slak', 'days_behind'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  const places = ['', 'rules', 'rules.0', 'gather_jobs.0', 'gather_jobs', 'notification_channels.0']
    .flatMap((place) => [place, `${place}.name`, `${place}.thresholds`, `${place}.preset`, `${place}.fed_by`])
    .concat('settings', 'templates', 'notification_rules.0.channels.0', 'notification_rules.0.severities.0');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...places), anything), { maxLength: 4 }), (changes) => {
      const document: Record<string, unknown> = structuredClone(valid);
      for (const [place, value] of changes) {
        const steps = place.split('.').filter(Boolean);
        const last = steps.pop();
        const parent = steps.reduce<unknown>(
          (node, step) => (typeof node === 'object' && node !== null ? Reflect.get(node, step) : null),
          document,
        );
        if (last !== undefined && typeof parent === 'object' && parent !== null)
          Reflect.set(parent, last, value);
      }
      const first = check(document);
      expect(first.settled.has([])).toBe(false);
      const again = check(first.document);
      for (const { path, message } of again.problems) {
        expect(message).toMatch(/is required|must have source_type and artifact_name, or fed_by/);
        expect(first.problems).not.toEqual([]);
        expect(path.length).toBeGreaterThan(1);
      }
    }),
    { numRuns: 500 },
  );
});
