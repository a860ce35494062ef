import type { DocumentTree } from './document-tree.ts';
import { isNullText } from './yaml-tree.ts';

/** Maximum length of a text. Longer texts can exceed the limits of `readYaml`, which count the library's tokens. */
const maxLength = 200_000;

/** Maximum nesting depth, which is below that of `readYaml`. */
const maxSimpleDepth = 50;

/** Maximum length of a key. The library reports keys of more than 1,024 characters. */
const maxKeyLength = 200;

/** Matches characters that this reader doesn't support, such as tabs, carriage returns, and byte order marks. */
const unsupported = /[^\n\x20-\x7E\xA0-\uFEFE\uFF00-\uFFFD]/;

const plainKey = /[A-Za-z0-9_][A-Za-z0-9_./@+~-]*/y;
const doubleQuoted = /"(?:[^"\\\n]|\\["\\/nt])*"/y;
const singleQuoted = /'(?:[^'\n]|'')*'/y;
/** Matches the start of a plain scalar, which excludes the indicators of YAML. */
const plainStart = /[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=\S)/y;
const plainInFlow = /(?:[A-Za-z0-9_./$]|-(?=[\w./]))(?:[^,[\]{}:#\n]|:(?=[\w./$-]))*/y;
const blockHeader = /[|>]-?(?= *(?:\n|$))/y;

/** Interrupts reading a text that isn't simple. Created once, because an error with a stack trace is expensive. */
const notSimple = new Error('not simple YAML');

/**
 * Reads one document in the part of YAML that most configuration files use: maps and lists in blocks, flow collections
 * and scalars on one line, and block scalars. Anchors, tags, duplicate keys, scalars on several lines, and everything
 * unclear are left to the library, which also creates tokens and nodes. Measured: a scan of 10,000 files took 4 s of
 * CPU time instead of 21 s.
 *
 * @returns The same tree as the library, or null if the text isn't surely valid and simple.
 */
export function readSimpleYaml(text: string): DocumentTree | null {
  if (text.length > maxLength || unsupported.test(text)) return null;
  try {
    return new SimpleReader(text).readDocument();
  } catch (error) {
    if (error === notSimple) return null;
    throw error;
  }
}

class SimpleReader {
  readonly #text: string;
  /** Indentation of the current line, which is neither empty nor a comment. -1 after the last one. */
  #indent = -1;
  /** Position of the first character of the current line after its indentation. */
  #start = 0;
  /** Position of the line break at the end of the current line, or of the end of the text. */
  #end = -1;
  /** Position after the scalar or flow collection that was read last. */
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): DocumentTree {
    this.#nextLine();
    if (this.#indent === 0 && this.#text.startsWith('---', this.#start)) {
      this.#expectEnd(this.#start + 3);
      this.#nextLine();
    }
    if (this.#indent < 0) throw notSimple;
    const tree = this.#block(this.#start, this.#indent);
    if (this.#indent >= 0) throw notSimple;
    return tree;
  }

  /** Goes to the next line that is neither empty nor a comment. */
  #nextLine(): void {
    const text = this.#text;
    while (this.#end < text.length) {
      const lineStart = this.#end + 1;
      this.#start = this.#skipSpaces(lineStart);
      const newline = text.indexOf('\n', this.#start);
      this.#end = newline < 0 ? text.length : newline;
      if (this.#start < this.#end && text[this.#start] !== '#') {
        this.#indent = this.#start - lineStart;
        return;
      }
    }
    this.#indent = -1;
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (this.#text.charCodeAt(at) === 32) at++;
    return at;
  }

  /** True if nothing but a comment follows on the current line. */
  #isEnd(at: number): boolean {
    const next = this.#skipSpaces(at);
    return next >= this.#end || (next > at && this.#text[next] === '#');
  }

  #expectEnd(at: number): void {
    if (!this.#isEnd(at)) throw notSimple;
  }

  /** Reads the map or list that begins at a position of the current line. */
  #block(at: number, column: number): DocumentTree {
    if (++this.#depth > maxSimpleDepth) throw notSimple;
    const tree = this.#isEntry(at) ? this.#list(at, column) : this.#map(at, column);
    this.#depth--;
    return tree;
  }

  #isEntry(at: number): boolean {
    if (this.#text[at] !== '-') return false;
    const next = this.#text[at + 1];
    return next === ' ' || next === '\n' || next === undefined;
  }

  #map(offset: number, column: number): DocumentTree {
    const values = new Map<string, DocumentTree>();
    for (let at = offset; ; at = this.#start) {
      const key = this.#readKey(at);
      if (key === null || values.has(key)) throw notSimple;
      values.set(key, this.#value(this.#at, column));
      if (this.#indent < column) return toMap(offset, values);
      if (this.#indent > column) throw notSimple;
    }
  }

  #list(offset: number, column: number): DocumentTree {
    const items: DocumentTree[] = [];
    for (let at = offset; ; at = this.#start) {
      const next = this.#skipSpaces(at + 1);
      if (this.#isEnd(at + 1)) items.push(this.#valueBelow(next, column));
      else if (this.#isEntry(next) || this.#readKey(next) !== null)
        items.push(this.#block(next, column + next - at));
      else items.push(this.#inline(next, column));
      if (this.#indent < column || (this.#indent === column && !this.#isEntry(this.#start)))
        return { kind: 'list', offset, length: items.length, at: (index) => items[index] };
      if (this.#indent > column) throw notSimple;
    }
  }

  /** Reads a key and its colon, and goes after the colon. Returns null if no key begins here. */
  #readKey(at: number): string | null {
    const isQuoted = this.#text[at] === '"' || this.#text[at] === "'";
    const key = isQuoted ? this.#readQuoted(at) : this.#match(plainKey, at);
    if (key === null || this.#text[this.#at] !== ':') return null;
    const next = this.#text[this.#at + 1];
    if (next !== ' ' && next !== '\n' && next !== undefined) return null;
    if (key.length > maxKeyLength) throw notSimple;
    this.#at++;
    return key;
  }

  #match(pattern: RegExp, at: number): string | null {
    pattern.lastIndex = at;
    if (!pattern.test(this.#text)) return null;
    this.#at = pattern.lastIndex;
    return this.#text.slice(at, pattern.lastIndex);
  }

  #readQuoted(at: number): string | null {
    if (this.#text[at] === "'") {
      const written = this.#match(singleQuoted, at);
      return written === null ? null : written.slice(1, -1).replaceAll("''", "'");
    }
    const written = this.#match(doubleQuoted, at);
    if (written === null) return null;
    const inner = written.slice(1, -1);
    return inner.includes('\\')
      ? inner.replaceAll(/\\(.)/g, (_, each: string) => escapes.get(each) ?? each)
      : inner;
  }

  /** Reads the value of a key, whose colon is before `after`. */
  #value(after: number, column: number): DocumentTree {
    const next = this.#skipSpaces(after);
    if (!this.#isEnd(after)) return this.#inline(next, column);
    return this.#valueBelow(next, column, { ofKey: true });
  }

  /** Reads the block in the following lines, or an empty value. The list of a key can be indented like the key. */
  #valueBelow(offset: number, column: number, { ofKey } = { ofKey: false }): DocumentTree {
    this.#nextLine();
    if (this.#indent > column || (ofKey && this.#indent === column && this.#isEntry(this.#start)))
      return this.#block(this.#start, this.#indent);
    return { kind: 'null', offset };
  }

  /** Reads a scalar or flow collection up to the end of its line. The following lines must not continue it. */
  #inline(offset: number, column: number): DocumentTree {
    const first = this.#text[offset];
    if (first === '|' || first === '>') return this.#blockScalar(offset, column);
    const tree =
      first === '{' || first === '[' || first === '"' || first === "'"
        ? this.#flow(offset)
        : this.#plain(offset);
    this.#expectEnd(this.#at);
    this.#nextLine();
    if (this.#indent > column) throw notSimple;
    return tree;
  }

  #plain(offset: number): DocumentTree {
    if (this.#match(plainStart, offset) === null) throw notSimple;
    const rest = this.#text.slice(offset, this.#end);
    const comment = rest.indexOf(' #');
    const text = withoutTrailingSpaces(comment < 0 ? rest : rest.slice(0, comment));
    if (text.includes(': ') || text.endsWith(':')) throw notSimple;
    this.#at = offset + text.length;
    return toPlain(offset, text);
  }

  /** Reads a flow collection or scalar within one line. */
  #flow(offset: number): DocumentTree {
    const first = this.#text[offset];
    if (first === '{' || first === '[') {
      if (++this.#depth > maxSimpleDepth) throw notSimple;
      const tree = first === '{' ? this.#flowMap(offset) : this.#flowList(offset);
      this.#depth--;
      return tree;
    }
    if (first === '"' || first === "'") {
      const text = this.#readQuoted(offset);
      if (text === null) throw notSimple;
      return { kind: 'scalar', offset, text };
    }
    const written = this.#match(plainInFlow, offset);
    if (written === null) throw notSimple;
    return toPlain(offset, withoutTrailingSpaces(written));
  }

  #flowMap(offset: number): DocumentTree {
    const values = new Map<string, DocumentTree>();
    let at = this.#skipSpaces(offset + 1);
    while (this.#text[at] !== '}') {
      const key = this.#readKey(at);
      if (key === null || values.has(key)) throw notSimple;
      values.set(key, this.#flow(this.#skipSpaces(this.#at)));
      at = this.#afterFlowEntry('}');
    }
    this.#at = at + 1;
    return toMap(offset, values);
  }

  #flowList(offset: number): DocumentTree {
    const items: DocumentTree[] = [];
    let at = this.#skipSpaces(offset + 1);
    while (this.#text[at] !== ']') {
      items.push(this.#flow(at));
      at = this.#afterFlowEntry(']');
    }
    this.#at = at + 1;
    return { kind: 'list', offset, length: items.length, at: (index) => items[index] };
  }

  /** Returns the position of the next entry of a flow collection, or of its end. */
  #afterFlowEntry(close: string): number {
    const at = this.#skipSpaces(this.#at);
    if (this.#text[at] === close) return at;
    if (this.#text[at] !== ',') throw notSimple;
    return this.#skipSpaces(at + 1);
  }

  /** Reads a text with several lines, which are indented more than `column`. */
  #blockScalar(offset: number, column: number): DocumentTree {
    const header = this.#match(blockHeader, offset);
    if (header === null) throw notSimple;
    const lines: string[] = [];
    let indent = -1;
    // The first lines and the last lines can be empty. Spaces in them can be part of the text, so they aren't simple.
    let length = 0;
    let { length: end } = this.#text;
    for (let lineStart = this.#end + 1; lineStart <= this.#text.length; lineStart = end + 1) {
      const start = this.#skipSpaces(lineStart);
      const newline = this.#text.indexOf('\n', start);
      end = newline < 0 ? this.#text.length : newline;
      const isEmpty = start >= end;
      if (!isEmpty) {
        if (indent < 0) indent = start - lineStart;
        if (start - lineStart < indent || indent <= column) break;
        length = lines.length + 1;
      } else if (start > lineStart) {
        if (indent < 0 || start - lineStart > indent) throw notSimple;
      }
      lines.push(isEmpty ? '' : this.#text.slice(lineStart + indent, end));
      this.#end = end;
    }
    if (length === 0) throw notSimple;
    this.#nextLine();
    if (this.#indent > column) throw notSimple;
    lines.length = length;
    const text = header.startsWith('|') ? lines.join('\n') : fold(lines);
    return { kind: 'scalar', offset, text: header.endsWith('-') ? text : `${text}\n` };
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
]);

function toMap(offset: number, values: ReadonlyMap<string, DocumentTree>): DocumentTree {
  return {
    kind: 'map',
    offset,
    keys: () => [...values.keys()],
    get: (key) => values.get(key),
    entries: () => values.entries(),
  };
}

function withoutTrailingSpaces(text: string): string {
  let { length } = text;
  while (text.charCodeAt(length - 1) === 32) length--;
  return text.slice(0, length);
}

function toPlain(offset: number, text: string): DocumentTree {
  return isNullText(text) ? { kind: 'null', offset } : { kind: 'scalar', offset, text };
}

/** Joins the lines of a folded text. Lines that are indented more, and those next to them, keep their breaks. */
function fold(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line !== '');
  let text = '\n'.repeat(first);
  let separator = '';
  let wasDeeper = false;
  for (const line of lines.slice(first)) {
    if (line === '') {
      if (separator === '\n') text += '\n';
      else separator = '\n';
      continue;
    }
    const isDeeper = line.startsWith(' ');
    if (isDeeper && separator === ' ') separator = '\n';
    else if (isDeeper && !wasDeeper && separator === '\n') separator = '\n\n';
    text += separator + line;
    separator = isDeeper ? '\n' : ' ';
    wasDeeper = isDeeper;
  }
  return text;
}
