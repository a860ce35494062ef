import { closeSync, lstatSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { dockerfile } from '../../src/domain/discovery/extractors/dockerfile.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sharedTestServer } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

/** Creates a checkout with these files. */
function checkout(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

const files = {
  'clusters/prod/web.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { template: { spec: { containers: [{ name: web, image: "ghcr.io/acme/web:1.2.3" }] } } }\n',
  'clusters/dev/web.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { template: { spec: { containers: [{ name: web, image: "ghcr.io/acme/web:1.3.0" }] } } }\n',
  Dockerfile: 'FROM node:latest\n',
  'broken.yaml': 'apiVersion: v1\nkind: ConfigMap\n---\napiVersion: v1\nkind: Pod\nspec: { image: [\n',
  'settings/broken.yaml': 'colors:\n  - red\n blue: 1\n',
  'vendor/Dockerfile': 'FROM acme/other:1\n',
  '.github/CODEOWNERS': '/clusters/prod/ @acme/operations\n',
};

test('discover prints the deployed versions in a directory by artifact, and the reasons for excluded ones', async () => {
  const folder = checkout(files);
  symlinkSync('/etc', path.join(folder, 'outside'));
  symlinkSync('/etc/passwd', path.join(folder, 'link.yaml'));
  const { code, stdout } = await runCommand(['discover', folder]);
  expect(code).toBe(0);
  const lines = stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | ').trim());
  expect(lines).toEqual([
    'ARTIFACT | VERSION | PLACE | UPSTREAM | ENVIRONMENT | SERVICE | REASON',
    'ghcr.io/acme/web (image, 2 places, 2 versions) | 1.3.0 | clusters/dev/web.yaml:4 | oci_registry ghcr.io/acme/web | dev | web | -',
    '| 1.2.3 | clusters/prod/web.yaml:4 | prod | web | -',
    'node (image) | latest | Dockerfile:1 | oci_registry docker.io/library/node | - | - | floating',
    '',
    'Found 3 versions of 2 artifacts in 6 files. 2 can be monitored.',
    'Not proposed:',
    '| 1 floating: No fixed version: a branch, a moving tag such as latest or v4, or none at all.',
    'Not read:',
    "| 2 malformed: The file isn't valid YAML, HCL, or TOML, or a required part is missing.",
    "| 1 outside: A symbolic link. Links aren't followed.",
    "| link.yaml:1: A symbolic link. Links aren't followed.",
    expect.stringMatching(/^\| broken\.yaml:6: Not valid YAML: \w+/),
    expect.stringMatching(/^\| settings\/broken\.yaml:3: Not valid YAML: \w+/),
    'Skipped 1 directory: vendor',
    '',
  ]);
});

test('discover lists a file with an invalid part separately from the files that it could not read', async () => {
  const services =
    ['web', 'api'].map((name) => `  ${name}:\n    image: acme/web:1\n    image: acme/web:2\n`).join('') +
    '  db:\n    image: acme/db:3.0.0\n';
  const { stdout } = await runCommand(['discover', checkout({ 'compose.yaml': `services:\n${services}` })]);
  expect(stdout).not.toContain('Not read:');
  expect(stdout).toContain("Partly read, because some values can't be read:\n  1 malformed: ");
  expect(stdout).toContain('  compose.yaml:4: Not valid YAML: duplicate key "image" (2 times)\n');
});

test('discover counts the files without versions by kind and reason', async () => {
  const folder = checkout({
    ...Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`lib/${at}/package.json`, '{}\n'])),
    'main.jsonnet': '{}\n',
    'web/Dockerfile': 'FROM scratch\n',
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/ci/values.yaml': 'image: acme/web:1\n',
  });
  const { stdout } = await runCommand(['discover', folder]);
  expect(stdout.split('\n').slice(1)).toEqual([
    "Without versions: Pacekeeper doesn't read this kind of file.",
    '  1 Jsonnet, Tanka: main.jsonnet',
    "Without versions: This kind of file doesn't describe deployed software.",
    '  1,200 npm, pnpm, Yarn, Bun, Deno: lib/0/package.json, lib/1/package.json, lib/10/package.json, and 1,197 more',
    'Without versions: The files contain no version that Pacekeeper recognizes.',
    '  1 Dockerfile: web/Dockerfile',
    'Skipped 1 directory: chart/ci',
    '',
  ]);
  const json = await runCommand(['discover', folder, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    excluded: ['chart/ci'],
    silent_files: [
      { kind: 'jsonnet', reason: 'kind_not_read', count: 1, examples: ['main.jsonnet'] },
      { kind: 'npm', reason: 'out_of_scope', count: 1_200 },
      { kind: 'dockerfile', reason: 'no_version', count: 1 },
    ],
  });
});

test('discover lists versions that Renovate ignores with the reason, and does not write them', async () => {
  const folder = checkout({
    'renovate.json': '{ "ignorePaths": ["dev/"] }',
    'dev/compose.yaml': 'services: { web: { image: "ghcr.io/acme/web:1.2.3" } }\n',
    'prod/compose.yaml': 'services: { api: { image: "ghcr.io/acme/api:2.0.0" } }\n',
  });
  const output = path.join(temporaryFolder(), 'out.yaml');
  const { stdout } = await runCommand(['discover', folder, '-o', output]);
  expect(stdout).toMatch(/ghcr\.io\/acme\/web \(image\) +1\.2\.3 .*ignored\n/);
  expect(stdout).toContain('Found 2 versions of 2 artifacts in 3 files. 1 can be monitored.\n');
  expect(stdout).toContain(
    'Ignored by the Renovate configuration:\n  1 renovate.json: ignorePaths contains dev/\n',
  );
  const written = readFileSync(output, 'utf8');
  expect(written).toContain('acme/api');
  expect(written).not.toContain('acme/web');
});

test('discover says that nothing deploys a manifest only if it reads the whole repository', async () => {
  const manifests = {
    'clusters/prod/kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [other.yaml]\n',
    'clusters/prod/other.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n',
    'clusters/prod/web.yaml': files['clusters/prod/web.yaml'],
  };
  const folder = checkout({ '.git/HEAD': 'ref: refs/heads/main\n', ...manifests });
  const reasonsOf = async (...args: string[]) => {
    const { stdout } = await runCommand(['discover', '--json', ...args]);
    return (JSON.parse(stdout) as { items: { reason: string | null }[] }).items.map(({ reason }) => reason);
  };
  expect(await reasonsOf(folder)).toEqual(['not_installed']);
  expect(await reasonsOf(path.join(folder, 'clusters'))).toEqual([null]);
  expect(await reasonsOf(folder, '--exclude', 'apps/')).toEqual([null]);
  expect(await reasonsOf(checkout(manifests))).toEqual([null]);
  const sparse = { '.git/info/sparse-checkout': '/clusters/\n', ...manifests };
  expect(await reasonsOf(checkout(sparse))).toEqual([null]);
});

test('discover uses custom patterns from a file, and the custom managers of a Renovate configuration', async () => {
  const folder = checkout({
    'lib/images.libsonnet': "{ web: 'ghcr.io/acme/web:1.2.3' }\n",
    'versions.txt': 'acme/tool 2.0.0\n',
    'renovate.json': JSON.stringify({
      customManagers: [
        {
          customType: 'regex',
          managerFilePatterns: ['*.txt'],
          matchStrings: ['(?<depName>\\S+) (?<currentValue>\\S+)'],
          datasourceTemplate: 'github-releases',
        },
        { customType: 'jsonata' },
      ],
    }),
  });
  const patterns = path.join(temporaryFolder(), 'patterns.yaml');
  const write = (pattern: string) =>
    writeFileSync(
      patterns,
      `custom_extractors:\n  - name: images\n    path: "*.libsonnet"\n    pattern: "${pattern}"\n    templates: { source_type: oci_registry }\n`,
    );
  write("'(?P<artifact>[^':]+):(?P<version>[^']+)'");
  const { code, stdout } = await runCommand(['discover', folder, '--patterns', patterns]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/ghcr\.io\/acme\/web \(image\) +1\.2\.3 +lib\/images\.libsonnet:1/);
  expect(stdout).toMatch(/acme\/tool \(Git repository\) +2\.0\.0 +versions\.txt:1/);
  expect(stdout).toContain(
    'Patterns that are not used:\n  renovate.json: customManagers[1]: Its type is jsonata. Only regex is supported.\n',
  );
  const configuration = path.join(temporaryFolder(), 'pacekeeper.yaml');
  writeFileSync(
    configuration,
    `settings:\n  discovery.custom_extractors:\n    - name: images\n      path: "*.libsonnet"\n      pattern: "'(?P<artifact>[^':]+):(?P<version>[^']+)'"\n      templates: { source_type: oci_registry }\n`,
  );
  expect((await runCommand(['discover', folder, '--patterns', configuration])).stdout).toMatch(
    /ghcr\.io\/acme\/web \(image\) +1\.2\.3 +lib\/images\.libsonnet:1/,
  );
  write('(?P<version>.)');
  expect(await runCommand(['discover', folder, '--patterns', patterns])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('custom_extractors.0.pattern: needs a group (?P<artifact>…)'),
  });
});

test('discover prints no columns for environments and services if it finds none', async () => {
  const folder = checkout({ '.nvmrc': '20.11.1\n' });
  const { stdout } = await runCommand(['discover', folder]);
  expect(stdout).toMatch(/^ARTIFACT +VERSION +PLACE +UPSTREAM +REASON\n/);
});

test('discover --json prints all details, with keys that do not depend on the path', async () => {
  const { stdout } = await runCommand(['discover', checkout(files), '--json']);
  const { items, problems } = JSON.parse(stdout);
  expect(items).toHaveLength(3);
  expect(new Set(items.map(({ key }: { key: string }) => key)).size).toBe(2);
  expect(items[2]).toMatchObject({
    extractor: 'kubernetes',
    place: { file: 'clusters/prod/web.yaml', line: 4, kind: 'Deployment', name: 'web' },
    artifact: { kind: 'image', purl: 'pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb' },
    proposal: { source_type: 'oci_registry', confidence: 'certain' },
    labels: { environment: 'prod', service: 'web', owner: 'acme/operations' },
  });
  expect(problems).toMatchObject([
    { file: 'broken.yaml', line: 6, reason: 'malformed' },
    { file: 'settings/broken.yaml', line: 3, reason: 'malformed' },
  ]);
});

test('discover lists at most 20 unreadable files and counts the others', async () => {
  const broken = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`broken${at}.yaml`, 'a: [\n']));
  // Templated files are only counted and don't use up the limit.
  const template = 'apiVersion: v1\nkind: Pod\nspec: {{ image }}: [\n';
  const templates = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`a${at}.yaml`, template]));
  const { stdout } = await runCommand(['discover', checkout({ ...broken, ...templates })]);
  expect(stdout).toContain('  30 templated:');
  expect(stdout).toContain('  23 malformed:');
  expect(stdout.match(/broken\d+\.yaml:1: Not valid YAML/g)).toHaveLength(20);
  expect(stdout).toContain('  and 3 more: use --json\n');
});

describe('discover with invalid input', () => {
  test.each([
    [['discover', '/nowhere'], "Can't read /nowhere: directory not found."],
    [['discover', '.', '--label-rule', '('], "--label-rule isn't valid"],
    [
      ['discover', '.', '--label-rule', 'clusters/([^/]+)/'],
      "--label-rule isn't valid: no named group; add one, as in clusters/(?P<cluster>[^/]+)/",
    ],
    [['discover', '.', '-l', 'x'], 'Invalid label "x".'],
    [['discover', '.', '--exclude', '!x'], "--exclude !x isn't a valid"],
  ])('the command line %j is rejected with the reason', async (args, message) => {
    expect(await runCommand(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  test('fails with --output if nothing can be proposed', async () => {
    const folder = checkout({ Dockerfile: 'FROM node:latest\n' });
    const output = path.join(folder, 'out.yaml');
    expect(await runCommand(['discover', folder, '-o', output])).toMatchObject({ code: 2 });
  });
});

const release = (name: string, version: string, repository: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name} }\nspec: { source: { chart: ${name}, repoURL: "${repository}", targetRevision: ${version} } }\n`;

test('discover gives managed services a product and a separate rule', async () => {
  const folder = checkout({
    ...files,
    'db.tf': 'resource "aws_db_instance" "orders" {\n  engine = "postgres"\n  engine_version = "14"\n}\n',
  });
  const output = path.join(folder, 'pacekeeper.yaml');
  await runCommand(['discover', folder, '-o', output]);
  const { rules, gather_jobs, alert_configs } = parse(readFileSync(output, 'utf8'));
  expect(rules.map(({ name, rule_type }: Record<string, string>) => [name, rule_type])).toEqual([
    ['Discovered versions', 'days_behind'],
    ['End of support', 'end_of_life'],
  ]);
  expect(gather_jobs).toContainEqual({
    name: 'amazon-rds-postgresql',
    source_type: 'lifecycle',
    artifact_name: 'amazon-rds-postgresql',
    lifecycle_product: 'amazon-rds-postgresql',
  });
  const ruleOf = Object.fromEntries(
    alert_configs.map(({ gather_job, rule }: Record<string, string>) => [gather_job, rule]),
  );
  expect(ruleOf).toEqual({
    'ghcr.io/acme/web': 'Discovered versions',
    'amazon-rds-postgresql': 'End of support',
  });
  const server = await sharedTestServer();
  const { apiKey } = await server.createOrganization();
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey };
  expect(await runCommand(['apply', '-f', output, '--yes'], { env })).toMatchObject({ code: 0 });
  const again = await runCommand(['apply', '-f', output, '--dry-run'], { env });
  expect(again.stdout).toContain('No changes.');
  const run = await runCommand(['run', 'gather-jobs/amazon-rds-postgresql'], { env });
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining("Lifecycle jobs don't run.") });
});

test('discover writes a file that apply accepts, and applying it twice changes nothing', async () => {
  const folder = checkout({
    ...files,
    'staging/alpha.yaml': release('alpha', '1.0.0', 'https://charts.example.org'),
  });
  const output = path.join(folder, 'pacekeeper.yaml');
  const written = await runCommand(['discover', folder, '-o', output, '-l', 'team=platform']);
  expect(written).toMatchObject({ code: 0, stderr: expect.stringContaining('with 3 versions') });
  expect(readFileSync(output, 'utf8').split('\n', 3)).toEqual([
    `# Generated by pacekeeper discover from ${folder}.`,
    '',
    'rules:',
  ]);
  const document = parse(readFileSync(output, 'utf8'));
  expect(
    document.scrape_jobs.map(({ name, version }: Record<string, string>) => `${name} ${version}`),
  ).toEqual(['web (dev) 1.3.0', 'web (prod) 1.2.3', 'alpha (staging) 1.0.0']);
  expect(document.scrape_jobs[1]).toEqual({
    name: 'web (prod)',
    parser_type: 'manual',
    version: '1.2.3',
    labels: { environment: 'prod', service: 'web', owner: 'acme/operations', team: 'platform' },
  });
  expect(document.alert_configs[1]).toEqual({
    name: 'web (prod)',
    scrape_job: 'web (prod)',
    gather_job: 'ghcr.io/acme/web',
    rule: 'Discovered versions',
  });

  const server = await sharedTestServer();
  const { api, apiKey } = await server.createOrganization();
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey };
  expect(await runCommand(['apply', '-f', output, '--yes'], { env })).toMatchObject({ code: 0 });
  const { items } = await api.call('listScrapeJobs');
  const deployed = items.map(({ name, latest_version }) => [name, latest_version]);
  expect(deployed).toContainEqual(['alpha (staging)', '1.0.0']);
  const environments = await runCommand(['environments'], { env });
  expect(environments.stdout).toMatch(/web .*1\.3\.0.*1\.2\.3/);
  const bom = await runCommand(['bom', '-l', 'environment=prod'], { env });
  expect((JSON.parse(bom.stdout) as { components: unknown[] }).components).toMatchObject([
    { version: '1.2.3' },
  ]);
  const discovered = readFileSync(output, 'utf8');
  expect(await runCommand(['export', '-o', output], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${output} already exists.`),
  });
  expect(readFileSync(output, 'utf8')).toBe(discovered);
  const again = await runCommand(['apply', '-f', output, '--dry-run'], { env });
  expect(again.stdout).toContain('No changes.');

  // Three charts of one repository get a single helm sync job instead of three jobs.
  const charts = ['alpha', 'beta', 'gamma'];
  const many = checkout(
    Object.fromEntries(
      charts.map((chart) => [`${chart}.yaml`, release(chart, '1.0.0', 'https://charts.example.org/stable')]),
    ),
  );
  const synced = path.join(many, 'pacekeeper.yaml');
  await runCommand(['discover', many, '-o', synced], { env });
  expect(readFileSync(synced, 'utf8').split('\n', 2)).toEqual([
    `# yaml-language-server: $schema=${server.url}/api/spec/pacekeeper.schema.json`,
    `# Generated by pacekeeper discover from ${many}.`,
  ]);
  const { helm_sync_jobs, gather_jobs } = parse(readFileSync(synced, 'utf8'));
  expect(helm_sync_jobs).toMatchObject([
    { repository_url: 'https://charts.example.org/stable', chart_filter: charts },
  ]);
  expect(gather_jobs[0].fed_by).toEqual({ helm_sync_job: 'charts.example.org/stable', chart: 'alpha' });
  const plan = await runCommand(['apply', '-f', synced, '--dry-run'], { env });
  expect(plan).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('helm sync job "charts.example.org/stable"'),
  });
});

test('discover writes the file and line of each version as a comment', async () => {
  const folder = checkout({
    ...files,
    'a\nb: c/Dockerfile': 'FROM acme/tool:2.0\n',
    'x # y/Dockerfile': 'FROM acme/job:3.0\n',
  });
  const output = path.join(folder, 'out.yaml');
  await runCommand(['discover', folder, '-o', output]);
  const text = readFileSync(output, 'utf8');
  expect(text.match(/^ +version: .*/gm)).toEqual([
    '    version: "2.0" # a b: c/Dockerfile:1',
    '    version: 1.3.0 # clusters/dev/web.yaml:4',
    '    version: 1.2.3 # clusters/prod/web.yaml:4',
    '    version: "3.0" # x # y/Dockerfile:1',
  ]);
  expect(parse(text).scrape_jobs.map(({ version }: { version: string }) => version)).toEqual([
    '2.0',
    '1.3.0',
    '1.2.3',
    '3.0',
  ]);
});

test('discover keeps names when files move, and gives different names to resources that would have the same one', async () => {
  const pod = (namespace: string) =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: web, namespace: ${namespace} }\nspec: { containers: [{ name: web, image: "acme/web:1.0" }] }\n`;
  const namesOf = async (tree: Record<string, string>) => {
    const folder = checkout(tree);
    const output = path.join(folder, 'out.yaml');
    await runCommand(['discover', folder, '-o', output, '--rule', 'Mine']);
    const document = parse(readFileSync(output, 'utf8'));
    expect(document.rules).toBeUndefined();
    return document.scrape_jobs.map(({ name }: { name: string }) => name);
  };
  expect(await namesOf({ 'a.yaml': pod('one'), 'b.yaml': pod('two'), 'c.yaml': pod('two') })).toEqual([
    'web',
    'web in two',
    'web, c.yaml',
  ]);
  expect(await namesOf({ 'x/a.yaml': pod('one') })).toEqual(['web']);
  // The URL of a repository isn't used as a name.
  const module = 'module "site" { source = "git::https://git.example.org/acme/site.git?ref=v1.2.3" }\n';
  expect(await namesOf({ 'prod/main.tf': module })).toEqual(['site (prod)']);
  const remote = 'resources: ["https://git.example.org/acme/site.git/?ref=v1.2.3"]\n';
  expect(await namesOf({ 'prod/kustomization.yaml': remote })).toEqual(['site (prod)']);
  // The order of the files, which is reversed here, doesn't affect the names, only the order in which they're
  // listed.
  expect(await namesOf({ 'a.yaml': pod('two'), 'b.yaml': pod('one') })).toEqual(['web in two', 'web']);
});

test('discover never writes through a symbolic link', async () => {
  const folder = checkout({ ...files, 'target.txt': 'precious' });
  const output = path.join(folder, 'out.yaml');
  for (const target of ['target.txt', 'missing.txt']) {
    const link = path.join(folder, `${target}.yaml`);
    symlinkSync(path.join(folder, target), link);
    expect(await runCommand(['discover', folder, '-o', link])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("it's a symbolic link"),
    });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  }
  expect(readFileSync(path.join(folder, 'target.txt'), 'utf8')).toBe('precious');
  expect(lstatSync(path.join(folder, 'missing.txt'), { throwIfNoEntry: false })).toBeUndefined();
  // Overwriting a file removes all of its previous content.
  writeFileSync(output, 'x'.repeat(10_000));
  expect(await runCommand(['discover', folder, '-o', output, '--yes'])).toMatchObject({ code: 0 });
  const text = readFileSync(output, 'utf8');
  expect(text).not.toContain('xxxx');
  // A file descriptor that the shell opened is also a symbolic link, but an allowed one.
  const opened = openSync(path.join(folder, 'opened.yaml'), 'w');
  expect(await runCommand(['discover', folder, '-o', `/dev/fd/${opened}`])).toMatchObject({ code: 0 });
  closeSync(opened);
  expect(readFileSync(path.join(folder, 'opened.yaml'), 'utf8')).toBe(text);
});

test('an existing file is overwritten only after confirmation', async () => {
  const folder = checkout(files);
  const output = path.join(folder, 'out.yaml');
  const argus = path.join(folder, 'argus.yml');
  writeFileSync(argus, 'service:\n  web:\n    latest_version: { type: github, url: acme/web }\n');
  for (const args of [
    ['discover', folder, '-o', output],
    ['import', 'argus', argus, '-o', output],
  ]) {
    writeFileSync(output, 'precious');
    expect(await runCommand(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `No changes made. Without a terminal, use --yes to confirm: ${output} already exists. Overwrite it?`,
      ),
    });
    expect(await runCommand(args, { answers: ['n'] })).toMatchObject({ code: 1 });
    expect(readFileSync(output, 'utf8')).toBe('precious');
    expect(await runCommand(args, { answers: ['y'] })).toMatchObject({ code: 0 });
    expect(readFileSync(output, 'utf8')).toContain('# Generated by pacekeeper ');
    expect(await runCommand([...args, '--yes'])).toMatchObject({ code: 0 });
    // An empty file, such as one from `mktemp`, doesn't require confirmation.
    writeFileSync(output, '');
    expect(await runCommand(args)).toMatchObject({ code: 0 });
  }
  expect(await runCommand(['discover', folder, '-o', path.join(folder, 'missing/out.yaml')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('directory not found'),
  });
});

test('--name-prefix separates the names of several checkouts, while they share gather jobs', async () => {
  const folder = checkout({ 'web/Dockerfile': 'FROM acme/web:1.0\n' });
  const output = path.join(folder, 'out.yaml');
  const args = ['discover', folder, '-o', output, '--yes', '--name-prefix'];
  const sourceNames: unknown[] = [];
  for (const prefix of ['shop: ', 'blog: ']) {
    expect(await runCommand([...args, prefix])).toMatchObject({ code: 0 });
    const written = parse(readFileSync(output, 'utf8'));
    const [{ name, gather_job, scrape_job }] = written.alert_configs;
    expect(name).toBe(`${prefix}web`);
    expect(scrape_job).toBe(name);
    expect(written.scrape_jobs).toMatchObject([{ name }]);
    expect(written.gather_jobs).toMatchObject([{ name: gather_job }]);
    sourceNames.push(gather_job);
  }
  expect(sourceNames[0]).toBe(sourceNames[1]);
  expect(await runCommand([...args, 'x'.repeat(61)])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--name-prefix is too long: use at most 60 characters.'),
  });
});

test('labels from paths contain no line breaks or invisible characters', async () => {
  const folder = checkout({ 'clusters/a\n\u202eb/c\n\u202ed/Dockerfile': 'FROM acme/web:1.0\n' });
  const output = path.join(folder, 'out.yaml');
  const rule = 'clusters/(?P<cluster>[^/]+)/';
  expect(await runCommand(['discover', folder, '-o', output, '--label-rule', rule])).toMatchObject({
    code: 0,
  });
  expect(parse(readFileSync(output, 'utf8')).scrape_jobs[0].labels).toEqual({
    service: 'c d',
    cluster: 'a b',
  });
});

test('discover lists unreadable files and directories, and still reads the others', async () => {
  const folder = checkout({ 'a/Dockerfile': 'FROM acme/web:1\n', 'z/compose.yaml': compose('web') });
  mkdirSync(Buffer.concat([Buffer.from(`${folder}/m`), Buffer.from([0xff])]));
  const extract = vi.spyOn(dockerfile, 'extract').mockImplementation(() => {
    throw new RangeError('Invalid string length');
  });
  const { code, stdout } = await runCommand(['discover', folder, '--json']);
  extract.mockRestore();
  expect(code).toBe(0);
  const { items, problems } = JSON.parse(stdout);
  expect(items).toMatchObject([{ place: { file: 'z/compose.yaml' } }]);
  expect(problems).toEqual([
    {
      file: 'm\ufffd',
      line: 1,
      reason: 'unreadable',
      message: "The directory can't be read.",
      is_file_read: false,
    },
    {
      file: 'a/Dockerfile',
      line: 1,
      reason: 'unreadable',
      message: 'Invalid string length',
      is_file_read: false,
    },
  ]);
});

const compose = (service: string) => `services: { "${service}": { image: "acme/web:1.0" } }\n`;

test('names in a checkout cannot inject terminal escapes or environment variables', async () => {
  const name = '"web\\e[2J\\n${env:SECRET}"';
  const folder = checkout({
    'a.yaml': `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: a, image: "acme/web:1.0" }] }\n`,
    'compose.yaml': compose('${env:SECRET}'),
    'b\u001b[2J.yaml': 'apiVersion: v1\nkind: Pod\nspec: { image: [\n',
  });
  const output = path.join(folder, 'out.yaml');
  const { stdout } = await runCommand(['discover', folder, '-o', output]);
  expect(stdout).not.toContain('\u001b');
  const server = await sharedTestServer();
  const { api, apiKey } = await server.createOrganization();
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey, SECRET: 'a secret' };
  expect(await runCommand(['apply', '-f', output, '--yes'], { env })).toMatchObject({ code: 0 });
  const { items } = await api.call('listScrapeJobs');
  expect(items.map(({ name }) => name)).toEqual([
    '${env:SECRET}: web',
    expect.stringMatching(/^web .*\$\{env:SECRET\}: web$/),
  ]);
});
