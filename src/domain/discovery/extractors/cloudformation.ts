import type { DocumentTree } from '../../parsers/document-tree.ts';
import { type Extracted, emptyExtraction, type Fact } from '../fact.ts';
import { toPullThroughRule } from '../link-pull-through.ts';
import {
  type ManagedResourceId,
  managedResourceByCloudFormationType,
  readResourceVersions,
  resourceOf,
  serviceFact,
  type WrittenValue,
} from '../managed-services.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { isTemplated } from '../read-version.ts';
import type { FilePath, YamlExtractor } from './extractor.ts';

/**
 * Managed services in templates of CloudFormation and SAM, with the defaults of parameters and the values of
 * mappings, and runtimes in files of the Serverless Framework. Conditions aren't evaluated.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-anatomy.html
 */
export const cloudformation: YamlExtractor = {
  name: 'cloudformation',
  wants: (text, file) => /\bAWS::/.test(text) || (isServerless(file) && /\bruntime\b/.test(text)),
  extract(document, file) {
    const result = emptyExtraction();
    if (isServerless(file)) readServerless(document, result);
    for (const path of [[], ['resources']]) readTemplate(document, treeAt(document.tree, ...path), result);
    return result;
  },
};

/** True for JSON files whose name or directory shows that they're templates. */
export function isJsonTemplate({ path, base }: FilePath): boolean {
  return (
    base.endsWith('.template') ||
    (base.endsWith('.json') &&
      /(?:^|[/._-])(?:cloudformation|cfn|stacks?|templates?|sam)(?:[/._-])/i.test(path))
  );
}

function isServerless({ base }: FilePath): boolean {
  return /^serverless(?:[.-][\w.-]+)?\.ya?ml$/.test(base);
}

/** A template. Its maps are indexed once, because each lookup in a YAML map scans all of its keys. */
interface Template {
  readonly document: ReadDocument;
  /** Defaults of the parameters. Null for a parameter without a default, or whose default isn't a value. */
  readonly parameters: ReadonlyMap<string, string | null>;
  readonly mappings: ReadonlyMap<string, Mapping>;
  readonly resources: ReadonlyMap<string, DocumentTree>;
  /** Properties that SAM sets for all functions (`Globals`). */
  readonly functionGlobals: DocumentTree | undefined;
  /** Positions of each key in a JSON text, because parsed JSON has no positions. */
  readonly keys: ReadonlyMap<string, readonly number[]>;
}

interface Mapping {
  /** Values by their first and second key. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, DocumentTree>>;
  /** Values by their second key alone, for lookups whose first key isn't known. */
  readonly columns: ReadonlyMap<string, readonly DocumentTree[]>;
  /** Cache of selections by both keys, because many resources can use the same ones. */
  readonly selections: Map<string, Selection>;
}

/** Values of a mapping that a lookup can select. */
interface Selection {
  /** At most two different texts, because two are enough to show that the value isn't known. */
  readonly texts: readonly (string | null)[];
  /** True if the mapping doesn't have a value for every key that the lookup can have. */
  readonly isPartial: boolean;
}

function readTemplate(document: ReadDocument, tree: DocumentTree | undefined, result: Extracted): void {
  const resources = new Map(entriesOf(treeAt(tree, 'Resources')));
  if (resources.size === 0) return;
  const parameters = entriesOf(treeAt(tree, 'Parameters')).map(
    ([name, parameter]) => [name, defaultOf(parameter)] as const,
  );
  const template = {
    document,
    parameters: new Map(parameters),
    mappings: new Map(
      entriesOf(treeAt(tree, 'Mappings')).map(([name, mapping]) => [name, indexMapping(mapping)]),
    ),
    resources,
    functionGlobals: treeAt(tree, 'Globals', 'Function'),
    keys: /^\s*\{/.test(document.text) ? findKeys(document.text) : new Map(),
  };
  for (const name of resources.keys()) readResource(template, name, result);
}

function indexMapping(mapping: DocumentTree): Mapping {
  const rows = new Map(entriesOf(mapping).map(([key, values]) => [key, new Map(entriesOf(values))]));
  const columns = new Map<string, DocumentTree[]>();
  for (const row of rows.values())
    for (const [key, value] of row) {
      const known = columns.get(key);
      if (known) known.push(value);
      else columns.set(key, [value]);
    }
  return { rows, columns, selections: new Map() };
}

/**
 * Returns the default of a parameter, or null. The default of a Systems Manager parameter is excluded,
 * because it's a name and not a value.
 */
function defaultOf(parameter: DocumentTree): string | null {
  const isName = textAt(parameter, 'Type')?.startsWith('AWS::SSM::') ?? false;
  return isName ? null : textAt(parameter, 'Default');
}

function entriesOf(tree: DocumentTree | undefined): [string, DocumentTree][] {
  return tree?.kind === 'map' ? [...tree.entries()] : [];
}

function readResource(template: Template, name: string, result: Extracted): void {
  const { document } = template;
  const resource = template.resources.get(name);
  const type = textAt(resource, 'Type')?.replace(/^AWS::/, '') ?? '';
  if (type === 'ECR::PullThroughCacheRule') {
    const propertyOf = (name: string) => textAt(resource, 'Properties', name);
    const rule = toPullThroughRule(propertyOf('EcrRepositoryPrefix'), propertyOf('UpstreamRegistryUrl'));
    if (rule) result.links.push(rule);
    return;
  }
  const managed = managedResourceByCloudFormationType.get(type);
  if (managed === undefined) return;
  const globals = type === 'Serverless::Function' ? template.functionGlobals : undefined;
  const valueOf = (attribute: string): WrittenValue | undefined => {
    const property = toPropertyPath(attribute);
    const value = treeAt(resource, 'Properties', ...property) ?? treeAt(globals, ...property);
    if (value === undefined) return undefined;
    const line =
      value.offset === undefined ? lineInJson(template, name, property.at(-1)!) : document.lineOf(value);
    const isVersion = resourceOf(managed).versions.includes(attribute);
    const { text, note } = resolve(template, value);
    // YAML tags aren't kept, so the argument of another function looks like literal text. Ignore it unless it
    // can be a version.
    if (isVersion && text !== null && note === null && !isVersionText(managed, text))
      return { text: null, line };
    return { text, note, line };
  };
  const place = { document: document.index, kind: `AWS::${type}`, namespace: null, name };
  const fieldOf = (attribute: string) => ['Properties', ...toPropertyPath(attribute)].join('.');
  result.facts.push(
    ...readResourceVersions(managed, valueOf, { extractor: 'cloudformation', place, fieldOf }),
  );
}

/** Converts the name of a Terraform attribute to the path of the CloudFormation property. */
function toPropertyPath(attribute: string): string[] {
  return attribute
    .split('.')
    .map((part) => part.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

/** True for a text that can be a version of the service, or that contains a template. */
function isVersionText(managed: ManagedResourceId, text: string): boolean {
  if (isTemplated(text)) return true;
  if (managed === 'eksAddon') return /^v?\d/.test(text);
  return managed === 'lambda' ? runtime.test(text) : /^\d|^(?:OpenSearch|Elasticsearch)_\d/.test(text);
}

/**
 * Matches the identifier of a Lambda runtime.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html
 */
const runtime = /^(?:nodejs|python|java|dotnet|dotnetcore|ruby|go|provided)(?:\d[\w.-]*|\.al\d+)?$/;

/** A value and how it was found, if that isn't obvious. The text is null if it isn't known. */
interface ResolvedValue {
  text: string | null;
  note: string | null;
}

const unknownValue: ResolvedValue = { text: null, note: null };

/**
 * Returns a literal value, the default of a parameter that it refers to, or the value of a mapping. The text
 * is null for other functions. A short form such as `!Ref Name` is read without its tag.
 */
function resolve(template: Template, value: DocumentTree): ResolvedValue {
  const { parameters, resources } = template;
  const lookup = lookupOf(template, value);
  if (lookup !== null) return findInMap(template, lookup);
  const reference = textAt(value, 'Ref') ?? (value.kind === 'scalar' ? value.text.trim() : null);
  if (reference === null) return unknownValue;
  const byDefault = parameters.get(reference);
  // Add a note, because the creator of the stack can override a default.
  if (typeof byDefault === 'string') return { text: byDefault, note: defaultNote(reference) };
  // Skip the name of another resource. YAML tags aren't kept, so a reference to it looks like literal text.
  if (byDefault === null || value.kind !== 'scalar' || resources.has(reference)) return unknownValue;
  let note: string | null = null;
  const text = value.text.replaceAll(/\$\{(\w+)\}/g, (written, name: string) => {
    const known = parameters.get(name) ?? null;
    if (known !== null) note ??= defaultNote(name);
    return known ?? written;
  });
  return { text, note };
}

/**
 * Returns the arguments of `Fn::FindInMap`, or null for other values. Without its tag, the short form is a
 * list that begins with the name of a mapping.
 */
function lookupOf({ mappings }: Template, value: DocumentTree): DocumentTree[] | null {
  const long = treeAt(value, 'Fn::FindInMap');
  const lookup = [...listAt(long ?? value)];
  if (long !== undefined) return lookup;
  const [name] = lookup;
  const isLookup = lookup.length >= 3 && name?.kind === 'scalar' && mappings.has(name.text.trim());
  return isLookup ? lookup : null;
}

/**
 * Returns a value of a mapping. An unknown key, such as the region, is allowed if all values that it could
 * select are the same.
 */
function findInMap(template: Template, [name, first, second, options]: DocumentTree[]): ResolvedValue {
  const map = name === undefined ? null : keyOf(template, name);
  const mapping = template.mappings.get(map?.text ?? '');
  if (!map || mapping === undefined || first === undefined || second === undefined) return unknownValue;
  const [firstKey, secondKey] = [keyOf(template, first), keyOf(template, second)];
  const { texts: selected, isPartial } = select(mapping, firstKey?.text ?? null, secondKey?.text ?? null);
  const byDefault = treeAt(options, 'DefaultValue');
  if (isPartial && byDefault === undefined) return unknownValue;
  const texts = isPartial && byDefault !== undefined ? [...selected, scalarOf(byDefault)] : selected;
  const [text = null] = texts;
  if (text === null || texts.some((other) => other !== text)) return unknownValue;
  const parameter = [map, firstKey, secondKey].find((key) => key?.parameter)?.parameter ?? null;
  const mappingNote = `from the mapping ${map.text.slice(0, 90)}`;
  return {
    text,
    note: parameter === null ? mappingNote : `${mappingNote} with the ${defaultNote(parameter)}`,
  };
}

/** Returns the values that two keys select. A key that isn't known is null, and selects all values. */
function select(mapping: Mapping, first: string | null, second: string | null): Selection {
  const keys = JSON.stringify([first, second]);
  const known = mapping.selections.get(keys);
  if (known) return known;
  const { rows, columns } = mapping;
  const row = rows.get(first ?? '');
  const rowCount = first === null ? rows.size : Number(row !== undefined);
  const values = first === null ? valuesOf(columns, second).flat() : row ? valuesOf(row, second) : [];
  const selection = {
    texts: [...new Set(values.map(scalarOf))].slice(0, 2),
    isPartial: rowCount === 0 || values.length < rowCount,
  };
  mapping.selections.set(keys, selection);
  return selection;
}

/** Returns the value of a key, or all values if the key is null. */
function valuesOf<Value>(values: ReadonlyMap<string, Value>, key: string | null): Value[] {
  if (key === null) return [...values.values()];
  const value = values.get(key);
  return value === undefined ? [] : [value];
}

function scalarOf(value: DocumentTree): string | null {
  return value.kind === 'scalar' ? textAt(value) : null;
}

/**
 * Returns a key of a mapping, and the parameter whose default it is, if any. Returns null if the key isn't
 * known, such as the region of the stack or the result of another function.
 */
function keyOf(
  { parameters, resources }: Template,
  node: DocumentTree,
): { text: string; parameter: string | null } | null {
  const reference = textAt(node, 'Ref');
  const text = reference ?? (node.kind === 'scalar' ? node.text.trim() : null);
  if (text === null) return null;
  if (parameters.has(text)) {
    const byDefault = parameters.get(text) ?? null;
    return byDefault === null ? null : { text: byDefault, parameter: text };
  }
  const isOther = reference !== null || resources.has(text) || text.startsWith('AWS::') || isTemplated(text);
  return isOther ? null : { text, parameter: null };
}

function defaultNote(parameter: string): string {
  return `default value of \${${parameter.slice(0, 90)}}`;
}

function findKeys(text: string): Template['keys'] {
  const positions = new Map<string, number[]>();
  for (const { 1: key = '', index } of text.matchAll(/"([A-Za-z0-9]{1,255})"\s*:/g)) {
    const known = positions.get(key);
    if (known) known.push(index);
    else positions.set(key, [index]);
  }
  return positions;
}

/** Returns the line of a property of a resource, or the line of the document if the property isn't found. */
function lineInJson({ document, keys }: Template, name: string, property: string): number {
  const [resource] = keys.get(name) ?? [];
  const at = resource === undefined ? undefined : keys.get(property)?.find((each) => each > resource);
  return at === undefined ? document.line : document.lineOf({ kind: 'null', offset: at });
}

/** Reads the runtime of the provider, and of functions that override it. */
function readServerless(document: ReadDocument, result: Extracted): void {
  const { tree } = document;
  const provider = textAt(tree, 'provider', 'name') ?? textAt(tree, 'provider') ?? 'aws';
  if (provider !== 'aws') return;
  const parts: [path: string[], part: DocumentTree | undefined][] = [
    [['provider'], treeAt(tree, 'provider')],
    ...entriesOf(treeAt(tree, 'functions')).map(([name, part]): [string[], DocumentTree] => [
      ['functions', name],
      part,
    ]),
  ];
  for (const [path, part] of parts) {
    const value = treeAt(part, 'runtime');
    if (value?.kind !== 'scalar') continue;
    const place: Fact['place'] = {
      line: document.lineOf(value),
      document: document.index,
      kind: 'serverless',
      namespace: null,
      name: path[1] ?? textAt(tree, 'service'),
      field: [...path, 'runtime'].join('.'),
    };
    const written = { resource: 'lambda', engine: null, version: value.text } as const;
    result.facts.push(serviceFact(written, 'cloudformation', place));
  }
}
