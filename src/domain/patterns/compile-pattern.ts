import { RE2JS, RE2JSException } from 're2js';
import { programOf } from './compiled-program.ts';
import { onePassWork } from './one-pass-work.ts';
import { patternCost } from './pattern-cost.ts';
import { scanPattern, type UnsupportedConstruct } from './scan-pattern.ts';

/** Maximum pattern length in UTF-16 units. */
const maxPatternLength = 1_000;

/** Maximum number of steps. Compiling costs up to 6 µs and 0.7 KiB per step, so 60 ms and 7 MiB at most. */
const maxEstimatedSteps = 10_000;

/**
 * Maximum cost that `compileCheapPattern` accepts, in the units of `patternCost`. Measured with about 500
 * deliberately slow patterns: one unit takes at most 25 ns per character, and the slowest accepted pattern
 * took 158 ms for 1,000 strings of 256 characters (target: 250 ms).
 */
const maxCheapCost = 40;
/** Maximum number of steps of a cheap pattern. The limit keeps the cost calculation itself cheap. */
const maxCheapSteps = 1_000;

/**
 * Maximum number of character ranges in all classes of a pattern. Each range is read twice, at up to 0.15 µs
 * each time.
 */
const maxEstimatedRanges = 12_000;
/** Maximum work of the library's one-pass check, in the units of `onePassWork`. This much work takes up to 4 ms. */
const maxOnePassWork = 30_000;

export interface Pattern {
  /** The pattern as the user wrote it. */
  readonly source: string;
  /** Number of capture groups, not counting the whole match. */
  readonly groupCount: number;
  /** Approximate memory use of the compiled pattern in bytes. */
  readonly bytes: number;
  /** Returns `true` if the pattern matches anywhere in the text. */
  test(text: string): boolean;
  /**
   * Returns the leftmost match. `groups[0]` is the first capture group. A group that didn't participate in
   * the match is `null`.
   */
  find(text: string): PatternMatch | null;
  /** Names of the named groups. */
  readonly groupNames: readonly string[];
  /** Finds all matches from left to right, with their named groups. */
  findAll(text: string): Generator<NamedMatch, void>;
}

export interface NamedMatch {
  match: string;
  start: number;
  end: number;
  /** Groups that participated in the match. */
  groups: Map<string, { text: string; start: number }>;
}

export interface PatternMatch {
  match: string;
  groups: (string | null)[];
}

export type CompileResult =
  | { ok: true; pattern: Pattern }
  | {
      ok: false;
      /** A sentence for the user that states what isn't supported, and where. */
      message: string;
      /**
       * Position in the pattern, counted from 0 in UTF-16 units. `null` if the message concerns the whole
       * pattern.
       */
      position: number | null;
    };

interface CompileOptions {
  maxSteps: number;
  isAllowed: (regex: RE2JS) => boolean;
  /** True if the pattern must match the whole text. */
  isWhole?: boolean;
}

/**
 * Compiles a pattern in RE2 syntax, whose matching time is linear in the text. Use this function for long
 * texts and for patterns of any cost within the limits. Matching can take minutes on 5 MiB, so run it in the
 * sandbox. Compiling takes less than 0.1 s.
 */
export function compilePattern(source: string): CompileResult {
  return compileWithin(source, { maxSteps: maxEstimatedSteps, isAllowed: () => true });
}

/**
 * Compiles a pattern that runs on many short strings in the server process (`candidate_pattern`,
 * `version_pattern`). Rejects patterns that could take longer than 250 ms on 1,000 strings of 256 characters,
 * or longer than a few milliseconds to compile and check.
 */
export function compileCheapPattern(source: string): CompileResult {
  return compileWithin(source, { maxSteps: maxCheapSteps, isAllowed: isCheap });
}

/**
 * Compiles a pattern within the limits of `compileCheapPattern` that must match the whole string: `api`
 * doesn't match `api-2`. The pattern can be empty.
 */
export function compileWholePattern(source: string): CompileResult {
  return compileWithin(source, { maxSteps: maxCheapSteps, isAllowed: isCheap, isWhole: true });
}

function compileWithin(
  source: string,
  { maxSteps, isAllowed, isWhole = false }: CompileOptions,
): CompileResult {
  if (source === '' && !isWhole) return rejectPattern('the pattern is empty');
  if (source.length > maxPatternLength) {
    return rejectPattern(`the pattern has ${source.length} characters (limit ${maxPatternLength})`);
  }
  const scan = scanPattern(source);
  if (scan.unsupported)
    return rejectPattern(describeUnsupported(scan.unsupported), scan.unsupported.position);
  if (scan.estimatedSteps > maxSteps) {
    return rejectPattern(
      `the pattern is too complex (about ${scan.estimatedSteps} steps, limit ${maxSteps}); use smaller repeat counts`,
    );
  }
  if (scan.estimatedRanges > maxEstimatedRanges) {
    return rejectPattern(
      `the pattern is too complex (about ${scan.estimatedRanges} character ranges, limit ${maxEstimatedRanges}); ` +
        'use fewer or smaller character classes',
    );
  }
  let regex: RE2JS;
  try {
    if (isWhole || canBeOnePass.test(source)) {
      // First compile the pattern as the second alternative of a larger one. The library then skips its
      // one-pass check, so the work of that check can be estimated beforehand. Don't put the pattern in a
      // group here, so that `a)|(b` fails to compile instead of bypassing the `^` and `$` of a whole pattern.
      const withoutOnePass = RE2JS.compile(`${otherAlternative}${source}`);
      if (onePassWork(withoutOnePass, maxOnePassWork) > maxOnePassWork) {
        return rejectPattern(
          'the pattern is too complex: too many parts can follow the same character. ' +
            'Use fewer optional or repeated parts, smaller repeat counts, or smaller character classes',
        );
      }
    }
    regex = RE2JS.compile(isWhole ? `^(?:${source})$` : source);
  } catch (error) {
    if (error instanceof RE2JSException) return rejectPattern(describeSyntaxError(error));
    throw error;
  }
  if (!isAllowed(regex)) {
    return rejectPattern(
      'the pattern is too expensive: too many parts can match the same character. ' +
        'Start it with ^ and use fewer overlapping optional or repeated parts',
    );
  }
  return { ok: true, pattern: wrap(source, regex) };
}

/**
 * Matches the source of every pattern that can be one-pass, because these must contain an anchor for the
 * start of the text.
 */
const canBeOnePass = /\^|\\A/;
/**
 * Prefix that makes a pattern the second alternative. The first alternative can match, because the library
 * drops alternatives that can't.
 */
const otherAlternative = '_|';

function isCheap(regex: RE2JS): boolean {
  // A one-pass program follows only one thread, so it's cheap regardless of its size.
  return isOnePass(regex) || patternCost(regex, maxCheapCost) <= maxCheapCost;
}

function isOnePass(regex: RE2JS): boolean {
  // The types of the library don't declare that `onepass` is null if the pattern isn't one-pass.
  const onePass: unknown = regex.re2().onepass;
  return onePass !== null && onePass !== undefined;
}

function wrap(source: string, regex: RE2JS): Pattern {
  const groupCount = regex.groupCount();
  const groupNames = Object.keys(regex.namedGroups());
  return {
    groupNames,
    *findAll(text) {
      const matcher = regex.matcher(text);
      while (matcher.find()) {
        const groups: NamedMatch['groups'] = new Map();
        for (const name of groupNames) {
          const found = matcher.group(name);
          if (found !== null) groups.set(name, { text: found, start: matcher.start(name) });
        }
        yield { match: matcher.group(0) ?? '', start: matcher.start(), end: matcher.end(), groups };
      }
    },
    source,
    groupCount,
    bytes: bytesOf(regex),
    // Don't use `RE2JS.test`. For patterns such as `.*a.{80}[xy]`, its DFA spends up to 3 ms on 256
    // characters before it aborts. `find` stays within the bound of `patternCost`.
    test: (text) => regex.matcher(text).find(),
    find(text) {
      const matcher = regex.matcher(text);
      if (!matcher.find()) return null;
      const groups = Array.from({ length: groupCount }, (_, index) => matcher.group(index + 1));
      return { match: matcher.group(0) ?? '', groups };
    },
  };
}

/**
 * Estimates the memory use from a measured 0.7 KiB per step. A one-pass program has separate copies of its
 * character classes.
 */
function bytesOf(regex: RE2JS): number {
  const { inst } = programOf(regex);
  const ranges = isOnePass(regex) ? inst.reduce((sum, { runes }) => sum + runes.length / 2, 0) : 0;
  return 700 * inst.length + 20 * ranges;
}

function rejectPattern(message: string, position: number | null = null): CompileResult {
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
 * True if a pattern has no counted repeats and therefore compiles almost instantly: it has at most twice as
 * many steps as characters. Other patterns can take 5 ms to compile.
 */
export function isSmallPattern(pattern: string): boolean {
  return pattern.length <= 100 && !pattern.includes('{');
}
