import type { Fact } from './fact.ts';
import { readVersion } from './read-version.ts';

type PackageFact = Omit<Fact, 'extractor' | 'place'>;

/**
 * Matches a requirement of pip, such as `ansible[aws]==9.1.0`. The groups are the name, the operator, and the version.
 *
 * @see https://peps.python.org/pep-0508/
 */
const requirement =
  /^([A-Za-z0-9][\w.-]{0,100})(?:\[[\w,. -]{0,100}\])?[ ]{0,3}(===?|~=|[<>]=?)[ ]{0,3}v?(\d[\w.*+!-]{0,60})$/;

/** Matches a package of Conda, such as `conda-forge::python=3.11`. */
const condaPackage =
  /^(?:([\w-]{1,60})::)?([a-z0-9][\w.-]{0,100})[ ]{0,3}(==?|[<>]=)[ ]{0,3}(\d[\w.*]{0,60})(?:=\w{1,60})?$/;

/**
 * Matches an option or a variable that names an index of packages, and its value.
 *
 * @see https://pip.pypa.io/en/stable/cli/pip_install/
 */
const indexOption =
  /(?:^|[\s"'])(?:-[if]|--(?:extra-|default-)?index(?:-url)?|--find-links|--no-index|(?:PIP|UV)_(?:EXTRA_|DEFAULT_)?INDEX(?:_URL)?)(?=[\s=]|$)[\s=]{0,10}["']?([^\s"']{0,500})/g;

/** True if a command or a list of requirements names another index than the Python Package Index. */
export function usesOtherIndex(text: string): boolean {
  return [...text.slice(0, maxCommandLength).matchAll(indexOption)].some(
    ([, value]) => !isPythonPackageIndex(value!),
  );
}

function isPythonPackageIndex(url: string): boolean {
  return /^https:\/\/pypi\.(?:python\.)?org\/simple\/?$/.test(url);
}

/** Matches a line that sets a variable for later commands. The groups are its name and its value. */
const assignedVariable =
  /^[ \t]{0,100}(?:-[ \t]{1,10})?(?:export[ \t]{1,10})?["']?([A-Z_]{1,30})["']?[ \t]{0,10}[=:][ \t]{0,10}["']?([^\s"']{1,500})["']?[ \t]{0,10}(?:#.*)?$/;
/** Matches a command that configures the index of pip for later commands. The group is its value. */
const configuredIndex =
  /\bpip3?[ \t]{1,10}config[ \t](?:[ \t]{0,10}--\w{1,20}[ \t]){0,3}[ \t]{0,10}set[ \t]{1,10}["']?\w{1,30}\.(?:(?:extra-)?index-url|find-links|no-index)["']?[ \t]{1,10}["']?([^\s"']{1,500})/;

/**
 * True if a variable makes pip or uv use another index than the Python Package Index.
 *
 * @param value Undefined if the value isn't known.
 */
export function isOtherIndex(variable: string, value: string | undefined): boolean {
  const isIndex = /^(?:PIP|UV)_(?:(?:EXTRA_|DEFAULT_)?INDEX(?:_URL)?|FIND_LINKS|NO_INDEX)$/.test(variable);
  return isIndex && !isPythonPackageIndex(value ?? '');
}

/** True if a line of a script or a pipeline makes later commands use another index. */
export function setsOtherIndex(line: string): boolean {
  const text = line.slice(0, maxCommandLength);
  const configured = configuredIndex.exec(text)?.[1];
  if (configured !== undefined) return !isPythonPackageIndex(configured);
  const [, name, value] = assignedVariable.exec(text) ?? [];
  return name !== undefined && isOtherIndex(name, value);
}

/**
 * Reads a Python package and its version, as in the arguments of pip. Returns null for other texts.
 *
 * @param hasOtherIndex True if the package can come from another index.
 */
export function readPipPackage(text: string, hasOtherIndex = false): PackageFact | null {
  const [, name, operator = '', version = ''] = requirement.exec(text.slice(0, 400).trim()) ?? [];
  const isExact = /^={2,3}$/.test(operator) && !version.includes('*');
  return name === undefined ? null : pipPackage(name, isExact ? version : operator + version, hasOtherIndex);
}

/** Returns a Python package, of the Python Package Index unless it can come from another index. */
export function pipPackage(name: string, version: string, hasOtherIndex = false): PackageFact {
  return {
    artifact: { kind: 'tool', name },
    origin: hasOtherIndex ? { type: 'unsupported' } : { type: 'package', index: 'pypi', name },
    // pip can be configured to use another index.
    isOriginGuessed: true,
    ...readVersion(version, /^[<>~=]/.test(version) ? 'chart' : 'tool'),
    digest: null,
    note: hasOtherIndex ? 'package of pip from another index' : 'package of pip',
  };
}

/** Returns the channels that the options of a command of Conda name. */
function channelsOf(command: string): string[] {
  const options = command.matchAll(/(?:^|\s)(?:-c|--channel)(?=[\s=])[\s=]{1,10}["']?([^\s"']{1,300})/g);
  return [...new Set(Array.from(options, ([, channel]) => channel!))];
}

/**
 * Reads a package of Conda, whose version is a range unless it has three numbers. Its own channel has precedence over
 * those of the command. With several of these, nothing shows which one has the package. The channel `defaults` is a list
 * of channels on another server.
 *
 * @see https://docs.conda.io/projects/conda/en/stable/user-guide/concepts/channels.html
 */
export function readCondaPackage(
  text: string,
  channels: readonly string[] = ['conda-forge'],
): PackageFact | null {
  const [, own, name, operator = '', version = ''] = condaPackage.exec(text.slice(0, 400).trim()) ?? [];
  if (name === undefined) return null;
  const [channel = '', ...others] = own === undefined ? channels : [own];
  const isKnown = others.length === 0 && /^[\w-]{1,60}$/.test(channel) && channel !== 'defaults';
  return {
    artifact: { kind: 'tool', name },
    origin: isKnown
      ? { type: 'package', index: 'conda', name: `${channel}/${name}` }
      : { type: 'unsupported' },
    isOriginGuessed: true,
    ...readVersion(operator.startsWith('=') ? version : operator + version, 'chart'),
    digest: null,
    note: 'package of Conda',
  };
}

/** Matches the command that installs packages. The group before the arguments is the name of Conda. */
const installCommand =
  /(?:^|[\s;&|("'`/])(?:(?:pip3?(?:\.\d{1,2})?|pipx|uv[ \t]{1,10}pip)[ \t]{1,10}install|(conda|mamba|micromamba)[ \t]{1,10}(?:install|create))\b/;

/** Maximum number of characters of a line, and of words of one command, that are read. */
const maxCommandLength = 20_000;
/** Maximum number of characters of a further line of a command whose options are read. */
const maxLineLength = 500;
const maxWords = 200;

/** Maximum number of lines of one command whose options are read. */
const maxCommandLines = 100;

/** Matches the ends of the commands in a line. */
const separator = /&&|\|\||[;|]/;

/**
 * Returns a function that returns the packages which the commands in a line install. A command can continue on the next
 * lines, so the function must be called with the indexes of the lines in their order.
 *
 * @param hasOtherIndex True if another index is set for all commands. By default, one of the lines sets it.
 */
export function createPackageReader(
  lines: readonly string[],
  hasOtherIndex?: boolean,
): (index: number) => PackageFact[] {
  let read: ((text: string) => PackageFact | null) | null = null;
  let isSet = hasOtherIndex;
  const isOtherIndexSet = () => (isSet ??= lines.some(setsOtherIndex));
  return (index) => {
    const text = (lines[index] ?? '').slice(0, maxCommandLength).trimEnd();
    const found: PackageFact[] = [];
    const commands = text.split(separator);
    for (const [at, command] of commands.entries()) {
      const match = installCommand.exec(command);
      if (match) {
        const isLast = at === commands.length - 1;
        const whole = isLast ? command + continuationOf(lines, index) : command;
        read = readerOf(match[1] !== undefined, whole, isOtherIndexSet);
      } else if (at > 0) read = null;
      const words = match ? command.slice(match.index + match[0].length) : command;
      for (const word of read === null ? [] : words.split(/\s+/, maxWords)) {
        const fact = read?.(word.replace(/^["'`([,]{1,20}|["'`)\],\\]{1,20}$/g, '')) ?? null;
        if (fact) found.push(fact);
      }
    }
    if (!text.endsWith('\\')) read = null;
    return found;
  };
}

/** Returns the function that reads a package of a command with its options. */
function readerOf(
  isConda: boolean,
  command: string,
  isOtherIndexSet: () => boolean,
): (text: string) => PackageFact | null {
  if (!isConda) {
    const hasOtherIndex = usesOtherIndex(command) || isOtherIndexSet();
    return (text) => readPipPackage(text, hasOtherIndex);
  }
  const channels = channelsOf(command);
  return (text) => readCondaPackage(text, channels.length > 0 ? channels : undefined);
}

/** Returns the rest of a command that continues below a line. */
function continuationOf(lines: readonly string[], index: number): string {
  let rest = '';
  for (let at = index; at < index + maxCommandLines && lines[at]?.trimEnd().endsWith('\\'); at++)
    rest += ` ${(lines[at + 1] ?? '').slice(0, maxLineLength)}`;
  return rest.split(separator, 1)[0]!;
}
