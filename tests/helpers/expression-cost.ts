import { type AST, RegExpParser } from '@eslint-community/regexpp';

/**
 * A string for which the time of a regular expression grows faster than the length of the string: it repeats
 * `pump` and ends with `suffix`.
 */
export interface Attack {
  degree: 'polynomial' | 'exponential';
  pump: string;
  suffix: string;
}

/**
 * Returns an attack on a regular expression, or null if the time of the expression is linear in the length of
 * the input.
 *
 * A backtracking engine tries the paths of a nondeterministic automaton one after the other. The number of
 * paths grows with the input exactly if the same word leads from one state back to itself, from that state to
 * a second one, and from the second one back to itself. The engine also tries later start positions. They are
 * modeled as a state that every character leads back to itself, so this also finds `\s+$`. The model is
 * simplified: back references are empty, conditions that look ahead more than one letter are met, and parts
 * that are repeated more than eight times are repeated eight times.
 *
 * @see https://doi.org/10.1007/978-3-319-40946-7_27
 */
export function findAttack(source: string, flags: string): Attack | null {
  return new Automaton(source, flags).findAttack();
}

/** Condition of an assertion on the letters before and after it. The letter `edge` is the start or the end of the text. */
type Condition = (before: number, after: number) => boolean;

interface Node {
  next: Node[];
  /** Index of the element that consumes a letter at this node. */
  element?: number;
  condition?: Condition;
  isAccepting?: boolean;
}

interface Step {
  /** Element that consumes the next letter, or `accept`. */
  to: number;
  conditions: readonly Condition[];
  /** True if more than one path leads to `to`. */
  isAmbiguous: boolean;
}

const accept = -1;
/** Number of copies of a repeated part. More would only take longer. */
const maxCopies = 8;
const maxSubsets = 3_000;
const maxPaths = 20_000;

class Automaton {
  readonly #flags: string;
  /** Letters that each element consumes. Element 0 is the search for a start, which consumes any letter. */
  readonly #elements: boolean[][] = [];
  readonly #after: Node[] = [];
  readonly #letters: string[];
  readonly #classOf = new Map<string, boolean[]>();
  readonly #steps: Step[][] = [];
  readonly #starts: Step[];
  readonly #edge: number;
  readonly #isWord: boolean[];
  readonly #isLine: boolean[];
  /**
   * Elements of lazy repetitions, and the search for a start. The expression tries to continue after them
   * before it repeats them.
   */
  readonly #lazy = new Set<number>([0]);
  #lazyDepth = 0;
  /** True while building the copy of the expression that is tried only at the start of the text. */
  #isAtStart = false;

  constructor(source: string, flags: string) {
    this.#flags = flags;
    const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
      unicode: flags.includes('u'),
      unicodeSets: flags.includes('v'),
    });
    this.#letters = this.#chooseLetters(pattern, source);
    this.#edge = this.#letters.length;
    this.#isWord = this.#letters.map((letter) => /\w/.test(letter));
    this.#isLine = this.#letters.map((letter) => /[\n\r\u2028\u2029]/.test(letter));
    const end: Node = { next: [], isAccepting: true };
    const start: Node = { next: [] };
    this.#addElement(
      this.#letters.map(() => true),
      start,
    );
    this.#isAtStart = true;
    const first = this.#alternatives(pattern.alternatives, end);
    this.#isAtStart = false;
    const later = this.#alternatives(pattern.alternatives, end);
    if (!flags.includes('y')) start.next.push(later);
    for (const node of this.#after) this.#steps.push(this.#stepsFrom(node));
    if (!flags.includes('y')) this.#steps[0]!.push({ to: 0, conditions: [], isAmbiguous: false });
    this.#starts = this.#stepsFrom(first);
  }

  /** Chooses one letter from each set of letters that all parts of the expression treat alike. */
  #chooseLetters(pattern: AST.Pattern, source: string): string[] {
    const candidates = new Set<string>(Array.from({ length: 256 }, (_, code) => String.fromCodePoint(code)));
    for (const letter of 'ſKƒΩ中\u2028\u2029\ufeff\u3000\u200b–—•“”…') candidates.add(letter);
    for (const letter of source)
      for (const by of [-1, 0, 1]) {
        const code = letter.codePointAt(0)! + by;
        if (code >= 0 && code < 0xffff) candidates.add(String.fromCodePoint(code));
      }
    const classes: boolean[][] = [];
    const list = [...candidates];
    const visit = (node: AST.Node): void => {
      if (
        node.type === 'Character' ||
        node.type === 'CharacterClass' ||
        node.type === 'CharacterSet' ||
        node.type === 'ExpressionCharacterClass'
      ) {
        if (node.type === 'Character' && node.value <= 0xffff && node.value >= 0) {
          const letter = String.fromCodePoint(node.value);
          if (!candidates.has(letter)) {
            candidates.add(letter);
            list.push(letter);
          }
        }
        if (!this.#classOf.has(node.raw)) this.#classOf.set(node.raw, []);
      } else if ('alternatives' in node) node.alternatives.forEach(visit);
      else if ('elements' in node) (node.elements as AST.Node[]).forEach(visit);
      else if (node.type === 'Quantifier') visit(node.element);
    };
    visit(pattern);
    const flags = this.#flags.replace(/[gymd]/g, '');
    for (const raw of this.#classOf.keys()) {
      const expression = new RegExp(`^(?:${raw})$`, flags);
      classes.push(list.map((letter) => expression.test(letter)));
    }
    const seen = new Map<string, number>();
    list.forEach((letter, index) => {
      const key =
        classes.map((each) => (each[index] ? 1 : 0)).join('') +
        (/\w/.test(letter) ? 'w' : '') +
        (/[\n\r\u2028\u2029]/.test(letter) ? 'n' : '');
      const known = seen.get(key);
      // Prefer a printable letter, which is easier to read in a report.
      if (known === undefined || (!/[!-~]/.test(list[known]!) && /[!-~]/.test(letter))) seen.set(key, index);
    });
    const chosen = [...seen.values()];
    [...this.#classOf.keys()].forEach((raw, at) =>
      this.#classOf.set(
        raw,
        chosen.map((index) => classes[at]![index]!),
      ),
    );
    return chosen.map((index) => list[index]!);
  }

  #addElement(letters: boolean[], after: Node): Node {
    this.#elements.push(letters);
    this.#after.push(after);
    if (this.#lazyDepth > 0) this.#lazy.add(this.#elements.length - 1);
    return { next: [], element: this.#elements.length - 1 };
  }

  #alternatives(alternatives: readonly AST.Alternative[], end: Node): Node {
    if (alternatives.length === 1) return this.#sequence(alternatives[0]!.elements, end);
    return { next: alternatives.map(({ elements }) => this.#sequence(elements, end)) };
  }

  #sequence(elements: readonly AST.Element[], end: Node): Node {
    return elements.reduceRight((next, element) => this.#build(element, next), end);
  }

  #build(node: AST.Element, end: Node): Node {
    switch (node.type) {
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
        return this.#addElement(this.#classOf.get(node.raw)!, end);
      case 'Group':
      case 'CapturingGroup':
        return this.#alternatives(node.alternatives, end);
      case 'Backreference':
        return end;
      case 'Assertion':
        return this.#assertion(node, end);
      case 'Quantifier':
        return this.#quantifier(node, end);
    }
  }

  #quantifier({ min, max, greedy, element }: AST.Quantifier, end: Node): Node {
    let next = end;
    if (max > 1_000) {
      const again: Node = { next: [] };
      if (!greedy) this.#lazyDepth++;
      again.next.push(this.#build(element, again), end);
      if (!greedy) this.#lazyDepth--;
      // The first decision is a node of its own, because an outer repetition can start the inner one again.
      if (min > 0) next = this.#build(element, again);
      else next = { next: [again.next[0]!, end] };
      for (let copy = 1; copy < Math.min(min, maxCopies); copy++) next = this.#build(element, next);
      return next;
    }
    const needed = Math.min(min, maxCopies);
    for (let copy = needed; copy < Math.min(max, maxCopies); copy++)
      next = { next: [this.#build(element, next), end] };
    for (let copy = 0; copy < needed; copy++) next = this.#build(element, next);
    return next;
  }

  #assertion(node: AST.Assertion, end: Node): Node {
    const isMultiline = this.#flags.includes('m');
    const edge = this.#edge;
    if (node.kind === 'word') {
      const isWord = (letter: number) => letter !== edge && this.#isWord[letter]!;
      return {
        next: [end],
        condition: (before, after) => (isWord(before) !== isWord(after)) !== node.negate,
      };
    }
    if (!('alternatives' in node)) {
      const isStart = node.kind === 'start';
      const isEdge = !isStart || this.#isAtStart;
      return {
        next: [end],
        condition: (before, after) => {
          const letter = isStart ? before : after;
          return letter === edge ? isEdge : isMultiline && this.#isLine[letter]!;
        },
      };
    }
    const letters = this.#oneLetter(node);
    const isBefore = node.kind === 'lookbehind';
    if (letters !== null)
      return {
        next: [end],
        condition: (before, after) => letters[isBefore ? before : after]! !== node.negate,
      };
    // The rest of the expression is tried after a lookahead, and only if the lookahead allows it.
    const rest: Node = { next: [end], condition: () => true };
    if (isBefore) {
      // The automaton doesn't include the letters that a lookbehind reads.
      if (/[*+]|,\}/.test(node.raw)) throw new Error(`${node.raw} can't be analyzed`);
      return rest;
    }
    return { next: [this.#alternatives(node.alternatives, { next: [], isAccepting: true }), rest] };
  }

  /**
   * Returns which letters a lookaround of a single letter accepts, including the edge. Returns null for other
   * lookarounds.
   */
  #oneLetter({ alternatives, kind, negate }: AST.LookaroundAssertion): boolean[] | null {
    const all = Array.from({ length: this.#edge + 1 }, () => false);
    for (const { elements } of alternatives) {
      const element = kind === 'lookahead' ? elements[0] : elements.at(-1);
      if (!element || (elements.length > 1 && negate)) return null;
      if (
        element.type === 'Assertion' &&
        ((element.kind === 'end' && kind === 'lookahead') ||
          (element.kind === 'start' && kind === 'lookbehind'))
      )
        all[this.#edge] = true;
      else {
        const letters = this.#classOf.get(element.raw);
        if (!letters) return null;
        letters.forEach((has, letter) => (all[letter] ||= has));
      }
    }
    return all;
  }

  /** Returns the elements that can consume the letter after a node. */
  #stepsFrom(start: Node): Step[] {
    const steps: Step[] = [];
    const path = new Set<Node>();
    let paths = 0;
    const visit = (node: Node, conditions: readonly Condition[]): void => {
      if (path.has(node)) return;
      if (++paths > maxPaths) throw new Error('too many paths');
      if (node.element !== undefined || node.isAccepting) {
        const to = node.element ?? accept;
        const known = steps.find(
          (step) =>
            step.to === to &&
            (step.conditions.length === 0 ||
              conditions.length === 0 ||
              step.conditions.every((each, at) => each === conditions[at])),
        );
        if (known && known.conditions.length === conditions.length) known.isAmbiguous = true;
        else steps.push({ to, conditions, isAmbiguous: false });
        return;
      }
      path.add(node);
      const more = node.condition ? [...conditions, node.condition] : conditions;
      for (const next of node.next) visit(next, more);
      path.delete(node);
    };
    visit(start, []);
    return steps;
  }

  #follow(steps: readonly Step[], before: number, after: number): Step[] {
    return steps.filter(
      ({ to, conditions }) =>
        (after === this.#edge ? to === accept : to !== accept && this.#elements[to]![after]) &&
        conditions.every((holds) => holds(before, after)),
    );
  }

  findAttack(): Attack | null {
    const count = this.#elements.length;
    const letters = this.#letters.length;
    /**
     * Elements after which the expression has matched, regardless of the rest of the text, so that nothing
     * more is tried.
     */
    const isDone = this.#steps.map((steps) =>
      steps.some(({ to, conditions }) => to === accept && conditions.length === 0),
    );
    const next: number[][] = this.#steps.map((steps, from) =>
      isDone[from]
        ? []
        : [...new Set(steps.filter(({ to }) => to !== accept && !isDone[to]!).map(({ to }) => to))],
    );
    const reach = next.map((_, from) => {
      const seen = new Set<number>();
      const waiting = [...next[from]!];
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
        if (!seen.has(at)) {
          seen.add(at);
          waiting.push(...next[at]!);
        }
      return seen;
    });
    const reachable = new Set<number>([0]);
    for (const { to } of [...this.#starts, { to: 0 }])
      if (to !== accept && !isDone[to]) {
        reachable.add(to);
        for (const each of reach[to]!) reachable.add(each);
      }
    const loops = [...reachable].filter((element) => reach[element]!.has(element));
    const component = (element: number) =>
      new Set([...reach[element]!].filter((each) => reach[each]!.has(element)));
    let found: Attack | null = null;
    for (const p of loops) {
      const own = component(p);
      // If two paths lead from a state to itself, the number of paths doubles with each round.
      for (const from of own)
        for (const step of this.#steps[from]!)
          if (step.isAmbiguous && own.has(step.to)) {
            const letter = this.#elements[step.to]!.findIndex(Boolean);
            return { degree: 'exponential', pump: this.#letters[letter] ?? '', suffix: '?' };
          }
    }
    for (const p of loops)
      for (const q of loops) {
        if (p === q || !reach[p]!.has(q) || q === 0) continue;
        const attack = this.#pair(p, q, component(p), component(q), reach, isDone, letters, count);
        if (attack && (found === null || attack.degree === 'exponential')) found = attack;
        if (found?.degree === 'exponential') return found;
      }
    return found;
  }

  #pair(
    p: number,
    q: number,
    own: Set<number>,
    other: Set<number>,
    reach: Set<number>[],
    isDone: boolean[],
    letters: number,
    count: number,
  ): Attack | null {
    const degree = own.has(q) ? 'exponential' : 'polynomial';
    for (let letter = 0; letter < letters; letter++) {
      if (!this.#elements[p]![letter] || !this.#elements[q]![letter]) continue;
      const key = (a: number, b: number, c: number, last: number) =>
        ((a * count + b) * count + c) * letters + last;
      const from = new Map<number, { key: number; letter: number }>();
      const queue: [number, number, number, number][] = [[p, p, q, letter]];
      const first = key(p, p, q, letter);
      const goal = key(p, q, q, letter);
      search: for (const [a, b, c, last] of queue) {
        const parent = key(a, b, c, last);
        for (let d = 0; d < letters; d++) {
          const as = this.#follow(this.#steps[a]!, last, d).filter(({ to }) => own.has(to));
          if (as.length === 0) continue;
          const cs = this.#follow(this.#steps[c]!, last, d).filter(({ to }) => other.has(to));
          if (cs.length === 0) continue;
          const bs = this.#follow(this.#steps[b]!, last, d).filter(
            ({ to }) => !isDone[to] && (to === q || reach[to]!.has(q)),
          );
          for (const { to: a2 } of as)
            for (const { to: b2 } of bs)
              for (const { to: c2 } of cs) {
                const id = key(a2, b2, c2, d);
                if (from.has(id)) continue;
                from.set(id, { key: parent, letter: d });
                if (id === goal) break search;
                if (from.size > 200_000) throw new Error('too large');
                queue.push([a2, b2, c2, d]);
              }
        }
      }
      if (!from.has(goal)) continue;
      const pump: number[] = [];
      for (let at = goal; ; ) {
        const { key: parent, letter: d } = from.get(at)!;
        pump.unshift(d);
        at = parent;
        if (at === first) break;
      }
      const suffix = this.#lazy.has(p)
        ? this.#rejectingSuffix([q], pump, isDone, own)
        : this.#rejectingSuffix([p, q], pump, isDone, new Set());
      if (suffix !== null) return { degree, pump: pump.map((d) => this.#letters[d]).join(''), suffix };
    }
    return null;
  }

  /**
   * Returns a string after which no path from these elements matches, or null if there is none.
   *
   * @param later Elements that the engine tries after all others, so a match there comes too late.
   */
  #rejectingSuffix(
    from: readonly number[],
    pump: readonly number[],
    isDone: boolean[],
    later: ReadonlySet<number>,
  ): string | null {
    const move = (elements: ReadonlySet<number>, last: number, letter: number): Set<number> =>
      new Set(
        [...elements].flatMap((element) =>
          this.#follow(this.#steps[element]!, last, letter)
            .map(({ to }) => to)
            .filter((to) => !later.has(to)),
        ),
      );
    const reached = new Set(from);
    let last = pump.at(-1)!;
    for (;;) {
      const before = reached.size;
      let current: Set<number> = reached;
      for (const letter of pump) {
        current = move(current, last, letter);
        last = letter;
      }
      for (const each of current) reached.add(each);
      if (reached.size === before) break;
    }
    for (const each of reached) if (isDone[each]) reached.delete(each);
    const queue: { elements: ReadonlySet<number>; last: number; text: string }[] = [
      { elements: reached, last, text: '' },
    ];
    const seen = new Set<string>();
    for (const { elements, last: before, text } of queue) {
      const isAccepted = [...elements].some(
        (element) => this.#follow(this.#steps[element]!, before, this.#edge).length > 0,
      );
      if (!isAccepted) return text;
      if (seen.size > maxSubsets) return '?';
      for (let letter = 0; letter < this.#letters.length; letter++) {
        const after = move(elements, before, letter);
        if ([...after].some((each) => isDone[each])) continue;
        const key = `${[...after].toSorted((a, b) => a - b).join()} ${letter}`;
        if (seen.has(key)) continue;
        seen.add(key);
        queue.push({ elements: after, last: letter, text: text + this.#letters[letter]! });
      }
    }
    return null;
  }
}
