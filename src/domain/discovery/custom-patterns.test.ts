import { expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import {
  type CustomExtractor,
  checkCustomExtractor,
  createPathMatcher,
  toCustomPattern,
} from './custom-patterns.ts';
import { parseTemplate } from './pattern-template.ts';
import { previewFiles } from './preview-files.ts';

const images: CustomExtractor = {
  name: 'images',
  path: '*.libsonnet',
  pattern: "'(?P<artifact>[^':]+):(?P<version>[^']+)'",
  templates: { source_type: 'oci_registry' },
};

function find(extractors: readonly Partial<CustomExtractor>[], files: Readonly<Record<string, string>>) {
  return previewFiles({
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    labelRules: [],
    customExtractors: extractors.map((extractor) => ({ ...images, ...extractor })),
    aliases: [],
  });
}

test('a pattern finds all versions of a file, with their lines and sources', () => {
  const text = "{\n  web: 'ghcr.io/acme/web:1.2.3',\n  api: 'acme/api:2.0.0', db: 'postgres:latest',\n}\n";
  const { items } = find([{}], { 'lib/a.libsonnet': text, 'lib/b.jsonnet': text });
  expect(
    items.map(({ artifact, proposal, version, reason, place }) => [
      place.line,
      artifact.name,
      proposal && `${proposal.source_type} ${proposal.artifact_name}`,
      version,
      reason,
    ]),
  ).toEqual([
    [2, 'ghcr.io/acme/web', 'oci_registry ghcr.io/acme/web', '1.2.3', null],
    [3, 'acme/api', 'oci_registry docker.io/acme/api', '2.0.0', null],
    [3, 'postgres', 'oci_registry docker.io/library/postgres', 'latest', 'floating'],
  ]);
  expect(items[0]).toMatchObject({
    extractor: 'custom',
    key: 'custom::::ghcr.io/acme/web',
    note: 'found by images',
    proposal: { confidence: 'certain' },
  });
});

test.each<[Record<string, string>, string | null, string, string | null]>([
  [{ source_type: 'github_releases' }, 'github_releases github.com/acme/tool', 'acme/tool', null],
  [
    { source_type: 'gitlab_releases', registry: 'git.example.org' },
    'gitlab_releases git.example.org/acme/tool',
    'acme/tool',
    null,
  ],
  [
    { source_type: 'git_tags', registry: 'https://git.example.org' },
    'git_tags https://git.example.org/acme/tool',
    'acme/tool',
    null,
  ],
  [
    { source_type: 'helm_repository', registry: 'charts.example.org/stable' },
    'helm_repository charts.example.org/stable/redis',
    'redis',
    null,
  ],
  [{ datasource: 'github-tags' }, 'github_releases github.com/acme/tool', 'acme/tool', null],
  [{ datasource: 'docker' }, 'oci_registry docker.io/acme/tool', 'acme/tool', null],
  [
    { source_type: 'oci_registry', registry: 'https://ghcr.io' },
    'oci_registry ghcr.io/acme/tool',
    'acme/tool',
    null,
  ],
  [
    { source_type: 'oci_registry', registry: 'ghcr.io' },
    'oci_registry ghcr.io/acme/tool',
    'ghcr.io/acme/tool',
    null,
  ],
  [{ source_type: 'github_releases' }, 'github_releases github.com/acme/tool', 'github.com/acme/tool', null],
  [
    { datasource: 'docker', registryUrl: 'https://quay.io/' },
    'oci_registry quay.io/acme/tool',
    'acme/tool',
    null,
  ],
  [
    { datasource: 'docker', registryUrl: 'https://quay.io' },
    'oci_registry quay.io/acme/tool',
    'quay.io/acme/tool',
    null,
  ],
  [
    { datasource: 'docker', registryUrl: 'https://index.docker.io' },
    'oci_registry docker.io/acme/tool',
    'acme/tool',
    null,
  ],
  [{ datasource: 'npm' }, null, 'acme/tool', 'unsupported_source'],
  [{}, null, 'acme/tool', 'no_source'],
])('the source of a pattern with the templates %j is %s', (templates, source, name, reason) => {
  const pattern = '(?m)^(?P<artifact>\\S+) (?P<version>\\S+)$';
  const { items } = find([{ pattern, templates, path: 'versions.txt' }], {
    'versions.txt': `${name} 1.2.3\n`,
  });
  expect(items).toMatchObject([{ version: '1.2.3', reason }]);
  const { proposal } = items[0]!;
  expect(proposal && `${proposal.source_type} ${proposal.artifact_name}`).toBe(source);
});

test('groups and templates set labels, which override guesses', () => {
  const pattern = "(?P<label_stage>\\w+): '(?P<artifact>[^':]+):(?P<version>[^']+)'";
  const templates = { source_type: 'oci_registry', label_service: 'shop-{{label_stage}}' };
  const { items } = find([{ pattern, templates }], { 'prod/a.libsonnet': "web: 'acme/web:1.0.0'\n" });
  expect(items).toMatchObject([{ labels: { environment: 'prod', stage: 'web', service: 'shop-web' } }]);
});

test('one artifact with different labels is a separate item with a separate key for each set of labels', () => {
  const pattern = "(?P<label_stage>\\w+) (?P<label_area>\\w+): '(?P<artifact>[^':]+):(?P<version>[^']+)'";
  const text = "prod eu: 'acme/web:1.0.0'\nprod us: 'acme/web:1.0.0'\n";
  const { items } = find([{ pattern }], { 'apps/a.libsonnet': text });
  expect(items.map(({ key, version, labels }) => [key, version, labels['area'], labels['service']])).toEqual([
    ['custom:::eu, prod:acme/web', '1.0.0', 'eu', undefined],
    ['custom:::us, prod:acme/web', '1.0.0', 'us', undefined],
  ]);
});

test('a version without a source does not replace another one on its line', () => {
  const pattern = {
    path: '*.sh',
    pattern: 'VERSION=(?P<version>\\S+)',
    templates: { artifact: 'acme/web' },
  };
  const comment = '# renovate: datasource=npm depName=acme\nVERSION=1.2.3\n';
  expect(find([pattern], { 'a.sh': comment }).items).toMatchObject([{ extractor: 'annotated' }]);
});

test('a match without an artifact or a valid source type is reported', () => {
  const pattern = '(?P<artifact>\\w*)=(?P<version>\\S+) (?P<source_type>\\w+)';
  const { items, problems } = find([{ pattern, templates: {} }], {
    'a.libsonnet': '=1.0.0 git_tags\nweb=1.0.0 http_json\n',
  });
  expect(items).toEqual([]);
  expect(problems).toMatchObject([
    { line: 1, reason: 'invalid' },
    { line: 2, reason: 'invalid' },
  ]);
});

test('a line that another extractor reads with a source keeps the version of that extractor', () => {
  const any = { path: '*', pattern: 'image: (?P<artifact>[^:\\s]+):(?P<version>\\S+)' };
  const compose = 'services:\n  web:\n    image: acme/web:1.2.3\n';
  expect(find([any], { 'compose.yaml': compose }).items).toMatchObject([
    { extractor: 'compose', version: '1.2.3' },
  ]);
  const value = {
    path: '*.sh',
    pattern: 'VERSION=(?P<version>\\S+)',
    templates: { artifact: 'acme/web', source_type: 'github_releases' },
  };
  const comment = '# renovate: datasource=npm depName=acme\nVERSION=1.2.3\n';
  expect(find([value], { 'a.sh': comment }).items).toMatchObject([
    { extractor: 'custom', proposal: { source_type: 'github_releases' } },
  ]);
});

test('a file whose pattern finds nothing is reported', () => {
  expect(find([{}], { 'a.libsonnet': '{}\n' }).silentFiles).toEqual([
    { kind: 'custom', reason: 'no_version', count: 1, examples: ['a.libsonnet'] },
  ]);
  expect(find([{ path: '*.txt' }], { 'a.txt': 'x\n' }).silentFiles).toEqual([
    { kind: 'custom', reason: 'no_version', count: 1, examples: ['a.txt'] },
  ]);
});

test.each<[Partial<CustomExtractor>, string, RegExp]>([
  [{ path: '!a' }, 'path', /must be a path pattern/],
  [{ pattern: '(?P<artifact>a)(?=b)(?P<version>c)' }, 'pattern', /^a lookahead .* isn't supported by RE2/],
  [{ pattern: '(' }, 'pattern', /missing closing/],
  [{ pattern: '(?P<version>.)' }, 'pattern', /needs a group \(\?P<artifact>…\)/],
  [{ pattern: '(?P<artifact>.)' }, 'pattern', /needs a group \(\?P<version>…\)/],
  [{ templates: { color: 'red' } }, 'templates.color', /isn't a field; use one of: artifact, /],
  [{ templates: { source_type: 'npm' } }, 'templates.source_type', /must be one of: github_releases, /],
  [{ templates: { registry: '{{host}}' } }, 'templates.registry', /the pattern has no group/],
  [{ templates: { registry: '{{#if artifact}}' } }, 'templates.registry', /isn't closed/],
])('the pattern %j is rejected at %s', (change, field, message) => {
  expect(checkCustomExtractor({ ...images, ...change })).toEqual({
    field,
    message: expect.stringMatching(message),
  });
});

test('a valid pattern is accepted, including one with the group names of Renovate', () => {
  expect(checkCustomExtractor(images)).toBeNull();
  const pattern = '(?P<depName>a)(?P<x>b)';
  const templates = { currentValue: '{{{x}}}', datasource: 'docker' };
  expect(checkCustomExtractor({ ...images, pattern, templates })).toBeNull();
});

test('templates support values, conditions, and the common helpers', () => {
  const values = new Map(Object.entries({ a: 'Acme/Web', empty: '' }));
  const render = (text: string) => {
    const parsed = parseTemplate(text);
    return parsed.ok ? parsed.template.render(values) : parsed.message;
  };
  expect(render('x/{{{a}}}-{{ a }}')).toBe('x/Acme/Web-Acme/Web');
  expect(render('{{#if a}}{{{a}}}{{else}}none{{/if}}')).toBe('Acme/Web');
  expect(render('{{#if empty}}{{{a}}}{{else}}none{{/if}}')).toBe('none');
  expect(render('{{{lowercase a}}} {{{encodeURIComponent a}}}')).toBe('acme/web Acme%2FWeb');
  expect(render("{{{replace '[A-Z]' '-' a}}}")).toBe('-cme/-eb');
  expect(render('{{unknown}}')).toBe('');
  expect(render('{{#each a}}{{/each}}')).toMatch(/not supported/);
  expect(render("{{split a '/'}}")).toMatch(/not supported/);
  expect(render("{{replace '(?=a)' '' a}}")).toMatch(/lookahead/);
});

test('the number of compared paths is limited, and the matcher reports that the limit was reached', () => {
  const own = Array.from({ length: 20 }, () => toCustomPattern({ ...images, path: '*.nothing' }));
  const matcher = createPathMatcher(own);
  for (let at = 0; at < 50_001; at++) matcher.match('a/b.txt');
  expect(matcher.isCut()).toBe(true);
  expect(createPathMatcher([]).isCut()).toBe(false);
});

test('a file that only a custom pattern can read yields no items without the pattern', () => {
  expect(discoverFiles({ 'a.libsonnet': "'acme/web:1.0.0'\n" }).items).toEqual([]);
});
