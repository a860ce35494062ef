import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliCommands } from '../../src/cli/command-list.ts';
import { resources } from '../../src/cli/resources/resource-table.ts';
import { unknownCommandMessage } from '../../src/cli/unknown-command.ts';
import { operatorCommands } from '../../src/operator/commands/operator-commands.ts';
import { runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { runCommand } from './run-command.ts';

/** Returns the output of the real program. */
async function output(...args: string[]): Promise<string> {
  const program = runProgram(args, { XDG_CONFIG_HOME: temporaryFolder() });
  expect(await program.exited, program.stderr()).toBe(0);
  return program.stdout();
}

/** Returns the first word of each indented line of a help text. */
const listed = (help: string) => [...help.matchAll(/^ {2}([a-z][\w-]*) /gm)].map(([, name]) => name!);
/** Returns all options that a help text lists. */
const optionsIn = (help: string) =>
  [...help.slice(help.indexOf('Options:')).matchAll(/^ {2}(?:(-\w), )?(--[\w-]+)/gm)]
    .flatMap(([, short, long]) => [short, long])
    .filter((name) => name !== undefined);

const scripts = new Map<string, string>();
/** Names of all commands in the help. */
let names: string[];
let completions: Map<string, string[]>;
const apiPaths = ['preview scrape', 'preview template', 'import argus', ...Object.keys(cliCommands)];

/** Returns the bash completions for each line. The last word of a line is incomplete. */
function complete(lines: readonly string[]): Map<string, string[]> {
  const file = path.join(temporaryFolder(), 'pacekeeper.bash');
  writeFileSync(file, scripts.get('bash')!);
  const program = [
    `source ${file}`,
    'while IFS= read -r line; do',
    '  read -ra COMP_WORDS <<<"pacekeeper $line"',
    '  case "$line" in *" "|"") COMP_WORDS+=("");; esac',
    '  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _pacekeeper',
    '  echo "$line>${COMPREPLY[*]}"',
    'done',
  ].join('\n');
  const { stdout, stderr } = spawnSync('bash', ['-c', program], { input: `${lines.join('\n')}\n` });
  expect(stderr.toString()).toBe('');
  return new Map(
    stdout
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [typed = '', offered = ''] = line.split('>');
        return [typed, offered.split(' ').filter((word) => word !== '')] as const;
      }),
  );
}

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) scripts.set(shell, await output('completion', shell));
  names = listed(await output('--help'));
  completions = complete([
    '',
    '-',
    'admin ',
    'preview ',
    'help ',
    'get ',
    'create ',
    'update ',
    'delete ',
    'toggle ',
    'get -o json ',
    'get -o json ru',
    'get -o ',
    'get rules -o ',
    'get rules --output = ',
    'simulate x --severity ',
    'completion ',
    'get --server ',
    'run --wait gather-jobs',
    'set-version ',
    ...apiPaths.map((name) => `${name} -`),
    ...operatorCommands.map(({ name }) => `${name} -`),
  ]);
});

const offered = (line: string) => completions.get(line)?.toSorted();

describe('completion', () => {
  test('offers every command in the help, including the operator commands', async () => {
    expect(names).toEqual(expect.arrayContaining(['serve', 'backup', 'restore', 'migrate-data', 'doctor']));
    expect(offered('')).toEqual([...names, 'help'].sort());
    expect(offered('help ')).toEqual(names.toSorted());
    expect(offered('-')).toEqual(['--help', '--version', '-V', '-h']);
    expect(offered('admin ')).toEqual(listed(await output('admin', '--help')).sort());
    expect(offered('preview ')).toEqual(['scrape', 'template']);
  });

  test.each(apiPaths)('offers every option of %s', async (name) => {
    const { stdout } = await runCommand([...name.split(' '), '--help']);
    expect(optionsIn(stdout).length).toBeGreaterThan(1);
    expect(offered(`${name} -`)).toEqual(optionsIn(stdout).sort());
  });

  test.each(operatorCommands.map(({ name, options }) => [name, Object.keys(options)] as const))(
    'offers every option of the operator command %s',
    (name, options) => {
      const names = [...options.map((option) => `--${option}`), '--help'];
      expect(offered(`${name} -`)).toEqual(expect.arrayContaining(names));
    },
  );

  test('offers the resources that a verb supports, and the known values of options', () => {
    expect(offered('get ')).toEqual(resources.map(({ name }) => name).sort());
    expect(offered('get -o json ')).toEqual(offered('get '));
    expect(offered('get -o json ru')).toEqual(['rules']);
    expect(offered('create ')).not.toContain('audit-log');
    expect(offered('toggle ')).toEqual(expect.arrayContaining(['rules', 'gather-jobs']));
    for (const line of ['get -o ', 'get rules -o ', 'get rules --output = '])
      expect(offered(line), line).toEqual(expect.arrayContaining(['table', 'json', 'yaml', 'csv', 'name']));
    expect(offered('simulate x --severity ')).toEqual(['critical', 'high', 'moderate']);
    expect(offered('completion ')).toEqual(['bash', 'fish', 'zsh']);
  });

  test('offers nothing for file, name, and URL arguments', () => {
    for (const line of ['get --server ', 'run --wait gather-jobs', 'set-version '])
      expect(offered(line), line).toEqual([]);
  });

  test.each(['zsh', 'fish'])('for %s offers the same words as for bash', async (shell) => {
    const script = scripts.get(shell)!;
    const words = new Set(script.match(/[\w-]+/g));
    for (const [line, list] of completions) {
      for (const word of list) {
        const name = shell === 'fish' ? word.replace(/^--?/, '') : word;
        expect(words.has(name), `${line}${word}`).toBe(true);
      }
    }
  });
});

describe('an invalid command line', () => {
  // Only these few mistakes are tested by starting the program, because a start takes much longer than
  // finding the message.
  test.each([
    [['alertz'], 'unknown command "alertz". Did you mean alerts?'],
    [['resotre', 'x'], 'unknown command "resotre". Did you mean restore?'],
    [['admin', 'create-usr'], 'unknown command "create-usr". Did you mean create-user?'],
    [['backup', 'x', '--without-kee'], "Unknown option '--without-kee'. Did you mean --without-key?"],
    [['backup', 'x', '--nonsense'], "Unknown option '--nonsense'."],
  ])('%j is rejected by the program, with a suggestion if one is known', async (args, message) => {
    const program = runProgram(args, { XDG_CONFIG_HOME: temporaryFolder() });
    expect(await program.exited).toBe(2);
    expect(program.stderr()).toContain(message);
  });

  test.each([
    [['plan', '-f', 'x'], 'unknown command "plan". Did you mean apply -f FILE --dry-run?'],
    [['diff'], 'Did you mean apply -f FILE --dry-run?'],
    [['ls', 'rules'], 'unknown command "ls". Did you mean get?'],
    [['list'], 'Did you mean get?'],
    [['show'], 'Did you mean get?'],
    [['describe'], 'Did you mean get?'],
    [['add'], 'Did you mean create?'],
    [['set'], 'Did you mean update or set-version?'],
    [['rm', 'rules/1'], 'Did you mean delete?'],
    [['status'], 'Did you mean alerts (or doctor, to check the server)?'],
    [['version'], 'Did you mean --version?'],
    [['gather-job'], 'unknown command "gather-job". Did you mean get gather-jobs?'],
    [['agents'], 'Did you mean get agents?'],
  ])('the message for the unknown command in %j suggests a command', ([name = ''], message) => {
    expect(unknownCommandMessage(name, [...names, 'help'])).toContain(message);
  });

  test.each([
    [
      ['import', 'pacekeeper.yaml'],
      "Unknown command 'pacekeeper.yaml'. To apply a configuration file, use 'pacekeeper apply -f pacekeeper.yaml'.",
    ],
    [['preview', 'scrap'], "Unknown command 'scrap'. Did you mean scrape?"],
    [['get', 'rulez'], 'Unknown resource "rulez". Did you mean rules?'],
    [['get', 'rules', '--limt', '3'], "Unknown option '--limt'. Did you mean --limit?"],
    [
      ['alerts', '--label', 'a=b', '--severity', 'high', '--severity', 'critical'],
      '--severity can be used only once.',
    ],
  ])('%j is rejected by its command', async (args, message) => {
    expect(await runCommand(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

test('--version prints the version, and help prints the help of a command', async () => {
  const { version } = (await import('../../package.json', { with: { type: 'json' } })).default;
  for (const flag of ['--version', '-V']) expect(await output(flag)).toBe(`pacekeeper ${version}\n`);
  const { stdout: helpOfGet } = await runCommand(['get', '--help']);
  expect(await output('help', 'get')).toBe(helpOfGet);
  expect(await output('help', 'backup')).toBe(await output('backup', '--help'));
});
