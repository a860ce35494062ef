import { escapeAt, rangesOfEscape, scanClass } from './scan-class.ts';

/** A construct that other regex engines support and RE2 doesn't. */
export interface UnsupportedConstruct {
  /**
   * Name of the construct for messages, such as `a lookahead`, `a backreference`, or `a possessive
   * quantifier`.
   */
  construct: string;
  /** Text of the construct in the pattern, such as `(?=`. */
  text: string;
  /** Position in the pattern, counted from 0 in UTF-16 units. */
  position: number;
}

export interface PatternScan {
  unsupported: UnsupportedConstruct | null;
  /**
   * Upper estimate of the compiled size, calculated without compiling the pattern. Counted repeats are
   * expanded.
   */
  estimatedSteps: number;
  /**
   * Upper estimate of the number of character ranges that the compiler reads. A named class such as `\pL` has
   * hundreds.
   */
  estimatedRanges: number;
}

const groupOpenings: [opening: string, construct: string][] = [
  ['(?=', 'a lookahead'],
  ['(?!', 'a negative lookahead'],
  ['(?<=', 'a lookbehind'],
  ['(?<!', 'a negative lookbehind'],
  ['(?>', 'an atomic group'],
  ['(?(', 'a conditional group'],
  ['(?|', 'a branch reset group'],
  ['(?#', 'a comment'],
  ['(?P=', 'a backreference'],
  ['(?P>', 'a recursion'],
  ['(?&', 'a recursion'],
  ['(?R', 'a recursion'],
];

/**
 * Scans the pattern once from left to right before it is compiled. Syntax errors are left to the compiler.
 */
export function scanPattern(source: string): PatternScan {
  /**
   * Outer groups that are still open. `steps` counts the steps of a group so far, and `atom` counts the steps
   * that a quantifier would repeat.
   */
  const open: { steps: number; atom: number }[] = [];
  let current = { steps: 1, atom: 0 };
  const addAtom = (steps: number) => {
    current.steps += steps;
    current.atom = steps;
  };
  let estimatedRanges = 0;
  // The estimate applies a case-insensitive flag anywhere in the pattern to the whole pattern, which is
  // precise enough.
  const folds = /\(\?[a-zA-Z]*i/.test(source);
  const result = (unsupported: UnsupportedConstruct | null): PatternScan => ({
    unsupported,
    estimatedSteps: open.reduce((sum, group) => sum + group.steps, current.steps),
    estimatedRanges,
  });

  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at, at + 12);
    const char = rest.charAt(0);
    if (rest.startsWith('\\Q')) {
      const end = source.indexOf('\\E', at + 2);
      const length = (end === -1 ? source.length : end) - at - 2;
      current.steps += Math.max(0, length - 1);
      addAtom(1);
      at = end === -1 ? source.length : end + 2;
    } else if (char === '\\') {
      // A single digit is a backreference, but two or three octal digits encode a character.
      const reference = /^\\(?:[1-7](?![0-7])|[89]|k[<{']|g[{\d<'])/.exec(rest);
      if (reference) return result({ construct: 'a backreference', text: reference[0], position: at });
      addAtom(1);
      const escape = escapeAt(source, at);
      estimatedRanges += rangesOfEscape(escape, folds);
      at += escape.length;
    } else if (char === '[') {
      addAtom(1);
      const { end, ranges } = scanClass(source, at, folds);
      estimatedRanges += ranges;
      at = end;
    } else if (char === '(') {
      const opening = groupOpenings.find(([text]) => rest.startsWith(text));
      if (opening) return result({ construct: opening[1], text: opening[0], position: at });
      open.push(current);
      current = { steps: 2, atom: 0 };
      at += /^\((?:\?(?:P?<\w*>|[a-zA-Z-]*[:)])?)?/.exec(source.slice(at, at + 300))?.[0].length ?? 1;
      if (source[at - 1] === ')') current = open.pop() ?? current;
    } else if (char === ')') {
      const { steps } = current;
      current = open.pop() ?? { steps: 1, atom: 0 };
      addAtom(steps);
      at += 1;
    } else {
      const quantifier = /^(?:[*+?]|\{(\d{1,4})(?:,(\d{0,4}))?\})/.exec(rest);
      if (quantifier) {
        const [text, low, high] = quantifier;
        at += text.length;
        const times = Math.max(Number(low ?? 0), Number(high ?? 0), 1);
        // Each copy needs one more step, because the copy can be skipped.
        const unfolded = (current.atom + 1) * times;
        current.steps += unfolded - current.atom;
        current.atom = unfolded;
        if (source[at] === '+') {
          return result({
            construct: 'a possessive quantifier',
            text: `${text}+`,
            position: at - text.length,
          });
        }
        if (source[at] === '?') at += 1;
      } else {
        addAtom(1);
        at += 1;
      }
    }
  }
  return result(null);
}
