import { RE2JS, RE2JSException } from 're2js';
import { patternCost } from './pattern-cost.ts';
import { scanPattern, type UnsupportedConstruct } from './scan-pattern.ts';

/** UTF-16 units. */
const maxPatternLength = 1_000;

/** Compiling costs up to 6 µs and 0.7 KiB a step: 60 ms and 7 MiB at most. */
const maxEstimatedSteps = 10_000;

/**
 * What `compileCheapPattern` lets through, in the units of `patternCost`. Measured over some 500 patterns that were
 * written to be slow: one unit is 25 ns a character at most, and 1,000 strings of 256 characters took 158 ms with the
 * slowest of those that pass (the aim: 250 ms).
 */
const maxCheapCost = 40;
/** So that finding the cost is itself cheap: 40 ms. */
const maxCheapSteps = 1_000;

export interface Pattern {
  /** As it was written. */
  readonly source: string;
  /** Capture groups; the whole match does not count. */
  readonly groupCount: number;
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
  /** The leftmost match. `groups[0]` is the first capture group; `null` for a group that took no part. */
  find(text: string): PatternMatch | null;
}

export interface PatternMatch {
  match: string;
  groups: (string | null)[];
}

export type CompileResult =
  | { ok: true; pattern: Pattern }
  | {
      ok: false;
      /** A sentence for the user: what cannot be used, and where. */
      message: string;
      /** Counted from 0 in UTF-16 units; `null` when it is about the whole. */
      position: number | null;
    };

/**
 * RE2 syntax, linear in the text. For long texts and patterns of any cost within the caps: a match can take minutes
 * on 5 MiB, so run it in the sandbox. Compiling takes less than a tenth of a second.
 */
export function compilePattern(source: string): CompileResult {
  return compileWithin(source, maxEstimatedSteps, () => true);
}

/**
 * The same for patterns that run on many short strings in the process that serves (`candidate_pattern`,
 * `version_pattern`): those that could take longer than 250 ms on 1,000 strings of 256 characters are refused.
 */
export function compileCheapPattern(source: string): CompileResult {
  return compileWithin(source, maxCheapSteps, isCheap);
}

function compileWithin(
  source: string,
  maxSteps: number,
  isAllowed: (regex: RE2JS) => boolean,
): CompileResult {
  if (source === '') return refuse('the pattern is empty');
  if (source.length > maxPatternLength) {
    return refuse(`the pattern has ${source.length} characters (limit ${maxPatternLength})`);
  }
  const scan = scanPattern(source);
  if (scan.unsupported) return refuse(describeUnsupported(scan.unsupported), scan.unsupported.position);
  if (scan.estimatedSteps > maxSteps) {
    return refuse(
      `the pattern is too complex (about ${scan.estimatedSteps} steps, limit ${maxSteps}); use smaller repeat counts`,
    );
  }
  let regex: RE2JS;
  try {
    regex = RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) return refuse(describeSyntaxError(error));
    throw error;
  }
  if (!isAllowed(regex)) {
    return refuse(
      'the pattern is too expensive: too many parts can match the same character. ' +
        'Start it with ^ and use fewer overlapping optional or repeated parts',
    );
  }
  return { ok: true, pattern: wrap(source, regex) };
}

function isCheap(regex: RE2JS): boolean {
  // A one-pass program follows one thread only, whatever its size.
  return isOnePass(regex) || patternCost(regex) <= maxCheapCost;
}

function isOnePass(regex: RE2JS): boolean {
  // The library sets it to null for every other pattern; its types do not say so.
  const onePass: unknown = regex.re2().onepass;
  return onePass !== null && onePass !== undefined;
}

function wrap(source: string, regex: RE2JS): Pattern {
  const groupCount = regex.groupCount();
  return {
    source,
    groupCount,
    // Not RE2JS.test: its automaton of sets spends up to 3 ms on 256 characters for patterns such as
    // `.*a.{80}[xy]`, before it gives up. Finding the match has the bound of `patternCost`.
    test: (text) => regex.matcher(text).find(),
    find(text) {
      const matcher = regex.matcher(text);
      if (!matcher.find()) return null;
      const groups = Array.from({ length: groupCount }, (_, index) => matcher.group(index + 1));
      return { match: matcher.group(0) ?? '', groups };
    },
  };
}

function refuse(message: string, position: number | null = null): CompileResult {
  return { ok: false, message, position };
}

function describeUnsupported({ construct, text, position }: UnsupportedConstruct): string {
  return `${construct} (${text} at character ${position + 1}) isn't supported by RE2`;
}

function describeSyntaxError(error: RE2JSException): string {
  return error.message
    .replace(/^error parsing regexp: /, '')
    .replaceAll('`', '"')
    .slice(0, 300)
    .toWellFormed();
}

/**
 * Whether a pattern compiles almost instantly: without counted repeats, it has at most twice as many steps as characters.
 * Other patterns can take 40 ms.
 */
export function isSmallPattern(pattern: string): boolean {
  return pattern.length <= 100 && !pattern.includes('{');
}
