import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../../tests/helpers/long-tests.ts';
import { isAffectedPerReference, type OsvRecord } from '../../../tests/helpers/osv-reference.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { versionScheme } from '../versions/versions.ts';
import { type Advisory, type AdvisorySeverity, rangeEventKinds } from '../vulnerabilities/advisory.ts';
import { severityOfVectors, severityOfWord } from '../vulnerabilities/advisory-severity.ts';
import { KnownVulnerabilities } from '../vulnerabilities/find-vulnerabilities.ts';
import { withModuleMajors } from '../vulnerabilities/module-majors.ts';
import { packageKey, packagesFromPurl, parsePackage } from '../vulnerabilities/osv-package.ts';
import { readOsvRecord } from '../vulnerabilities/read-osv-record.ts';
import type { Candidates } from './candidates.ts';
import { findFindings } from './find-findings.ts';
import type { Rule } from './rule-type.ts';

/**
 * The test of every release against every record of its packages takes more than a minute, so it runs only with
 * `PACEKEEPER_LONG_TESTS=1`.
 */

const tool = { ecosystem: 'Go', name: 'example.com/tool' };

describe('the versions affected by a range', () => {
  // The operators represent range events: `>=` is "introduced", `<` is "fixed", `<=` is "last affected", and `|` is
  // "limit".
  it.each([
    ['>=0 <1.2.9', '1.2.8 0.0.1 1.2.9-rc1', '1.2.9 1.2.10 2.0'],
    ['>=1.2', '1.2.0 1.2.0-debian-12-r3 9.0', '1.1.9 1.2.0-rc1'],
    ['>=1.0 <=1.5', '1.0 1.5 v1.5 1.5-alpine3.19 1.5.0+k3s2', '0.9 1.5.1'],
    ['>=5.15.12 <=5.15.12', '5.15.12 5.15.12-debian-12-r3', '5.15.11 5.15.13'],
    ['>=1.1.1 <1.1.1u', '1.1.1 1.1.1t 1.1.1t-alpine', '1.1.1u 1.1.1v 1.1.0'],
    ['>=12.0.0 <12.0.1+security-01', '12.0.1 12.0.0', '12.0.1+security-01 12.0.2'],
    ['>=7.1.0 <7.1.0-52', '7.1.0 7.1.0-51', '7.1.0-52 7.1.1'],
    ['>=0 <9.18.24', '1:9.18.12-1~deb12u1 1:9.18.23', '1:9.18.24-1~deb12u1 1:9.20'],
    ['>=0 <1:9.18.24', '9.18.12 1:9.18.12-1', '9.18.24 1:9.18.24-1 2:1.0'],
    ['>=9.18 <=9.18.24', '9.18.24-1ubuntu1 1:9.18.24-1 9.18.24-1.el9', '9.18.25-1ubuntu1'],
    [
      '>=0 <1.2.4-0.20191109021931-daa7c04131f5',
      'v1.2.3 v1.2.4-0.20191108000000-111111111111',
      '1.2.4 1.2.5',
    ],
    ['>=0 <1.2.4', '1.2.3 v1.2.4-0.20191109021931-daa7c04131f5', '1.2.4'],
    [
      '>=0 <0.0.0-20200101000000-111111111111',
      'v0.0.0-20191109021931-daa7c04131f5',
      'v0.0.0-20200202000000-222222222222 0.1.0',
    ],
    ['>=1.0 <1.5 >=2.0 <2.3', '1.4 2.0 2.2.9', '1.5 1.9 2.3 0.1'],
    ['>=2.0 <2.3 >=1.0 <1.5', '1.4 2.0 2.2.9', '1.5 1.9 2.3 0.1'],
    ['>=1.0 |1.5', '1.4', '1.5 0.9'],
    ['<=1.0 >=1.0', '1.0', '0.9 1.1'],
    ['<1.0', '', '0.9 1.0'],
    ['>=main <2', '', '1.0 2.0'],
    ['', '', '1.0'],
  ])('for %s are %s', (range, affected, clean) => {
    const known = new KnownVulnerabilities([advisory('A', { ranges: [range] })], [tool]);
    const hits = (versions: string) => split(versions).map((version) => known.find(version)?.length);
    expect(hits(affected)).toEqual(split(affected).map(() => 1));
    expect(hits(clean)).toEqual(split(clean).map(() => 0));
  });

  it('match a reference implementation for any events in any order', () => {
    const version = fc.constantFrom('1.0', '1.1', '1.1.1', '1.1.1u', '2.0-rc.1', '2.0', '2.0-1', '3');
    const kind = fc.constantFrom('introduced', 'fixed', 'last_affected');
    const first = fc.constant({ kind: 'introduced', version: '0' });
    const event = fc.oneof(first, fc.record({ kind, version }));
    fc.assert(
      fc.property(fc.array(fc.array(event, { maxLength: 5 }), { maxLength: 3 }), (ranges) => {
        const record = {
          id: 'A',
          affected: [
            {
              package: tool,
              ranges: ranges.map((events) => ({
                type: 'SEMVER',
                events: events.map((one) => ({ [one.kind]: one.version })),
              })),
            },
          ],
        };
        const known = new KnownVulnerabilities([readOsvRecord(record)!], [tool]);
        for (const deployed of [
          '0.1',
          '1.0',
          '1.1.0',
          '1.1.1',
          '1.1.1t',
          '1.1.1u',
          '2.0-rc.1',
          '2.0',
          '2.0-2',
          '4',
        ]) {
          expect(known.find(deployed)!.length > 0, deployed).toBe(
            isAffectedPerReference(record, tool, deployed),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are the union of all ranges and the listed versions', () => {
    const known = new KnownVulnerabilities(
      [advisory('A', { ranges: ['>=1 <2', '>=3 <4', '>=main'], versions: ['2.5', 'nightly'] })],
      [tool],
    );
    expect(['1.5', '2.5', 'v2.5.0', '3.1'].map((version) => known.find(version)?.length)).toEqual([
      1, 1, 1, 1,
    ]);
    expect(['2.0', '2.5.1', '4.0'].map((version) => known.find(version)?.length)).toEqual([0, 0, 0]);
    expect(known.find('nightly')).toBeNull();
  });

  it('are found only for the requested packages', () => {
    const known = new KnownVulnerabilities(
      [advisory('A', { ranges: ['>=0'] })],
      [{ ...tool, ecosystem: 'npm' }],
    );
    expect(known.find('1.0')).toEqual([]);
  });
});

describe('records about the same vulnerability', () => {
  it('are merged if they share an alias, with the highest severity and the highest fixed version', () => {
    const known = new KnownVulnerabilities(
      [
        advisory('GO-1', { aliases: ['CVE-1'], ranges: ['>=0 <1.2.9'] }),
        advisory('BIT-1', { aliases: ['CVE-1', 'GHSA-1'], ranges: ['>=0 <1.2.10'], severity: 'high' }),
        advisory('GHSA-1', { ranges: ['>=2'], severity: 'critical' }),
        advisory('GO-2', { ranges: ['>=0 <2'] }),
      ],
      [tool],
    );
    expect(known.find('1.2.8')).toEqual([
      { id: 'CVE-1', aliases: ['BIT-1', 'GHSA-1', 'GO-1'], severity: 'critical', fixedIn: '1.2.10' },
      { id: 'GO-2', aliases: [], severity: null, fixedIn: '2' },
    ]);
    expect(known.find('1.2.9')?.map(({ id }) => id)).toEqual(['CVE-1', 'GO-2']);
    expect(known.find('2.1')).toMatchObject([{ id: 'CVE-1', fixedIn: null }]);
  });

  it('are ignored if they are withdrawn, without affecting the other records', () => {
    const records = [
      advisory('A', { aliases: ['CVE-1'], ranges: ['>=0'], severity: 'critical', isWithdrawn: true }),
      advisory('B', { aliases: ['CVE-1'], ranges: ['>=0 <2'] }),
    ];
    const known = new KnownVulnerabilities(records, [tool]);
    expect(known.find('1.0')).toMatchObject([{ id: 'CVE-1', aliases: ['B'], severity: null }]);
    expect(known.find('2.0')).toEqual([]);
  });

  it.each<[description: string, records: [id: string, members: Members][], affected: string, clean: string]>([
    [
      'a bounded range before an open one',
      [
        ['GO-1', { ranges: ['>=0'] }],
        ['GHSA-1', { aliases: ['GO-1'], ranges: ['>=0 <1.11.5 >=1.12.0 <1.12.1'] }],
      ],
      '1.11.4 1.12.0',
      '1.11.5 1.12.1 1.15.0',
    ],
    [
      'a later start before an open range',
      [
        ['GO-1', { ranges: ['>=0'] }],
        ['GHSA-1', { aliases: ['GO-1'], ranges: ['>=2.5 <2.9'] }],
      ],
      '2.6',
      '1.0 3.0',
    ],
    [
      'custom ranges override an open range of the same record',
      [['GO-1', { ranges: ['>=0'], customRanges: ['>=0 <1.11.5', '>=1.12.0-beta.0 <1.12.1'] }]],
      '1.11.4 1.12.0',
      '1.11.5 1.15.0',
    ],
    [
      'custom ranges override an open range of another record',
      [
        ['GO-1', { ranges: ['>=0'] }],
        ['GO-2', { aliases: ['GO-1'], ranges: ['>=0'], customRanges: ['>=0 <2'] }],
      ],
      '1.9',
      '2.0',
    ],
    [
      'a bounded range before custom ranges of another record',
      [
        ['GO-1', { ranges: ['>=0'], customRanges: ['>=0 <3'] }],
        ['BIT-1', { aliases: ['GO-1'], ranges: ['>=0 <2'] }],
      ],
      '1.9',
      '2.0 2.9',
    ],
    [
      'listed versions override ranges of other records',
      [
        ['A-1', { ranges: [], versions: ['1.2', '1.4'] }],
        ['B-1', { aliases: ['A-1'], ranges: ['>=1.0 <2'] }],
      ],
      '1.2 1.4',
      '1.3 2.0',
    ],
    [
      'a bounded range in a record whose other versions could not be mapped',
      [['GO-1', { ranges: ['>=0 <1.5'], isUnmapped: true }]],
      '1.4',
      '1.5',
    ],
  ])('are overridden by the most precise record: %s', (_, records, affected, clean) => {
    const known = new KnownVulnerabilities(
      records.map(([id, members]) => advisory(id, members)),
      [tool],
    );
    const counts = (versions: string) => split(versions).map((version) => known.find(version)?.length);
    expect(counts(affected)).toEqual(split(affected).map(() => 1));
    expect(counts(clean)).toEqual(split(clean).map(() => 0));
    for (const version of split(clean)) expect(known.findUncertain(version)).toEqual([]);
  });

  it("aren't counted on their own if the database couldn't map the versions, but are reported as uncertain", () => {
    const guess = advisory('GO-1', { aliases: ['CVE-1'], ranges: ['>=0'], isUnmapped: true });
    const alone = new KnownVulnerabilities([guess], [tool]);
    expect(alone.find('1.0')).toEqual([]);
    expect(alone.isClean('1.0', () => false)).toBe(true);
    expect(alone.findUncertain('1.0')).toEqual(['CVE-1']);
    const precise = advisory('GHSA-1', { aliases: ['CVE-1'], ranges: ['>=0 <1.5'] });
    const both = new KnownVulnerabilities([guess, precise], [tool]);
    expect(both.find('1.0')).toMatchObject([{ id: 'CVE-1', fixedIn: '1.5' }]);
    expect([both.find('1.5'), both.findUncertain('1.5')]).toEqual([[], []]);
  });

  it('are parsed with their custom ranges and notes if they are from the Go vulnerability database', () => {
    const record = {
      id: 'GO-2025-3567',
      aliases: ['CVE-2025-1974'],
      affected: [
        {
          package: { ecosystem: 'Go', name: 'k8s.io/ingress-nginx' },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }],
          ecosystem_specific: {
            custom_ranges: [
              { type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1.11.5' }] },
              { type: 'ECOSYSTEM', events: [{ introduced: '1.12.0-beta.0' }, { fixed: '1.12.1' }] },
            ],
          },
        },
      ],
      details: 'NOTE: … contains additional versions that could not be automatically mapped to standard …',
    };
    const read = readOsvRecord(record)!;
    const known = new KnownVulnerabilities(withModuleMajors([read]), read.affected);
    const fixes = ['v1.11.4', 'v1.12.0', 'v1.12.1', 'v1.15.0'].map((version) =>
      known.find(version)!.map(({ fixedIn }) => fixedIn),
    );
    expect(fixes).toEqual([['1.11.5'], ['1.12.1'], [], []]);
  });

  it('determine the lowest release without vulnerabilities', () => {
    const known = new KnownVulnerabilities(
      [advisory('A', { ranges: ['>=0 <1.2.9'] }), advisory('B', { ranges: ['>=1.3 <1.4'] })],
      [tool],
    );
    const releases = ['1.4.0', '1.2.9', '1.3.0', '1.2.0', '1.3.1', 'nightly'];
    expect(known.lowestWithout('1.2.0', releases)).toBe('1.2.9');
    expect(known.lowestWithout('1.3.0', releases)).toBe('1.4.0');
    expect(known.lowestWithout('1.4.0', releases)).toBe('1.4.0');
    expect(known.lowestWithout('1.5.0', releases)).toBeNull();
    expect(known.lowestWithout('nightly', releases)).toBeNull();
    expect(known.lowestWithout('1:1.3.0-1', releases)).toBe('1.4.0');
  });
});

describe('a release to upgrade to', () => {
  it("is rejected at the first vulnerability that isn't ignored", () => {
    const records = Array.from({ length: 100 }, (_, at) => advisory(`A-${at}`, { ranges: ['>=0 <2'] }));
    const known = new KnownVulnerabilities(records, [tool]);
    const asked: string[] = [];
    const isIgnored = ({ id }: { id: string }) => asked.push(id) <= 3;
    expect(known.isClean('1.0', isIgnored)).toBe(false);
    expect(asked).toEqual(['A-0', 'A-1', 'A-2', 'A-3']);
    expect(known.isClean('1.0', () => true)).toBe(true);
    expect(known.isClean('2.0', () => false)).toBe(true);
    expect(known.isClean('nightly', () => true)).toBe(false);
  });

  it('is searched only among the first 500 releases', () => {
    const { parse } = versionScheme('auto');
    const findWith = (count: number, deployedVersion = '1.0') => {
      const known = new KnownVulnerabilities([advisory('A', { ranges: [`>=0 <1.${count}`] })], [tool]);
      const comparable = Array.from({ length: 1_000 }, (_, at) => ({
        text: `1.${at}`,
        version: parse(`1.${at}`),
      })).toReversed();
      const facts = { packages: [], known, applicationVersions: null, ignored: [], validUntilMs: null };
      return findFindings(
        facts,
        { thresholds: { moderate: 1 } } as Rule,
        { version: parse(deployedVersion), lookup: deployedVersion },
        { comparable } as unknown as Candidates,
        0,
      ).lowestWithout;
    };
    expect(findWith(499)).toBe('1.499');
    expect(findWith(499, '1:1.0-1')).toBe('1.499');
    expect(findWith(500)).toBeNull();
  });
});

it.each([
  ['8u472', '8.0.472'],
  ['8u472-b08-jdk', '8.0.472'],
  ['jdk8u472-b08', '8.0.472'],
  ['1.8.0_472', '8.0.472'],
  ['1.8.0_472-b08', '8.0.472'],
  ['1.8.0.472', '8.0.472'],
  ['1.8.0', '8.0.0'],
  ['8.472.08.1', '8.0.472'],
  ['8.0.472', '8.0.472'],
  ['7u80', '7.0.80'],
  ['11.0.29_7', '11.0.29'],
  ['21.0.4+7', '21.0.4'],
])('Java %s is affected by the same vulnerabilities as %s', (written, notation) => {
  const java = { ecosystem: 'Bitnami', name: 'java' };
  const [, major, update] = /^(\d+)\.0\.(\d+)$/.exec(notation)!;
  const next = `${major}.0.${Number(update) + 1}`;
  const records = [notation, next].map((fixed) => ({
    ...advisory(fixed, { ranges: [] }),
    affected: advisory('', { ranges: [`>=${major}.0.0 <${fixed}`] }).affected.map((entry) => ({
      ...entry,
      ...java,
    })),
  }));
  const known = new KnownVulnerabilities(records, [java]);
  expect(known.find(written)?.map(({ fixedIn }) => fixedIn)).toEqual([next]);
});

it('at most 100,000 findings are cached across all versions', () => {
  const records = Array.from({ length: 1_000 }, (_, at) => advisory(`A-${at}`, { ranges: ['>=0'] }));
  const known = new KnownVulnerabilities(records, [tool]);
  const first = known.find('1.0');
  for (let at = 1; at < 100; at++) known.find(`1.${at}`);
  expect(known.find('1.0')).toBe(first);
  known.find('1.100');
  expect(known.find('1.0')).not.toBe(first);
});

describe('the severity of a vulnerability record', () => {
  const v3 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const v4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:L/SC:N/SI:N/SA:N';

  it.each([
    [{ database_specific: { severity: 'Medium' }, severity: [{ type: 'CVSS_V3', score: v3 }] }, 'moderate'],
    [{ database_specific: { severity: 'Unknown' }, severity: [{ type: 'CVSS_V3', score: v3 }] }, 'critical'],
    [{ severity: [{ type: 'CVSS_V4', score: v4 }] }, 'moderate'],
    [{ severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N' }] }, null],
    [{ severity: 'high' }, null],
    [{}, null],
  ])('with %j is %s', (members, expected) => {
    const record = { id: 'A', affected: [{ package: tool, ranges: [] }], ...members };
    expect(readOsvRecord(record)?.severity).toBe(expected);
  });

  it('is determined from words and from CVSS vectors', () => {
    expect(['LOW', ' high ', 'Critical', 'none'].map(severityOfWord)).toEqual([
      'low',
      'high',
      'critical',
      null,
    ]);
    expect(severityOfVectors(['AV:N/AC:L/Au:N/C:P/I:P/A:P', 'junk'])).toBe('high');
  });
});

it.each([null, 1, 'text', [], {}, { id: 'A' }, { id: 1, affected: [] }])(
  "%j isn't a valid record",
  (value) => {
    expect(readOsvRecord(value)).toBeNull();
  },
);

describe.skipIf(!hasTestData)('real vulnerability records', () => {
  it('affect the same releases as a reference implementation determines', () => {
    const histories = readHistories();
    const stride = isLong ? 1 : 40;
    const differences: string[] = [];
    let count = 0;
    for (const file of ['osv-bitnami', 'osv-go']) {
      for (const record of readLines<OsvRecord>(`vulnerabilities/${file}.jsonl`)) {
        const read = readOsvRecord(record);
        if (read === null) throw new Error(`${record.id} is no record`);
        for (const { ecosystem, name } of new Set(record.affected.map((entry) => entry.package))) {
          const versions =
            histories.get(name.split('/').findLast((part) => !/^v\d+$/.test(part)) ?? name) ?? [];
          const known = new KnownVulnerabilities([read], [{ ecosystem, name }]);
          for (let index = 0; index < versions.length; index += stride) {
            const version = versions[index]!;
            const found = known.find(version);
            if (found === null) continue;
            count++;
            const expected = isAffectedPerReference(record, { ecosystem, name }, version);
            if (found.length > 0 !== expected)
              differences.push(`${record.id} ${name} ${version}: ${!expected}`);
          }
        }
      }
    }
    console.log(`releases compared with records: ${count}, differences: ${differences.length}`);
    expect(count).toBeGreaterThan(10_000);
    expect(differences).toEqual([]);
  }, 600_000);
});

function readHistories(): Map<string, string[]> {
  const tools = readLines<{ tool: string; versions: { version: string }[] }>(
    'release-history/mise-versions.jsonl',
  );
  return new Map(tools.map(({ tool: name, versions }) => [name, versions.map(({ version }) => version)]));
}

function readLines<T>(file: string): T[] {
  const rows = readFileSync(testDataPath(file), 'utf8').trim().split('\n');
  return rows.slice(1).map((row) => JSON.parse(row) as T);
}

function split(text: string): string[] {
  return text.split(' ').filter((part) => part !== '');
}

interface Members {
  aliases?: string[];
  ranges: string[];
  customRanges?: string[];
  versions?: string[];
  severity?: AdvisorySeverity;
  isUnmapped?: boolean;
  isWithdrawn?: boolean;
}

function advisory(id: string, members: Members): Advisory {
  const { aliases = [], ranges, versions = [], severity = null, isWithdrawn = false } = members;
  const signs = { introduced: '>=', fixed: '<', last_affected: '<=', limit: '|' };
  const toEvent = (text: string) => {
    const sign = /^[<>=|]+/.exec(text)?.[0] ?? '';
    const kind = rangeEventKinds.find((candidate) => signs[candidate] === sign)!;
    return { kind, version: text.slice(sign.length) };
  };
  const toRanges = (texts: string[]) => texts.map((range) => split(range).map(toEvent));
  const { customRanges = [], isUnmapped = false } = members;
  const affected = [
    { ...tool, ranges: toRanges(ranges), customRanges: toRanges(customRanges), versions, isUnmapped },
  ];
  return { id, aliases, isWithdrawn, severity, affected };
}

describe('Go modules', () => {
  const known = (
    versions: string[],
    records: readonly (readonly [name: string, range: string])[],
    database = 'GO',
  ) => {
    const advisories = withModuleMajors(
      records.map(([name, range], index) => ({
        ...advisory(`${database}-${index}`, { ranges: [range] }),
        affected: advisory('', { ranges: [range] }).affected.map((entry) => ({ ...entry, name })),
      })),
    );
    const vulnerabilities = new KnownVulnerabilities(
      advisories,
      advisories.flatMap(({ affected }) => affected),
    );
    return versions.map((version) =>
      vulnerabilities
        .find(version)
        ?.map(({ id }) => id)
        .join(' '),
    );
  };

  it('match only the major version in the module path, or 0 and 1 if the path has none', () => {
    const records = [
      ['example.com/tool', '>=0'],
      ['example.com/tool/v2', '>=0 <2.3'],
    ] as const;
    expect(known(['0.9', '1.20', '2.2', '2.3', '3.0'], records)).toEqual(['GO-0', 'GO-0', 'GO-1', '', '']);
  });

  it('match later major versions of a path without a number if a record contains such versions', () => {
    const records = [['example.com/tool', '>=24.0.0+incompatible <25.0.2+incompatible']] as const;
    expect(known(['23.1', '24.0.5', '25.0.2'], records)).toEqual(['', 'GO-0', '']);
  });

  it('match all major versions of a path if any record of that path contains a later one', () => {
    const records = [
      ['example.com/tool', '>=24.0.0+incompatible <25.0.2+incompatible'],
      ['example.com/tool', '>=0'],
    ] as const;
    expect(known(['1.0', '24.0.5', '29.1'], records)).toEqual(['GO-1', 'GO-0 GO-1', 'GO-1']);
  });

  it("match all major versions in records of databases that don't add the major version to paths", () => {
    const docker = [['github.com/docker/docker', '>=24.0.0 <25.0.6 >=27.0.0 <27.1.1']] as const;
    const expected = ['', 'GHSA-0', 'GHSA-0', '', 'GHSA-0', ''];
    const versions = ['v23.0.0', 'v24.0.7', 'v25.0.5', 'v26.1.4', 'v27.0.3', 'v27.1.1'];
    expect(known(versions, docker, 'GHSA')).toEqual(expected);
    expect(known(['1.2', '29.0'], [['example.com/tool', '>=0']], 'GHSA')).toEqual(['GHSA-0', 'GHSA-0']);
    expect(known(['1.2', '29.0'], [['example.com/tool', '>=0']], 'GO')).toEqual(['GO-0', '']);
  });

  it('match only major versions 0 and 1 of a path without a number if the record also contains a path with a number', () => {
    const affected = ['example.com/tool', 'example.com/tool/v2'].flatMap((name, index) =>
      advisory('', { ranges: [index === 0 ? '>=0' : '>=0 <2.3'] }).affected.map((entry) => ({
        ...entry,
        name,
      })),
    );
    const records = withModuleMajors([{ ...advisory('GHSA-1', { ranges: [] }), affected }]);
    const all = new KnownVulnerabilities(records, affected);
    expect(['1.9', '2.2', '2.3', '3.0'].map((version) => all.find(version)?.length)).toEqual([1, 1, 0, 0]);
  });

  it.each([
    ['GitHub Actions', 'Tj-actions/Changed-files', 'GitHub Actions/tj-actions/changed-files'],
    ['Go', 'github.com/Org/Tool/v3', 'Go/github.com/org/tool'],
    ['Go', 'example.com/v1', 'Go/example.com/v1'],
    ['Go', 'example.com/v2024', 'Go/example.com'],
    ['npm', '@scope/name', 'npm/@scope/name'],
  ])('%s %s is stored as %s', (ecosystem, name, key) => {
    expect(packageKey({ ecosystem, name })).toBe(key);
    expect(packageKey(parsePackage(key)!)).toBe(key);
  });

  it.each([
    ['pkg:github/org/tool', 'Go/github.com/org/tool, GitHub Actions/org/tool'],
    ['pkg:githubactions/tj-actions/changed-files', 'GitHub Actions/tj-actions/changed-files'],
    ['pkg:githubactions/github/codeql-action/init', 'GitHub Actions/github/codeql-action'],
    ['pkg:golang/k8s.io/kubernetes', 'Go/k8s.io/kubernetes'],
    ['pkg:npm/%40scope/name', 'npm/@scope/name'],
    ['pkg:maven/org.example/tool', 'Maven/org.example:tool'],
    ['pkg:oci/nginx?repository_url=docker.io/bitnami/nginx', 'Bitnami/nginx'],
    ['pkg:oci/nginx?repository_url=docker.io/library/nginx', ''],
    ['pkg:helm/redis?repository_url=charts.bitnami.com/bitnami', 'Bitnami/redis'],
    ['pkg:deb/debian/curl', ''],
  ])('the package URL %s maps to the packages %s', (purl, key) => {
    expect(packagesFromPurl(purl).map(packageKey).join(', ')).toBe(key);
  });

  it.each(['', 'Go', 'Go/', '/name', 'Go/a b', '1/x', `Go/${'x'.repeat(300)}`])(
    "%j isn't a valid package",
    (text) => {
      expect(parsePackage(text)).toBeNull();
    },
  );
});
