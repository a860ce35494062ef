import { describe, expect, test } from 'vitest';
import { createPathMatcher } from './custom-patterns.ts';
import type { Fact } from './fact.ts';
import { previewFiles } from './preview-files.ts';
import { readFilePattern, readRenovateConfig } from './renovate-config.ts';
import { createRenovateIgnoreFinder } from './renovate-ignores.ts';

const manager = {
  customType: 'regex',
  managerFilePatterns: ['/\\.txt$/'],
  matchStrings: ['(?<depName>\\S+) (?<currentValue>\\S+)\\n'],
  datasourceTemplate: 'docker',
};

function readConfig(config: unknown) {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  return readRenovateConfig([{ path: 'renovate.json', text }]);
}

function discover(files: Readonly<Record<string, string>>) {
  const { items, patternProblems } = previewFiles({
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    labelRules: [],
    customExtractors: [],
    aliases: [],
  });
  const found = items.map(({ place, artifact, version }) => `${place.file} ${artifact.name} ${version}`);
  return { found, problems: patternProblems };
}

test.each([
  'renovate.json',
  'renovate.json5',
  '.github/renovate.json',
  '.github/renovate.json5',
  '.gitlab/renovate.json',
  '.gitlab/renovate.json5',
  '.renovaterc',
  '.renovaterc.json',
])('the custom managers in %s find versions', (path) => {
  const files = {
    'versions.txt': 'acme/web 1.2.3\nacme/api 2.0.0\n',
    [path]: JSON.stringify({ customManagers: [manager] }),
  };
  expect(discover(files)).toEqual({
    found: ['versions.txt acme/web 1.2.3', 'versions.txt acme/api 2.0.0'],
    problems: [],
  });
});

test('managers in package.json, older names, and JSON5 syntax are read', () => {
  const { managerFilePatterns: _, ...rest } = manager;
  const older = { regexManagers: [{ ...rest, fileMatch: ['\\.txt$'] }] };
  const files = { 'versions.txt': 'acme/web 1.2.3\n' };
  const found = ['versions.txt acme/web 1.2.3'];
  const inPackage = JSON.stringify({ renovate: older });
  expect(discover({ ...files, 'package.json': inPackage })).toEqual({ found, problems: [] });
  const text = `{ // comment
    customManagers: [{
      customType: 'regex', managerFilePatterns: ['**/*.{txt,md}'],
      matchStrings: ['(?<packageName>\\\\S+) (?<currentValue>\\\\S+)\\\\n'], datasourceTemplate: 'docker',
    },],
  }`;
  expect(discover({ ...files, 'renovate.json5': text })).toEqual({ found, problems: [] });
  expect(discover({ ...files, 'package.json': '{ "name": "acme" }' })).toEqual({ found: [], problems: [] });
});

test('only the first configuration is read', () => {
  const { patterns } = readRenovateConfig([
    { path: 'package.json', text: JSON.stringify({ renovate: { customManagers: [manager] } }) },
    { path: '.github/renovate.json', text: '{}' },
  ]);
  expect(patterns).toEqual([]);
});

test.each<[string, object, RegExp]>([
  [
    'a lookahead',
    { matchStrings: ['(?<depName>a)(?=b)(?<currentValue>c)'] },
    /^matchStrings\[0\] can't be used: a lookahead/,
  ],
  ['a backreference', { matchStrings: ['(?<depName>a)\\1(?<currentValue>c)'] }, /a backreference/],
  ['another strategy', { matchStringsStrategy: 'recursive' }, /matchStringsStrategy is recursive/],
  ['the type jsonata', { customType: 'jsonata' }, /type is jsonata/],
  ['no files', { managerFilePatterns: [] }, /no managerFilePatterns/],
  ['a negated file pattern', { managerFilePatterns: ['!/a/'] }, /negated/],
  ['no match strings', { matchStrings: [] }, /no matchStrings/],
  ['no version', { matchStrings: ['(?<depName>a)'] }, /no currentValue/],
  ['no name', { matchStrings: ['(?<currentValue>a)'] }, /no depName/],
  ['an unknown helper', { depNameTemplate: '{{#each a}}{{/each}}' }, /^depNameTemplate can't be used/],
  ['the state disabled', { enabled: false }, /disabled/],
])('a manager with %s is reported with its index', (_, change, message) => {
  const { patterns, problems } = readConfig({ customManagers: [manager, { ...manager, ...change }] });
  expect(patterns).toHaveLength(1);
  expect(problems).toEqual([
    { file: 'renovate.json', name: 'customManagers[1]', message: expect.stringMatching(message) },
  ]);
});

test('a manager whose versioning and extractVersion have no effect is read, and both fields are reported', () => {
  const { patterns, problems } = readConfig({
    customManagers: [
      { ...manager, versioningTemplate: 'loose', extractVersionTemplate: '^v(?<version>.*)$' },
    ],
  });
  expect(patterns).toHaveLength(1);
  expect(problems.map(({ message }) => message)).toEqual([
    "versioningTemplate isn't used.",
    "extractVersionTemplate isn't used.",
  ]);
});

test('presets that only read comments are supported, and other presets are reported', () => {
  const { patterns, problems } = readConfig({
    extends: [
      'config:recommended',
      'customManagers:dockerfileVersions',
      'customManagers:biomeVersions',
      'github>acme/renovate-config',
      'customManagers:helmChartYamlAppVersions',
    ],
  });
  expect(problems).toMatchObject([
    { name: 'extends[2]', message: expect.stringContaining('customManagers:biomeVersions') },
    { name: 'extends[3]', message: expect.stringContaining("isn't fetched") },
  ]);
  expect(patterns).toMatchObject([{ name: 'customManagers:helmChartYamlAppVersions' }]);
  const files = {
    'renovate.json': '{ "extends": ["customManagers:helmChartYamlAppVersions"] }',
    'chart/Chart.yaml':
      'apiVersion: v2\nname: web\nversion: 0.1.0\n# renovate: image=acme/web\nappVersion: "1.2.3"\n',
  };
  expect(discover(files).found).toEqual(['chart/Chart.yaml acme/web 1.2.3']);
});

test.each([
  ['a configuration that is not valid', '{ a: ', 'malformed', /isn't valid JSON5/],
  ['a list', '[]', 'malformed', /isn't an object/],
  ['a configuration that is too large', ' '.repeat(300_000), 'too_large', /too large/],
])('%s is reported, and counts as unread', (_, text, reason, message) => {
  expect(readConfig(text)).toEqual({
    patterns: [],
    ignores: null,
    problems: [{ file: 'renovate.json', name: 'renovate.json', message: expect.stringMatching(message) }],
    unread: { path: 'renovate.json', reason, message: expect.stringMatching(message) },
  });
});

test('a deeply nested configuration is reported or ignored without a failure', () => {
  const nested = `{ customManagers: ${'['.repeat(50_000)}${']'.repeat(50_000)} }`;
  const { patterns, problems } = readConfig(nested);
  expect(patterns).toEqual([]);
  expect(problems).toHaveLength(1);
});

test('the numbers of managers and problems are bounded', () => {
  const many = readConfig({ customManagers: Array.from({ length: 1_000 }, () => manager) });
  expect(many.patterns).toHaveLength(50);
  expect(many.problems).toMatchObject([{ name: 'customManagers[50]' }]);
  expect(readConfig({ customManagers: Array.from({ length: 1_000 }, () => 1) }).problems).toHaveLength(50);
  const files = Array.from({ length: 90 }, (_, at) => `${at}.txt`);
  const wide = readConfig({
    customManagers: Array.from({ length: 4 }, () => ({ ...manager, managerFilePatterns: files })),
  });
  expect(wide.patterns).toHaveLength(2);
  expect(wide.problems).toMatchObject([
    { name: 'customManagers[2]', message: 'The configuration has more than 200 file patterns.' },
    { name: 'customManagers[3]' },
  ]);
  const last = [...Array.from({ length: 200 }, () => 1), manager];
  expect(readConfig({ customManagers: last }).patterns).toEqual([]);
  expect(readConfig({ customManagers: last.slice(1) }).patterns).toHaveLength(1);
});

test.each([
  ['/(^|/)a\\.yaml$/', ['a.yaml', 'b/a.yaml'], ['a.yml', 'ba.yaml']],
  ['/A/i', ['a', 'A'], ['b']],
  ['**/*.{yaml,yml}', ['a.yaml', 'b/c/a.yml'], ['a.json']],
  ['*.txt', ['a.txt', 'A.TXT'], ['b/a.txt']],
  ['**/[Mm]akefile', ['Makefile', 'a/makefile'], ['xmakefile']],
  ['ci/**', ['ci/a', 'ci/a/b'], ['c/a']],
  ['a?.txt', ['ab.txt'], ['a.txt', 'a/.txt']],
])('the file pattern %s matches the same files as in Renovate', (text, matching, others) => {
  const read = readFilePattern(text);
  if (!read.ok) throw new Error(read.message);
  const paths = [{ syntax: 're2' as const, pattern: read.pattern }];
  const matcher = createPathMatcher([{ name: 'a', paths, patterns: [], templates: {} }]);
  expect(matching.filter((path) => matcher.match(path).length === 0)).toEqual([]);
  expect(others.filter((path) => matcher.match(path).length > 0)).toEqual([]);
});

describe('ignored versions', () => {
  function ignoredBy(
    config: object,
    path: string,
    name = 'acme/web',
    kind: Fact['artifact']['kind'] = 'image',
  ) {
    const { ignores } = readRenovateConfig([{ path: 'renovate.json', text: JSON.stringify(config) }]);
    return createRenovateIgnoreFinder(ignores)(path, { kind, name });
  }

  test.each([
    ['**/legacy/**', 'apps/legacy/web.yaml', true],
    ['**/legacy/**', 'legacy/web.yaml', true],
    ['**/legacy/**', 'apps/legacy.yaml', false],
    ['clusters/dev', 'clusters/dev/web.yaml', true],
    ['clusters/dev', 'old/clusters/dev-2/web.yaml', true],
    ['clusters/{dev,qa}/*.yaml', 'clusters/qa/web.yaml', true],
    ['clusters/{dev,qa}/*.yaml', 'clusters/qa/web/web.yaml', false],
    ['Legacy/**', 'legacy/web.yaml', false],
    ['.hidden/*', '.hidden/web.yaml', true],
    ['!(prod)/**', 'dev/web.yaml', false],
  ])('the ignorePaths entry %s ignores the versions in the file %s: %s', (entry, path, isIgnored) => {
    expect(ignoredBy({ ignorePaths: [entry] }, path)).toBe(
      isIgnored ? `renovate.json: ignorePaths contains ${entry}` : null,
    );
  });

  test.each([
    ['acme/web', 'image', 'acme/web', true],
    ['docker.io/acme/web', 'image', 'acme/web', true],
    ['acme/web', 'image', 'docker.io/acme/web', true],
    ['nginx', 'image', 'docker.io/library/nginx', true],
    ['docker.io/library/nginx', 'image', 'nginx', true],
    ['nginx', 'image', 'ghcr.io/acme/nginx', false],
    ['docker.io/ghcr.io/acme/web', 'image', 'ghcr.io/acme/web', false],
    ['hashicorp/aws', 'terraform_provider', 'registry.terraform.io/hashicorp/aws', true],
    ['aws', 'terraform_provider', 'hashicorp/aws', true],
    ['actions/checkout', 'action', 'github.com/actions/checkout', true],
    ['web', 'image', 'acme/web', false],
  ] as const)(
    'the ignoreDeps entry %s ignores the versions of the %s %s: %s',
    (entry, kind, name, isIgnored) => {
      expect(ignoredBy({ ignoreDeps: [entry] }, 'a.yaml', name, kind)).toBe(
        isIgnored ? `renovate.json: ignoreDeps contains ${entry}` : null,
      );
    },
  );

  const rule = (matchers: object, enabled = false) => ({ ...matchers, enabled });

  test.each([
    [[rule({ matchPackageNames: ['acme/web'] })], true],
    [[rule({ matchPackageNames: ['acme/api', 'acme/*'] })], true],
    [[rule({ matchDepNames: ['/^acme\\/w/'] })], true],
    [[rule({ matchPackageNames: ['acme'] })], false],
    [[rule({ matchPackagePatterns: ['web$'] })], true],
    [[rule({ matchFileNames: ['clusters/dev/**'] })], true],
    [[rule({ matchFileNames: ['clusters/prod/**'] })], false],
    [[rule({ matchPackageNames: ['acme/web'], matchFileNames: ['clusters/prod/**'] })], false],
    [[rule({ matchPackageNames: ['acme/**'] }), rule({ matchPackageNames: ['acme/web'] }, true)], false],
    [[rule({ matchPackageNames: ['acme/web'] }, true)], false],
    [[{ matchPackageNames: ['acme/web'], groupName: 'web' }], false],
  ])('the packageRules %j ignore the version: %s', (packageRules, isIgnored) => {
    expect(ignoredBy({ packageRules }, 'clusters/dev/web.yaml')).toBe(
      isIgnored ? 'renovate.json: packageRules[0] disables it' : null,
    );
  });

  test('package rules without a supported matcher are reported and ignore nothing', () => {
    const packageRules = [
      rule({ matchPackageNames: ['acme/web'], matchUpdateTypes: ['major'] }),
      rule({ matchPackageNames: ['!acme/web'] }),
      rule({}),
      { matchUpdateTypes: ['minor'], automerge: true },
    ];
    const text = JSON.stringify({ packageRules });
    expect(readRenovateConfig([{ path: 'renovate.json', text }])).toMatchObject({
      ignores: null,
      problems: [
        { name: 'packageRules[0]', message: "It isn't used: matchUpdateTypes isn't supported." },
        { name: 'packageRules[1]', message: expect.stringContaining('!acme/web') },
        { name: 'packageRules[2]', message: "It isn't used: it has no matcher." },
      ],
    });
  });

  test('entries that are not valid are reported, and the others apply', () => {
    const config = { ignorePaths: [1, '', '!(prod)/**', 'dev/'], ignoreDeps: 'nginx' };
    const { ignores, problems } = readRenovateConfig([
      { path: '.github/renovate.json', text: JSON.stringify(config) },
    ]);
    expect(ignores?.paths.map(({ text }) => text)).toEqual(['!(prod)/**', 'dev/']);
    expect(problems.map(({ name }) => name)).toEqual([
      'ignorePaths[0]',
      'ignorePaths[1]',
      'ignorePaths[2]',
      'ignoreDeps',
    ]);
    const many = { ignorePaths: Array.from({ length: 201 }, (_, index) => `${index}/`) };
    const cut = readRenovateConfig([{ path: 'renovate.json', text: JSON.stringify(many) }]);
    expect(cut.ignores?.paths).toHaveLength(200);
    expect(cut.problems).toMatchObject([{ name: 'ignorePaths' }]);
    expect(readRenovateConfig([{ path: 'renovate.json', text: '{}' }]).ignores).toBeNull();
  });
});
