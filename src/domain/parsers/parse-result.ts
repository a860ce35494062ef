export type ExpressionCheck =
  | { ok: true }
  | {
      ok: false;
      /** A sentence for the user: what cannot be used and what can. */
      message: string;
      /** Where in the expression, counted from 0 in UTF-16 units; `null` when it is about the whole. */
      position: number | null;
    };

export type ParseResult =
  | { ok: true; version: string }
  | {
      ok: false;
      /** Where it went wrong: a path such as `.spec.source`, or one of the stages `expression`, `content`, `match`, `version`, `transform`. */
      step: string;
      /** A sentence for the user that says what was found there. Holds at most some 600 characters. */
      message: string;
      /** Content that isn't valid: where, counted from 1, and why. */
      syntax?: { line: number; problem: string };
    };

export type ParseFailure = Extract<ParseResult, { ok: false }>;

export function failure(step: string, message: string): ParseFailure {
  return { ok: false, step, message };
}
