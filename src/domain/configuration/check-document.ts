import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Item, isItem } from '../json/json-item.ts';
import { ownValue } from '../json/own-value.ts';
import { limitProblem } from '../text/limit-problem.ts';
import { nearestName } from '../text/nearest-name.ts';
import { patternProblem } from '../text/pattern-problem.ts';
import { kinds } from './kinds.ts';

/** Location in a document: `['rules', 0, 'name']`. */
export type Path = readonly (string | number)[];

export interface DocumentProblem {
  path: Path;
  message: string;
}

export interface CheckedDocument {
  /** Problems, with locations in `document`. */
  problems: DocumentProblem[];
  /**
   * Copy of the document for further checks: misspelled names are replaced by the suggested ones, and invalid
   * values are omitted. The copy is valid, except that fields may be missing. If the document has no
   * problems, it's the document itself.
   */
  document: Item;
  /** Like `document`, but it keeps invalid values, except for those that the API never accepts. */
  corrected: Item;
  /**
   * Locations in `document` that already have a reported problem. Further problems at these locations are only
   * consequences, so they aren't reported.
   */
  settled: LocationSet;
  /** Converts a location in `document` to the location in the original document. */
  originalPath(path: Path): Path;
}

/** Returns a function that validates a document against the schema of configuration files and reports all problems. */
export function createDocumentCheck(schema: Readonly<Item>): (document: unknown) => CheckedDocument {
  let validate: ValidateFunction | undefined;
  return (given) => {
    // Suggestions require the values and the known names, which only verbose errors include.
    validate ??= new Ajv2020({
      allErrors: true,
      verbose: true,
      strict: false,
      validateFormats: false,
    }).compile(schema);
    if (validate(given)) return untouched(given as Item);
    return checkByParts(validate, given);
  };
}

function untouched(document: Item): CheckedDocument {
  return {
    problems: [],
    document,
    corrected: document,
    settled: createLocationSet(),
    originalPath: (path) => path,
  };
}

/** Maximum number of suggestions, because finding a similar name is slow. */
const maxSuggestions = 1_000;

/**
 * Maximum number of validation rounds. Renaming a field can reveal misspelled names inside it. No schema is
 * nested more deeply than this.
 */
const maxRounds = 6;

function checkByParts(validate: ValidateFunction, given: unknown): CheckedDocument {
  if (!isItem(given))
    return {
      ...untouched({}),
      problems: [{ path: [], message: 'must have sections such as rules' }],
    };
  const document = structuredClone(given);
  const problems: DocumentProblem[] = [];
  const settled = createLocationSet();
  /** Original names of renamed fields and sections, by the path that contains the new name. */
  const writtenNames = new Map<string, string>();
  const originalPath = (path: Path): Path =>
    path.map((step, index) => writtenNames.get(JSON.stringify(path.slice(0, index + 1))) ?? step);
  const replaced = createLocationSet();
  const report = (path: Path, message: string) => problems.push({ path, message });

  let errors: ErrorObject[] = [];
  for (let round = 0; round < maxRounds; round++) {
    errors = validate(document) ? [] : [...(validate.errors ?? [])];
    const misspelled = errors.filter(
      (error) => error.keyword === 'additionalProperties' || suggestedValue(error) !== null,
    );
    if (misspelled.length === 0) break;
    for (const error of misspelled) {
      if (error.keyword === 'additionalProperties') replaceName(error);
      else replaceValue(error);
    }
  }
  const choices = new Map(
    errors.filter(({ keyword }) => keyword === 'anyOf').map((error) => [error.instancePath, error]),
  );
  const rest = errors.filter(
    (error) =>
      !isRedundantError(error, choices) &&
      !settled.has(problemPath(error)) &&
      !(error.keyword === 'uniqueItems' && replaced.has(pathOf(error))),
  );
  // Report all errors before omitting values, because one location can have several errors.
  for (const error of rest) report(problemPath(error), problemText(error));
  const corrected = structuredClone(document);
  for (const error of rest) {
    const path = problemPath(error);
    if (error.keyword === 'anyOf' && isGatherJob(error.instancePath))
      for (const field of ['source_type', 'artifact_name']) settled.add([...path, field]);
    else omit(path);
  }
  const isValid = validate(document) || (validate.errors ?? []).every(isOfMissingField);
  if (isValid) return { problems, document, corrected, settled, originalPath };
  settled.add([]);
  return { problems, document: {}, corrected: {}, settled, originalPath };

  function replaceName(error: ErrorObject): void {
    const path = pathOf(error);
    const parent = valueAt(document, path);
    const written = String(error.params['additionalProperty']);
    if (!isItem(parent) || !Object.hasOwn(parent, written)) return;
    const known = Object.keys((error.parentSchema?.['properties'] as Item) ?? {});
    const near = problems.length < maxSuggestions ? nearName(path, written, known) : null;
    const noun = path.length === 0 ? 'section' : 'field';
    report([...path, written], `unknown ${noun} "${written}"${hintAbout(path, written, near, known)}`);
    const value = parent[written];
    delete parent[written];
    if (near !== null && !Object.hasOwn(parent, near)) {
      parent[near] = value;
      writtenNames.set(JSON.stringify([...path, near]), written);
    } else if (near === null && path.length === 0) {
      // A section with a misspelled, unknown name may contain the resources that the rest of the file
      // references. Add an entry without a name to each missing section, so that references to resources in
      // these sections aren't reported as unknown.
      for (const { section } of kinds) {
        if (Object.hasOwn(document, section)) continue;
        document[section] = [{}];
        settled.add([section]);
      }
    }
  }

  function replaceValue(error: ErrorObject): void {
    const path = pathOf(error);
    const near = suggestedValue(error);
    report(path, problemText(error));
    settled.add(path);
    replaced.add(path.slice(0, -1));
    setValue(document, path, near);
  }

  /** Omits a value: a field of an entry, a whole entry, or a whole section. */
  function omit(path: Path): void {
    settled.add(path);
    const [section, index, field] = path;
    if (typeof section !== 'string') return;
    if (index === undefined) for (const each of [document, corrected]) omitSection(each, section);
    else if (section === 'settings' || section === 'templates') {
      const values = document[section];
      if (isItem(values)) delete values[index];
    } else if (Array.isArray(document[section])) {
      const list = document[section] as unknown[];
      const entry = list[Number(index)];
      if (field !== undefined && isItem(entry)) {
        delete entry[field];
        settled.add([section, index, field]);
      } else for (const each of [document, corrected]) (each[section] as unknown[])[Number(index)] = {};
    }
  }

  /**
   * Omits a section whose entries can't be read. A section of resources gets a single entry without a name
   * instead.
   */
  function omitSection(from: Item, section: string): void {
    if (kinds.some((kind) => kind.section === section)) from[section] = [{}];
    else delete from[section];
  }
}

/** Set of locations in a document. */
export interface LocationSet {
  add(place: Path): void;
  /** True if the set contains a location or one of its parents. */
  has(path: Path): boolean;
}

export function createLocationSet(given: readonly Path[] = []): LocationSet {
  const keyOf = (path: Path) => JSON.stringify(path.map(String));
  const places = new Set<string>(given.map(keyOf));
  return {
    add: (place) => void places.add(keyOf(place)),
    has: (path) =>
      places.size > 0 &&
      Array.from({ length: path.length + 1 }).some((_, length) => places.has(keyOf(path.slice(0, length)))),
  };
}

/** Names that users often write for sections, with the actual section names. */
const otherSectionNames: Readonly<Record<string, string>> = {
  channels: 'notification_channels',
  monitors: 'alert_configs',
  targets: 'freshness_targets',
  aliases: 'artifact_aliases',
  corrections: 'artifact_corrections',
  alert_configurations: 'alert_configs',
  configs: 'alert_configs',
  monitoring_rules: 'rules',
  notification_templates: 'templates',
  helm_repositories: 'helm_sync_jobs',
};

function hintAbout(path: Path, written: string, near: string | null, known: readonly string[]): string {
  if (near !== null) return `; did you mean "${near}"?`;
  if (path.length === 0) {
    const name = nameOfSection(written);
    const elsewhere = ownValue(notInFiles, name);
    if (elsewhere !== undefined) return `. ${elsewhere} Remove this section.`;
    if (fieldNames.has(written)) return '. It is a field: check the indentation';
  }
  return `; available: ${known.join(', ')}`;
}

/**
 * Resources that configuration files can't contain. Each message states the reason and how to create the
 * resource.
 */
const notInFiles: Readonly<Record<string, string>> = {
  silences:
    "Silences are temporary, so they aren't part of configuration files. Create them with 'pacekeeper silence'.",
  hooks:
    "Hooks have secrets, so they aren't part of configuration files. Create them with 'pacekeeper create hooks'.",
  deployment_trusts:
    "Trusts decide who can report deployments, so they aren't part of configuration files. Create them with 'pacekeeper create deployment-trusts'.",
  audit_exports:
    "Audit exports have secrets, so they aren't part of configuration files. Create them with 'pacekeeper create audit-exports'.",
  api_keys:
    "API keys are secrets, so they aren't part of configuration files. Create them with 'pacekeeper create api-keys'.",
  members: "Members aren't part of configuration files. Invite them with 'pacekeeper create members'.",
};

function nameOfSection(written: string): string {
  return written.toLowerCase().replaceAll(/[- ]/g, '_');
}

function nearName(path: Path, written: string, known: readonly string[]): string | null {
  const name = nameOfSection(written);
  if (path.length === 0) {
    if (fieldNames.has(name) || Object.hasOwn(notInFiles, name)) return null;
    const other = ownValue(otherSectionNames, name);
    if (other !== undefined) return other;
  }
  // Also accept the API's names of references, such as `rule_id`.
  const reference = name.replace(/_ids$/, 's').replace(/_id$/, '');
  return known.includes(reference) ? reference : nearestName(name, known);
}

/** Names of fields in entries. If the indentation is wrong, such a field appears as an unknown section. */
const fieldNames: ReadonlySet<string> = new Set([
  'name',
  'description',
  'rule_type',
  'thresholds',
  'source_type',
  'artifact_name',
  'parser_type',
  'cron_expression',
  'url',
  'preset',
  'labels',
  'severities',
  'version',
  'repository_url',
  'target_file',
  'parse_expression',
  'is_active',
  'source',
  'query',
  'label',
  'series',
]);

/** Values that users often write, with the allowed values. */
const otherValues: Readonly<Record<string, string>> = {
  yaml: 'yq',
  json: 'jq',
  re2: 'regex',
  cyclonedx: 'sbom',
  spdx: 'sbom',
};

/** Returns the allowed value that was probably meant. */
function suggestedValue({ keyword, data, params }: ErrorObject): unknown {
  if (keyword !== 'enum' || typeof data !== 'string') return null;
  const values = (params['allowedValues'] as unknown[]).filter((value) => typeof value === 'string');
  const written = data.toLowerCase();
  const near = nearestName(written, values) ?? ownValue(otherValues, written);
  if (near !== undefined) return values.includes(near) ? near : null;
  // Accept part of a value, such as `github` for `github_releases`.
  const parts = values.filter((value) => written.length >= 3 && value.includes(written));
  return parts.length === 1 ? parts[0]! : null;
}

/**
 * True if an error only repeats a more helpful one. For a value that can have several forms, the validator
 * reports the errors of each form and an error about all forms. If the intended form is known, its errors are
 * more helpful. Otherwise, only the error about all forms is reported.
 */
function isRedundantError(error: ErrorObject, choices: ReadonlyMap<string, ErrorObject>): boolean {
  // A separate error about the same name already states the reason.
  if (error.keyword === 'propertyNames') return true;
  if (error.keyword === 'anyOf') return intendedFormErrors(error) !== null;
  const choice = choiceAround(error, choices);
  return choice !== undefined && intendedFormErrors(choice)?.(error) !== true;
}

function choiceAround(
  { keyword, instancePath }: ErrorObject,
  choices: ReadonlyMap<string, ErrorObject>,
): ErrorObject | undefined {
  if (canBeFed(instancePath)) return keyword === 'required' ? choices.get(instancePath) : undefined;
  for (let path = instancePath; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
    if (canBeFed(path)) return undefined;
    const choice = choices.get(path);
    if (choice) return choice;
  }
  return undefined;
}

/** Returns a predicate that is true for errors of the intended form, or `null` if that form isn't known. */
function intendedFormErrors(choice: ErrorObject): ((error: ErrorObject) => boolean) | null {
  const { data, instancePath, parentSchema } = choice;
  if (canBeFed(instancePath))
    return !isGatherJob(instancePath) || (isItem(data) && ('source_type' in data || 'artifact_name' in data))
      ? ({ params }) => params['missingProperty'] !== 'fed_by'
      : null;
  const forms = parentSchema?.['anyOf'] as Item[];
  if (forms.some(({ type }) => type === 'null')) return ({ params }) => params['type'] !== 'null';
  // The value is a reference: a name, or an object with a name and a key.
  if (isItem(data)) return (error) => error.keyword !== 'type' || error.instancePath !== instancePath;
  return typeof data === 'string' ? ({ keyword }) => keyword !== 'type' : null;
}

/**
 * True for the path of an entry that can have `fed_by`. An entry with `fed_by` omits fields that are otherwise
 * required.
 */
const canBeFed = (instancePath: string) => /^\/(?:gather|scrape)_jobs\/\d+$/.test(instancePath);
const isGatherJob = (instancePath: string) => /^\/gather_jobs\/\d+$/.test(instancePath);

function isOfMissingField(error: ErrorObject): boolean {
  return error.keyword === 'required' || (error.keyword === 'anyOf' && canBeFed(error.instancePath));
}

function pathOf({ instancePath }: ErrorObject): (string | number)[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** Returns the location of a problem. For a missing field, it's the location where the field belongs. */
function problemPath(error: ErrorObject): Path {
  const path = pathOf(error);
  const inside: unknown = error.params['missingProperty'] ?? error.propertyName;
  return typeof inside === 'string' ? [...path, inside] : path;
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      Array.isArray(value) ? value[Number(step)] : isItem(value) ? ownValue(value, String(step)) : undefined,
    root,
  );
}

function setValue(root: unknown, path: Path, value: unknown): void {
  const parent = valueAt(root, path.slice(0, -1));
  const last = path.at(-1)!;
  if (Array.isArray(parent)) parent[Number(last)] = value;
  else if (isItem(parent)) parent[String(last)] = value;
}

function problemText(error: ErrorObject): string {
  const { keyword, message, params, data, instancePath } = error;
  switch (keyword) {
    case 'enum': {
      const near = suggestedValue(error);
      const hint = typeof near === 'string' ? `; did you mean ${near}?` : '';
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}${hint}`;
    }
    case 'const':
      return `must be ${String(params['allowedValue'])}`;
    case 'type':
      return typeProblem([params['type']].flat().map(String), data, pathOf(error));
    case 'required':
      return 'is required';
    case 'uniqueItems':
      return 'has a duplicate value';
    case 'anyOf':
      if (data === null) return emptyValue;
      if (isGatherJob(instancePath)) return 'must have source_type and artifact_name, or fed_by';
      return typeof data === 'number' || typeof data === 'boolean'
        ? 'must be a name, not an ID. A name that is a number needs quotes'
        : 'must be a name, or {name, key}';
    default:
      return (
        limitProblem(keyword, params['limit']) ??
        patternProblem(error) ??
        (message ?? 'is invalid').replace('must NOT', 'must not')
      );
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of fields, such as { name: value }',
};

const emptyValue = 'is empty. Enter a value or remove the line';

function typeProblem(types: readonly string[], data: unknown, path: Path): string {
  const isList = types.includes('array');
  if (data === null || data === undefined)
    return path.length === 1 && isList
      ? 'is empty. Add entries, remove the line, or write [] for none'
      : emptyValue;
  if (types.includes('string') && typeof data !== 'object') return 'must be text; add quotes';
  const expected = types
    .filter((type) => type !== 'null')
    .map((type) => ownValue(typeNames, type) ?? type)
    .join(' or ');
  if (path.length === 1 && isList) return `must be a list. Start each entry with "- "`;
  if (path.length === 2 && types.includes('object'))
    return 'must be a map of fields, such as name: Web. Check the indentation';
  if (isList && typeof data === 'string') return `must be a list, such as [${data.slice(0, 50)}]`;
  const isWord = typeof data === 'string';
  if (isWord && types.includes('integer'))
    return /^\s*\d+\s*$/.test(data)
      ? 'must be a whole number; remove the quotes'
      : 'must be a whole number, without a unit';
  if (isWord && types.includes('boolean')) return 'must be true or false, without quotes';
  return `must be ${expected}`;
}
