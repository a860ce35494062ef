import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Document, LineCounter } from 'yaml';
import { nearestName } from '../../domain/templates/nearest-name.ts';
import { type Item, isItem } from '../call-operation.ts';
import { usageError } from '../cli-error.ts';
import { parseYamlFile } from '../parse-yaml-file.ts';
import { type FilledValues, fillEnvironment, type TextPath } from './environment-values.ts';
import { createSecretHider } from './hide-secrets.ts';
import { kinds, type Section, secretMembers } from './kinds.ts';
import { configurationSchema } from './section-schema.ts';

/** A name in the file, and what tells things of that name apart. */
export interface FileReference {
  name: string;
  key: string | null;
  isGlobal: boolean;
}

/** A thing that the file wants. */
export interface Entry {
  section: Section;
  /** For messages: `gather_jobs "Web" (line 12)`. */
  place: string;
  name: string;
  key: string | null;
  /** What the file says, with variables filled in. */
  values: Item;
  /** As it stands in the file, to be shown: no secret is in it. */
  written: Item;
}

export interface Configuration {
  settings: Item | null;
  templates: Record<string, string> | null;
  /** Settings and templates as they stand in the file, to be shown. */
  written: { settings: Item; templates: Item };
  /** Null: the file says nothing of this kind. */
  entries: Record<Section, Entry[] | null>;
  /** Replaces values of variables in what a server says by references to them. */
  hideSecrets(text: string): string;
}

/** Reads a file. What is wrong with it is one error that names every place. */
export function readConfiguration(
  text: string,
  fileName: string,
  env: NodeJS.ProcessEnv,
  { isOneOfSeveral = false } = {},
): Configuration {
  const inFile = isOneOfSeveral ? `${fileName}, ` : '';
  const { document, lines, value: written } = parseYamlFile(text, fileName);
  if (!isItem(written))
    throw usageError(`${fileName} isn't a configuration file: it must have sections such as rules.`);
  const lineOf = (path: string) => lineOfPath(document, lines, path);

  const filled = fillEnvironment(written, env, isSecret);
  checkReferences(filled, fileName, (path) => lineOf(path.map((step) => `/${step}`).join('')));
  const problems = findProblems(filled.value).map(
    ({ path, message }) => `  line ${lineOf(path)}: ${path === '' ? 'the file' : path.slice(1)} ${message}`,
  );
  if (problems.length > 0)
    throw usageError(
      `No changes made. ${fileName} has errors:\n${[...new Set(problems)].slice(0, 30).join('\n')}`,
    );

  const value = filled.value as Item;
  const entries = Object.fromEntries(
    kinds.map(({ section }) => {
      const list = value[section];
      if (!Array.isArray(list)) return [section, null];
      return [section, list.map((item: Item, index) => toEntry(section, item, index))];
    }),
  ) as Configuration['entries'];
  return {
    settings: isItem(value['settings']) ? value['settings'] : null,
    templates: isItem(value['templates']) ? (value['templates'] as Record<string, string>) : null,
    written: { settings: itemOf(written['settings']), templates: itemOf(written['templates']) },
    entries,
    hideSecrets: createSecretHider(filled.texts),
  };

  function toEntry(section: Section, values: Item, index: number): Entry {
    const path = `/${section}/${index}`;
    const name = String(values['name']).trim();
    return {
      section,
      place: `${section} "${name}" (${inFile}line ${lineOf(path)})`,
      name,
      key: keyText(values['key']),
      values,
      written: (written as Record<string, Item[]>)[section]![index]!,
    };
  }
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

/** `Web`, or `{name: Web, key: 2}`. */
export function toReference(value: unknown): FileReference {
  if (!isItem(value)) return { name: String(value).trim(), key: null, isGlobal: false };
  const { name, key, scope } = value;
  return {
    name: String(name).trim(),
    key: keyText(key),
    isGlobal: scope === 'global',
  };
}

function keyText(key: unknown): string | null {
  return typeof key === 'string' || typeof key === 'number' ? String(key) : null;
}

function itemOf(value: unknown): Item {
  return isItem(value) ? value : {};
}

interface Problem {
  path: string;
  message: string;
}

let validate: ValidateFunction | undefined;

function compileSchema(): ValidateFunction {
  // Verbose for the names that a misspelt one may have meant.
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false, validateFormats: false });
  return ajv.compile(configurationSchema);
}

function findProblems(value: unknown): Problem[] {
  validate ??= compileSchema();
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  // Of several ways to write a thing, the errors within each say less than that none fits.
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath);
  return errors
    .filter(({ keyword, instancePath }) => keyword === 'anyOf' || !choices.includes(instancePath))
    .map((error) => ({ path: error.instancePath, message: problemText(error) }));
}

function problemText({ keyword, message, params, parentSchema, instancePath }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties': {
      const unknown = String(params['additionalProperty']);
      const near = nearestName(unknown, Object.keys((parentSchema?.['properties'] as Item) ?? {}));
      return `unknown field "${unknown}"${near ? `; did you mean ${near}?` : ''}`;
    }
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'type':
      return params['type'] === 'string' || String(params['type']).includes('string')
        ? 'must be a string; add quotes'
        : `${message ?? 'is invalid'}`;
    case 'required':
      return `is missing ${String(params['missingProperty'])}`;
    case 'anyOf':
      return /^\/gather_jobs\/\d+$/.test(instancePath)
        ? 'must have source_type and artifact_name, or fed_by'
        : 'must be a name, or {name, key}';
    default:
      return (message ?? 'is invalid').replace('must NOT', 'must not');
  }
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
