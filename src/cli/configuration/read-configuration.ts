import type { Document, LineCounter } from 'yaml';
import { createDocumentCheck } from '../../domain/configuration/check-document.ts';
import type { Place, Remark } from '../../domain/configuration/configuration-entries.ts';
import { type Item, isItem } from '../../domain/configuration/json-item.ts';
import { type Section, secretMembers } from '../../domain/configuration/kinds.ts';
import { usageError } from '../cli-error.ts';
import { parseYamlFile } from '../parse-yaml-file.ts';
import { type FilledValues, fillEnvironment, type TextPath } from './environment-values.ts';
import { createSecretHider } from './hide-secrets.ts';
import { configurationSchema } from './section-schema.ts';

/** A configuration as the API accepts it, and details that only the file has. */
export interface ConfigurationFile {
  /** Valid by the schema, with the values of variables. */
  document: Item;
  /** As it stands in the file, to be shown: no secret is in it. */
  written: Item;
  /** For messages: `gather_jobs "Web" (line 12)`. */
  describePlace(place: Place): string;
  /** Replaces values of variables in what a server says by references to them. */
  hideSecrets(text: string): string;
}

const findProblems = createDocumentCheck(configurationSchema);

/** Reads a file. What is wrong with it is one error that names every place. */
export function readConfiguration(
  text: string,
  fileName: string,
  env: NodeJS.ProcessEnv,
  { isOneOfSeveral = false } = {},
): ConfigurationFile {
  const inFile = isOneOfSeveral ? `${fileName}, ` : '';
  const { document: yaml, lines, value: written } = parseYamlFile(text, fileName);
  if (!isItem(written))
    throw usageError(`${fileName} isn't a configuration file: it must have sections such as rules.`);
  const lineOf = (path: string) => lineOfPath(yaml, lines, path);

  const filled = fillEnvironment(written, env, isSecret);
  checkReferences(filled, fileName, (path) => lineOf(path.map((step) => `/${step}`).join('')));
  const problems = findProblems(filled.value).map(
    ({ path, message }) => `  line ${lineOf(path)}: ${path === '' ? 'the file' : path.slice(1)} ${message}`,
  );
  if (problems.length > 0)
    throw usageError(
      `No changes made. ${fileName} has errors:\n${[...new Set(problems)].slice(0, 30).join('\n')}`,
    );
  return {
    document: filled.value as Item,
    written,
    describePlace(place) {
      const entry = entryAt(filled.value as Item, place);
      if (!entry) return place.section;
      const line = lineOf(`/${place.section}/${place.index}`);
      return `${place.section} "${String(entry['name']).trim()}" (${inFile}line ${line})`;
    },
    hideSecrets: createSecretHider(filled.texts),
  };
}

/** An entry of a list, as it is in a document; undefined for what is not in a list. */
export function entryAt(document: Item, { section, index }: Place): Item | undefined {
  const list = document[section];
  const entry: unknown = Array.isArray(list) && index !== null ? list[index] : undefined;
  return isItem(entry) ? entry : undefined;
}

/** `rules "Majors" (line 3): duplicate key 1.` */
export function describeRemark(file: ConfigurationFile, remark: Remark): string {
  return `${file.describePlace(remark)}: ${remark.message}`;
}

/** Whether a text belongs to a member that holds secrets: `notification_channels/0/headers/Authorization`. */
function isSecret([section, , member]: TextPath): boolean {
  return secretMembers[section as Section]?.has(String(member)) === true;
}

function checkReferences(
  { misplaced, missing }: FilledValues,
  fileName: string,
  lineOf: (path: TextPath) => number,
): void {
  if (misplaced.length > 0) {
    const list = misplaced.map(
      ({ reference, path }) => `  line ${lineOf(path)}: ${path.join('/')} has ${reference}`,
    );
    throw usageError(
      `No changes made. ${fileName} has references to the environment where none is allowed:\n${list.join('\n')}\n` +
        `Only ${placesOfSecrets()} can have them. Elsewhere, write the value itself, or $\${env:NAME} for the characters \${env:NAME}.`,
    );
  }
  if (missing.size === 0) return;
  const list = [...missing].map(
    ([name, paths]) => `  ${name} (line ${[...new Set(paths.map(lineOf))].join(', ')})`,
  );
  throw usageError(
    `No changes made. ${fileName} uses environment variables that aren't set:\n${list.join('\n')}`,
  );
}

/** `url and headers of notification_channels` */
function placesOfSecrets(): string {
  const list = new Intl.ListFormat('en-US');
  return list.format(
    Object.entries(secretMembers).map(([section, members]) => `${list.format(members)} of ${section}`),
  );
}

/** The line of what a path leads to, or of the nearest thing around it. */
function lineOfPath(document: Document, lines: LineCounter, path: string): number {
  const steps = path.split('/').slice(1);
  for (let length = steps.length; length > 0; length--) {
    const node = document.getIn(
      steps.slice(0, length).map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
      true,
    );
    const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : null;
    if (Array.isArray(range)) return lines.linePos(Number(range[0])).line;
  }
  return 1;
}
