import MarkdownIt, { type Token } from 'markdown-it';

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
 * Maximum number of brackets and marks in one paragraph. The parser can compare each of them with all others.
 */
const maxMarks = 1_500;
/**
 * Maximum number of steps of the parser. A step tries the rules at one position of a line, or tests if a line
 * ends a paragraph. The changelogs of 64 packages take up to 5,600 steps each, but a malicious text could
 * take a hundred million.
 */
const maxSteps = 40_000;

class TooComplex extends Error {}

/**
 * Number of steps that the parser has taken for the current text. All texts share one parser, and therefore
 * this counter, because creating a parser takes longer than parsing text.
 */
let steps = 0;
const parser = createParser();

function createParser() {
  const markdown = new MarkdownIt({ html: true, linkify: true });
  // Accept all links here, because the parser would show the source text of a rejected link. `linkTo` decides which
  // links remain.
  markdown.validateLink = () => true;
  // Only complete URLs become links.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  const countStep = () => {
    steps += 1;
    if (steps > maxSteps) throw new TooComplex();
    return false;
  };
  // In every loop, the parser tries its rules in order at each position. `count_steps` comes first and only
  // counts, so it can limit the work.
  const alt = ['paragraph', 'reference', 'blockquote', 'list'];
  markdown.block.ruler.before('table', 'count_steps', countStep, { alt });
  markdown.inline.ruler.before('text', 'count_steps', countStep);
  return markdown;
}

/** @returns `null` if the text is nested too deeply or is too large to render as anything but plain text. */
export function readSafeMarkdown(notes: string): readonly NoteBlock[] | null {
  return readCountedMarkdown(notes).blocks;
}

/** Parses notes, and also returns the number of steps that the parser took. */
export function readCountedMarkdown(notes: string): { blocks: readonly NoteBlock[] | null; steps: number } {
  const text = removeBidiControls(notes.slice(0, maxLength));
  steps = 0;
  if (hasTooManyMarks(text)) return { blocks: null, steps };
  try {
    let tokens = 0;
    const visit = (depth: number) => {
      tokens += 1;
      if (depth > maxDepth || tokens > maxTokens) throw new TooComplex();
    };
    const blocks = blocksOf(treeOf(parser.parse(text, {})), 0, visit);
    return { blocks, steps };
  } catch (error) {
    if (error instanceof TooComplex || error instanceof RangeError) return { blocks: null, steps };
    throw error;
  }
}

/**
 * Removes the Unicode control characters that change text direction, because they would also affect the text
 * around the notes.
 */
export function removeBidiControls(notes: string): string {
  return notes.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

/**
 * True if a single step of the parser could take too long. The time of a step grows more than linearly with
 * the number of marks in a paragraph and with the nesting depth of quotes and lists.
 */
function hasTooManyMarks(text: string): boolean {
  let marks = 0;
  for (const line of text.split('\n')) {
    if (/^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){20}/.test(line) || /^[ \t]{200}/.test(line)) return true;
    // A blank line or a bullet with text always ends a paragraph, so the count starts again.
    if (line.trim() === '' || /^ {0,3}[*+-] +\S/.test(line)) marks = 0;
    marks += line.match(/[[\]()*_~`<&\\|]/g)?.length ?? 0;
    if (marks > maxMarks) return true;
  }
  return false;
}

/** A token with the tokens between its opening and its closing token. */
interface Node {
  token: Token;
  children: Node[];
}

/** Converts the parser's list of opening and closing tokens to a tree. */
function treeOf(tokens: readonly Token[]): Node[] {
  const root: Node[] = [];
  const open = [root];
  for (const token of tokens) {
    if (token.nesting === -1) {
      open.pop();
      continue;
    }
    const node: Node = { token, children: [] };
    open.at(-1)!.push(node);
    if (token.nesting === 1) open.push(node.children);
  }
  return root;
}

type Visit = (depth: number) => void;

function blocksOf(nodes: readonly Node[], depth: number, visit: Visit): NoteBlock[] {
  return nodes.flatMap((node) => blockOf(node, depth, visit));
}

function blockOf({ token, children }: Node, depth: number, visit: Visit): NoteBlock[] {
  visit(depth);
  switch (token.type) {
    case 'hr':
      return [{ kind: 'rule' }];
    case 'code_block':
    case 'fence':
      return [{ kind: 'code', text: token.content.replace(/\n$/, '') }];
    case 'heading_open': {
      const level = Math.min(Number(token.tag.slice(1)) + 2, 6) as 3 | 4 | 5 | 6;
      return [{ kind: 'heading', level, children: contentOf(children, depth, visit) }];
    }
    case 'blockquote_open':
      return [{ kind: 'quote', children: blocksOf(children, depth + 1, visit) }];
    case 'bullet_list_open':
    case 'ordered_list_open': {
      const isOrdered = token.type === 'ordered_list_open';
      return [
        {
          kind: 'list',
          isOrdered,
          start: isOrdered ? Number(token.attrGet('start') ?? 1) : 1,
          items: children.map((item) => {
            visit(depth);
            return blocksOf(item.children, depth + 1, visit).map(withCheckbox);
          }),
        },
      ];
    }
    case 'table_open': {
      const rows = children.flatMap((part) => part.children);
      const cells = (row: Node | undefined) =>
        (row?.children ?? []).map((cell) => {
          visit(depth);
          return contentOf(cell.children, depth, visit);
        });
      return [{ kind: 'table', header: cells(rows[0]), rows: rows.slice(1).map(cells) }];
    }
    // HTML comments are meant for the authors of the notes, not for readers.
    case 'html_block':
      return textBlock(token.content.replace(/<!--[\s\S]*?(?:-->|$)/g, ''));
    default:
      return [{ kind: 'paragraph', children: contentOf(children, depth, visit) }];
  }
}

/** Shows the checkbox of a task list, which the parser leaves as text. */
function withCheckbox(block: NoteBlock, index: number): NoteBlock {
  if (index > 0 || block.kind !== 'paragraph') return block;
  const [first, ...rest] = block.children;
  if (first?.kind !== 'text') return block;
  const text = first.text.replace(/^\[([ xX])\] /, (_, mark: string) => (mark === ' ' ? '☐ ' : '☑ '));
  return { ...block, children: [{ kind: 'text', text }, ...rest] };
}

function textBlock(text: string): NoteBlock[] {
  return text.trim() === '' ? [] : [{ kind: 'paragraph', children: [{ kind: 'text', text: text.trim() }] }];
}

/** Returns the inline content of a block. */
function contentOf(nodes: readonly Node[], depth: number, visit: Visit): NoteInline[] {
  return nodes.flatMap(({ token }) => inlinesOf(treeOf(token.children ?? []), depth + 1, visit));
}

/**
 * Returns the inline content of tokens. Adjacent texts are joined, because the parser splits them at marks and line
 * ends.
 */
function inlinesOf(nodes: readonly Node[], depth: number, visit: Visit): NoteInline[] {
  const inlines: NoteInline[] = [];
  let isJoinable = false;
  for (const node of nodes) {
    const isText = isPlain(node.token);
    for (const inline of inlineOf(node, depth, visit)) {
      const last = inlines.at(-1);
      if (isText && isJoinable && last?.kind === 'text' && inline.kind === 'text')
        inlines[inlines.length - 1] = { kind: 'text', text: last.text + inline.text };
      else inlines.push(inline);
    }
    isJoinable = isText;
  }
  return inlines;
}

function isPlain({ type }: Token): boolean {
  return type === 'text' || type === 'text_special' || type === 'softbreak';
}

function inlineOf({ token, children: nested }: Node, depth: number, visit: Visit): NoteInline[] {
  visit(depth);
  const children = () => inlinesOf(nested, depth + 1, visit);
  switch (token.type) {
    case 'softbreak':
      return [{ kind: 'text', text: '\n' }];
    case 'hardbreak':
      return [{ kind: 'break' }];
    case 'code_inline':
      return [{ kind: 'code', text: token.content }];
    case 'strong_open':
      return [{ kind: 'strong', children: children() }];
    case 'em_open':
      return [{ kind: 'emphasis', children: children() }];
    case 's_open':
      return [{ kind: 'deleted', children: children() }];
    case 'link_open':
      return linkTo(String(token.attrGet('href') ?? ''), children());
    case 'image':
      return linkTo(String(token.attrGet('src') ?? ''), [
        { kind: 'text', text: token.content === '' ? 'Image' : token.content },
      ]);
    case 'html_inline':
      return [{ kind: 'text', text: token.content.replace(/<!--[\s\S]*?(?:-->|$)/g, '') }];
    default:
      return [{ kind: 'text', text: token.content }];
  }
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
