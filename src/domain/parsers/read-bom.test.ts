import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBom } from './read-bom.ts';

const cycloneDx = (more: object) => JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', ...more });
const spdx = (packages: object[], spdxVersion = 'SPDX-2.3') => JSON.stringify({ spdxVersion, packages });

function read(text: string) {
  const bom = readBom(text);
  if (!bom.ok) throw new Error(bom.problem);
  return bom.components;
}

const problemOf = (text: string) => {
  const bom = readBom(text);
  return bom.ok ? null : bom.problem;
};

test('a CycloneDX document yields its main component, its components, and the components that they contain', () => {
  const text = cycloneDx({
    metadata: { component: { type: 'application', name: 'shop', version: '3.1.0' } },
    components: [
      {
        type: 'library',
        group: 'org.apache',
        name: 'outer',
        version: '1.0',
        components: [{ type: 'library', name: 'inner', purl: 'pkg:npm/inner@2.0.0' }],
      },
      { type: 'library', name: 'last' },
    ],
  });
  expect(read(`\uFEFF${text}`)).toEqual([
    { name: 'shop', group: null, purl: null, version: '3.1.0' },
    { name: 'outer', group: 'org.apache', purl: null, version: '1.0' },
    { name: 'inner', group: null, purl: 'pkg:npm/inner@2.0.0', version: null },
    { name: 'last', group: null, purl: null, version: null },
  ]);
});

test.each(['SPDX-2.2', 'SPDX-2.3'])(
  'a document in the format %s yields its packages with their package URLs',
  (version) => {
    const packages = [
      {
        SPDXID: 'SPDXRef-Package-lodash',
        name: 'lodash',
        versionInfo: '4.17.21',
        externalRefs: [
          { referenceCategory: 'SECURITY', referenceType: 'cpe23Type', referenceLocator: 'cpe:2.3:a:lodash' },
          {
            referenceCategory: 'PACKAGE-MANAGER',
            referenceType: 'purl',
            referenceLocator: 'pkg:npm/lodash@4.17.21',
          },
        ],
      },
      { SPDXID: 'SPDXRef-Package-base', name: 'base', versionInfo: 'NOASSERTION' },
    ];
    expect(read(spdx(packages, version))).toEqual([
      { name: 'lodash', group: null, purl: 'pkg:npm/lodash@4.17.21', version: '4.17.21' },
      { name: 'base', group: null, purl: null, version: null },
    ]);
  },
);

describe('a document', () => {
  test.each([
    ['without JSON', '<bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>', "isn't valid JSON"],
    ['that is cut off', cycloneDx({ components: [] }).slice(0, -3), "isn't valid JSON"],
    ['of another kind', '{"components": []}', 'is neither a CycloneDX document'],
    ['that is not an object', '[]', 'is neither a CycloneDX document'],
    ['of SPDX 3', '{"@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld"}', 'is neither'],
    ['of a later SPDX version', spdx([], 'SPDX-2.4'), 'Use SPDX 2.3'],
    ['with too many levels', `${'['.repeat(101)}${']'.repeat(101)}`, 'levels of nesting'],
    [
      'with too many components',
      cycloneDx({ components: Array.from({ length: 50_001 }, () => ({})) }),
      '50,000 items in a list',
    ],
    [
      'with too many values',
      cycloneDx({ components: Array.from({ length: 40_000 }, () => ({ a: Array(20).fill(0) })) }),
      '500,000 values',
    ],
  ])('%s is rejected', (_what, text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });
});

test('entries without a name, with a long name, or of another type are skipped', () => {
  const components = [null, 7, [], {}, { name: 7 }, { name: 'a'.repeat(501) }, { name: 'kept', version: 2 }];
  expect(read(cycloneDx({ components }))).toEqual([{ name: 'kept', group: null, purl: null, version: null }]);
  expect(read(spdx(components as object[]))).toEqual([
    { name: 'kept', group: null, purl: null, version: null },
  ]);
});

test('names that objects inherit are not fields of a document', () => {
  expect(problemOf('{"__proto__": {"bomFormat": "CycloneDX", "specVersion": "1.6"}}')).toContain(
    'is neither',
  );
});

test('no content causes an exception', () => {
  const component = fc.letrec((tie) => ({
    node: fc.record(
      { name: fc.anything(), version: fc.anything(), purl: fc.anything(), components: tie('list') },
      { requiredKeys: [] },
    ),
    list: fc.oneof({ depthSize: 'small' }, fc.anything(), fc.array(tie('node'))),
  }));
  fc.assert(
    fc.property(component.list, fc.boolean(), (components, isSpdx) => {
      const text = isSpdx ? spdx(components as object[]) : cycloneDx({ components });
      expect(readBom(text ?? '').ok).toBe(true);
    }),
    { numRuns: 200 },
  );
});
