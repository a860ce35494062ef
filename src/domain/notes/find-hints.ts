import { cleanLine } from '../templates/clean-text.ts';
import { type MarkdownLine, readMarkdownLines } from './markdown-lines.ts';

export type HintKind = 'breaking' | 'action_required' | 'removed' | 'deprecated' | 'warning';

/** A line that the authors of release notes marked. It repeats their text, which can be wrong. */
export interface Hint {
  readonly kind: HintKind;
  /**
   * Plain text on one line of at most 200 characters, without invisible characters or characters that change
   * the text direction.
   */
  readonly text: string;
  /** Line of the notes, counted from 1. */
  readonly line: number;
}

const maxHintLength = 200;
const maxHints = 100;

/**
 * Finds the lines that release notes mark as breaking, removed, deprecated, or requiring action: items below
 * a marked heading, conventional commits with `!`, `BREAKING CHANGE:`, and lines that start with a warning
 * sign. An empty result means only that nothing is marked, not that the releases contain no breaking changes.
 *
 * @param notes Markdown, or the plain text of a changelog.
 */
export function findHints(notes: string): Hint[] {
  const hints: Hint[] = [];
  let section: Section | null = null;
  let lastItem: MarkdownLine | null = null;
  const add = (kind: HintKind, { text, line }: MarkdownLine) => {
    const shown = cleanLine(text, maxHintLength);
    if (hints.length < maxHints && !hasNoContent(shown)) hints.push({ kind, text: shown, line });
  };

  const lines = readMarkdownLines(notes);
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'blank') {
      lastItem = null;
      continue;
    }
    if (line.kind === 'heading') {
      lastItem = null;
      const kind = headingKind(line.text);
      if (section !== null && line.level > section.level) {
        // A heading inside a marked section describes one change, unless it groups its items by kind or
        // component.
        if (kind === null && isComponentName(line.text) && startsWithItem(lines, index + 1)) {
          section = { kind: section.kind, level: section.level, isNamed: false };
        } else if (kind === null) {
          add(section.kind, line);
          section = { kind: section.kind, level: section.level, isNamed: true };
        } else section = { kind, level: section.level, isNamed: false };
        continue;
      }
      section = kind === null ? null : { kind, level: line.level, isNamed: false };
      if (section === null) addMarked(line, add);
      continue;
    }
    if (section === null) {
      addMarked(line, add);
      continue;
    }
    if (section.isNamed) continue;
    if (line.kind === 'item') {
      // Skip nested items, because they only explain their parent item.
      const isNested = lastItem !== null && line.level >= lastItem.level + 2;
      if (isNested) continue;
      lastItem = line;
      add(section.kind, line);
    } else if (lastItem === null) {
      lastItem = { ...line, level: 0 };
      add(section.kind, line);
    }
  }
  return hints;
}

interface Section {
  readonly kind: HintKind;
  readonly level: number;
  /**
   * True if each heading in the section is a change. The text below such a heading only explains it, so it isn't a
   * hint.
   */
  readonly isNamed: boolean;
}

/** True for a heading of one or two words, such as `Storage`, which is too short to describe a change. */
function isComponentName(heading: string): boolean {
  return /^\W*\w+(?:[ /&-]+\w+)?\W*$/.test(heading);
}

function startsWithItem(lines: readonly MarkdownLine[], from: number): boolean {
  let index = from;
  while (lines[index]?.kind === 'blank') index += 1;
  return lines[index]?.kind === 'item';
}

const headingWords: readonly (readonly [HintKind, RegExp])[] = [
  ['breaking', /\bbreaking\b|\bincompatib(?:le|ilit(?:y|ies))\b/i],
  [
    'action_required',
    /\b(?:action|attention|migration|manual (?:steps?|changes?)) (?:is )?(?:required|needed)\b|\bmigrat(?:ion|ing)\b|\bupgrad(?:e|ing) (?:notes?|guide|instructions|steps|considerations|warnings?|path)\b|\bupgrading\b|\bbefore (?:you )?upgrad(?:e|ing)\b/i,
  ],
  ['removed', /^\W*(?:removed?|removals?)\b|\band (?:removed|removals?)\b/i],
  ['deprecated', /\bdeprecat(?:ed|ions?|es)\b/i],
];

function headingKind(text: string): HintKind | null {
  if (isNegated(text)) return null;
  return headingWords.find(([, words]) => words.test(text))?.[0] ?? null;
}

function addMarked(line: MarkdownLine, add: (kind: HintKind, line: MarkdownLine) => void): void {
  const { text } = line;
  const labelled = /^\W*(?:breaking(?:[- ]changes?)?)\s*[\])}:—–-]+\s*(\S.*)/i.exec(text)?.[1];
  if (labelled !== undefined) add('breaking', { ...line, text: labelled });
  else if (/^\W*BREAKING(?: CHANGES?)?\s+\S/.test(text))
    add('breaking', { ...line, text: text.replace(/^\W*BREAKING(?: CHANGES?)?\s+/, '') });
  else if (/[[(]breaking(?: change)?[\])]/i.test(text)) add('breaking', line);
  else if (/^(?:[0-9a-f]{7,40}\s+)?[a-z]+(?:\([^()]{1,60}\))?!:\s+\S/i.test(text)) add('breaking', line);
  else if (/^(?:action required|attention)\b\s*:/i.test(text)) add('action_required', line);
  else if (
    /^(?:\u26a0\ufe0f?|\u{1f6a8}|\u{1f4a5}|\u2757\ufe0f?|:warning:|:boom:|:rotating_light:)/u.test(text)
  ) {
    const rest = text.replace(/^(?::[a-z_]+:|[^\p{L}\p{N}])+/u, '');
    if (!isNegated(rest)) add(headingKind(rest) ?? 'warning', { ...line, text: rest });
  }
}

/** True for negations, such as `No breaking changes`, `non-breaking`, and `without migration`. */
function isNegated(text: string): boolean {
  return /\b(?:no|non|not|without|zero)[\s-]+(?:\w+[\s-]+)?(?:breaking|incompatib|migration|deprecat|removal)/i.test(
    text,
  );
}

/** True for text without content, such as `None`, which authors write below an empty heading. */
function hasNoContent(text: string): boolean {
  return (
    !/[\p{L}\p{N}]{2}/u.test(text) ||
    /^\W*(?:none|nothing|n\/?a|not applicable|no changes?)\b[\W]*$/i.test(text) ||
    /^\W*(?:there (?:are|were) )?(?:no|none)\b[^.]{0,40}\b(?:breaking|incompatib|deprecat|remov|known|action|upgrade|this (?:release|version))[^.]{0,40}\W*$/i.test(
      text,
    )
  );
}
