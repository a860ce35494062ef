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

/** Reads a Python package and its version, as in the arguments of pip. Returns null for other texts. */
export function readPipPackage(text: string): PackageFact | null {
  const [, name, operator = '', version = ''] = requirement.exec(text.slice(0, 400).trim()) ?? [];
  const isExact = /^={2,3}$/.test(operator) && !version.includes('*');
  return name === undefined ? null : pipPackage(name, isExact ? version : operator + version);
}

/** Returns a Python package of the Python Package Index. */
export function pipPackage(name: string, version: string): PackageFact {
  return {
    artifact: { kind: 'tool', name },
    origin: { type: 'package', index: 'pypi', name },
    // pip can be configured to use another index.
    isOriginGuessed: true,
    ...readVersion(version, /^[<>~=]/.test(version) ? 'chart' : 'tool'),
    digest: null,
    note: 'package of pip',
  };
}

/** Reads a package of Conda, whose version is a range unless it has three numbers. */
export function readCondaPackage(text: string): PackageFact | null {
  const [, channel, name, operator = '', version = ''] = condaPackage.exec(text.slice(0, 400).trim()) ?? [];
  if (name === undefined) return null;
  return {
    artifact: { kind: 'tool', name },
    origin: { type: 'package', index: 'conda', name: `${channel ?? 'conda-forge'}/${name}` },
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
const maxWords = 200;

/**
 * Returns a function that returns the packages which the commands in a line install. A command can continue on the next
 * lines, so the function must get the lines of a file in their order.
 */
export function createPackageReader(): (line: string) => PackageFact[] {
  let read: ((text: string) => PackageFact | null) | null = null;
  return (line) => {
    const text = line.slice(0, maxCommandLength).trimEnd();
    const found: PackageFact[] = [];
    for (const [at, command] of text.split(/&&|\|\||[;|]/).entries()) {
      const match = installCommand.exec(command);
      if (match) read = match[1] === undefined ? readPipPackage : readCondaPackage;
      else if (at > 0) read = null;
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
