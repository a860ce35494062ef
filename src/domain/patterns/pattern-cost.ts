import type { RE2JS } from 're2js';
import { isBranch, isConsuming, isEnd, programOf, type Step, stepTypes } from './compiled-program.ts';

/**
 * Returns the maximum cost of one character of text, in units of a simple step of the program. The cost is
 * the weighted number of steps that can be active after the same character. `^v?(\d+)\.(\d+)$` has few such
 * steps, regardless of the length of its literal text. In `(a*)*` repeated 50 times, all steps are active.
 * The result is an upper bound for any text, because it includes steps whose predecessors can't be active at
 * the same time.
 *
 * @param limit The calculation stops when the cost exceeds this value, so that a high cost is found as fast
 * as a low one.
 */
export function patternCost(regex: RE2JS, limit = Infinity): number {
  const { inst, start } = programOf(regex);
  const begin = new Set<number>();
  const beginCost = addReached(inst, [start], begin, limit);
  let highest = beginCost;
  const known = new Map<string, number>();
  for (const next of followers(inst)) {
    if (highest > limit) break;
    // Each of these steps costs at least 1, so their number already exceeds the limit.
    if (next.size > limit) return next.size;
    const key = [...next].join();
    let cost = known.get(key);
    if (cost === undefined) {
      cost = beginCost + addReached(inst, next, new Set(begin), limit - beginCost);
      known.set(key, cost);
    }
    highest = Math.max(highest, cost);
  }
  return highest;
}

const beginOfText = 4;
const foldCase = 1;

/**
 * Adds the steps that are reachable from `from` without consuming a character, and returns their cost. Steps
 * after `^` cost nothing, because they're reached only once.
 */
function addReached(
  inst: readonly Step[],
  from: Iterable<number>,
  reached: Set<number>,
  limit: number,
): number {
  const waiting = [...from];
  let cost = 0;
  for (let index = waiting.pop(); index !== undefined && cost <= limit; index = waiting.pop()) {
    const step = inst[index];
    if (!step || reached.has(index)) continue;
    reached.add(index);
    cost += weightOf(step);
    if (isEnd(step) || (step.op === stepTypes.emptyWidth && (step.arg & beginOfText) !== 0)) continue;
    if (isBranch(step)) waiting.push(step.arg);
    waiting.push(step.out);
  }
  return cost;
}

/**
 * Returns the measured cost of a step. Large classes require a search, and case-insensitive letters require a
 * lookup.
 */
function weightOf(step: Step): number {
  if (!isConsuming(step) || step.runes.length === 0) return 1;
  if (step.runes.length === 1) return (step.arg & foldCase) === 0 ? 1 : 4;
  return 1 + Math.log2(step.runes.length);
}

/**
 * Yields every set of steps that can follow a character. All characters between two borders of character
 * classes have the same set, so only one code point from each interval is examined. All iterations yield the
 * same set object with different contents.
 */
function* followers(inst: readonly Step[]): Generator<ReadonlySet<number>, void, undefined> {
  const { classes, letters } = groupConsuming(inst);
  const next = new Map<number, number>();
  const current = new Set<number>();
  const count = (steps: Iterable<number>, by: 1 | -1) => {
    for (const step of steps) {
      const accepting = (next.get(step) ?? 0) + by;
      next.set(step, accepting);
      if (accepting === 0) current.delete(step);
      else current.add(step);
    }
  };
  const borders = bordersOf(classes, letters);
  for (let at = 0; at < borders.length; ) {
    const rune = Math.floor(borders[at]! / bordersAtRune);
    for (; at < borders.length && borders[at]! < (rune + 1) * bordersAtRune; at += 1) {
      const border = borders[at]! % bordersAtRune;
      count(classes[border >> 1]!.next, border % 2 === 0 ? -1 : 1);
    }
    if (rune > lastRune) return;
    const ofLetter = letters.size === 0 ? undefined : letters.get(foldedOf(rune));
    if (ofLetter) count(ofLetter, 1);
    yield current;
    if (ofLetter) count(ofLetter, -1);
  }
}

interface RuneClass {
  runes: ArrayLike<number>;
  /** Steps that follow the steps with this class. */
  next: Set<number>;
}

/**
 * Groups steps that consume a character by class, because many steps often have the same class.
 * Case-insensitive letters are grouped by their folded form.
 */
function groupConsuming(inst: readonly Step[]): { classes: RuneClass[]; letters: Map<number, Set<number>> } {
  // Class 0 belongs to no step. Its borders only mark additional code points to examine.
  const byRunes = new Map<ArrayLike<number>, RuneClass>([[[], { runes: [], next: new Set() }]]);
  const letters = new Map<number, Set<number>>();
  for (const step of inst) {
    if (!isConsuming(step)) continue;
    const [only] = step.runes.length === 1 ? [step.runes[0]] : [];
    if (only !== undefined && (step.arg & foldCase) !== 0) {
      const folded = foldedOf(only);
      letters.set(folded, (letters.get(folded) ?? new Set()).add(step.out));
    } else {
      const known = byRunes.get(step.runes) ?? { runes: step.runes, next: new Set() };
      byRunes.set(step.runes, known);
      known.next.add(step.out);
    }
  }
  return { classes: [...byRunes.values()], letters };
}

const lastRune = 0x10ffff;
/**
 * Number of border values per code point. Each class uses two values. A program has at most 10,000 steps, and therefore
 * at most 10,000 classes.
 */
const bordersAtRune = 2 ** 16;

/**
 * Returns all borders in ascending order. Each border is encoded as one number: the code point, then the
 * class, then 1 for the start or 0 for the end of a range.
 */
function bordersOf(classes: readonly RuneClass[], letters: ReadonlyMap<number, unknown>): Float64Array {
  const borders = [0, 0x61 * bordersAtRune];
  for (const letter of letters.keys()) {
    const text = String.fromCodePoint(letter);
    for (const form of [text, text.toUpperCase()]) borders.push((form.codePointAt(0) ?? 0) * bordersAtRune);
  }
  for (const [index, { runes }] of classes.entries()) {
    for (let at = 0; at < runes.length; at += 2) {
      const first = runes[at]!;
      borders.push(first * bordersAtRune + 2 * index + 1);
      borders.push(((runes[at + 1] ?? first) + 1) * bordersAtRune + 2 * index);
    }
  }
  return Float64Array.from(borders).sort();
}

/** Returns the same code point for all cases of a letter, including `ſ` and `s`. */
function foldedOf(rune: number): number {
  const upper = caseOf(rune, 'toUpperCase');
  return caseOf(upper, 'toLowerCase');
}

function caseOf(rune: number, change: 'toUpperCase' | 'toLowerCase'): number {
  const changed = String.fromCodePoint(rune)[change]();
  const [only, ...others] = changed;
  return others.length === 0 ? (only?.codePointAt(0) ?? rune) : rune;
}
