import { applyVersionTransform, type VersionTransform } from '../transforms/version-transform.ts';
import { acceptVersion } from './accept-version.ts';
import { failure, type ParseFailure } from './parse-result.ts';
import { parsers } from './parsers.ts';
import type { ParserType } from './version-parser.ts';

export interface ParseContentInput {
  parserType: ParserType;
  /** Empty for `manual`. */
  expression: string;
  transform: VersionTransform;
  /** The whole file as text; for `manual` the version that was typed. */
  content: string;
}

export type ParseContentResult =
  | { ok: true /** After the transform. */; version: string /** As written, trimmed. */; rawVersion: string }
  | ParseFailure;

/**
 * From the content of a file to the version that is recorded: expression, parser, transform.
 * The one function for scrape runs, previews and versions set by hand. Content of a file is hostile: run it in the
 * sandbox with `parseContentLimits`. A version that was typed is cheap and may be parsed in place.
 */
export function parseContent(input: ParseContentInput): ParseContentResult {
  const parser: (typeof parsers)[ParserType] = parsers[input.parserType];
  const check = parser.checkExpression(input.expression);
  if (!check.ok) return failure('expression', check.message);

  const raw = parser.parse(input.content, input.expression);
  if (!raw.ok) return raw;

  const version = acceptVersion(applyVersionTransform(raw.version, input.transform), 'transform');
  if (!version.ok) return failure('transform', `after ${input.transform}: ${version.message}`);
  return { ok: true, version: version.version, rawVersion: raw.version };
}

/** The same for many, each on its own. */
export function parseContents(inputs: readonly ParseContentInput[]): ParseContentResult[] {
  return inputs.map(parseContent);
}
