/**
 * A line of text in Markdown or a similar format, parsed only as far as required to find headings and list
 * items. Parsing takes linear time.
 */
export interface MarkdownLine {
  /** Line number, counted from 1. */
  readonly line: number;
  readonly kind: 'heading' | 'item' | 'text' | 'blank';
  /** Level of a heading, starting at 1, or indentation of an item in columns. Otherwise 0. */
  readonly level: number;
  /** Text without the marks of headings, lists, quotes, and emphasis. Links are replaced with their text. */
  readonly text: string;
}

/**
 * Maximum length of a line whose Markdown marks are interpreted. Longer lines are plain text, because real headings and
 * items are shorter.
 */
const maxMarkedLength = 2_000;
/**
 * Level of a heading without marks, which is a line in bold or with a colon at its end. The level is below
 * all headings with marks.
 */
const unmarkedHeadingLevel = 7;

/** Reads the lines of Markdown text. Skips code blocks and comments. */
export function readMarkdownLines(text: string): MarkdownLine[] {
  const lines = text.split(/\r\n|\n|\r/);
  const result: MarkdownLine[] = [];
  let fence: string | null = null;
  let isComment = false;
  for (const [index, raw] of lines.entries()) {
    const line = index + 1;
    const fenceMark = /^ {0,3}(?:> ?)*(`{3,}|~{3,})/.exec(raw)?.[1] ?? null;
    if (fence !== null) {
      if (fenceMark !== null && fenceMark.startsWith(fence)) fence = null;
      continue;
    }
    if (fenceMark !== null) {
      fence = fenceMark;
      continue;
    }
    if (isComment) {
      isComment = !raw.includes('-->');
      continue;
    }
    if (/^\s*<!--/.test(raw)) {
      isComment = !raw.includes('-->');
      continue;
    }
    const underline = lines[index + 1] ?? '';
    if (isUnderline(raw) && result.at(-1)?.line === line - 1 && result.at(-1)?.kind === 'heading') continue;
    result.push({ line, ...readLine(raw, underline) });
  }
  return result;
}

/**
 * Returns a line without the marks of emphasis, code, and links. Each pattern stops at the next mark of the same type,
 * so the time is proportional to the number of marks.
 */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/\[([^[\]]+)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>]*>/g, '')
    .replace(/\*\*|__|`+|~~/g, '')
    .replace(/(^|[\s(])[*_](\S(?:[^*_]*\S)?)[*_](?=[\s).,:;!?]|$)/g, '$1$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim();
}

function readLine(raw: string, underline: string): Omit<MarkdownLine, 'line'> {
  const text = raw.replace(/^\s*(?:>\s?)+/, '');
  // The definition of a reference link isn't part of the text, so it's treated like a blank line.
  if (text.trim() === '' || /^ {0,3}\[[^\]]+\]:\s/.test(text)) return { kind: 'blank', level: 0, text: '' };
  if (text.length > maxMarkedLength) return { kind: 'text', level: 0, text };

  const heading = /^ {0,3}(#{1,6}|={1,6})\s+(\S.*)$/.exec(text);
  if (heading !== null) {
    return {
      kind: 'heading',
      level: heading[1]?.length ?? 1,
      text: plainText(withoutClosingMarks(heading[2] ?? '')),
    };
  }
  const item = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+([^]*)$/.exec(text);
  if (item !== null) {
    return {
      kind: 'item',
      level: (item[1] ?? '').replaceAll('\t', '    ').length,
      text: plainText(item[2] ?? ''),
    };
  }
  if (isUnderline(underline) && /\w/.test(text)) {
    return { kind: 'heading', level: underline.trim().startsWith('=') ? 1 : 2, text: plainText(text) };
  }
  const bold = /^(?::[a-z_]{2,30}:\s*|\p{Extended_Pictographic}\ufe0f?\s*)?(?:\*\*|__)(.+)(?:\*\*|__)$/u.exec(
    withoutColon(text.trim()),
  )?.[1];
  if (bold !== undefined && !bold.includes('**')) {
    return { kind: 'heading', level: unmarkedHeadingLevel, text: plainText(bold).replace(/:$/, '') };
  }
  const titled = /^\s*([^.:]{3,80}):\s*$/.exec(text)?.[1];
  if (titled !== undefined) return { kind: 'heading', level: unmarkedHeadingLevel, text: plainText(titled) };
  return { kind: 'text', level: 0, text: plainText(text) };
}

/** Removes closing marks: `Title ##` becomes `Title`. A heading that consists only of marks keeps them. */
function withoutClosingMarks(heading: string): string {
  let end = heading.trimEnd().length;
  while (heading[end - 1] === '#' || heading[end - 1] === '=') end -= 1;
  return end === 0 ? heading : heading.slice(0, end).trimEnd();
}

function withoutColon(text: string): string {
  return text.endsWith(':') ? text.slice(0, -1).trimEnd() : text;
}

function isUnderline(text: string): boolean {
  return /^ {0,3}(?:={3,}|-{3,}|~{3,}|\^{3,})\s*$/.test(text);
}
