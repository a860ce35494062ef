import type { ExpressionCheck, ParseResult } from './parse-result.ts';

/**
 * Contract of a parser. A parser extracts the version from the content of one file, using an expression that
 * the user wrote. `parsers.ts` lists the parsers, and `parsers.test.ts` verifies this contract for each of
 * them.
 */
export interface VersionParser {
  /** The value of `parser_type` in the API. */
  readonly id: ParserType;
  /** One sentence for users: what the parser reads, and the syntax of its expressions. */
  readonly description: string;
  /** True if jobs with this parser read a file. Such jobs require a repository, a path, and an expression. */
  readonly readsFile: boolean;
  /**
   * Checks if the expression of a job is valid when the job is saved. Uses only the expression, never throws,
   * and takes less than 0.1 s for any input.
   */
  checkExpression(expression: string): ExpressionCheck;
  /**
   * Returns the version as written in the content, trimmed: `1.10` stays `1.10`. If no version is found,
   * returns the failed step and a description of the content there. Never throws, whatever the content or the
   * expression contains. Limits size and depth, but not time and memory, so parse untrusted content in the
   * sandbox.
   */
  parse(content: string, expression: string): ParseResult;
}

/** Parsers that read a file, in the order in which users see them. */
export const fileParserTypes = ['yq', 'jq', 'regex', 'sbom'] as const;

export type ParserType = (typeof fileParserTypes)[number] | 'manual';
