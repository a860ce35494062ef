import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { yamlProblem } from '../domain/text/yaml-problem.ts';

/** One version of a chart, with the fields that Pacekeeper uses. Texts are as written: `1.10` stays `1.10`. */
export interface HelmVersion {
  version: string;
  appVersion: string | null;
  /** As written. */
  created: string | null;
  /** The first URL of its archive, which can be relative to the index. */
  url: string | null;
  description: string | null;
  isDeprecated: boolean;
  /** The repository marks it as removed. */
  isRemoved: boolean;
  /** The sources and the home page, of the first entry of a chart only. */
  links: string[];
}

/** Fields that are read only from the first entry of a chart, the newest one. All others repeat them. */
export const helmFirstEntryFields: ReadonlySet<string> = new Set(['sources', 'home']);

/** Of a chart. Further ones are mirrors and documents. */
export const maxLinks = 10;
export const maxLinkLength = 500;

/** The fields of an entry that are read; the scanner drops the lines of all others. */
export const helmEntryFields: ReadonlySet<string> = new Set([
  'version',
  'appVersion',
  'created',
  'urls',
  'description',
  'deprecated',
  'removed',
]);

export type HelmEntryResult =
  | { ok: true; version: HelmVersion }
  /** `offset` into the text, where it is known. */
  | { ok: false; reason: string; offset: number };

/** Reads the YAML of one entry: a map in block or flow style. */
export function parseHelmEntry(text: string): HelmEntryResult {
  const document = parseYaml(text);
  return document.ok ? readHelmEntry(document.root, document.document) : document;
}

/** Reads one entry of a document that was parsed already. */
export function readHelmEntry(node: unknown, document: Document): HelmEntryResult {
  const entry = resolve(node, document);
  if (isEmpty(entry)) return { ok: false, reason: 'no version', offset: 0 };
  if (!isMap(entry)) return { ok: false, reason: 'not a map with a version', offset: 0 };
  const texts = new Map<string, string>();
  const links: string[] = [];
  for (const { key, value } of entry.items) {
    const name = textOf(key, document);
    const isLink = name !== null && helmFirstEntryFields.has(name);
    if (name === null || !(isLink || helmEntryFields.has(name)) || texts.has(name)) continue;
    const target = resolve(value, document);
    if (isLink) {
      for (const item of isSeq(target) ? target.items.slice(0, maxLinks) : [target]) {
        const link = textOf(item, document);
        if (link !== null && link.length <= maxLinkLength && links.length < maxLinks) links.push(link);
      }
      continue;
    }
    if (isAlias(value) && target === undefined) {
      const offset = value.range?.[0] ?? 0;
      return {
        ok: false,
        reason: `its ${name} refers to *${value.source}, which is defined elsewhere`,
        offset,
      };
    }
    // One address is enough; the others are mirrors.
    const text = textOf(
      isSeq(target) ? target.items.find((item) => textOf(item, document)) : target,
      document,
    );
    if (text !== null) texts.set(name, text);
  }
  const version = texts.get('version')?.trim() ?? '';
  if (version === '') return { ok: false, reason: 'no version', offset: 0 };
  return {
    ok: true,
    version: {
      version,
      appVersion: texts.get('appVersion')?.trim() || null,
      created: texts.get('created') ?? null,
      url: texts.get('urls') ?? null,
      description: texts.get('description') ?? null,
      isDeprecated: isTrue(texts.get('deprecated')),
      isRemoved: isTrue(texts.get('removed')),
      links,
    },
  };
}

/**
 * YAML with the failsafe schema, which keeps every scalar as written. Takes about 60 times the text in
 * memory, so the caller must limit the text.
 */
export function parseYaml(
  text: string,
): { ok: true; document: Document; root: Node | null } | { ok: false; reason: string; offset: number } {
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const [error] = document.errors;
    if (error?.code === 'RESOURCE_EXHAUSTION') return tooDeep;
    if (error) return { ok: false, reason: yamlProblem(error.message).slice(0, 200), offset: error.pos[0] };
    return { ok: true, document, root: document.contents };
  } catch {
    return tooDeep;
  }
}

/** The library recurses for every level. */
export const tooDeep = { ok: false as const, reason: 'nested too deeply', offset: 0 };

function resolve(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function textOf(node: unknown, document: Document): string | null {
  const scalar = resolve(node, document);
  if (!isScalar(scalar) || typeof scalar.value !== 'string') return null;
  const isNull = scalar.type === 'PLAIN' && ['', '~', 'null', 'Null', 'NULL'].includes(scalar.value);
  return isNull ? null : scalar.value;
}

function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && (node.value === '' || node.value === null));
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && text.toLowerCase() === 'true';
}
