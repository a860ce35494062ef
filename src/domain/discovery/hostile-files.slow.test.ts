import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { readCodeOwners } from './code-owners.ts';
import { decodeText } from './decode-text.ts';
import { extractFile, toFilePath } from './extract-file.ts';
import { maxDocuments, maxFactsPerFile, maxFileBytes } from './scan-limits.ts';

/** Returns the facts of a file and the problems, which include exceeded limits. */
function read(path: string, text: string) {
  return extractFile(toFilePath(path), text);
}

const pod = (image: string) =>
  `apiVersion: v1\nkind: Pod\nspec: { containers: [{ name: a, image: "${image}" }] }\n`;

describe('limits on files that are designed to be slow or large', () => {
  test('limit the facts of exponentially nested aliases, and report a problem', () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(', ')}]`,
    );
    const bomb = `a0: &a0 { image: { repository: acme/web, tag: "1" } }\n${levels.join('\n')}\n`;
    const { facts, problems } = read('values.yaml', bomb);
    expect(facts.length).toBeLessThanOrEqual(maxFactsPerFile);
    expect(problems).toMatchObject([{ reason: 'too_large' }]);
  });

  test('limit the size of facts with deeply nested long names, which remain distinct', () => {
    const levels = Array.from({ length: 80 }, (_, at) => `${' '.repeat(at)}${'k'.repeat(190)}:\n`);
    const images = Array.from(
      { length: 1_000 },
      (_, at) => `${' '.repeat(80)}a${at}: {image: "x:1.${at}"}\n`,
    );
    const { facts } = read('values.yaml', [...levels, ...images].join(''));
    expect(facts).toHaveLength(1_000);
    expect(new Set(facts.map(({ place }) => place.field)).size).toBe(1_000);
    expect(JSON.stringify(facts).length).toBeLessThan(2_000_000);
  });

  test('handle a Dockerfile that contains only empty lines', () => {
    expect(read('Dockerfile', '\n'.repeat(300_000)).problems).toMatchObject([{ reason: 'malformed' }]);
  });

  test('limit a long chain of services that extend each other', () => {
    const services = Array.from(
      { length: 3_000 },
      (_, at) => `  s${at}: { extends: { service: s${at + 1} } }\n`,
    );
    const start = process.threadCpuUsage();
    const { facts } = read('compose.yaml', `services:\n${services.join('')}  s3000: { image: web:1.0 }\n`);
    expect(process.threadCpuUsage(start).user).toBeLessThan(3_000_000);
    expect(facts.filter(({ version }) => version === '1.0').length).toBeLessThanOrEqual(21);
  });

  test.each([
    ['lines that end with a backslash', 'helm upgrade \\\n'],
    ['quotes that are not closed', 'helm upgrade a oci://a/b "$(\n'],
    ['variables', 'A_VERSION=1.2.3; curl https://a/b"$A_VERSION"a${A_VERSION\n'],
    ['options', '--version helm\n'],
    ['no line break', 'helm upgrade "$A" {{ $( '],
    ['assignments that refer to each other', 'A_VERSION="$A_VERSION$A_VERSION"\n'],
  ])('handle a script of the maximum size with %s within 10 seconds of processor time', (_, atom) => {
    const text = atom.repeat(Math.floor(maxFileBytes / atom.length));
    const start = process.threadCpuUsage();
    for (const path of ['deploy.sh', 'Makefile', 'Justfile']) read(path, text);
    expect(process.threadCpuUsage(start).user).toBeLessThan(10_000_000);
  });

  test('handle thousands of duplicate keys within 10 seconds of processor time', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `  k${at}: {}\n`).join('');
    const start = process.threadCpuUsage();
    const { problems } = read('compose.yaml', `services:\n${keys}${keys}`);
    expect(process.threadCpuUsage(start).user).toBeLessThan(10_000_000);
    expect(problems.length).toBeGreaterThan(0);
  });

  test.each([
    ['the same value', () => 'v'],
    ['another value', (at: number) => `v${at}`],
  ])(
    'handle a template in which each resource looks up %s in a mapping with thousands of rows',
    (_, keyOf) => {
      const rows = Array.from({ length: 20_000 }, (_, at) => `"r${at}":{"v":"1.3"}`).join(',');
      const resources = Array.from(
        { length: 4_000 },
        (_, at) =>
          `"e${at}":{"Type":"AWS::EKS::Cluster","Properties":{"Version":{"Fn::FindInMap":["M",{"Ref":"R"},"${keyOf(at)}"]}}}`,
      ).join(',');
      const start = process.threadCpuUsage();
      const { facts } = read(
        'cloudformation/stack.json',
        `{"Mappings":{"M":{${rows}}},"Resources":{${resources}}}`,
      );
      expect(process.threadCpuUsage(start).user).toBeLessThan(3_000_000);
      expect(facts.length).toBe(4_000);
    },
  );

  test('handle many helmfiles that each inherit the same large values many times', () => {
    const values = Array.from({ length: 900 }, (_, at) => `        - { v${at}version: 1.0.${at} }\n`).join(
      '',
    );
    const base = `---\nenvironments:\n  default:\n    values:\n${values}`.repeat(10);
    const helmfile = `bases: [${Array(100).fill('../base.yaml').join(', ')}]
releases: [{ name: web, chart: bitnami/web, version: "{{ .Values.v7version }}" }]
`;
    const helmfiles = Array.from({ length: 40 }, (_, at) => [`d${at}/helmfile.yaml`, helmfile] as const);
    const start = process.threadCpuUsage();
    const { items } = discoverFiles({ 'base.yaml': base, ...Object.fromEntries(helmfiles) });
    expect(process.threadCpuUsage(start).user).toBeLessThan(10_000_000);
    expect(items.filter(({ version }) => version === '1.0.7').length).toBeGreaterThan(0);
  });

  test('handle values that repeat a long text thousands of times, and report a problem', () => {
    const text = '  - { image: "acme/web:1.0" }\n'.repeat(3_000);
    const start = process.threadCpuUsage();
    const { problems } = read('values.yaml', `a: &a |\n${text}b: [${'*a, '.repeat(20_000)}*a]\n`);
    expect(process.threadCpuUsage(start).user).toBeLessThan(10_000_000);
    expect(problems).toMatchObject([{ reason: 'too_large' }]);
  });

  test('handle a map with thousands of images whose tags are in separate keys', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `w${at}Image: acme/w\nw${at}Tag: "1.${at}"\n`);
    const start = process.threadCpuUsage();
    const { facts } = read('values.yaml', keys.join(''));
    expect(process.threadCpuUsage(start).user).toBeLessThan(10_000_000);
    expect(facts.length).toBe(5_000);
  });

  test('handle a kustomization that lists one file thousands of times in different spellings', () => {
    const images = Array.from({ length: 2_000 }, (_, at) => pod(`acme/a${at}:1.0`)).join('---\n');
    const resources = Array.from({ length: 2_000 }, (_, at) => `- ${'./'.repeat(at % 50)}a.yaml\n`).join('');
    const start = process.threadCpuUsage();
    const { items } = discoverFiles({
      'kustomization.yaml': `kind: Kustomization\nresources:\n${resources}images: [{ name: acme/a1, newTag: "2.0" }]\n`,
      'a.yaml': images,
    });
    expect(process.threadCpuUsage(start).user).toBeLessThan(10_000_000);
    expect(items.length).toBeGreaterThan(1_000);
  });

  test('the name of an image is limited to 255 characters', () => {
    const { facts } = read('compose.yaml', `services: { web: { image: "${'a'.repeat(900_000)}:1.0" } }`);
    for (const { artifact } of facts) expect(artifact.name.length).toBeLessThanOrEqual(255);
  });

  test('a recursive alias is reported as too_large', () => {
    const { problems } = read(
      'values.yaml',
      'a: &a { image: { repository: acme/web, tag: "1" }, again: *a }\n',
    );
    expect(problems).toMatchObject([{ reason: 'too_large' }]);
  });

  test('excessive nesting is reported as a problem', () => {
    const { facts, problems } = read('values.yaml', `image: ${'['.repeat(50_000)}`);
    expect(facts).toEqual([]);
    expect(problems).toMatchObject([{ reason: 'too_large' }]);
    expect(read('main.tf', `a "b" {\n${'x = {\n'.repeat(50_000)}`).problems).toMatchObject([
      { reason: 'malformed' },
    ]);
    expect(read('mise.toml', `tools = ${'['.repeat(50_000)}`).problems).toMatchObject([
      { reason: 'malformed' },
    ]);
  });

  test('documents beyond the maximum are reported, but documents without deployed software do not count towards it', () => {
    const { facts, problems } = read('pods.yaml', `---\n${pod('acme/web:1')}`.repeat(maxDocuments + 500));
    expect(facts.length).toBe(1);
    expect(problems).toMatchObject([
      { reason: 'too_large', message: expect.stringContaining(String(maxDocuments)) },
    ]);
    const empty = read('pods.yaml', '---\na: 1\n'.repeat(5 * maxDocuments) + `---\n${pod('acme/web:1')}`);
    expect(empty.facts).toHaveLength(1);
    expect(empty.problems).toEqual([]);
  });

  test('versions beyond the maximum per file are reported as too_large', () => {
    const services = Array.from(
      { length: maxFactsPerFile + 10 },
      (_, at) => `  s${at}: { image: "acme/web:1.${at}" }`,
    );
    const { facts, problems } = read('compose.yaml', `services:\n${services.join('\n')}\n`);
    expect(facts).toHaveLength(maxFactsPerFile);
    expect(problems).toMatchObject([{ reason: 'too_large' }]);
  });

  test.each([
    ['compose.yaml', `services: { web: { image: "${'${A:-'.repeat(100_000)}" } }`],
    ['compose.yaml', `services: { web: { image: "${'a:'.repeat(250_000)}" } }`],
    ['helmfile.yaml', '{{'.repeat(400_000)],
    ['helmfile.yaml', '{{ }} '.repeat(150_000)],
    ['values.yaml', `image: "${' '.repeat(maxFileBytes - 100)}"`],
    ['values.yaml', `${'- '.repeat(90)}image: a`],
    ['values.yaml', Array.from({ length: 60_000 }, (_, at) => `image${at}: a:1`).join('\n')],
    ['Dockerfile', 'FROM a:1\nRUN <<A <<B <<C\n'.repeat(30_000)],
    ['Dockerfile', 'FROM \\\n'.repeat(150_000)],
    [
      'Dockerfile',
      Array.from({ length: 15_000 }, (_, at) => `FROM s${at} AS s${at + 1}\nARG A${at}=$B\n`).join(''),
    ],
    ['Dockerfile', `FROM a\nRUN ${'https://get.helm.sh/helm-'.repeat(20_000)}`],
    ['Dockerfile', `FROM a\n${'RUN https://github.com/$A/b/releases/download/$B/c\n'.repeat(8_000)}`],
    [
      '.github/workflows/ci.yml',
      `uses: a\nenv: { ${Array.from({ length: 30_000 }, (_, at) => `A${at}: 1`).join(', ')} }`,
    ],
    [
      '.github/workflows/ci.yml',
      `env: { ${Array.from({ length: 5_000 }, (_, at) => `A${at}: 1`).join(', ')} }\njobs: { a: { steps: [${'{ uses: a/setup-b@v1, with: { version: "${{ env.A4999 }}" } }, '.repeat(5_000)}] } }`,
    ],
    ['Dockerfile', `FROM ${'$A'.repeat(200_000)}`],
    [
      'traefik.toml',
      Array.from(
        { length: 8_000 },
        (_, at) =>
          `--experimental.plugins.a${at}.moduleName=github.com/a/b --experimental.plugins.a${at}.version=v1.0.0\n`,
      ).join(''),
    ],
    ['traefik.toml', `experimental\n${`${'a: { moduleName: b }'.repeat(45)}\n`.repeat(800)}`],
    [
      'execution-environment.yml',
      `dependencies: { python: [${Array.from({ length: 30_000 }, (_, at) => `a${at}==1.0`).join(', ')}] }`,
    ],
    ['main.tf', '"${'.repeat(200_000)],
    ['main.tf', '<<A\n'.repeat(200_000)],
    ['main.tf', '/*'.repeat(400_000)],
    ['main.tf', 'a = ['.repeat(200_000)],
    ['.tool-versions', 'a '.repeat(400_000)],
    [
      '.github/workflows/a.yml',
      `jobs: { a: { steps: [{ uses: "${'a/'.repeat(300_000)}@v1" }] } } # ${'# '.repeat(100_000)}`,
    ],
    ['kustomization.yaml', `resources: ["https://${'a/'.repeat(300_000)}?${'ref=&'.repeat(50_000)}"]`],
  ])('the facts of %s do not exceed the maximum in case %#', (path, text) => {
    const { facts } = read(path, text);
    expect(facts.length).toBeLessThanOrEqual(maxFactsPerFile);
  });

  test('variables that double in length stay templated and keep facts small', () => {
    const doubling = Array.from({ length: 60 }, (_, at) => `ARG V${at + 1}=${'${V'}${at}}${'${V'}${at}}`);
    const { facts } = read(
      'Dockerfile',
      `ARG V0=xxxx\n${doubling.join('\n')}\nFROM a:${'${V60}'}\nFROM b:$V1\n`,
    );
    expect(facts.map(({ version, reason }) => [version, reason])).toEqual([
      [expect.stringMatching(/^[$]\{V\d+\}/), 'templated'],
      ['xxxxxxxx', 'floating'],
    ]);
    expect(JSON.stringify(facts).length).toBeLessThan(20_000);
  });

  test('a workflow variable with thousands of lines yields fewer than 500 facts', () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => `    1.${at}\n`).join('');
    const step = `      - uses: a/setup-b@v1\n        with: { version: "${'${{ env.A }}'.repeat(100)}" }\n`;
    const { facts } = read(
      '.github/workflows/ci.yml',
      `env:\n  A: |\n${lines}jobs:\n  a:\n    steps:\n${step.repeat(50)}`,
    );
    expect(facts.length).toBeLessThan(500);
  });

  test('a Renovate comment can have the name of a built-in object property as its data source', () => {
    const names = ['constructor', '__proto__', 'toString'];
    const comments = names.map(
      (name) => `# renovate: datasource=${name} depName=tool\nENV A_${name}=1.0.0\n`,
    );
    const { items } = discoverFiles({ Dockerfile: `FROM acme/web:1.2.3\n${comments.join('')}` });
    expect(items.map(({ artifact }) => artifact.name)).toEqual(['acme/web', 'tool', 'tool', 'tool']);
  });

  test('a CODEOWNERS file with thousands of owners, sections, and wildcards is read within limits', () => {
    const sections = (count: number, each: (at: number) => string) =>
      readCodeOwners(Array.from({ length: count }, (_, at) => `[${at}]\n${each(at)}\n`).join(''));
    const paths = Array.from({ length: 50 }, (_, at) => `a/b/c/d/e/f/g/h${at}/Dockerfile`);
    const tooLong = '@x'.repeat(150);
    for (const [ownerOf, expected] of [
      [sections(2_000, (at) => (at < 1_500 ? `* ${tooLong}` : '* @acme')), null],
      [sections(2_000, () => `* @acme${' @a'.repeat(150)}`), 'acme, a'],
      [sections(2_000, (at) => `/${'**/'.repeat(8)}${at}`), null],
      [sections(150_000, () => ''), null],
    ] as const)
      expect(new Set(paths.map(ownerOf))).toEqual(new Set([expected]));
  });

  test('hundreds of releases are linked to thousands of repositories with the same name', () => {
    const many = <T>(make: (at: number) => T) => Array.from({ length: 1_900 }, (_, at) => make(at));
    const repository = (at: number) =>
      `apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: { name: a, namespace: n${at} }\nspec: { url: "https://charts.example.org" }\n`;
    const release = (at: number) =>
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: r, namespace: m${at} }\nspec: { chart: { spec: { chart: c, version: 1.0.0, sourceRef: { name: a } } } }\n`;
    const repositories = many(repository).join('---\n');
    const files = Object.fromEntries(many((at) => [`a/${at}.yaml`, release(at)]).slice(0, 300));
    const { items } = discoverFiles({ ...files, 'sources.yaml': repositories });
    expect(items).toHaveLength(300);
    expect(items.every(({ proposal }) => proposal?.confidence === 'likely')).toBe(true);
  });

  test('an image is reported once even if many levels of overlays share their bases', () => {
    const files: Record<string, string> = { 'o0/web.yaml': pod('acme/web:1') };
    for (let level = 0; level < 60; level++) {
      const others = [`../o${level - 1}`, `../p${level - 1}`].filter(() => level > 0).join(', ');
      files[`o${level}/kustomization.yaml`] = `resources: [${level === 0 ? 'web.yaml' : others}]\n`;
      files[`p${level}/kustomization.yaml`] = `resources: [${level === 0 ? '../o0' : others}]\n`;
    }
    expect(describeItems(files)).toEqual(['docker.io/acme/web 1 (floating)']);
  });
});

test('charts that contain each other in many ways do not slow down a scan', () => {
  const names = Array.from({ length: 60 }, (_, at) => `c${at}`);
  const dependencies = names.map((name) => `{ name: ${name}, repository: "file://../${name}" }`).join(', ');
  const files: Record<string, string> = {
    'c0/values.yaml': 'image: { repository: a.io/web, tag: 1.0.0 }\n',
    'c1/values-idf.yaml': 'c0: { image: { tag: 2.0.0 } }\n',
  };
  for (const name of names) files[`${name}/Chart.yaml`] = `name: ${name}\ndependencies: [${dependencies}]\n`;
  expect(describeItems(files).filter((item) => item.startsWith('a.io/'))).toEqual([
    'a.io/web 1.0.0',
    'a.io/web 2.0.0',
  ]);
});

describe('files that can be read only in part', () => {
  test('an invalid document does not hide the other documents of its file', () => {
    const { items, problems } = discoverFiles({
      'a.yaml': `${pod('acme/a:1')}---\n${pod('acme/b:2')}  broken: [image\n---\n${pod('acme/c:3')}`,
    });
    expect(items.map(({ version, place }) => [version, place.document, place.line])).toEqual([
      ['1', 0, 3],
      ['3', 2, 12],
    ]);
    expect(problems).toMatchObject([{ file: 'a.yaml', line: 8, reason: 'malformed' }]);
  });

  test.each([
    ['web.yaml', 'a: 1\n', 'image: a.io/web:1.0.0\n', 'image: a.io/web:2.0.0\n', 2],
    ['Dockerfile', '', 'FROM a.io/web:1.0.0\n', 'FROM a.io/web:2.0.0\n', 1],
    ['.tool-versions', '', 'terraform 1.9.0\n', 'terraform 1.9.1\n', 1],
  ])(
    'conflict markers in %s are reported as such, and neither side is read',
    (path, text, ours, theirs, line) => {
      const file = `${text}<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> update\n`;
      expect(discoverFiles({ [path]: file })).toEqual({
        items: [],
        problems: [
          {
            file: path,
            line,
            reason: 'malformed',
            message: 'The file contains conflict markers of Git. Resolve the conflict.',
          },
        ],
      });
      const merged = discoverFiles({ [path]: text + theirs });
      expect(merged.problems).toEqual([]);
    },
  );

  test('malformed YAML is reported regardless of its content, but templates are not reported', () => {
    const { problems } = discoverFiles({
      'a.yaml': 'colors:\n  - red\n blue: 1\n',
      'b.yaml': 'title: "never closed\nnext: 1\n',
      // Templates of Helm, Jinja, ERB, and Flux are valid YAML only after rendering.
      'c.yaml': 'a: {{ .Values.b }}: c: d\n',
      'd.yaml': '{% if a %}\na: [\n{% endif %}\n',
      'e.yaml': '<% a do %>\na: [\n',
      'f.yaml': 'hosts: [web.${DOMAIN}:8200]\n',
      'g/Chart.yaml': 'name: g\n',
      'g/templates/a.yaml': 'a: [\n',
      // Go accepts less indentation in quoted text, and custom tags are valid for other programs.
      'h.yaml': 'a:\n    b: "first\n  second"\n',
      'i.yaml': 'nav: !!python/name:acme.nav\nref: !Ref Bucket\n',
    });
    expect(problems).toEqual([
      {
        file: 'a.yaml',
        line: 3,
        reason: 'malformed',
        message: 'Not valid YAML: All mapping items must start at the same column',
      },
      { file: 'b.yaml', line: 2, reason: 'malformed', message: 'Not valid YAML: Missing closing quote (")' },
    ]);
  });

  const action = (more: string) =>
    `jobs:\n  a:\n    steps:\n      - uses: acme/b@\${{ inputs.ref }}\n${more}`;

  test.each([
    ['an extra bracket', `${pod('acme/a:1').trimEnd()}}\n`, 3],
    ['an extra pair of brackets', pod('acme/a:1').replace(' }\n', ' }}}\n'), 3],
    ['an expression on another line', action('     broken: [\n'), 5],
    ['a quoted template on another line', `${pod('{{ image }}')}  broken: [image\n`, 4],
    ['a variable on another line', `${pod('acme/a:${TAG}')}  broken: [image\n`, 4],
  ])('a malformed file is not mistaken for a template: %s', (_, text, line) => {
    const path = text.startsWith('jobs') ? '.github/workflows/a.yaml' : 'a.yaml';
    expect(discoverFiles({ [path]: text }).problems).toMatchObject([{ reason: 'malformed', line }]);
  });

  test.each([
    `${pod('acme/a:1')}a: {{ b }}: {{ c }}: d\n`,
    `${pod('acme/a:1')}{{- if .Values.x }}\n  broken: [\n{{- end }}\n`,
    `${pod('acme/a:1')}{% if x %}\n  broken: [\n`,
    `${pod('acme/a:1')}a: {{ include\n  "x" }}\n b: c\n`,
    `${pod('acme/a:1')}a: \${X}: \${Y}: b\n`,
  ])('a template is not reported as malformed: %s', (text) => {
    expect(discoverFiles({ 'a.yaml': text }).problems).toMatchObject([{ reason: 'templated' }]);
  });

  test('templates in a Helm chart are reported, and files in other templates directories are read', () => {
    const files = {
      'web/Chart.yaml': 'name: web\n',
      'web/templates/pod.yaml': pod('{{ .Values.image }}'),
      'web/templates/service.yaml': 'apiVersion: v1\nkind: Service\n',
      'web/templates/app.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: { source: { repoURL: {{ .Values.url }} } }\n',
      'other/templates/pod.yaml': pod('acme/web:1'),
    };
    expect(describeItems(files)).toEqual(['docker.io/acme/web 1 (floating)']);
    expect(discoverFiles(files).problems).toMatchObject([
      { file: 'web/templates/pod.yaml', reason: 'templated' },
      { file: 'web/templates/app.yaml', reason: 'templated' },
    ]);
  });

  test('directories of dependencies, tests, and examples are not read', () => {
    const files = Object.fromEntries(
      ['vendor/a', 'a/node_modules/b', 'testdata', 'a/fixtures', 'examples/a', 'docs', 'a/tests'].map(
        (path) => [`${path}/Dockerfile`, 'FROM acme/web:1\n'],
      ),
    );
    expect(describeItems(files)).toEqual([]);
  });
});

describe('the encoding of a file', () => {
  test.each([
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFFROM a', 'utf8'), 'FROM a'],
    ['UTF-16 with a byte order mark', Buffer.from('\uFEFFFROM a', 'utf16le'), 'FROM a'],
    ["bytes that aren't text", Buffer.from([0x46, 0xff, 0x00]), null],
    ['NUL', Buffer.from('a\0b'), null],
  ])('is detected for %s', (_, bytes, text) => {
    expect(decodeText(bytes)).toBe(text);
  });
});
