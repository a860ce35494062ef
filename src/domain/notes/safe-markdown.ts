import { Lexer, type Token, type Tokens } from 'marked';

/**
 * Release notes in a form that is safe to display: a tree of these nodes only. HTML is displayed as text,
 * images become links, and links can use only http and https.
 */
export type NoteInline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly children: readonly NoteInline[] }
  | { readonly kind: 'link'; readonly url: string; readonly children: readonly NoteInline[] }
  | { readonly kind: 'break' };

export type NoteBlock =
  | { readonly kind: 'heading'; readonly level: 3 | 4 | 5 | 6; readonly children: readonly NoteInline[] }
  | { readonly kind: 'paragraph'; readonly children: readonly NoteInline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly children: readonly NoteBlock[] }
  | {
      readonly kind: 'list';
      readonly isOrdered: boolean;
      readonly start: number;
      readonly items: readonly (readonly NoteBlock[])[];
    }
  | {
      readonly kind: 'table';
      readonly header: readonly (readonly NoteInline[])[];
      readonly rows: readonly (readonly (readonly NoteInline[])[])[];
    }
  | { readonly kind: 'rule' };

const maxLength = 65_536;
const maxDepth = 20;
const maxTokens = 5_000;
/**
 * Maximum number of brackets and marks in one paragraph. The lexer can compare each of them with all others.
 */
const maxMarks = 1_500;

class TooComplex extends Error {}

/** @returns `null` if the text is nested too deeply or is too large to render as anything but plain text. */
export function readSafeMarkdown(notes: string): readonly NoteBlock[] | null {
  const text = withoutDirections(notes.slice(0, maxLength));
  if (isCostly(text)) return null;
  try {
    let tokens = 0;
    const visit = (depth: number) => {
      tokens += 1;
      if (depth > maxDepth || tokens > maxTokens) throw new TooComplex();
    };
    return blocksOf(new Lexer({ gfm: true }).lex(text), 0, visit);
  } catch (error) {
    // Deeply nested lists and quotes overflow the stack inside the lexer.
    if (error instanceof TooComplex || error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Removes the Unicode control characters that change text direction, because they would also affect the text
 * around the notes.
 */
export function withoutDirections(notes: string): string {
  return notes.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

/**
 * True if the lexer could take too long. Its running time isn't linear in the number of marks in a paragraph
 * or in the nesting depth of quotes and lists.
 */
function isCostly(text: string): boolean {
  let marks = 0;
  for (const line of text.split('\n')) {
    if (/^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){20}/.test(line) || /^[ \t]{200}/.test(line)) return true;
    marks = line.trim() === '' ? 0 : marks + (line.match(/[[\]()*_~`<&\\|]/g)?.length ?? 0);
    if (marks > maxMarks) return true;
  }
  return false;
}

type Visit = (depth: number) => void;

function blocksOf(tokens: readonly Token[], depth: number, visit: Visit): NoteBlock[] {
  return tokens.flatMap((token) => blockOf(token, depth, visit));
}

function blockOf(token: Token, depth: number, visit: Visit): NoteBlock[] {
  visit(depth);
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'hr':
      return [{ kind: 'rule' }];
    case 'code':
      return [{ kind: 'code', text: (token as Tokens.Code).text }];
    case 'heading': {
      const { depth: level } = token as Tokens.Heading;
      const children = childrenOf(token, depth, visit);
      return [{ kind: 'heading', level: Math.min(level + 2, 6) as 3 | 4 | 5 | 6, children }];
    }
    case 'blockquote':
      return [{ kind: 'quote', children: blocksOf((token as Tokens.Blockquote).tokens, depth + 1, visit) }];
    case 'list': {
      const { ordered, start, items } = token as Tokens.List;
      return [
        {
          kind: 'list',
          isOrdered: ordered,
          start: typeof start === 'number' ? start : 1,
          items: items.map((item) => blocksOf(item.tokens, depth + 1, visit)),
        },
      ];
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      const cells = (row: readonly Tokens.TableCell[]) =>
        row.map((cell) => {
          visit(depth);
          return inlinesOf(cell.tokens, depth + 1, visit);
        });
      return [{ kind: 'table', header: cells(header), rows: rows.map(cells) }];
    }
    // HTML comments are meant for the authors of the notes, not for readers.
    case 'html':
      return textBlock(token.raw.replace(/<!--[\s\S]*?(?:-->|$)/g, ''));
    default:
      return [{ kind: 'paragraph', children: childrenOf(token, depth, visit) }];
  }
}

function textBlock(text: string): NoteBlock[] {
  return text.trim() === '' ? [] : [{ kind: 'paragraph', children: [{ kind: 'text', text: text.trim() }] }];
}

/** Returns the inline tokens of a block, or its text if it has no tokens. */
function childrenOf(token: Token, depth: number, visit: Visit): NoteInline[] {
  if ('tokens' in token && token.tokens !== undefined) return inlinesOf(token.tokens, depth + 1, visit);
  return [{ kind: 'text', text: 'text' in token ? String(token.text) : token.raw }];
}

function inlinesOf(tokens: readonly Token[], depth: number, visit: Visit): NoteInline[] {
  return tokens.flatMap((token) => inlineOf(token, depth, visit));
}

function inlineOf(token: Token, depth: number, visit: Visit): NoteInline[] {
  visit(depth);
  const children = () => childrenOf(token, depth, visit);
  switch (token.type) {
    case 'br':
      return [{ kind: 'break' }];
    case 'codespan':
      return [{ kind: 'code', text: (token as Tokens.Codespan).text }];
    case 'strong':
      return [{ kind: 'strong', children: children() }];
    case 'em':
      return [{ kind: 'emphasis', children: children() }];
    case 'del':
      return [{ kind: 'deleted', children: children() }];
    case 'link':
      return linkTo((token as Tokens.Link).href, children());
    case 'image': {
      const { href, text } = token as Tokens.Image;
      return linkTo(href, [{ kind: 'text', text: text === '' ? 'Image' : text }]);
    }
    case 'html':
      return [{ kind: 'text', text: token.raw.replace(/<!--[\s\S]*?(?:-->|$)/g, '') }];
    case 'checkbox':
      return [{ kind: 'text', text: (token as Tokens.Checkbox).checked ? '☑ ' : '☐ ' }];
    default:
      return 'tokens' in token && token.tokens !== undefined ? children() : plain(token);
  }
}

function plain(token: Token): NoteInline[] {
  return [{ kind: 'text', text: 'text' in token ? String(token.text) : token.raw }];
}

/**
 * Returns a link for http and https URLs without credentials. All other URLs, including relative ones, are
 * reduced to their text.
 */
function linkTo(href: string, children: NoteInline[]): NoteInline[] {
  if (!/^https?:\/\//i.test(href) || href.length > 2_000 || !URL.canParse(href)) return children;
  const url = new URL(href);
  if (url.username !== '' || url.password !== '') return children;
  return [{ kind: 'link', url: url.href, children }];
}
