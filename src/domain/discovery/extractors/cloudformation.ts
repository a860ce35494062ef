import type { DocumentTree } from '../../parsers/document-tree.ts';
import { type Extracted, type Fact, nothing } from '../fact.ts';
import { pullThrough } from '../link-pull-through.ts';
import {
  byCloudFormationType,
  type ManagedResourceId,
  readResourceVersions,
  resourceOf,
  serviceFact,
  type WrittenValue,
} from '../managed-services.ts';
import { type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { isTemplated } from '../read-version.ts';
import type { FilePath, YamlExtractor } from './extractor.ts';

/**
 * Managed services in templates of CloudFormation and SAM, with the defaults of parameters, and runtimes in files of
 * the Serverless Framework. Mappings and conditions aren't evaluated.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-anatomy.html
 */
export const cloudformation: YamlExtractor = {
  name: 'cloudformation',
  wants: (text, file) => /\bAWS::/.test(text) || (isServerless(file) && /\bruntime\b/.test(text)),
  extract(document, file) {
    const result = nothing();
    if (isServerless(file)) readServerless(document, result);
    for (const path of [[], ['resources']]) readTemplate(document, treeAt(document.tree, ...path), result);
    return result;
  },
};

/** True for JSON files that are templates by their name or the name of their directory. */
export function isJsonTemplate({ path, base }: FilePath): boolean {
  return (
    base.endsWith('.template') ||
    (base.endsWith('.json') &&
      /(?:^|[/._-])(?:cloudformation|cfn|stacks?|templates?|sam)(?:[/._-])/i.test(path))
  );
}

function isServerless({ base }: FilePath): boolean {
  return /^serverless(?:[.-][\w-]+)*\.ya?ml$/.test(base);
}

/** A template. Its maps are read once, because each lookup in a YAML map scans the keys of the map. */
interface Template {
  readonly document: ReadDocument;
  /** Defaults of the parameters. Null for parameters without one that is a value. */
  readonly parameters: ReadonlyMap<string, string | null>;
  readonly resources: ReadonlyMap<string, DocumentTree>;
  /** Properties that SAM sets for all functions (`Globals`). */
  readonly functionGlobals: DocumentTree | undefined;
  /** Positions of each key of a JSON text, because nodes of JSON have none. */
  readonly keys: ReadonlyMap<string, readonly number[]>;
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
    resources,
    functionGlobals: treeAt(tree, 'Globals', 'Function'),
    keys: /^\s*\{/.test(document.text) ? findKeys(document.text) : new Map(),
  };
  for (const name of resources.keys()) readResource(template, name, result);
}

/** Returns the default of a parameter. That of a parameter in Systems Manager is a name and not a value. */
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
    const rule = pullThrough(propertyOf('EcrRepositoryPrefix'), propertyOf('UpstreamRegistryUrl'));
    if (rule) result.links.push(rule);
    return;
  }
  const managed = byCloudFormationType.get(type);
  if (managed === undefined) return;
  const globals = type === 'Serverless::Function' ? template.functionGlobals : undefined;
  const valueOf = (attribute: string): WrittenValue | undefined => {
    const property = toPropertyName(attribute);
    const value = treeAt(resource, 'Properties', ...property) ?? treeAt(globals, ...property);
    if (value === undefined) return undefined;
    const line =
      value.offset === undefined ? lineInJson(template, name, property.at(-1)!) : document.lineOf(value);
    const isVersion = resourceOf(managed).versions.includes(attribute);
    const { text, note } = resolve(template, value);
    // Without its tag, the argument of another function looks like a text.
    if (isVersion && text !== null && note === null && !isVersionText(managed, text))
      return { text: null, line };
    return { text, note, line };
  };
  const place = { document: document.index, kind: `AWS::${type}`, namespace: null, name };
  const fieldOf = (attribute: string) => ['Properties', ...toPropertyName(attribute)].join('.');
  result.facts.push(
    ...readResourceVersions(managed, valueOf, { extractor: 'cloudformation', place, fieldOf }),
  );
}

/** Converts the name of an attribute in Terraform to that of the property. */
function toPropertyName(attribute: string): string[] {
  return attribute
    .split('.')
    .map((part) => part.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

/** True for a text that can be a version of the service, or that contains a template. */
function isVersionText(managed: ManagedResourceId, text: string): boolean {
  if (isTemplated(text)) return true;
  return managed === 'lambda' ? runtime.test(text) : /^\d|^(?:OpenSearch|Elasticsearch)_\d/.test(text);
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html */
const runtime = /^(?:nodejs|python|java|dotnet|dotnetcore|ruby|go|provided)(?:\d[\w.-]*|\.al\d+)?$/;

/**
 * Returns a literal value or the default of the parameter that it refers to, or null for other functions. A short
 * form such as `!Ref Name` is read without its tag.
 */
function resolve(
  { parameters, resources }: Template,
  value: DocumentTree,
): { text: string | null; note: string | null } {
  const reference = textAt(value, 'Ref') ?? (value.kind === 'scalar' ? value.text.trim() : null);
  if (reference === null) return { text: null, note: null };
  const byDefault = parameters.get(reference);
  // Whoever creates the stack can set another value than the default.
  if (typeof byDefault === 'string') return { text: byDefault, note: defaultNote(reference) };
  // Without its tag, a reference to another resource looks like text.
  if (byDefault === null || value.kind !== 'scalar' || resources.has(reference))
    return { text: null, note: null };
  let note: string | null = null;
  const text = value.text.replaceAll(/\$\{(\w+)\}/g, (written, name: string) => {
    const known = parameters.get(name) ?? null;
    if (known !== null) note ??= defaultNote(name);
    return known ?? written;
  });
  return { text, note };
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

/** Returns the line of a property of a resource, or that of the document if it isn't found. */
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
