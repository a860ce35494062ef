import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { type CommandResult, runCommand } from './run-command.ts';

let server: SharedTestServer;
let organization: TestOrganization;
let folder: string;

beforeAll(async () => {
  server = await sharedTestServer();
});

beforeEach(async () => {
  organization = await server.createOrganization();
  folder = temporaryFolder();
});

const env = () => ({ PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey });

/** Writes these files to a directory and applies them. */
function apply(files: Readonly<Record<string, string | Buffer>>, ...args: string[]): Promise<CommandResult> {
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  const named = Object.keys(files).flatMap((name) => ['-f', path.join(folder, name)]);
  return runCommand(['apply', ...named, '--yes', ...args], { env: env() });
}

const rule = (name: string) =>
  `rules: [{ name: ${name}, rule_type: majors_behind, thresholds: { high: 1 } }]\n`;
const names = async () => (await organization.api.call('listRules')).items.map(({ name }) => name).sort();

describe('a configuration file', () => {
  test.each([
    [
      'with Windows line endings',
      'rules:\r\n  - name: A\r\n    rule_type: majors_behind\r\n    thresholds: { high: 1 }\r\n',
    ],
    ['with a byte order mark', `\ufeff${rule('A')}`],
    [
      'with anchors',
      `rules:\n  - { name: A, rule_type: majors_behind, thresholds: &t { high: 1 } }\n  - { name: B, rule_type: minors_behind, thresholds: *t }\n`,
    ],
    [
      'in JSON',
      JSON.stringify({ rules: [{ name: 'A', rule_type: 'majors_behind', thresholds: { high: 1 } }] }),
    ],
  ])('%s is applied', async (_, text) => {
    expect(await apply({ 'pacekeeper.yaml': text })).toMatchObject({ code: 0, stderr: '' });
    expect(await names()).toContain('A');
  });

  test('from standard input is applied, even with a byte order mark', async () => {
    const stdin = `\ufeff${rule('A')}`;
    expect(await runCommand(['apply', '-f', '-', '--yes'], { env: env(), stdin })).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['A']);
  });
});

describe('a configuration in several files', () => {
  test('can contain references between its files, and is pruned as a whole', async () => {
    const files = {
      'a.yaml': rule('A'),
      'b.yaml': `${rule('B')}scrape_jobs: [{ name: S, parser_type: manual }]\ngather_jobs: [{ name: G, source_type: github_releases, artifact_name: github.com/a/b }]\n`,
      'c.yaml': 'alert_configs: [{ name: C, rule: A, scrape_job: S, gather_job: G }]\n',
    };
    expect(await apply(files)).toMatchObject({ code: 0, stderr: '' });
    expect(await names()).toEqual(['A', 'B']);
    expect(await apply(files, '--prune')).toMatchObject({ stdout: 'No changes. 5 resources up to date.\n' });
  });

  test('changes nothing if its files conflict, and the error names the file and line', async () => {
    const twice = await apply({ 'a.yaml': rule('Same'), 'b.yaml': rule('Same') });
    expect(twice).toMatchObject({ code: 2, stdout: '' });
    expect(twice.stderr).toMatch(/\n {2}\S+a\.yaml, line 1: rule "Same": 2 entries have this name/);
    const settings = 'settings: { gather.max_releases: 5 }\n';
    expect(await apply({ 'a.yaml': settings, 'b.yaml': `# Again\n${settings}` })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /b\.yaml, line 2: setting gather\.max_releases: is already in \S+a\.yaml/,
      ),
    });
    const file = path.join(folder, 'a.yaml');
    expect(await runCommand(['apply', '-f', file, '-f', file, '--yes'], { env: env() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is repeated'),
    });
    expect(await names()).toEqual([]);
  });
});

describe('an invalid configuration file', () => {
  const bomb = [
    '&a [x,x,x,x,x,x,x,x,x]',
    ...['a', 'b', 'c'].map((name) => `[${Array(9).fill(`*${name}`).join()}]`),
  ]
    .map((list, index) => `${'abcd'[index]}: ${index === 0 ? '' : `&${'abcd'[index]} `}${list}`)
    .join('\n');

  test.each([
    ['with no content', '', /is empty\./],
    ['with only a comment', '# nothing\n', /is empty\./],
    ['with a list instead of sections', '- a\n', /must have sections such as rules/],
    [
      'with a misspelled field',
      'rules:\n  - nam: A\n    rule_type: majors_behind\n',
      /line 2: rule "A": unknown field "nam"; did you mean "name"\?/,
    ],
    [
      'with a duplicate field',
      'rules:\n  - name: A\n    name: B\n',
      /line 3, column 5: this field is already set above/,
    ],
    [
      'with a duplicate section',
      'rules: []\nrules: []\n',
      /line 2, column 1: this field is already set above/,
    ],
    [
      'with a field of the wrong type',
      'rules:\n  - { name: A, rule_type: majors_behind, thresholds: [1] }\n',
      /line 2: rule "A": thresholds: must be a map of fields/,
    ],
    [
      'with two documents',
      `${rule('A')}---\n${rule('B')}`,
      /line 2, column 1: a second document starts here/,
    ],
    [
      'with an unresolved alias',
      'rules: *nothing\n',
      /isn't valid YAML:\n {2}line 1, column 8: unresolved alias \*nothing/,
    ],
    ['with too many aliases', bomb, /isn't valid YAML:\n {2}Excessive alias count/],
    [
      'with lists that are nested too deeply',
      `rules: ${'['.repeat(900_000)}`,
      /isn't valid: it's nested more than 100 levels deep/,
    ],
    [
      'with a tab for indentation',
      'rules:\n\t- name: A\n',
      /isn't valid YAML:\n {2}line 2, column 1: tabs can't indent lines\. Use spaces\.\n {5}- name: A\n {4}\^/,
    ],
    [
      'with an unclosed bracket',
      'rules: [\n  { name: A },\n',
      /line 3, column 1: a \] is missing above, or this line isn't indented/,
    ],
    ['with UTF-16 text', Buffer.from(`\ufeff${rule('A')}`, 'utf16le'), /isn't UTF-8 text/],
  ])('%s is rejected with an error that names the file', async (_, content, message) => {
    const result = await apply({ 'pacekeeper.yaml': content });
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(result.stderr).toContain('pacekeeper.yaml');
    expect(await names()).toEqual([]);
  });

  test('is rejected if it exceeds the size limit of the API, also from a named pipe', async () => {
    const limit = 16 * 1024 * 1024;
    const read = (file: string) => runCommand(['apply', '-f', file, '--yes'], { env: env() });
    const large = path.join(folder, 'large.yaml');
    writeFileSync(large, '');
    truncateSync(large, limit + 1);
    expect(await read(large)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`it has ${limit + 1} bytes (limit ${limit})`),
    });
    expect(await read('/dev/zero')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Can't read /dev/zero: it isn't a file or a pipe."),
    });
    const pipe = path.join(folder, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);
    const write = (command: string) => spawn('sh', ['-c', command, 'sh', pipe], { stdio: 'ignore' });
    write('cat /dev/zero > "$1"');
    expect(await read(pipe)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`it has more than ${limit} bytes`),
    });
    write(`echo '${rule('Piped').trim()}' > "$1"`);
    expect(await read(pipe)).toMatchObject({ code: 0, stderr: '' });
    expect(await names()).toEqual(['Piped']);
  });

  test('is rejected by apply and create if it is a directory, missing, or empty', async () => {
    mkdirSync(path.join(folder, 'conf.d'));
    for (const command of [['apply'], ['create', 'rule']]) {
      const run = (file: string) => runCommand([...command, '-f', path.join(folder, file)], { env: env() });
      expect(await run('conf.d')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("it's a directory"),
      });
      expect(await run('nothing.yaml')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('file not found'),
      });
      writeFileSync(path.join(folder, 'empty.yaml'), '');
      expect(await run('empty.yaml')).toMatchObject({ code: 2, stderr: expect.stringContaining('is empty') });
    }
  });
});
