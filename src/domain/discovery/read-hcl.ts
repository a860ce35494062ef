import type { FileProblem } from './fact.ts';

/** The problem of a file for which `readHcl` returns null. */
export const malformedHcl: FileProblem = {
  line: 1,
  reason: 'malformed',
  message: 'Not valid HCL: a block or a text has no end, or it exceeds a limit.',
};

/** An HCL value. Only strings and objects are read completely. */
export type HclValue =
  /** `comment` is the text of a comment on the line where the value ends. */
  | { kind: 'text'; text: string; line: number; comment?: string }
  | { kind: 'object'; body: HclBody; line: number }
  /**
   * An expression, number, or list. `text` is a number or a single reference such as `var.tag`, and null for
   * longer expressions. `texts` are the first strings in the expression. `heredoc` is the text of a heredoc,
   * which can be a whole file.
   */
  | { kind: 'other'; text: string | null; texts?: string[]; heredoc?: string; line: number };

export interface HclBlock {
  type: string;
  labels: string[];
  body: HclBody;
  line: number;
}

export interface HclBody {
  attributes: Map<string, HclValue>;
  blocks: HclBlock[];
}

type Token =
  | { kind: 'word' | 'symbol'; text: string; line: number }
  | { kind: 'text' | 'heredoc'; text: string; line: number; comment?: string }
  | { kind: 'newline'; text: '\n'; line: number };

/** Maximum number of tokens in one file. Real files have a few thousand. */
const maxTokens = 200_000;
/** Maximum nesting depth of blocks and objects. */
const maxDepth = 30;

/**
 * Reads the blocks and literal attributes of an HCL file, such as those of Terraform and Nomad. Expressions
 * aren't evaluated: a string with `${…}` stays as written.
 *
 * @returns The content of the file, or null if the file exceeds a limit or ends inside a block.
 */
export function readHcl(text: string): HclBody | null {
  const tokens = tokenize(text);
  if (!tokens) return null;
  const reader = { tokens, at: 0 };
  const body = readBody(reader, 0);
  return body && reader.at >= tokens.length ? body : null;
}

interface Reader {
  tokens: readonly Token[];
  at: number;
}

function readBody(reader: Reader, depth: number): HclBody | null {
  if (depth > maxDepth) return null;
  const body: HclBody = { attributes: new Map(), blocks: [] };
  for (;;) {
    const token = reader.tokens[reader.at];
    if (!token) return depth === 0 ? body : null;
    if (token.text === '}' && token.kind === 'symbol') {
      if (depth > 0) return body;
      reader.at++;
      continue;
    }
    const isName = token.kind === 'word' || token.kind === 'text';
    if (!isName) {
      reader.at++;
      continue;
    }
    reader.at++;
    const next = reader.tokens[reader.at];
    if (next?.kind === 'symbol' && (next.text === '=' || next.text === ':')) {
      reader.at++;
      const value = readValue(reader, depth);
      if (!value) return null;
      body.attributes.set(token.text, value);
      continue;
    }
    const block = readBlock(reader, token, depth);
    if (block === null) return null;
    if (block) body.blocks.push(block);
  }
}

/** Reads a block. Returns undefined if the tokens aren't a block, and null if the block can't be read. */
function readBlock(reader: Reader, { text: type, line }: Token, depth: number): HclBlock | null | undefined {
  const labels: string[] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token?.kind === 'text' || token?.kind === 'word') {
      labels.push(token.text);
      reader.at++;
    } else if (token?.kind === 'symbol' && token.text === '{') {
      reader.at++;
      const body = readBody(reader, depth + 1);
      if (!body) return null;
      reader.at++;
      return { type, labels, body, line };
    } else return undefined;
  }
}

/**
 * Reads a value. Returns the content of a string, an object, or a heredoc. Any other value is skipped up to
 * the end of its line or of the object that contains it.
 */
function readValue(reader: Reader, depth: number): HclValue | null {
  const first = reader.tokens[reader.at];
  if (!first) return { kind: 'other', text: null, line: 0 };
  const { line } = first;
  if (first.kind === 'text' && isEnd(reader.tokens[reader.at + 1])) {
    reader.at++;
    return {
      kind: 'text',
      text: first.text,
      line,
      ...(first.comment !== undefined && { comment: first.comment }),
    };
  }
  if (first.kind === 'symbol' && first.text === '{' && !isForExpression(reader)) {
    reader.at++;
    const body = readBody(reader, depth + 1);
    if (!body) return null;
    reader.at++;
    return { kind: 'object', body, line };
  }
  if (first.kind === 'heredoc' && isEnd(reader.tokens[reader.at + 1])) {
    reader.at++;
    return { kind: 'other', text: null, heredoc: first.text, line };
  }
  const start = reader.at;
  let open = 0;
  for (let token = first as Token | undefined; token; token = reader.tokens[++reader.at]) {
    if (token.kind === 'newline' && open === 0) break;
    if (token.kind !== 'symbol') continue;
    if ('([{'.includes(token.text)) open++;
    else if (')]}'.includes(token.text)) {
      if (open === 0) break;
      open--;
    } else if (token.text === ',' && open === 0) break;
  }
  const texts = reader.tokens
    .slice(start, reader.at)
    .flatMap((token) => (token.kind === 'text' && token.text.length <= maxTextLength ? token.text : []))
    .slice(0, maxTexts);
  return {
    kind: 'other',
    text: referenceOf(reader.tokens.slice(start, Math.min(reader.at, start + maxReferenceTokens + 1))),
    ...(texts.length > 0 && { texts }),
    line,
  };
}

/** Maximum number of strings that are kept of an expression, and maximum length of each in characters. */
const maxTexts = 20;
const maxTextLength = 500;

/** Maximum number of tokens in a reference, including dots and brackets. `local.versions.web` has five. */
const maxReferenceTokens = 12;

/** Returns a number or a reference as written, with `.web` for `["web"]`. Null for other expressions. */
function referenceOf(tokens: readonly Token[]): string | null {
  if (tokens.length > maxReferenceTokens) return null;
  let text = '';
  for (let at = 0; at < tokens.length; at++) {
    const [token, key, end] = tokens.slice(at, at + 3);
    if (token!.kind === 'word') text += token!.text;
    else if (token!.text === '[' && key?.kind === 'text' && end?.text === ']') {
      text += `.${key.text}`;
      at += 2;
    } else return null;
  }
  return text;
}

/** Returns a string or number as written, and a reference as a template, such as `${var.tag}`. */
export function templateOf(value: HclValue): string | null {
  if (value.kind === 'object' || value.text === null) return null;
  return value.kind === 'text' || /^[\d.]+$/.test(value.text) ? value.text : `\${${value.text}}`;
}

function isForExpression({ tokens, at }: Reader): boolean {
  const next = tokens.slice(at + 1, at + 4).find(({ kind }) => kind !== 'newline');
  return next?.kind === 'word' && next.text === 'for';
}

function isEnd(token: Token | undefined): boolean {
  return !token || token.kind === 'newline' || (token.kind === 'symbol' && /^[},]$/.test(token.text));
}

function tokenize(text: string): Token[] | null {
  const tokens: Token[] = [];
  let line = 1;
  let at = 0;
  const scanner =
    /[ \t\r\uFEFF]+|(?<comment>(?:#|\/\/)[^\n]*)|(?<newline>\n)|(?<block>\/\*)|(?<heredoc><<[-~]?[A-Za-z_][\w-]*)|(?<word>[A-Za-z_][\w-]*|[\d.]+)|(?<quote>")|(?<symbol>[^])/y;
  while (at < text.length) {
    if (tokens.length > maxTokens) return null;
    scanner.lastIndex = at;
    const groups = scanner.exec(text)?.groups ?? {};
    at = scanner.lastIndex;
    const last = tokens.at(-1);
    if (groups['comment'] !== undefined && last?.kind === 'text') last.comment = groups['comment'];
    if (groups['newline'] !== undefined) tokens.push({ kind: 'newline', text: '\n', line: line++ });
    else if (groups['word'] !== undefined) tokens.push({ kind: 'word', text: groups['word'], line });
    else if (groups['symbol'] !== undefined) tokens.push({ kind: 'symbol', text: groups['symbol'], line });
    else if (groups['block'] !== undefined || groups['heredoc'] !== undefined) {
      const end =
        groups['block'] === undefined
          ? endOfHeredoc(text, at, groups['heredoc']!)
          : text.indexOf('*/', at) + 2;
      if (end < at) return null;
      const openedAt = line;
      line += countLines(text, at, end);
      if (groups['heredoc'] !== undefined) {
        const lines = text.slice(text.indexOf('\n', at) + 1, end);
        const content = lines.slice(0, Math.max(0, lines.lastIndexOf('\n')));
        tokens.push({ kind: 'heredoc', text: content, line: openedAt });
      }
      at = end;
    } else if (groups['quote'] !== undefined) {
      const end = endOfText(text, at);
      if (end === null) return null;
      tokens.push({ kind: 'text', text: unescape(text.slice(at, end)), line });
      line += countLines(text, at, end);
      at = end + 1;
    }
  }
  return tokens;
}

/** Returns the position of the closing quote. A template inside a string can contain quotes. */
function endOfText(text: string, start: number): number | null {
  const stack: ('text' | 'template')[] = ['text'];
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    const inText = stack.at(-1) === 'text';
    if (inText && character === '\\') at++;
    else if (character === '"') {
      if (!inText) stack.push('text');
      else if (stack.length === 1) return at;
      else stack.pop();
    } else if (inText && (character === '$' || character === '%') && text[at + 1] === '{') {
      // A doubled sign is an escape sequence, not the start of a template.
      if (text[at - 1] === character) continue;
      at++;
      stack.push('template');
    } else if (!inText && character === '{') stack.push('template');
    else if (!inText && character === '}') stack.pop();
    else if (character === '\n' && stack.length === 1) return null;
    if (stack.length > 2 * maxDepth) return null;
  }
  return null;
}

function unescape(text: string): string {
  return text.replaceAll(/\\(["\\])/g, '$1');
}

/** Returns the position after the line that ends the heredoc, or -1. */
function endOfHeredoc(text: string, start: number, opening: string): number {
  const name = opening.replace(/^<<[-~]?/, '');
  for (let at = text.indexOf('\n', start); at !== -1; at = text.indexOf('\n', at + 1)) {
    const end = text.indexOf('\n', at + 1);
    if (text.slice(at + 1, end < 0 ? undefined : end).trim() === name) return end < 0 ? text.length : end;
  }
  return -1;
}

function countLines(text: string, start: number, end: number): number {
  let count = 0;
  // Search only this part, because the next line break in the text can be far away.
  const part = text.slice(start, end);
  for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) count++;
  return count;
}
