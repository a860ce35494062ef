import type { VersionScheme } from '../versions/version-scheme.ts';
import { type MarkdownLine, readMarkdownLines } from './markdown-lines.ts';

/** The section of a changelog about one version. */
export interface ChangelogSection {
  /** Version as written in the changelog, such as `v1.2.3`. */
  readonly version: string;
  /** Lines below the heading, as written in the changelog. */
  readonly notes: string;
}

/**
 * Splits a changelog at headings that contain a version, in file order. Supports Markdown, reStructuredText,
 * AsciiDoc, and plain text with lines such as `Version 1.2.3 (2024-05-01)` or `package (1.2.3-1) unstable;
 * urgency=low`.
 */
export function cutChangelog(scheme: VersionScheme, text: string): ChangelogSection[] {
  const lines = text.split(/\r\n|\n|\r/);
  const candidates = findCandidates(scheme, readMarkdownLines(text), lines);
  const level = mostCommonLevel(candidates.filter((candidate) => candidate.version !== null));
  const headings = candidates.filter(
    ({ version, isBare, level: own }) => version === null || isBare || own === level,
  );

  const sections: ChangelogSection[] = [];
  for (const [index, heading] of headings.entries()) {
    if (heading.version === null) continue;
    let next = index + 1;
    while (headings[next]?.version === null && headings[next]!.level > heading.level) next += 1;
    const end = headings[next];
    const notes = lines.slice(heading.lastLine, end === undefined ? lines.length : end.line - 1);
    sections.push({ version: heading.version, notes: trimBlankLines(notes).join('\n') });
  }
  return sections;
}

interface Candidate {
  /**
   * Version in the heading. `null` for another heading, which ends the section of a version unless it's a
   * subheading.
   */
  readonly version: string | null;
  readonly level: number;
  /** Line of the heading, counted from 1. */
  readonly line: number;
  /** Last line of the heading. If the heading is underlined, this is the line of the underline. */
  readonly lastLine: number;
  /**
   * True if only words such as `release` precede the version, so the heading isn't a sentence that mentions a
   * version.
   */
  readonly isBare: boolean;
}

/** Level of headings in a plain-text changelog, which has no heading marks. */
const plainLevel = 1;

function findCandidates(
  scheme: VersionScheme,
  marked: readonly MarkdownLine[],
  lines: readonly string[],
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { kind, level, text, line } of marked) {
    if (kind === 'blank' || kind === 'item') continue;
    if (kind === 'text' && !isPlainHeading(text, lines[line - 1] ?? '', lines[line - 2])) continue;
    const found = findVersion(scheme, text);
    if (kind === 'heading') {
      const isUnderlined = /^ {0,3}(?:={3,}|-{3,}|~{3,}|\^{3,})\s*$/.test(lines[line] ?? '');
      const lastLine = isUnderlined ? line + 1 : line;
      candidates.push({
        version: found?.version ?? null,
        level,
        line,
        lastLine,
        isBare: found?.isBare ?? false,
      });
    } else if (found !== null) {
      candidates.push({
        version: found.version,
        level: plainLevel,
        line,
        lastLine: line,
        isBare: found.isBare,
      });
    }
  }
  return candidates;
}

/**
 * True if a line without heading marks is a heading: it follows a blank line, isn't indented, and contains
 * little more than a version and a date.
 */
function isPlainHeading(text: string, raw: string, before: string | undefined): boolean {
  if (/^\s/.test(raw) || text.length > 100) return false;
  if (before !== undefined && before.trim() !== '') return false;
  return !/[.!?]$/.test(text) || /^\W*v?\d(?:[.+-]*\w)*\W*$/i.test(text);
}

/**
 * Returns the first version in a heading. Dates are skipped, but a date with dots counts as a version if the heading
 * contains no other version.
 */
function findVersion(scheme: VersionScheme, text: string): { version: string; isBare: boolean } | null {
  const tokens = /[\p{L}\p{N}][\p{L}\p{N}._+~-]*/gu;
  let dated: { version: string; isBare: boolean } | null = null;
  for (const match of text.matchAll(tokens)) {
    const token = withoutEndMarks(match[0]);
    if (!/\d/.test(token)) continue;
    const version = versionIn(scheme, token);
    if (version === null) continue;
    const before = text
      .slice(0, match.index)
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    const isBare = /^(?:(?:changes|release|version|ver|v|in|of|for|notes|tag) ?)*$/i.test(before);
    if (!isDate(token)) return { version, isBare };
    if (token.includes('.')) dated ??= { version, isBare };
  }
  return dated;
}

function withoutEndMarks(token: string): string {
  let end = token.length;
  while (/[._+~-]/.test(token[end - 1] ?? '')) end -= 1;
  return token.slice(0, end);
}

function versionIn(scheme: VersionScheme, token: string): string | null {
  // A single number is a version only with a `v`: `2 new features` doesn't mention a version.
  if (!/\d[._-]\d/.test(token) && !/^v\d+$/i.test(token)) return null;
  return scheme.parse(token) === null ? null : token;
}

function isDate(token: string): boolean {
  return /^\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?$/.test(token) || /^\d{1,2}[-./]\d{1,2}[-./]\d{4}$/.test(token);
}

function mostCommonLevel(candidates: readonly Candidate[]): number | null {
  const counts = new Map<number, number>();
  for (const { level } of candidates) counts.set(level, (counts.get(level) ?? 0) + 1);
  let best: number | null = null;
  for (const [level, count] of counts) {
    if (best === null || count > (counts.get(best) ?? 0)) best = level;
  }
  return best;
}

function trimBlankLines(lines: readonly string[]): readonly string[] {
  const isText = (line: string) => line.trim() !== '';
  const first = lines.findIndex(isText);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(isText) + 1);
}
