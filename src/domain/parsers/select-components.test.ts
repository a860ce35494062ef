import { describe, expect, test } from 'vitest';
import { formatPurl, parsePurl } from '../artifacts/purl.ts';
import {
  type ComponentSelection,
  componentName,
  findComponent,
  indexComponents,
  purlProblem,
  selectComponents,
} from './select-components.ts';

const component = (
  name: string,
  version: string | null,
  purl: string | null = null,
  group: string | null = null,
) => ({
  name,
  version,
  purl,
  group,
});

const find = (components: ReturnType<typeof component>[], selection: ComponentSelection) =>
  findComponent(indexComponents(components), selection);

describe('a component', () => {
  test.each([
    ['pkg:maven/org.apache/log4j-core', 'pkg:maven/org.apache/log4j-core@2.20.0?type=jar'],
    ['pkg:npm/%40angular/core', 'pkg:npm/%40angular/core@17.0.0'],
    ['pkg:npm/@angular/core', 'pkg:npm/%40angular/core@17.0.0'],
    ['pkg:docker/library/nginx', 'pkg:oci/nginx@1.25.3?repository_url=docker.io/library/nginx'],
    ['pkg:golang/github.com/acme/web', 'pkg:golang/github.com/acme/web@v1.0.0#cmd/web'],
  ])('is found by the package URL %s if its own is %s', (purl, written) => {
    const { version } = parsePurl(written)!;
    expect(find([component('x', null, written)], { purl })).toMatchObject({
      status: 'found',
      version,
      choice: null,
    });
  });

  test.each([
    ['pkg:npm/core', 'pkg:npm/%40angular/core@17.0.0'],
    ['pkg:npm/lodash', 'pkg:pypi/lodash@1.0.0'],
    ['pkg:npm/lodash', 'pkg:npm/lodash-es@4.0.0'],
    ['pkg:npm/lodash', '%pkg:npm/lodash@1'],
  ])('is not found by the package URL %s if its own is %s', (purl, written) => {
    expect(find([component('lodash', '1.0.0', written)], { purl })).toEqual({ status: 'not_found' });
  });

  test('is found by its exact name and group', () => {
    const components = [component('core', '1.0.0', null, 'a'), component('core', '2.0.0')];
    const versionOf = (selection: ComponentSelection) => find(components, selection);
    expect(versionOf({ name: 'core', group: 'a' })).toMatchObject({ version: '1.0.0' });
    expect(versionOf({ name: 'core', group: null })).toMatchObject({ version: '2.0.0' });
    expect(versionOf({ name: 'core', group: 'b' })).toEqual({ status: 'not_found' });
    expect(versionOf({ name: 'Core', group: null })).toEqual({ status: 'not_found' });
  });

  test.each([
    [['4.17.21', '4.17.20', '4.17.21', '4.17.4'], '4.17.4', 'lowest', ['4.17.21', '4.17.20']],
    [['1.10.0', '1.9.0'], '1.9.0', 'lowest', ['1.10.0']],
    [['main', '1.9.0'], 'main', 'first', ['1.9.0']],
    [['1.0.0', '1.0.0'], '1.0.0', null, []],
    [['1.0.0', null, 'a\nb'], '1.0.0', null, []],
  ])('with the versions %j has the version %s (%s)', (versions, version, choice, otherVersions) => {
    const found = find(
      versions.map((each) => component('lodash', each)),
      { name: 'lodash', group: null },
    );
    expect(found).toEqual({ status: 'found', version, choice, otherVersions, purl: null });
  });

  test('has at most 20 other versions', () => {
    const components = Array.from({ length: 50 }, (_, index) => component('lodash', `${index + 1}.0.0`));
    const found = find(components, { name: 'lodash', group: null });
    expect(found).toMatchObject({ version: '1.0.0', otherVersions: { length: 20 } });
  });

  test.each([null, '', ' ', 'x'.repeat(257), 'a\nb', '\uD800'])(
    'has no version if the document has the version %j',
    (version) => {
      const found = find([component('lodash', version)], { name: 'lodash', group: null });
      expect(found).toEqual({ status: 'no_version', problem: expect.stringMatching(/version/) });
    },
  );

  test('selected by its name has the package URL of the document, without a version', () => {
    const components = [component('lodash', '4.17.21', 'pkg:npm/lodash@4.17.21')];
    expect(find(components, { name: 'lodash', group: null })).toMatchObject({
      purl: 'pkg:npm/lodash',
    });
  });
});

test('a selection has a name that does not depend on the document', () => {
  expect(componentName({ purl: 'pkg:maven/org.apache/log4j-core' })).toBe('org.apache/log4j-core');
  expect(componentName({ purl: 'pkg:npm/%40angular/core' })).toBe('@angular/core');
  expect(componentName({ name: 'core', group: '@angular' })).toBe('@angular/core');
  expect(componentName({ name: 'lodash', group: null })).toBe('lodash');
});

test.each([
  ['pkg:npm/lodash', null],
  ['pkg:npm/lodash@4.17.21', 'must not have a version'],
  ['lodash', "isn't a package URL"],
  ['pkg:npm', "isn't a package URL"],
  [`pkg:npm/${'a'.repeat(1_000)}`, "isn't a package URL"],
])('the package URL %s has the problem %s', (text, problem) => {
  if (problem === null) expect(purlProblem(text)).toBeNull();
  else expect(purlProblem(text)).toContain(problem);
});

test('an invalid document has a problem, and no components', () => {
  expect(selectComponents({ text: '{}', selections: [] })).toMatchObject({ ok: false });
});

test('50 of 20,000 components can be selected', () => {
  const components = Array.from({ length: 20_000 }, (_, index) => ({
    name: `package-${index}`,
    purl: formatPurl({
      type: 'npm',
      namespace: [],
      name: `package-${index}`,
      version: '1.0.0',
      qualifiers: [],
    }),
  }));
  const text = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components });
  const selections = Array.from({ length: 50 }, (_, index) => ({ purl: `pkg:npm/package-${index}` }));
  const selected = selectComponents({ text, selections });
  expect(selected.ok && selected.components.every(({ status }) => status === 'found')).toBe(true);
});

test('fifty selections among thousands of components with equal names take a short time', () => {
  const components = Array.from({ length: 1_640 }, () => ({ name: 'a', purl: 'pkg:a/a' }));
  const text = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components });
  const selections = Array.from({ length: 50 }, (_, index) => ({ purl: `pkg:a/${index}/a` }));
  const before = process.cpuUsage();
  const selected = selectComponents({ text, selections });
  const { user, system } = process.cpuUsage(before);
  expect(selected).toEqual({ ok: true, components: selections.map(() => ({ status: 'not_found' })) });
  // Comparing each selection with each component took half a second.
  expect((user + system) / 1_000).toBeLessThan(200);
});
