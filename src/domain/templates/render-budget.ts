import { assert, type Context, type Emitter, toValue } from 'liquidjs';

/**
 * Work limit of one rendering. A unit is about one character read or written, or one list item accessed, which takes a
 * few nanoseconds. The limit applies to work instead of time, so that a template fails or succeeds in the same way on
 * every machine. The test measures worst cases: all hostile templates end within a few hundred milliseconds.
 */
export const budgetUnits = 2_000_000;
/**
 * Cost of each tag or output, so that loops that produce no text also end. With this cost, a rendering can have 100,000
 * steps.
 */
const stepUnits = 20;
/** Maximum output length: 64 KiB of UTF-8. */
export const outputLimitBytes = 65_536;
/** Maximum nesting depth of JSON output. Converting deeper JSON to form fields could exceed the call stack. */
export const outputLimitDepth = 100;

/** Messages of the errors for exceeded limits. The message identifies the error, because Liquid wraps every error. */
export const limitMessages = {
  too_much_work: 'the template exceeded its processing limit',
  output_too_large: 'the output exceeds 64 KiB',
  output_too_deep: 'the output is JSON that is nested more than 100 levels deep',
} as const;

export class RenderBudget {
  #left = budgetUnits;

  /**
   * Subtracts units from the budget.
   * @throws If the budget is exceeded.
   */
  spend(units: number): void {
    // Ignore `NaN`, which would make the budget unlimited.
    if (!(units >= 0)) return;
    this.#left -= units;
    assert(this.#left >= 0, limitMessages.too_much_work);
  }

  step(): void {
    this.spend(stepUnits);
  }

  /** Makes liquidjs use this budget in place of the built-in time and memory limits. */
  govern(context: Context): void {
    context.memoryLimit.use = (units) => this.spend(units);
    context.renderLimit.check = () => this.step();
  }
}

const budgets = new WeakMap<object, RenderBudget>();

/**
 * Returns the budget of the rendering that a context belongs to. A context that liquidjs derives from another
 * one shares its limiters, and therefore its budget.
 */
export function budgetOf(context: Context): RenderBudget {
  let budget = budgets.get(context.memoryLimit);
  if (budget === undefined) {
    budget = new RenderBudget();
    budgets.set(context.memoryLimit, budget);
    budget.govern(context);
  }
  return budget;
}

/**
 * Returns the number of characters and items that are accessed when a value is read once. Lists in templates can
 * contain lists, but aren't nested any deeper.
 */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return 1;
  let size = value.length;
  for (const item of value) size += typeof item === 'string' ? item.length : 8;
  return size;
}

/** Collects output. Throws when the output exceeds the limit. */
export class BoundedOutput implements Emitter {
  buffer = '';
  readonly #budget: RenderBudget;
  readonly #limit: number;

  /** @param limit Maximum number of characters. The number of UTF-8 bytes can only be higher. */
  constructor(budget: RenderBudget, limit: number) {
    this.#budget = budget;
    this.#limit = limit;
  }

  write(value: unknown): void {
    const plain: unknown = toValue(value);
    this.#budget.spend(sizeOf(plain));
    this.buffer += toTemplateText(plain);
    assert(this.buffer.length <= this.#limit, limitMessages.output_too_large);
  }
}

/**
 * Converts a value to text as Liquid prints it: null as an empty string, and a list as its joined items.
 * Unlike in Liquid, objects are printed as JSON.
 */
export function toTemplateText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(toTemplateText).join('');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
