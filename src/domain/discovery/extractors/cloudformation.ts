import type { DocumentTree } from '../../parsers/document-tree.ts';
import { type Extracted, type Fact, nothing } from '../fact.ts';
import {
  byCloudFormationType,
  readResourceVersions,
  serviceFact,
  type WrittenValue,
} from '../managed-services.ts';
import { countLines, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
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
    const resources = [treeAt(document.tree, 'Resources'), treeAt(document.tree, 'resources', 'Resources')];
    for (const map of resources) {
      if (map?.kind !== 'map') continue;
      for (const [name, resource] of map.entries()) readResource(document, name, resource, result);
    }
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

function readResource(document: ReadDocument, name: string, resource: DocumentTree, result: Extracted): void {
  const type = textAt(resource, 'Type')?.replace(/^AWS::/, '') ?? '';
  const managed = byCloudFormationType.get(type);
  if (managed === undefined) return;
  const globals = type === 'Serverless::Function' ? treeAt(document.tree, 'Globals', 'Function') : undefined;
  const valueOf = (attribute: string): WrittenValue | undefined => {
    const property = toPropertyName(attribute);
    const value = treeAt(resource, 'Properties', ...property) ?? treeAt(globals, ...property) ?? undefined;
    if (value === undefined) return undefined;
    const line =
      value.offset === undefined ? lineInJson(document, name, property.at(-1)!) : document.lineOf(value);
    return { text: resolve(document.tree, value), line };
  };
  const place = { document: document.index, kind: `AWS::${type}`, namespace: null, name };
  const fieldOf = (attribute: string) => ['Properties', ...toPropertyName(attribute)].join('.');
  result.facts.push(
    ...readResourceVersions(managed, valueOf, { extractor: 'cloudformation', place, fieldOf }),
  );
}

/** Returns the name of a property, which is that of Terraform in another spelling. */
function toPropertyName(attribute: string): string[] {
  return attribute
    .split('.')
    .map((part) => part.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

/**
 * Returns a literal value or the default of the parameter that it refers to, or null for other functions. A short
 * form such as `!Ref Name` is read without its tag.
 */
function resolve(template: DocumentTree, value: DocumentTree): string | null {
  const defaultOf = (name: string) => textAt(template, 'Parameters', name, 'Default');
  const reference = textAt(value, 'Ref') ?? (value.kind === 'scalar' ? value.text.trim() : null);
  if (reference === null) return null;
  if (treeAt(template, 'Parameters', reference) !== undefined) return defaultOf(reference);
  if (value.kind !== 'scalar') return null;
  const text = value.text.replaceAll(/\$\{(\w+)\}/g, (written, name: string) => defaultOf(name) ?? written);
  // Without its tag, the name of a mapping or of another resource looks like a text.
  return treeAt(template, 'Resources', text) === undefined ? text : null;
}

/** Returns the line of a property, because nodes of JSON have no position. */
function lineInJson({ text, line }: ReadDocument, name: string, property: string): number {
  const resource = findKey(text, name, 0);
  const at = resource < 0 ? -1 : findKey(text, property, resource);
  return at < 0 ? line : line + countLines(text.slice(0, at));
}

function findKey(text: string, key: string, start: number): number {
  const quoted = JSON.stringify(key);
  for (let at = text.indexOf(quoted, start); at >= 0; at = text.indexOf(quoted, at + 1))
    if (/^\s*:/.test(text.slice(at + quoted.length, at + quoted.length + 20))) return at;
  return -1;
}

/** Reads the runtime of the provider, and of functions that override it. */
function readServerless(document: ReadDocument, result: Extracted): void {
  const { tree } = document;
  if ((textAt(tree, 'provider', 'name') ?? 'aws') !== 'aws') return;
  const functions = treeAt(tree, 'functions');
  const paths: string[][] = [
    ['provider'],
    ...(functions?.kind === 'map' ? functions.keys().map((key) => ['functions', key]) : []),
  ];
  for (const path of paths) {
    const value = treeAt(tree, ...path, 'runtime');
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
