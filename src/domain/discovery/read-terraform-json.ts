import { ownValue } from '../json/own-value.ts';
import type { HclBlock, HclBody, HclValue } from './read-hcl.ts';

/** Maximum number of values in one file. Real files have a few thousand. */
const maxValues = 100_000;
/** Maximum nesting depth of objects and lists. */
const maxDepth = 30;

/** Number of labels of each block type. Other types have no labels. */
const labelCounts: Readonly<Record<string, number>> = {
  resource: 2,
  data: 2,
  ephemeral: 2,
  module: 1,
  provider: 1,
  variable: 1,
  output: 1,
};

/**
 * Block types in which objects are values. In all other types, objects are read as nested blocks, because
 * JSON doesn't distinguish the two.
 */
const valueBlocks: ReadonlySet<string> = new Set(['module', 'variable', 'locals', 'required_providers']);

/**
 * Reads a file in Terraform's JSON syntax and returns the same structure as `readHcl`. As in HCL, the texts
 * are templates.
 *
 * @returns The content of the file, or null if it isn't valid or exceeds a limit.
 * @see https://developer.hashicorp.com/terraform/language/syntax/json
 */
export function readTerraformJson(text: string): HclBody | null {
  const root = parse(text);
  if (root === null) return null;
  const body: HclBody = { attributes: new Map(), blocks: [] };
  for (const { key, value } of membersOf(root))
    for (const each of objectsOf(value)) addBlocks(body.blocks, key, [], each);
  return body;
}

/** Reads a file of variables in JSON, which contains only values. */
export function readVariablesJson(text: string): HclBody | null {
  const root = parse(text);
  return root && toValues(root);
}

function addBlocks(blocks: HclBlock[], type: string, labels: readonly string[], value: ObjectNode): void {
  if (labels.length === (ownValue(labelCounts, type) ?? 0)) {
    const body = valueBlocks.has(type) ? toValues(value) : toBody(value);
    blocks.push({ type, labels: [...labels], body, line: value.line });
    return;
  }
  for (const { key, value: inner } of membersOf(value))
    for (const each of objectsOf(inner)) addBlocks(blocks, type, [...labels, key], each);
}

/** Converts an object to a body in which objects are nested blocks. */
function toBody(object: ObjectNode): HclBody {
  const body: HclBody = { attributes: new Map(), blocks: [] };
  for (const { key, value } of membersOf(object)) {
    const objects = objectsOf(value);
    if (objects.length === 0) body.attributes.set(key, toValue(value));
    for (const each of objects) {
      const inner = valueBlocks.has(key) ? toValues(each) : toBody(each);
      body.blocks.push({ type: key, labels: [], body: inner, line: each.line });
    }
  }
  return body;
}

/** Converts an object to a body in which objects are values. */
function toValues(object: ObjectNode): HclBody {
  return {
    attributes: new Map(membersOf(object).map(({ key, value }) => [key, toValue(value)])),
    blocks: [],
  };
}

function toValue(node: JsonNode): HclValue {
  const { line } = node;
  if (node.kind === 'object') return { kind: 'object', body: toValues(node), line };
  if (node.kind === 'text') return { kind: 'text', text: node.text, line };
  return { kind: 'other', text: node.kind === 'word' && /^[\d.]+$/.test(node.text) ? node.text : null, line };
}

/** Returns the members of an object except for comments. */
function membersOf({ members }: ObjectNode): Member[] {
  return members.filter(({ key }) => key !== '//');
}

/** Returns the object, or the objects of a list. A block that occurs several times is a list. */
function objectsOf(node: JsonNode): ObjectNode[] {
  if (node.kind === 'object') return [node];
  if (node.kind !== 'list' || node.items.some(({ kind }) => kind !== 'object')) return [];
  return node.items.filter((item) => item.kind === 'object');
}

type JsonNode = { line: number } & (
  | { kind: 'object'; members: Member[] }
  | { kind: 'list'; items: JsonNode[] }
  | { kind: 'text' | 'word'; text: string }
);
type ObjectNode = Extract<JsonNode, { kind: 'object' }>;
interface Member {
  key: string;
  value: JsonNode;
}

/** Parses an object with the lines of its values, because `JSON.parse` doesn't return lines. */
function parse(text: string): ObjectNode | null {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
  const token = /\s*(?:([{}[\]:,])|("(?:[^"\\]|\\.)*")|([\w.+-]+))/suy;
  token.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  let count = 0;
  // A file can consist of one line, so search for the next line break only once, and not for each token.
  let lineEnd = text.indexOf('\n');
  let isTooLarge = false;

  function next(): { symbol: string | undefined; text: string | undefined; word: string | undefined } {
    const [, symbol, quoted, word] = token.exec(text) ?? [];
    while (lineEnd >= 0 && lineEnd < token.lastIndex) {
      line++;
      lineEnd = text.indexOf('\n', lineEnd + 1);
    }
    return { symbol, text: quoted === undefined ? undefined : (JSON.parse(quoted) as string), word };
  }

  // The text is valid JSON, so the punctuation doesn't need to be checked.
  function readNode(first: ReturnType<typeof next>, depth: number): JsonNode {
    const start = line;
    isTooLarge ||= depth > maxDepth || ++count > maxValues;
    if (isTooLarge) return { kind: 'word', text: '', line };
    if (first.text !== undefined) return { kind: 'text', text: first.text, line };
    if (first.symbol === undefined) return { kind: 'word', text: first.word ?? '', line };
    if (first.symbol === '[') {
      const items: JsonNode[] = [];
      for (let item = next(); item.symbol !== ']' && !isTooLarge; item = next())
        if (item.symbol !== ',') items.push(readNode(item, depth + 1));
      return { kind: 'list', items, line: start };
    }
    const members: Member[] = [];
    for (let key = next(); key.symbol !== '}' && !isTooLarge; key = next()) {
      if (key.text === undefined) continue;
      next();
      members.push({ key: key.text, value: readNode(next(), depth + 1) });
    }
    return { kind: 'object', members, line: start };
  }

  const root = readNode(next(), 0);
  return root.kind === 'object' && !isTooLarge ? root : null;
}
