export type ExpressionCheck =
  | { ok: true }
  | {
      ok: false;
      /** A sentence for the user that states what isn't supported and what to use instead. */
      message: string;
      /**
       * Position in the expression, counted from 0 in UTF-16 units. `null` if the message concerns the whole
       * expression.
       */
      position: number | null;
    };

export type ParseResult =
  | { ok: true; version: string }
  | {
      ok: false;
      /**
       * The step that failed: a path such as `.spec.source`, or one of the stages `expression`, `content`,
       * `match`, `version`, or `transform`.
       */
      step: string;
      /**
       * A sentence for the user that describes the content at this step. It has at most about 600 characters.
       */
      message: string;
      /** Line (counted from 1) and cause of a syntax error in the content. */
      syntax?: { line: number; problem: string };
    };

export type ParseFailure = Extract<ParseResult, { ok: false }>;

export function failure(step: string, message: string): ParseFailure {
  return { ok: false, step, message };
}
