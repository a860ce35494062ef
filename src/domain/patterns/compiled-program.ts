import type { RE2JS } from 're2js';

/**
 * The compiled program in the library's internal format, which its types don't declare. A test detects
 * changes to the format.
 */
export interface Program {
  inst: Step[];
  start: number;
}

export interface Step {
  op: number;
  /** Index of the next step. */
  out: number;
  /** Index of the second next step for `alternative` steps. Flags for `emptyWidth` and character steps. */
  arg: number;
  /**
   * Pairs of first and last code point, or a single code point. Copies of a class from an expanded repeat
   * share this array.
   */
  runes: ArrayLike<number>;
}

export const stepTypes = {
  alternative: 1,
  alternativeMatch: 2,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  rune: 8,
  anyNotNewline: 11,
};

export function programOf(regex: RE2JS): Program {
  return regex.re2().prog;
}

export function isConsuming(step: Step): boolean {
  return step.op >= stepTypes.rune && step.op <= stepTypes.anyNotNewline;
}

/** True if no other step is reachable from this step without consuming a character. */
export function isEnd(step: Step): boolean {
  return isConsuming(step) || step.op === stepTypes.match || step.op === stepTypes.fail;
}

export function isBranch(step: Step): boolean {
  return step.op === stepTypes.alternative || step.op === stepTypes.alternativeMatch;
}
