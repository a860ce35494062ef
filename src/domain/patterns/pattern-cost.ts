import type { RE2JS } from 're2js';

/**
 * What one character of text can cost at most, in units of a simple step of the program: the steps that can be
 * alive after one and the same character, weighted. `^v?(\d+)\.(\d+)$` has few, however long the literal text around it
 * is; `(a*)*` fifty times over has all of its steps. A bound, for any text: it does not ask whether the steps before
 * could be reached together.
 */
export function patternCost(regex: RE2JS): number {
  const { inst, start }: Program = regex.re2().prog;
  const begin = reach(inst, [start]);
  const consuming = inst.filter((step) => isConsuming(step));
  let highest = 0;
  for (const rune of representatives(consuming)) {
    const next = consuming.filter((step) => accepts(step, rune)).map((step) => step.out);
    const alive = reach(inst, next, new Set(begin));
    let cost = 0;
    for (const index of alive) cost += weightOf(inst[index]);
    highest = Math.max(highest, cost);
  }
  return highest;
}

/** The compiled program as the library keeps it; its types leave it open. A test watches that it stays so. */
interface Program {
  inst: Step[];
  start: number;
}

interface Step {
  op: number;
  /** The step that follows. */
  out: number;
  /** `alternative`: the other step that follows. `emptyWidth`: flags. Character steps: flags. */
  arg: number;
  /** Pairs of first and last code point, or one code point. */
  runes: ArrayLike<number>;
  matchRune(rune: number): boolean;
}

const op = {
  alternative: 1,
  alternativeMatch: 2,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  rune: 8,
  rune1: 9,
  any: 10,
  anyNotNewline: 11,
};
const beginOfText = 4;
const foldCase = 1;

function isConsuming(step: Step): boolean {
  return step.op >= op.rune && step.op <= op.anyNotNewline;
}

function accepts(step: Step, rune: number): boolean {
  if (step.op === op.any) return true;
  if (step.op === op.anyNotNewline) return rune !== 10;
  return step.matchRune(rune);
}

/** All steps that are reached from some without a character. What stands behind `^` is reached once only, so it is free. */
function reach(inst: readonly Step[], from: readonly number[], reached = new Set<number>()): Set<number> {
  const waiting = [...from];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const step = inst[index];
    if (!step || reached.has(index)) continue;
    reached.add(index);
    const isEnd = isConsuming(step) || step.op === op.match || step.op === op.fail;
    if (isEnd || (step.op === op.emptyWidth && (step.arg & beginOfText) !== 0)) continue;
    if (step.op === op.alternative || step.op === op.alternativeMatch) waiting.push(step.arg);
    waiting.push(step.out);
  }
  return reached;
}

/** Measured: a large class is searched, a letter of either case looked up. */
function weightOf(step: Step | undefined): number {
  if (!step || !isConsuming(step) || step.runes.length === 0) return 1;
  if (step.runes.length === 1) return (step.arg & foldCase) === 0 ? 1 : 4;
  return 1 + Math.log2(step.runes.length);
}

/** One code point of every stretch between the borders of all classes, so that each set of steps is met. */
function representatives(consuming: readonly Step[]): Set<number> {
  const runes = new Set<number>([0, 0x61]);
  for (const step of consuming) {
    for (let at = 0; at < step.runes.length; at += 1) {
      const rune = step.runes[at] ?? 0;
      // A stretch begins where a range begins, or behind the end of one.
      runes.add(at % 2 === 0 ? rune : rune + 1);
    }
    const [only] = step.runes.length === 1 ? [step.runes[0]] : [];
    if (only !== undefined && (step.arg & foldCase) !== 0) {
      const letter = String.fromCodePoint(only);
      for (const form of [letter.toLowerCase(), letter.toUpperCase()]) runes.add(form.codePointAt(0) ?? only);
    }
  }
  return runes;
}
