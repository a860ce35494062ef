import { describe, expect, test } from 'vitest';
import { type CaseResult, measureCase, parseExpected, readCases } from '../helpers/discovery-cases.ts';
import { hasTestData, testDataPath } from '../helpers/test-data.ts';

/** Checks for the expectations in free text, keyed by the ID of the case. */
const checks: Readonly<Record<string, (result: CaseResult) => void>> = {
  'flux-values-patch': ({ items }) => {
    const states = items
      .filter(({ artifact }) => artifact.kind === 'image')
      .map((item) => [item.place.file, item.reason]);
    expect(states).toEqual([
      ['base/ci.yaml', 'overridden'],
      ['prod/pin.yaml', null],
    ]);
  },
  'tags-with-moving-words': ({ items }) =>
    expect(items.map(({ version_state }) => version_state)).toEqual([
      ...Array.from({ length: 5 }, () => 'exact'),
      'floating',
      'floating',
    ]),
  'tags-that-are-no-versions': ({ items }) =>
    expect(items.map(({ reason }) => reason)).toEqual(items.map(() => 'not_a_version')),
  'go-template-condition': ({ items, problems }) => {
    expect(items).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(' templated: ')]);
  },
  'managed-services': ({ items }) =>
    expect(items.map(({ proposal, version, reason }) => [proposal, version, reason])).toEqual(
      [
        ['amazon-rds-postgresql', '14'],
        ['amazon-eks', '1.31'],
        ['amazon-rds-postgresql', '16'],
      ].map(([artifact_name, version]) => [
        expect.objectContaining({ source_type: 'lifecycle', artifact_name }),
        version,
        null,
      ]),
    ),
  'template-mark-in-name': ({ items }) => {
    expect(items).toMatchObject([{ reason: 'templated' }]);
    expect(JSON.stringify(items)).not.toContain('\uE000');
  },
  'identity-gone-item-revived': ({ steps }) =>
    expect(steps.map(shorten)).toEqual(['1: item 1 is new', '2: item 2 is new', '2: item 1 is missing']),
  'image-replaced': ({ steps }) =>
    expect(steps.map(shorten)).toEqual(['1: item 1 is new', '2: item 2 is new; replaces item 1']),
  'unreadable-is-not-gone': ({ steps }) =>
    expect(steps.map(shorten)).toEqual(['1: item 1 is new', '2: item 1 is not read and keeps its version']),
};

function shorten(step: string): string {
  return step.replace(/: [^:]*:\d.*?(?=; replaces|$)/, '');
}

test.each([
  ['ghcr.io/acme/web 1.2.3', { name: 'ghcr.io/acme/web', version: '1.2.3', file: null, environment: null }],
  [
    'prod/pin.yaml: ghcr.io/acme/ci 1.1.0',
    { file: 'prod/pin.yaml', name: 'ghcr.io/acme/ci', version: '1.1.0' },
  ],
  ['a.io/b/cert-manager v1.16.1, environment prod', { version: 'v1.16.1', environment: 'prod' }],
  ['quay.io/acme/x by digest', { name: 'quay.io/acme/x', version: null }],
  ['quay.io/acme/build go-1.26-13', { version: 'go-1.26-13' }],
  ['ghcr.io/acme/web with version_pattern ^a-([0-9]+)$ (or so)', { versionPattern: '^a-([0-9]+)$' }],
])('a case can specify a version with the line %s', (line, parts) => {
  expect(parseExpected(line)).toMatchObject(parts);
});

describe.skipIf(!hasTestData)('discovery', () => {
  const folder = testDataPath('discovery-cases');
  const cases = hasTestData ? readCases(folder) : [];

  test('has a case for each check of a free-text expectation', () => {
    const ids = cases.map(({ id }) => id);
    expect(Object.keys(checks).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test.each(cases.map((each) => [each.id, each] as const))(
    'finds the items that the case %s expects, and proposes no others',
    async (id, each) => {
      const result = await measureCase(folder, each);
      expect(result.missed).toEqual([]);
      expect(result.wrong).toEqual([]);
      if (result.unread.length > 0) checks[id]!(result);
    },
  );
});
