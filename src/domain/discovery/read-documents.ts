import type { DocumentTree } from '../parsers/document-tree.ts';
import type { ParseFailure } from '../parsers/parse-result.ts';
import { readJson } from '../parsers/read-json.ts';
import { readYaml } from '../parsers/read-yaml.ts';
import { readableText, templateMark } from './read-version.ts';

/** One document of a YAML file, as text. */
export interface DocumentText {
  text: string;
  index: number;
  /** First line of the document in the file, counted from 1. */
  line: number;
}

export interface ReadDocument extends DocumentText {
  tree: DocumentTree;
  /** Lines in the file that were skipped, because only rendering a template makes them valid YAML. */
  skippedLines?: readonly number[];
  /** Returns the line of a node in the file. */
  lineOf(node: DocumentTree | undefined): number;
}

/**
 * Splits a stream at its document markers. YAML allows markers only at the start of a line and never inside a
 * string. The stream can therefore be split without parsing it, and an invalid document doesn't affect the
 * others.
 */
export function* splitDocuments(text: string): Generator<DocumentText, void> {
  const marker = /^---(?=\s|$)/gm;
  let start = 0;
  let line = 1;
  let index = 0;
  for (;;) {
    const next = marker.exec(text);
    const end = next ? next.index : text.length;
    const part = text.slice(start, end);
    if (part.trim() !== '') yield { text: part, index: index++, line };
    if (!next) return;
    line += countLines(part);
    start = end;
  }
}

/** Counts the line breaks in a text. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

export type ParsedDocument = { ok: true; document: ReadDocument } | ParseFailure;

/** Parses one document. Templates that YAML can't parse are replaced with marks of the same length. */
export function parseDocument(part: DocumentText): ParsedDocument {
  const hasTemplate = part.text.includes('{{');
  if (!hasTemplate || !hasBareTemplate(part.text)) {
    const read = firstTree(part.text);
    if (read.ok || !hasTemplate) return toDocument(part, read);
  }
  return parseTemplate(part, withoutTemplates(withoutTemplateComments(part.text)));
}

/**
 * Parses the text of a node, such as the inline values of a chart. The lines of its nodes are those of the file if the
 * text is a literal block (`|`). All other styles can fold or escape lines, so they have the line of the node itself.
 *
 * @param part A document of the text, if it has several.
 */
export function parseTextOf(
  document: ReadDocument,
  node: DocumentTree & { kind: 'scalar' },
  part: DocumentText = { text: node.text, index: 0, line: 1 },
): ParsedDocument {
  const { index } = document;
  const line = document.lineOf(node);
  const isLiteral = node.offset !== undefined && document.text[node.offset] === '|';
  const read = parseDocument({ text: part.text, index, line: isLiteral ? line + part.line : line });
  if (!read.ok || isLiteral) return read;
  return { ok: true, document: { ...read.document, lineOf: () => line } };
}

/** Maximum number of lines that are skipped in a template. Each one requires parsing the document again. */
const maxSkippedLines = 5;

/**
 * Parses a template. Its conditions can contain lines that are valid only on their own, such as a key with another
 * indentation. They're skipped if the rest of the document is valid.
 */
function parseTemplate(part: DocumentText, text: string): ParsedDocument {
  const first = firstTree(text);
  if (first.ok || !first.syntax) return toDocument(part, first);
  const lines = text.split('\n');
  const skippedLines: number[] = [];
  for (let read: typeof first = first; skippedLines.length < maxSkippedLines; ) {
    const at = invalidLine(part.text, lines, (read.syntax?.line ?? 0) - 1);
    if (at === null) break;
    lines[at] = ' '.repeat(lines[at]!.length);
    skippedLines.push(part.line + at);
    const next = firstTree(lines.join('\n'));
    if (next.ok) {
      const document = toDocument(part, next);
      return document.ok ? { ok: true, document: { ...document.document, skippedLines } } : document;
    }
    read = next;
  }
  return toDocument(part, first);
}

/**
 * Returns the line in a condition to which a syntax error belongs, or null. The parser can report the line before one
 * that is indented too far.
 */
function invalidLine(text: string, lines: readonly string[], reported: number): number | null {
  const indentOf = (line: string | undefined) =>
    line?.trim() ? line.length - line.trimStart().length : null;
  const own = indentOf(lines[reported]);
  if (own === null) return null;
  const next = lines.findIndex((line, at) => at > reported && line.trim() !== '');
  const isDeeper = next >= 0 && indentOf(lines[next])! > own;
  if (isDeeper && isInBranch(text, next)) return next;
  return isInBranch(text, reported) ? reported : null;
}

/** True if a line is between the start and the end of a condition or a loop. */
function isInBranch(text: string, at: number): boolean {
  let depth = 0;
  for (const line of text.split('\n', at))
    for (const [, action] of line.matchAll(/\{\{-?[ \t]*(if|with|range|end)\b/g))
      depth = Math.max(0, depth + (action === 'end' ? -1 : 1));
  return depth > 0;
}

/** Blanks the comments of templates, which can have several lines. Offsets stay the same. */
function withoutTemplateComments(text: string): string {
  if (!text.includes('/*')) return text;
  let result = '';
  let at = 0;
  for (const { index } of text.matchAll(/\{\{-?[ \t\n]{0,20}\/\*/g)) {
    if (index < at) continue;
    const end = text.indexOf('*/', index);
    const close = end < 0 ? -1 : text.indexOf('}}', end);
    if (close < 0) break;
    result += text.slice(at, index) + text.slice(index, close + 2).replaceAll(/[^\n]/g, ' ');
    at = close + 2;
  }
  return result + text.slice(at);
}

/** Matches a template outside quotes, at the start of a value, entry, or key. */
const bareTemplate = /^[ \t]*\{\{|[:-][ \t]+\{\{/;
/** Matches a line after which a text with several lines begins, such as `command: |`. */
const blockStart = /(?:^|[\s:-])[|>][-+\d]{0,2}[ \t]{0,50}(?:#.{0,500})?$/;

/** True if a text contains a template outside quotes and texts with several lines, so it isn't YAML. */
function hasBareTemplate(text: string): boolean {
  let block: number | null = null;
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/);
    if (indent < 0 || (block !== null && indent > block)) continue;
    if (bareTemplate.test(line)) return true;
    block = blockStart.test(line) ? indent : null;
  }
  return false;
}

function firstTree(text: string): { ok: true; tree: DocumentTree } | ParseFailure {
  if (/^\s*[[{]/.test(text)) {
    const json = readJson(text);
    if (json.ok) return json;
  }
  for (const reading of readYaml(text)) return reading;
  return { ok: true, tree: { kind: 'null' } };
}

function toDocument(part: DocumentText, read: ReturnType<typeof firstTree>): ParsedDocument {
  if (!read.ok) return read;
  return { ok: true, document: { ...part, tree: read.tree, lineOf: lineFinder(part) } };
}

function lineFinder(part: DocumentText): ReadDocument['lineOf'] {
  let starts: number[] | undefined;
  return (node) => {
    if (node?.offset === undefined) return part.line;
    starts ??= lineStarts(part.text);
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= node.offset) low = middle;
      else high = middle;
    }
    return part.line + low;
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Blanks lines that contain only templates and replaces other templates with marks, so that offsets stay the
 * same. If a condition surrounds the text of a single line, it's removed from the line, so the offsets within
 * that line differ.
 */
export function withoutTemplates(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      if (!line.includes('{{')) return line;
      const marked = markTemplates(withoutCondition(line));
      const isOnlyTemplates = marked.replaceAll(templateMark, ' ').trim().replace(/^#.*/, '') === '';
      return isOnlyTemplates ? ' '.repeat(line.length) : marked;
    })
    .join('\n');
}

/**
 * Returns `needs: [web]` for `{{ if .Values.web }}needs: [web]{{ end }}`, with spaces up to the same length.
 */
function withoutCondition(line: string): string {
  const [, indent, rest] = /^([ \t]*)\{\{-?[ \t]*(?:if|with)\b[^{}]*\}\}(.*)$/.exec(line) ?? [];
  const end = rest?.trimEnd().lastIndexOf('{{') ?? -1;
  if (
    indent === undefined ||
    rest === undefined ||
    !/^\{\{-?[ \t]*end[ \t]*-?\}\}\s*$/.test(rest.slice(Math.max(0, end)))
  )
    return line;
  // With several branches, keep nothing, because only one of them applies.
  const kept = /\{\{-?[ \t]*else\b/.test(rest) ? '' : rest.slice(0, end).trim();
  return (indent + kept).padEnd(line.length);
}

function markTemplates(line: string): string {
  let result = '';
  let at = 0;
  for (;;) {
    const start = line.indexOf('{{', at);
    const end = start < 0 ? -1 : line.indexOf('}}', start);
    if (end < 0) return result + line.slice(at);
    result += line.slice(at, start) + templateMark.repeat(end + 2 - start);
    at = end + 2;
  }
}

/** Returns the value at a path of keys. */
export function treeAt(tree: DocumentTree | undefined, ...path: string[]): DocumentTree | undefined {
  let node = tree;
  for (const key of path) {
    if (node?.kind !== 'map') return undefined;
    node = node.get(key);
  }
  return node;
}

/** Returns the string at a path of keys, or `null`. */
export function textAt(tree: DocumentTree | undefined, ...path: string[]): string | null {
  const node = treeAt(tree, ...path);
  return node?.kind === 'scalar' ? readableText(node.text) : null;
}

/** Yields the entries of the list at a path of keys. Yields nothing if the value isn't a list. */
export function* listAt(tree: DocumentTree | undefined, ...path: string[]): Generator<DocumentTree, void> {
  const node = treeAt(tree, ...path);
  if (node?.kind !== 'list') return;
  for (let index = 0; index < node.length; index++) {
    const entry = node.at(index);
    if (entry) yield entry;
  }
}
