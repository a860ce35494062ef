import { compileCheapPattern } from '../domain/patterns/compile-pattern.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { readBodyText } from './body-text.ts';
import { createPartCollector } from './collect-parts.ts';
import { type BodyOrigin, isWebPage, webPageAdvice } from './json-body.ts';
import { versionInMatch } from './read-json-versions.ts';
import { toRelease } from './read-oci-tags.ts';
import { readTag } from './release-fields.ts';
import type { GatheredRelease } from './release-source.ts';
import { createSkippedItems, type SkippedItems } from './skipped-items.ts';

export interface TextVersionsInput extends BodyOrigin {
  /** Pattern that finds the version in a line, or null if each line is a version. */
  pattern: string | null;
}

export interface TextVersions {
  found: number;
  skipped: SkippedItems;
  /** True if the document has more versions than were read. */
  isCut: boolean;
  /** True if a line that can contain a version was too long to be read. */
  hasLongLine: boolean;
}

const maxVersions = 50_000;
/** Maximum length of a line. The time for matching a pattern is proportional to this length. */
const maxLineLength = 1_000;

/** Yields the versions in the lines of a document. With a pattern, lines that don't match are ignored. */
export async function* readTextVersions(
  { pattern: source, host, what }: TextVersionsInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<GatheredRelease[], TextVersions, undefined> {
  const pattern = source === null ? null : compileCheapPattern(source);
  if (pattern && !pattern.ok)
    throw new RunError('invalid_index', `Invalid option version_regex: ${pattern.message}.`);
  const text = await readBodyText(body);
  if (pattern === null && isWebPage(text))
    throw new RunError(
      'invalid_index',
      `${host} returned a web page instead of text for ${what}. ${webPageAdvice}, or set version_regex to search the page.`,
    );
  const skipped = createSkippedItems();
  const parts = createPartCollector<GatheredRelease>();
  const seen = new Set<string>();
  let isCut = false;
  let hasLongLine = false;
  for (const { pieces, whole } of linesOf(text, pattern !== null)) {
    const tags: string[] = [];
    for (const line of pieces) {
      if (line === '' || (pattern === null && line.startsWith('#'))) continue;
      if (line.length > maxLineLength) {
        hasLongLine ||= pattern === null || !withoutVersions.test(line);
        skipped.skip(`${line.slice(0, 40)}…`, `line of more than ${maxLineLength} characters`);
        continue;
      }
      const tag = pattern === null ? readVersion(line) : versionInMatch(pattern.pattern.find(line));
      if (tag !== null) tags.push(tag);
      else if (pattern === null) skipped.skip(line, 'not a version');
    }
    // Also search the whole line, because the pattern can contain both the start and the end of an element.
    if (pattern !== null && tags.length === 0 && pieces.length > 1 && whole.length <= maxLineLength) {
      const tag = versionInMatch(pattern.pattern.find(whole));
      if (tag !== null) tags.push(tag);
    }
    for (const tag of tags) {
      if (seen.has(tag)) continue;
      isCut ||= seen.size >= maxVersions;
      if (isCut) break;
      seen.add(tag);
      const full = parts.add(toRelease(tag, null));
      if (full) yield full;
    }
    if (isCut) break;
  }
  if (seen.size === 0)
    throw new RunError(
      'invalid_index',
      pattern === null
        ? `No line of the text from ${host} is a version. Set version_regex to find versions in it.`
        : `No line of the text from ${host} matches version_regex.`,
    );
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  return { found: seen.size, skipped: skipped.all(), isCut, hasLongLine };
}

/** Elements of web pages that are often long and contain no versions. */
const withoutVersions = /^<(?:script|style|svg|path|img|link|meta)\b/iu;

/**
 * Yields trimmed lines. The elements of a web page are separate lines, because some pages have only one line.
 * An element is split into pieces at its end tags.
 */
function* linesOf(
  text: string,
  splitsElements: boolean,
): Generator<{ pieces: string[]; whole: string }, void, undefined> {
  for (const line of text.split(/\r\n|[\r\n]/u)) {
    for (const element of splitsElements ? line.split(/(?=<[a-z!])/iu) : [line]) {
      const pieces = splitsElements ? element.split(/(?=<\/)/u) : [element];
      yield { pieces: pieces.map((piece) => piece.trim()), whole: element.trim() };
    }
  }
}

/**
 * Returns the version in a line, or `null`. A version is one word with a digit. Sentences, words such as
 * `stable`, and lines of JSON or XML aren't versions. A quoted line is the text of a JSON string.
 */
function readVersion(line: string): string | null {
  const word = /^"([^"\\]*)"$/u.exec(line)?.[1] ?? line;
  return /^[^\s"'<>{}[\]=;,]{1,256}$/u.test(word) && /\d/u.test(word) ? readTag(word) : null;
}
