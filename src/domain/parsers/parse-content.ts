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
  /** The entire file as text or, for `manual`, the version that was entered. */
  content: string;
}

export type ParseContentResult =
  | {
      ok: true /** The version after the transform. */;
      version: string /** The version as written in the content, trimmed. */;
      rawVersion: string;
    }
  | ParseFailure;

/**
 * Extracts the version to record from the content of a file: checks the expression, runs the parser, and
 * applies the transform. Scrape runs, previews, and manually set versions all use this function. File content
 * is untrusted, so parse it in the sandbox with `parseContentLimits`. A manually entered version is cheap to
 * parse and doesn't need the sandbox.
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

/** Parses several inputs. Each input has an independent result. */
export function parseContents(inputs: readonly ParseContentInput[]): ParseContentResult[] {
  return inputs.map(parseContent);
}
