import { RE2JS, RE2JSException } from 're2js';
import { programOf } from './compiled-program.ts';
import { onePassWork } from './one-pass-work.ts';
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
/** So that finding the cost is itself cheap. */
const maxCheapSteps = 1_000;

/** Of all classes of a pattern. Reading them costs up to 0.15 µs a range, twice. */
const maxEstimatedRanges = 12_000;
/** In the units of `onePassWork`: up to 4 ms. */
const maxOnePassWork = 30_000;

export interface Pattern {
  /** As it was written. */
  readonly source: string;
  /** Capture groups; the whole match does not count. */
  readonly groupCount: number;
  /** About how much memory it takes. */
  readonly bytes: number;
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

interface CompileOptions {
  maxSteps: number;
  isAllowed: (regex: RE2JS) => boolean;
  /** Whether it must match the whole text. */
  isWhole?: boolean;
}

/**
 * RE2 syntax, linear in the text. For long texts and patterns of any cost within the caps: a match can take minutes
 * on 5 MiB, so run it in the sandbox. Compiling takes less than a tenth of a second.
 */
export function compilePattern(source: string): CompileResult {
  return compileWithin(source, { maxSteps: maxEstimatedSteps, isAllowed: () => true });
}

/**
 * The same for patterns that run on many short strings in the process that serves (`candidate_pattern`,
 * `version_pattern`): those that could take longer than 250 ms on 1,000 strings of 256 characters are refused. So are
 * those that take longer than a few milliseconds to compile and check.
 */
export function compileCheapPattern(source: string): CompileResult {
  return compileWithin(source, { maxSteps: maxCheapSteps, isAllowed: isCheap });
}

/** The same, matched against the whole string: `api` doesn't match `api-2`. It can be empty. */
export function compileWholePattern(source: string): CompileResult {
  return compileWithin(source, { maxSteps: maxCheapSteps, isAllowed: isCheap, isWhole: true });
}

function compileWithin(
  source: string,
  { maxSteps, isAllowed, isWhole = false }: CompileOptions,
): CompileResult {
  if (source === '' && !isWhole) return refuse('the pattern is empty');
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
  if (scan.estimatedRanges > maxEstimatedRanges) {
    return refuse(
      `the pattern is too complex (about ${scan.estimatedRanges} character ranges, limit ${maxEstimatedRanges}); ` +
        'use fewer or smaller character classes',
    );
  }
  let regex: RE2JS;
  try {
    if (isWhole || canBeOnePass.test(source)) {
      // The library doesn't try whether an alternative of something else is one-pass. Not in a group: `a)|(b` would get
      // around `^` and `$`.
      const apart = RE2JS.compile(`${otherAlternative}${source}`);
      if (onePassWork(apart, maxOnePassWork) > maxOnePassWork) {
        return refuse(
          'the pattern is too complex: too many parts can follow the same character. ' +
            'Use fewer optional or repeated parts, smaller repeat counts, or smaller character classes',
        );
      }
    }
    regex = RE2JS.compile(isWhole ? `^(?:${source})$` : source);
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

/** Only patterns that begin with the start of the text are. */
const canBeOnePass = /\^|\\A/;
/** Never one that can't match: the library drops those. */
const otherAlternative = '_|';

function isCheap(regex: RE2JS): boolean {
  // A one-pass program follows one thread only, whatever its size.
  return isOnePass(regex) || patternCost(regex, maxCheapCost) <= maxCheapCost;
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
    bytes: bytesOf(regex),
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

/** Measured: 0.7 KiB a step. A one-pass program has its own copies of classes. */
function bytesOf(regex: RE2JS): number {
  const { inst } = programOf(regex);
  const ranges = isOnePass(regex) ? inst.reduce((sum, { runes }) => sum + runes.length / 2, 0) : 0;
  return 700 * inst.length + 20 * ranges;
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
    .replace(`\`${otherAlternative}`, '`')
    .replaceAll('`', '"')
    .slice(0, 300)
    .toWellFormed();
}

/**
 * Whether a pattern compiles almost instantly: without counted repeats, it has at most twice as many steps as characters.
 * Other patterns can take 5 ms.
 */
export function isSmallPattern(pattern: string): boolean {
  return pattern.length <= 100 && !pattern.includes('{');
}
