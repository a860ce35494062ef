import { ansibleDirectories } from './ansible-paths.ts';
import { readPlays } from './ansible-plays.ts';
import type { FilePath } from './extractors/extractor.ts';
import type { Link } from './fact.ts';

type AnsibleUses = Extract<Link, { type: 'ansible_uses' }>;

/** Maximum number of names and files, and of variables, that are kept for a file. Real files have up to a few hundred. */
const maxNames = 2_000;
/** Maximum number of characters that are read from a line. */
const maxLineLength = 500;

function isOfAnsible(path: string): boolean {
  return ansibleDirectories.test(path) || /(?:^|\/)roles\//.test(path);
}

/** Matches the start of a play or of an import of another playbook. */
const play = /^- +(?:hosts|(?:ansible\.builtin\.)?import_playbook):|^[ ]{2,4}(?:hosts|import_playbook):/m;

/**
 * Returns the roles, files, and variables that a file of Ansible refers to. The names are read from lines instead of
 * the parsed document, so that a role counts as used if a playbook isn't valid YAML. Comments don't count.
 */
export function readAnsibleUses(text: string, file: FilePath): AnsibleUses | null {
  const isTemplate = /\.j2$/i.test(file.base);
  const isYaml = /\.ya?ml$/i.test(file.base);
  // A play is an entry of a list. An inventory also has `hosts:`, but as a map.
  const isPlay = isYaml && play.test(text) && /^- +\S/m.test(text) && !/^apiVersion:/m.test(text);
  const isTasks = isPlay || isOfAnsible(file.path) || /(?:include|import)_(?:role|tasks)\b/.test(text);
  if (!isTemplate && !(isYaml && isTasks)) return null;
  const names = new Set<string>();
  const files = new Set<string>();
  const variables = new Set<string>();
  const uses = {
    type: 'ansible_uses' as const,
    isPlay,
    hasOpenRoles: false,
    hasOpenFiles: false,
    hasOpenVariables: false,
  };
  const isOfRole = createBlockCheck(/(?:include|import)_role["']?:|\brole:|\broles:|\bdependencies:/);
  const isOfTemplate = createBlockCheck(/\b(?:win_)?template["']?:/);
  for (const whole of text.split('\n')) {
    const line = withoutComment(whole.slice(0, maxLineLength));
    if (line.trim() === '') continue;
    // The rest of a longer line can contain any name.
    if (whole.length > maxLineLength) uses.hasOpenRoles = uses.hasOpenFiles = uses.hasOpenVariables = true;
    for (const name of variablesIn(line))
      if (variables.size < maxNames) variables.add(name);
      else if (!variables.has(name)) uses.hasOpenVariables = true;
    if (
      /\b(?:lookup|query|q)\s{0,5}\(\s{0,5}["'](?:[\w.]{1,50}\.)?(?:vars|template)["']|\b(?:host)?vars\[/.test(
        line,
      )
    )
      uses.hasOpenVariables = true;
    if (isTemplate) continue;
    if (isOfRole(line)) {
      // If the name of an included or listed role contains a variable, the playbook may use any role.
      if (/(?:\brole:|\bname[:=]|\broles:|^\s{0,40}-)\s{0,10}["']?[^\s"']{0,100}\{\{/.test(line))
        uses.hasOpenRoles = true;
      if (/[[\]]/.test(line) || /^\s*["']?[\w./-]+["']?,?\s*$/.test(line))
        for (const [name] of line.matchAll(/[\w./-]{1,200}/g)) names.add(name);
    }
    // Only files that end in `.j2` are searched for variables.
    if (isOfTemplate(line) && /\bsrc["']?[:=]/.test(line) && !/\.j2\b/.test(line))
      uses.hasOpenVariables = true;
    const isFileReference = /(?:(?:include|import)(?:_tasks)?["']?|\b(?:file|tasks_from)):/.test(line);
    if ((isFileReference && line.includes('{{')) || line.includes('first_found')) uses.hasOpenFiles = true;
    for (const name of namesIn(line)) names.add(name);
    const tasks = /\btasks_from["']?(?::\s{0,10}|=)["']?([\w./-]{1,200})/.exec(line)?.[1];
    if (tasks !== undefined)
      for (const end of ['yml', 'yaml']) files.add(`tasks/${tasks.replace(/\.ya?ml$/, '')}.${end}`);
    for (const [, path] of line.matchAll(/([\w./-]{1,200}\.ya?ml)\b/g)) files.add(path!);
    // Beyond the limit, the file can refer to any role, file, and variable.
    if (names.size + files.size > maxNames) {
      uses.hasOpenRoles = uses.hasOpenFiles = uses.hasOpenVariables = true;
      break;
    }
  }
  const plays = isPlay ? readPlays(text) : [];
  return { ...uses, names: [...names], files: [...files], variables: [...variables], plays };
}

/**
 * Returns a function that is called with each line, and returns true for the line of the key and for those of its
 * value: deeper lines, entries of a list at the same level, and the lines up to the end of a list in brackets.
 */
function createBlockCheck(key: RegExp): (line: string) => boolean {
  let start: number | null = null;
  let openBrackets = 0;
  return (line) => {
    const indentation = line.search(/\S/);
    const isEntry = indentation === start && line[indentation] === '-';
    if (start !== null && openBrackets <= 0 && indentation <= start && !isEntry) start = null;
    if (key.test(line)) start ??= indentation;
    if (start === null) return false;
    openBrackets += line.split('[').length - line.split(']').length;
    if (openBrackets < 0) openBrackets = 0;
    return true;
  };
}

function withoutComment(line: string): string {
  const at = /^\s*#/.test(line) ? 0 : line.search(/\s#/);
  return at < 0 ? line : line.slice(0, at);
}

/** Yields the words of a line that can be the names of roles or task files. */
function* namesIn(line: string): Generator<string, void> {
  const entry = /^\s*-\s+["']?([\w./-]{1,200})["']?\s*$/.exec(line)?.[1];
  if (entry !== undefined) yield entry;
  for (const [, name] of line.matchAll(/\b(?:role|name|src)["']?(?::\s{0,10}|=)["']?([\w./-]{1,200})/g))
    yield name!;
  const list = /\b(?:roles|dependencies):\s{0,10}\[([^\]]{0,400})\]/.exec(line)?.[1];
  for (const [name] of (list ?? '').matchAll(/[\w./-]{1,200}/g)) yield name;
}

/**
 * Yields the variables in the expressions of a line that can contain a version or an image, judging by their
 * names.
 */
function* variablesIn(line: string): Generator<string, void> {
  if (!/\{[{%]|\b(?:when|until|loop|with_items|that):/.test(line)) return;
  for (const [name] of line.matchAll(/\b[A-Za-z_]\w{2,99}\b/g))
    if (/image|version|tag|release|repo|url/i.test(name)) yield name;
}
