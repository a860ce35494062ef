import type { LinkedFact } from './link-facts.ts';
import { isSecretName, readDotenv, type Variable } from './read-dotenv.ts';
import { readWrittenImage, splitImage } from './read-image.ts';
import { directoryOf } from './repository-path.ts';
import { substituteVariables } from './substitute-variables.ts';

/**
 * The `.env` file next to a Compose file. It can contain secrets, so only the images that it affects are
 * kept.
 */
export interface DotenvFile {
  path: string;
  text: string;
}

/** Resolves variables in Compose images from the `.env` file in the same directory. */
export function applyDotenv(facts: readonly LinkedFact[], files: readonly DotenvFile[]): void {
  const byDirectory = new Map(files.map((file) => [directoryOf(file.path), file]));
  const read = new Map<DotenvFile, ReadonlyMap<string, Variable>>();
  for (const fact of facts) {
    const file = fact.written === undefined ? undefined : byDirectory.get(directoryOf(fact.file));
    if (!file) continue;
    const variables = read.get(file) ?? readDotenv(file.text);
    read.set(file, variables);
    resolve(fact, fact.written!, file.path, variables);
  }
}

function resolve(
  fact: LinkedFact,
  written: string,
  path: string,
  variables: ReadonlyMap<string, Variable>,
): void {
  const { text, used, unset } = substitute(written, variables);
  const image = readWrittenImage(text);
  if (!image) return;
  if (used.length > 0) {
    const { origin, note, ...read } = image;
    Object.assign(fact, read, { note: note ?? `${used.join(', ')} in ${path}` });
    fact.isOriginCertain = image.isOriginGuessed !== true;
    if (fact.origin.type !== 'local') fact.origin = origin;
    const line = lineOfVersion(written, variables);
    if (line !== null) Object.assign(fact, { file: path, place: { ...fact.place, line, document: 0 } });
  }
  if (fact.reason !== 'templated' || unset.length === 0) return;
  const secrets = unset.filter(isSecretName);
  fact.note =
    secrets.length > 0
      ? `not read from ${path} because the name looks like a secret: ${secrets.join(', ')}`
      : `${path} doesn't set ${unset.join(', ')}`;
}

interface Substitution {
  text: string;
  /** Variables that have a value, without duplicates. */
  used: string[];
  /** Variables that have neither a value nor a default. */
  unset: string[];
}

function substitute(written: string, variables: ReadonlyMap<string, Variable>): Substitution {
  const used = new Set<string>();
  const withoutValue = new Set<string>();
  const { text } = substituteVariables(written, (name) => {
    const value = variables.get(name)?.value;
    (value === undefined || value === '' ? withoutValue : used).add(name);
    return value;
  });
  const remaining = new Set([...text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name]) => name!));
  return { text, used: [...used], unset: [...withoutValue].filter((name) => remaining.has(name)) };
}

/** Returns the line of the variable that sets the version, or null if the Compose file sets the version. */
function lineOfVersion(written: string, variables: ReadonlyMap<string, Variable>): number | null {
  // Without a tag, search the whole text, because a variable can contain the whole image.
  const { used } = substitute(splitImage(written)?.tag ?? written, variables);
  const last = used.at(-1);
  return last === undefined ? null : variables.get(last)!.line;
}

/** Returns the paths of existing `.env` files next to Compose files. */
export function dotenvPathsOf(composeFiles: readonly string[], exists: (path: string) => boolean): string[] {
  const directories = new Set(composeFiles.map(directoryOf));
  return [...directories]
    .map((directory) => (directory === '' ? '.env' : `${directory}/.env`))
    .filter(exists);
}
