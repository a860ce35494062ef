import type { ExpressionCheck, ParseResult } from './parse-result.ts';

/**
 * What a parser promises. A parser takes the version out of the content of one file by an expression that the
 * user wrote. `parsers.ts` lists the parsers; `parsers.test.ts` holds each of them to these sentences.
 */
export interface VersionParser {
  /** The value of `parser_type` in the API. */
  readonly id: ParserType;
  /** One sentence for people: what it reads and how the expression looks. */
  readonly description: string;
  /** True when a job of this parser reads a file: it needs a repository, a path and an expression. */
  readonly readsFile: boolean;
  /**
   * Whether the expression can be used at all, told when a job is saved. Looks at the expression only, never throws,
   * and takes less than a tenth of a second whatever it is given.
   */
  checkExpression(expression: string): ExpressionCheck;
  /**
   * The version as it is written in the content, trimmed: `1.10` stays `1.10`. When there is none, what was found
   * at which step. Never throws for anything that the content or the expression can hold. Bounds size and depth by
   * itself, time and memory not: hostile content is parsed in the sandbox.
   */
  parse(content: string, expression: string): ParseResult;
}

export type ParserType = 'yq' | 'jq' | 'regex' | 'manual';
