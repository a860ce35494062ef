import {
  AssignTag,
  assert,
  BreakTag,
  CaptureTag,
  CaseTag,
  CommentTag,
  type Context,
  ContinueTag,
  defaultOperators,
  EchoTag,
  type Emitter,
  evalTokenValue,
  ForTag,
  IfTag,
  Liquid,
  LiquidTag,
  filters as libraryFilters,
  type Operators,
  RawTag,
  Tag,
  type Template,
  UnlessTag,
} from 'liquidjs';
import { BoundedOutput, budgetOf, budgetUnits, sizeOf, toTemplateText } from './render-budget.ts';

/** Maximum template length: 32 KiB of UTF-8. */
export const sourceLimitBytes = 32_768;

/** Charges captured text to the budget while it grows, not when it is first used. */
class BoundedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const output = new BoundedOutput(budgetOf(context), budgetUnits);
    yield this.liquid.renderer.renderTemplates(this.templates, context, output);
    context.bottom()[this.variable] = output.buffer;
  }
}

/**
 * Charges the items of the list to the budget when a loop starts. A loop copies its list (`limit`, `offset`,
 * `reversed`), which costs time even if the body is empty.
 */
class BoundedFor extends ForTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void | string, Template[]> {
    const collection: unknown = yield evalTokenValue(this.collection, context);
    budgetOf(context).spend(Array.isArray(collection) ? collection.length : 1);
    return yield* super.render(context, emitter);
  }
}

/** Charges all comparisons to the budget, because liquidjs compares each `when` even after a match. */
class BoundedCase extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const target: unknown = yield this.value.value(context, true);
    const comparisons = this.branches.reduce((sum, { values }) => sum + values.length, 0);
    budgetOf(context).spend(sizeOf(target) * comparisons);
    yield* super.render(context, emitter);
  }
}

/**
 * Comment tag `{% # … %}`. This tag replaces that of liquidjs, which checks the text with a regular
 * expression that takes quadratic time.
 */
class NoteTag extends Tag {
  render(): void {}
}

/** All supported tags. None of them reads files or keeps state that grows outside the budget. */
export const templateTags = {
  assign: AssignTag,
  break: BreakTag,
  capture: BoundedCapture,
  case: BoundedCase,
  comment: CommentTag,
  continue: ContinueTag,
  echo: EchoTag,
  for: BoundedFor,
  if: IfTag,
  liquid: LiquidTag,
  raw: RawTag,
  unless: UnlessTag,
  '#': NoteTag,
};

/** Supported liquidjs filters. Each converts plain values to a plain value. */
const supportedFilters = `
  abs at_least at_most ceil divided_by floor minus modulo plus round times
  append capitalize downcase lstrip prepend rstrip strip strip_newlines upcase squish
  split replace replace_first replace_last remove remove_first remove_last
  truncate truncatewords slice size default newline_to_br strip_html
  escape escape_once xml_escape url_encode url_decode base64_encode json
  join first last reverse sort sort_natural map where reject uniq compact sum
`
  .trim()
  .split(/\s+/);

/**
 * Filters that search for their argument in their input. The worst case costs the product of both lengths.
 */
const searchFilters = new Set<string>([
  'split',
  'replace',
  'replace_first',
  'replace_last',
  'remove',
  'remove_first',
  'remove_last',
]);
/** Filters that access every item of a list. */
const itemFilters = new Set<string>(['sort', 'sort_natural', 'map', 'where', 'reject', 'sum']);

type FilterHandler = (this: { context: Context }, value: unknown, ...args: unknown[]) => unknown;

/** Wraps a filter to charge the budget for its input before it runs and for its output afterward. */
function charged(name: string, handler: FilterHandler): FilterHandler {
  return function run(value, ...args) {
    const budget = budgetOf(this.context);
    const input = sizeOf(value);
    budget.spend(args.reduce<number>((sum, arg) => sum + sizeOf(arg), input));
    if (searchFilters.has(name)) budget.spend(searchUnits(input, sizeOf(args[0])));
    if (itemFilters.has(name)) budget.spend(input * 16);
    const result = handler.call(this, value, ...args);
    if (typeof result === 'string' || Array.isArray(result)) budget.spend(sizeOf(result));
    return result;
  };
}

/**
 * Returns the cost of a search. Searching for a short text costs no more than reading the input. A long text
 * costs more, because it can match partially at every position.
 */
function searchUnits(input: number, pattern: number): number {
  return pattern <= 16 ? 0 : (input * pattern) / 8;
}

const dateFormatLimit = 100;
/**
 * Date codes for names of days, months, and time zones. Each name comes from the locale's calendar and takes about a
 * tenth of a millisecond.
 */
const calendarCode = /%[^A-Za-z%]*[aAbBhcxXZ]/g;
const calendarUnits = 5_000;

const date: FilterHandler = function (value, format, zone) {
  const text = toTemplateText(format ?? '');
  assert(text.length <= dateFormatLimit, `a date format can have at most ${dateFormatLimit} characters`);
  const calendarCodes = (text.match(calendarCode)?.length ?? 0) + (zone === undefined ? 0 : 1);
  budgetOf(this.context).spend(text.length * 10 + calendarCodes * calendarUnits);
  const handler = libraryFilters['date'] as FilterHandler;
  return handler.call(this, value, format, zone);
};

/**
 * Escapes text for use between the quotes of a JSON string, such as `"text": "New: {{ alert.config_name |
 * json_escape }}"`.
 */
const jsonEscape: FilterHandler = (value) => JSON.stringify(toTemplateText(value)).slice(1, -1);

export const templateFilters: Readonly<Record<string, FilterHandler>> = {
  ...Object.fromEntries(
    supportedFilters.map((name) => [name, charged(name, libraryFilters[name] as FilterHandler)]),
  ),
  date: charged('date', date),
  json_escape: charged('json_escape', jsonEscape),
};

/** Operators that charge the budget, because comparing long strings takes time. */
const operators: Operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operator]) => {
    if (name === 'not') return [name, operator];
    const charge = (left: unknown, right: unknown, context: Context) => {
      const [a, b] = [sizeOf(left), sizeOf(right)];
      budgetOf(context).spend(name === 'contains' ? a + b + searchUnits(a, b) : Math.min(a, b));
      return (operator as (left: unknown, right: unknown, context: Context) => ReturnType<typeof operator>)(
        left,
        right,
        context,
      );
    };
    return [name, charge];
  }),
);

/** Shared Liquid engine: strict, without files, and with only the tags and filters above. */
export const templateEngine: Liquid = makeEngine(false);
/** Engine for checks. It continues after an error, so that all errors can be reported. */
export const lenientParser: Liquid = makeEngine(true);

function makeEngine(catchAllErrors: boolean): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    strictVariables: true,
    ownPropertyOnly: true,
    // Allow missing variables in conditions such as `{% if job %}`, so that templates can check whether an
    // event has a job. Misspelled names are rejected when a template is saved.
    lenientIf: true,
    catchAllErrors,
    operators,
    timezoneOffset: 0,
    locale: 'en-US',
    dateFormat: '%Y-%m-%dT%H:%M:%SZ',
    // An empty map prevents the library from searching the file system for templates.
    templates: {},
    parseLimit: sourceLimitBytes,
  });
  for (const name of Object.keys(engine.tags)) delete engine.tags[name];
  for (const [name, tag] of Object.entries(templateTags)) engine.registerTag(name, tag);
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name);
  for (const [name, filter] of Object.entries(templateFilters)) engine.registerFilter(name, filter);
  return engine;
}
