import { assert, type Context, type Emitter, toValue } from 'liquidjs';

/**
 * What one rendering may spend. A unit is about one character read or written or one list item touched: some
 * nanoseconds. Counting work instead of watching a clock makes the same template fail or succeed on every
 * machine. Measured worst cases are in the test: all hostile templates end within a few hundred milliseconds.
 */
export const budgetUnits = 2_000_000;
/** A tag or output has a price of its own, so that loops without any text end as well: 100,000 in all. */
const stepUnits = 20;
/** 64 KiB, in bytes of UTF-8. */
export const outputLimitBytes = 65_536;

export class RenderBudget {
  #left = budgetUnits;

  /** Throws when the budget is exceeded. */
  spend(units: number): void {
    // A NaN must not make the budget endless.
    if (!(units >= 0)) return;
    this.#left -= units;
    assert(this.#left >= 0, 'the template exceeded its processing limit');
  }

  step(): void {
    this.spend(stepUnits);
  }

  /** Makes liquidjs ask this budget wherever it asks its own limits of time and memory. */
  govern(context: Context): void {
    context.memoryLimit.use = (units) => this.spend(units);
    context.renderLimit.check = () => this.step();
  }
}

const budgets = new WeakMap<object, RenderBudget>();

/** The budget of the rendering that a context belongs to; contexts that liquidjs derives share its limiters. */
export function budgetOf(context: Context): RenderBudget {
  let budget = budgets.get(context.memoryLimit);
  if (budget === undefined) {
    budget = new RenderBudget();
    budgets.set(context.memoryLimit, budget);
    budget.govern(context);
  }
  return budget;
}

/** The characters and items that reading a value once touches. Lists are at most one list deep in templates. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return 1;
  let size = value.length;
  for (const item of value) size += typeof item === 'string' ? item.length : 8;
  return size;
}

/** Collects output, and refuses it before it is too long to hold. */
export class BoundedOutput implements Emitter {
  buffer = '';
  readonly #budget: RenderBudget;
  readonly #limit: number;

  /** @param limit Characters; a UTF-8 byte count can only be higher. */
  constructor(budget: RenderBudget, limit: number) {
    this.#budget = budget;
    this.#limit = limit;
  }

  write(value: unknown): void {
    const plain: unknown = toValue(value);
    this.#budget.spend(sizeOf(plain));
    this.buffer += printed(plain);
    assert(this.buffer.length <= this.#limit, 'the output exceeds 64 KiB');
  }
}

/** As Liquid prints: nothing for null, the items of a list one after the other; but an object as JSON. */
export function printed(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(printed).join('');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
