import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import type { DocumentTree } from './document-tree.ts';
import { quote } from './quote.ts';

/**
 * Returns a YAML document as a tree. Aliases and merge keys are followed only along the path and never
 * expanded, so even a "billion laughs" document results in a tree as small as its text.
 */
export function viewYamlDocument(document: Document.Parsed): DocumentTree {
  let targets: Map<Alias, Node> | undefined;
  /** Resolves an alias to the last preceding node with that anchor. Returns any other node unchanged. */
  const follow = (node: unknown): unknown => {
    if (!isAlias(node)) return node;
    targets ??= findTargets(document);
    return targets.get(node) ?? node;
  };
  return view(document.contents, follow);
}

type Follow = (node: unknown) => unknown;

function view(written: unknown, follow: Follow): DocumentTree {
  const node = follow(written);
  const place = offsetOf(node);
  if (isAlias(node))
    return {
      kind: 'broken',
      message: `undefined alias ${quote(`*${node.source}`)}`,
    };
  if (isMap(node)) {
    return {
      kind: 'map',
      ...place,
      keys: () => keysOf(node, follow),
      get: (key) => getKey(node, key, follow),
      entries: () => entriesOf(node, follow),
    };
  }
  if (isSeq(node)) {
    return {
      kind: 'list',
      ...place,
      length: node.items.length,
      at: (index) => (index < node.items.length ? view(node.items[index], follow) : undefined),
    };
  }
  if (isScalar(node) && !isNull(node)) return { kind: 'scalar', ...place, text: String(node.value) };
  return { kind: 'null', ...place };
}

function offsetOf(node: unknown): { offset?: number } {
  const range = isMap(node) || isSeq(node) || isScalar(node) ? node.range : null;
  return range ? { offset: range[0] } : {};
}

/** Yields the same values as `getKey` for every key. A map's own values take precedence over merged ones. */
function* entriesOf(map: YAMLMap, follow: Follow): Generator<[string, DocumentTree], void> {
  const yielded = new Set<string>();
  const seen = new Set<unknown>();
  const waiting: unknown[] = [map];
  while (waiting.length > 0) {
    const next = follow(waiting.pop());
    if (!isMap(next) || seen.has(next)) continue;
    seen.add(next);
    const uses = new Map<string, { count: number; last: number }>();
    const keys = next.items.map((pair) => keyText(pair.key, follow));
    for (const [at, key] of keys.entries())
      if (key !== undefined) uses.set(key, { count: (uses.get(key)?.count ?? 0) + 1, last: at });
    for (const [at, { value }] of next.items.entries()) {
      const key = keys[at];
      if (key === undefined || yielded.has(key)) continue;
      yielded.add(key);
      const { count, last: lastAt } = uses.get(key)!;
      if (count > 1) {
        const last = next.items[lastAt]?.key;
        const message = `duplicate key ${quote(key)} (${count} times)`;
        yield [key, { kind: 'broken', ...offsetOf(last), message }];
      } else yield [key, view(value, follow)];
    }
    for (const source of mergedInto(next, follow).reverse()) waiting.push(source);
  }
}

/** True if the core schema parses this scalar as null, which requires that the scalar is plain and has no tag. */
function isNull(node: Scalar): boolean {
  if (node.type !== 'PLAIN' && node.type !== undefined) return false;
  return node.tag === undefined && isNullText(String(node.value));
}

/** True if the core schema parses a plain scalar with this text as null. */
export function isNullText(text: string): boolean {
  return /^(?:|~|null|Null|NULL)$/.test(text);
}

function keysOf(map: YAMLMap, follow: Follow): string[] {
  return map.items.map((pair) => keyText(pair.key, follow) ?? '(no text)');
}

function keyText(written: unknown, follow: Follow): string | undefined {
  const key = follow(written);
  return isScalar(key) ? String(key.value) : undefined;
}

function getKey(map: YAMLMap, key: string, follow: Follow): DocumentTree | undefined {
  const values = lookUp(map, key, follow);
  if (values.length === 0) return undefined;
  if (values.length > 1) {
    return { kind: 'broken', message: `duplicate key ${quote(key)} (${values.length} times)` };
  }
  return view(values[0], follow);
}

/**
 * Returns the values of a key in the map itself. If the map doesn't have the key, returns those of the first
 * map under its merge key `<<` that does. Each map is visited once, however often it is merged.
 */
function lookUp(map: YAMLMap, key: string, follow: Follow): unknown[] {
  const seen = new Set<unknown>();
  /** Stack of maps to visit. The last element is visited first. */
  const waiting: unknown[] = [map];
  while (waiting.length > 0) {
    const next = follow(waiting.pop());
    if (!isMap(next) || seen.has(next)) continue;
    seen.add(next);
    const own = next.items.filter((pair) => keyText(pair.key, follow) === key);
    if (own.length > 0) return own.map((pair) => pair.value);
    for (const source of mergedInto(next, follow).reverse()) waiting.push(source);
  }
  return [];
}

/**
 * Returns the values of the merge keys of a map. A merge key has one map or a list of maps, and the first map
 * takes precedence.
 */
function mergedInto(map: YAMLMap, follow: Follow): unknown[] {
  return map.items
    .filter(({ key }) => isScalar(key) && key.type === 'PLAIN' && key.value === '<<')
    .flatMap(({ value }): unknown[] => {
      const merged = follow(value);
      return isSeq(merged) ? merged.items : [merged];
    });
}

/**
 * Resolves all aliases in one pass in document order. The library would traverse the document once per alias.
 */
function findTargets(document: Document.Parsed): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Alias(_key, alias) {
      const target = anchors.get(alias.source);
      if (target) targets.set(alias, target);
    },
    Value(_key, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}
