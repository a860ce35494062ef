import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import type { VersionSchemeId } from './version-scheme.ts';
import { versionScheme } from './versions.ts';

/**
 * Deviations from the tables with which other projects test version comparison and stability. The test checks
 * every row in both schemes. A row that contradicts a rule of Pacekeeper is listed under that rule as
 * `scheme|function|a|b` (for stability: `scheme|stable|scheme in the table|version`). The test fails if
 * Pacekeeper agrees with a listed row or disagrees with an unlisted one.
 */
const deviations: readonly { rule: string; rows: readonly string[] }[] = [
  {
    rule: 'auto: letter words behind the numbers that name no stage are the variant, and variants have no rank',
    rows: [
      'auto|TestCompare|4.2-beta|4.2-beta.foo',
      'auto|TestCompare|4.2-beta.foo|4.2-beta',
      'auto|isGreaterThan|1.2.3-5-foo|1.2.3-5',
      'auto|isGreaterThan|1.2.3-5-foo|1.2.3-5-Foo',
      'auto|isGreaterThan|1.2.3-a.b|1.2.3-a',
    ],
  },
  {
    rule: 'auto: stages are compared by their numbers, letters split from digits; without a number is below any',
    rows: [
      'auto|TestCompare|1.0.0-beta.4|1.0.0-beta.-2',
      'auto|TestCompare|1.0.0-beta.-3|1.0.0-beta.5',
      'auto|TestGreaterThan|7.43.0-SNAPSHOT.FOO|7.43.0-SNAPSHOT.103',
      'auto|TestGreaterThan|7.43.0-SNAPSHOT.99|7.43.0-SNAPSHOT.BAR',
    ],
  },
  {
    rule: 'auto: a suffix without a pre-release word is no pre-release; a number behind a word or none is a revision, above none',
    rows: [
      'auto|isGreaterThan|0.0.0|0.0.0-foo',
      'auto|isGreaterThan|v0.0.0|0.0.0-foo',
      'auto|isGreaterThan|0.0.0|v0.0.0-foo',
      'auto|isGreaterThan|1.2.3|1.2.3-asdf',
      'auto|isGreaterThan|1.2.3|1.2.3-4',
      'auto|isGreaterThan|1.2.3|1.2.3-4-foo',
      'auto|stable|semver-partial|1.0.0-1',
      'auto|stable|semver-partial|1.0.0-build.1',
    ],
  },
  {
    rule: 'auto: revisions are compared as numbers',
    rows: ['auto|isGreaterThan|1.2.3-r2|1.2.3-r100', 'auto|isGreaterThan|1.2.3-a.b|1.2.3-a.5'],
  },
  {
    rule: 'auto: missing components are 0, so what is written shorter is neither less precise, nor higher, nor unequal',
    rows: [
      'auto|isGreaterThan|1.2.3|1.2',
      'auto|isGreaterThan|10.1|10.1.2',
      'auto|equals|2.4.0|2.4',
      'auto|isGreaterThan|2.4.0|2.4',
      'auto|stable|semver-partial|1',
    ],
  },
  {
    rule: 'auto: what stands before the numbers is an ornament or the name of a line, and a line is stable',
    rows: [
      'auto|stable|semver-coerced|two1.0',
      'auto|stable|semver-coerced|ver1.2.3',
      'auto|stable|semver-coerced|r3.0',
    ],
  },
  {
    rule: 'a string without a number is no version, and what is no version is not compared, not even with itself',
    rows: [
      'auto|sortVersions|v1.0|xx',
      'auto|sortVersions|invalid|invalid',
      'semver|sortVersions|v1.0|xx',
      'semver|sortVersions|invalid|invalid',
    ],
  },
  {
    rule: 'semver: a version has three components, all of them written; no wildcards, no dates with dashes',
    rows: [
      '3.2-beta|3.2-beta',
      '1.3|1.1.4',
      '4.2|4.2-beta',
      '4.2-beta|4.2',
      '4.2-alpha|4.2-beta',
      '4.2-alpha|4.2-alpha',
      '4.2-beta.2|4.2-beta.1',
      '4.2-beta2|4.2-beta1',
      '4.2-beta|4.2-beta.2',
      '4.2-beta|4.2-beta.foo',
      '4.2-beta.2|4.2-beta',
      '4.2-beta.foo|4.2-beta',
      '1.2+bar|1.2+baz',
    ]
      .map((pair) => `semver|TestCompare|${pair}`)
      .concat([
        'semver|TestGreaterThan|3.2-beta.4|3.2-beta.2',
        'semver|isGreaterThan|10.1|10.1.2',
        'semver|isGreaterThan|3|2',
        'semver|isGreaterThan|2.4.0|2.4',
        'semver|isGreaterThan|2.4.0|2.4.beta',
        'semver|isGreaterThan|2024-07-21T11-33-05.abc123|2023-06-21T11-33-05.abc123',
        'semver|equals|v1.0|v1.x',
        'semver|sortVersions|v1.0|1.x',
        'semver|stable|docker|3.7-alpine',
        'semver|stable|semver-coerced|v2.1',
        'semver|stable|semver-coerced|3.4',
        'semver|stable|semver-coerced|v2',
        'semver|stable|semver-coerced|2',
      ]),
  },
  {
    rule: 'semver: whatever follows a hyphen is a pre-release',
    rows: ['semver|stable|docker|3.8.0-alpine'],
  },
  {
    rule: 'semver: nothing but an optional v stands before the version, neither spaces nor =',
    rows: [
      ...['', '-0', '-1', '-beta'].flatMap((suffix) =>
        ['=', 'v ', '= ', ' v', ' =', ' v ', ' = '].map(
          (prefix) => `semver|equals|1.2.3${suffix}|${prefix}1.2.3${suffix}`,
        ),
      ),
      'semver|equals|1.2.3-beta+build| = 1.2.3-beta+otherbuild',
      'semver|equals|1.2.3+build| = 1.2.3+otherbuild',
      'semver|equals|  v1.2.3+build|1.2.3+otherbuild',
    ],
  },
];

interface Row {
  readonly fn: string;
  readonly a: string;
  readonly b: string;
  readonly expected: unknown;
}

describe.skipIf(!hasTestData)('the ordering tables of other projects', () => {
  test.for(['auto', 'semver'] as const)(
    'match the %s scheme except for the deviations listed with a rule',
    (id) => {
      const differing = [
        ...orderingRows().filter((row) => answer(id, row) !== row.expected),
        ...unstableRows(id),
      ];
      const found = differing.map(({ fn, a, b }) => `${id}|${fn}|${a}|${b}`);
      const listed = deviations.flatMap(({ rows }) => rows).filter((row) => row.startsWith(`${id}|`));
      expect(found.toSorted()).toEqual(listed.toSorted());
    },
  );

  test('are loaded completely', () => {
    expect([orderingRows().length, stableRows().length]).toEqual([140, 36]);
  });
});

/**
 * Returns the result that Pacekeeper's order implies for a function of another project, or `null` if one of the
 * versions is invalid.
 */
function answer(id: VersionSchemeId, { fn, a, b }: Row): unknown {
  const scheme = versionScheme(id);
  const [left, right] = [scheme.parse(a), scheme.parse(b)];
  const order = left === null || right === null ? null : scheme.compare(left, right);
  const test = predicates[fn];
  return test === undefined ? order : order !== null && test(order);
}

const predicates: Readonly<Record<string, (order: number) => boolean>> = {
  isGreaterThan: (order) => order > 0,
  isLessThan: (order) => order < 0,
  equals: (order) => order === 0,
  TestLessThan: (order) => order < 0,
  TestLessThanEqual: (order) => order <= 0,
  TestGreaterThan: (order) => order > 0,
  TestGreaterThanEqual: (order) => order >= 0,
};

function orderingRows(): Row[] {
  const pairs = (file: string, fn: string): Row[] =>
    cases<readonly [string, string, ...unknown[]]>(file).map(([a, b]) => ({ fn, a, b, expected: true }));
  return [
    ...cases<Row>('version-ordering/Masterminds_semver.json'),
    ...cases<Row>('version-ordering/renovate-ordering.json'),
    ...pairs('version-ordering/node-semver-comparisons.json', 'isGreaterThan'),
    ...pairs('version-ordering/node-semver-equality.json', 'equals'),
  ];
}

function stableRows() {
  return cases<{ scheme: string; version: string; stable: boolean }>('prerelease/renovate-isStable.json');
}

/** Returns the rows whose stability differs. A text that isn't a version is considered not stable. */
function unstableRows(id: VersionSchemeId): Row[] {
  return stableRows()
    .filter((row) => {
      const version = versionScheme(id).parse(row.version);
      return (version !== null && !version.isPrerelease) !== row.stable;
    })
    .map((row) => ({ fn: 'stable', a: row.scheme, b: row.version, expected: row.stable }));
}

function cases<Case>(file: string): Case[] {
  const content = JSON.parse(readFileSync(testDataPath(file), 'utf8')) as { cases: Case[] };
  return content.cases;
}
