import type { RE2JS } from 're2js';

/** The compiled program as the library keeps it; its types leave it open. A test watches that it stays so. */
export interface Program {
  inst: Step[];
  start: number;
}

export interface Step {
  op: number;
  /** The step that follows. */
  out: number;
  /** `alternative`: the other step that follows. `emptyWidth`: flags. Character steps: flags. */
  arg: number;
  /** Pairs of first and last code point, or one code point. Unfolded copies of a class share them. */
  runes: ArrayLike<number>;
}

export const op = {
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
  return step.op >= op.rune && step.op <= op.anyNotNewline;
}

/** Whether nothing follows a step without a character. */
export function isEnd(step: Step): boolean {
  return isConsuming(step) || step.op === op.match || step.op === op.fail;
}

export function hasTwoFollowers(step: Step): boolean {
  return step.op === op.alternative || step.op === op.alternativeMatch;
}
