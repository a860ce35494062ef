import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { yamlProblem } from '../domain/text/yaml-problem.ts';

/**
 * One version of a chart, with the fields that Pacekeeper uses. Text is kept as written: `1.10` stays `1.10`.
 */
export interface HelmVersion {
  version: string;
  appVersion: string | null;
  /** Creation date as written in the index. */
  created: string | null;
  /** First URL of the chart archive, which can be relative to the index. */
  url: string | null;
  description: string | null;
  /** Digest of the chart archive as written in the index. */
  digest: string | null;
  isDeprecated: boolean;
  /** True if the repository marks the version as removed. */
  isRemoved: boolean;
  /** Sources and home page. Only the first entry of a chart has links. */
  links: string[];
}

/**
 * Fields that are read only from the first (newest) entry of a chart. All other entries repeat these fields.
 */
export const helmFirstEntryFields: ReadonlySet<string> = new Set(['sources', 'home']);

/** Maximum number of links of a chart. Further links are mirrors and documents. */
export const maxLinks = 10;
export const maxLinkLength = 500;

/** Fields that are read from an entry. The scanner drops the lines of all others. */
export const helmEntryFields: ReadonlySet<string> = new Set([
  'version',
  'appVersion',
  'created',
  'urls',
  'description',
  'deprecated',
  'digest',
  'removed',
]);

export type HelmEntryResult =
  | { ok: true; version: HelmVersion }
  /** `offset` is the position in the text, if known. */
  | { ok: false; reason: string; offset: number };

/** Parses the YAML of one entry, which is a map in block or flow style. */
export function parseHelmEntry(text: string): HelmEntryResult {
  const document = parseYaml(text);
  return document.ok ? readHelmEntry(document.root, document.document) : document;
}

/** Reads one entry of a parsed document. */
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
    // One URL is enough, because the others are mirrors.
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
      digest: texts.get('digest') ?? null,
      isDeprecated: isTrue(texts.get('deprecated')),
      isRemoved: isTrue(texts.get('removed')),
      links,
    },
  };
}

/**
 * Parses YAML with the failsafe schema, which keeps every scalar as written. The caller must limit the
 * length, because parsing takes about 60 times the memory of the text.
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
    if (error?.code === 'RESOURCE_EXHAUSTION') return nestedTooDeeplyResult;
    if (error) return { ok: false, reason: yamlProblem(error.message).slice(0, 200), offset: error.pos[0] };
    return { ok: true, document, root: document.contents };
  } catch {
    return nestedTooDeeplyResult;
  }
}

/**
 * Result for YAML that is nested too deeply. The library recurses at every level, so deep nesting can
 * overflow the stack.
 */
export const nestedTooDeeplyResult = { ok: false as const, reason: 'nested too deeply', offset: 0 };

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
