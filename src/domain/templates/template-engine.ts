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
import { BoundedOutput, budgetOf, budgetUnits, printed, sizeOf } from './render-budget.ts';

/** 32 KiB, in bytes of UTF-8. */
export const sourceLimitBytes = 32_768;

/** A captured text counts against the budget while it grows, not when it is first used. */
class BoundedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const output = new BoundedOutput(budgetOf(context), budgetUnits);
    yield this.liquid.renderer.renderTemplates(this.templates, context, output);
    context.bottom()[this.variable] = output.buffer;
  }
}

/** Entering a loop copies its list (`limit`, `offset`, `reversed`), which costs even if the body is empty. */
class BoundedFor extends ForTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void | string, Template[]> {
    const collection: unknown = yield evalTokenValue(this.collection, context);
    budgetOf(context).spend(Array.isArray(collection) ? collection.length : 1);
    return yield* super.render(context, emitter);
  }
}

/** Every `when` is compared, also after one that fits. */
class BoundedCase extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const target: unknown = yield this.value.value(context, true);
    const comparisons = this.branches.reduce((sum, { values }) => sum + values.length, 0);
    budgetOf(context).spend(sizeOf(target) * comparisons);
    yield* super.render(context, emitter);
  }
}

/** `{% # … %}`. The library's own checks the text with an expression of quadratic cost. */
class NoteTag extends Tag {
  render(): void {}
}

/** Every tag there is. Nothing here reads a file, and nothing keeps state that grows outside of the budget. */
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

/** Filters of the library that are kept: each makes a plain value of plain values. */
const keptFilters = `
  abs at_least at_most ceil divided_by floor minus modulo plus round times
  append capitalize downcase lstrip prepend rstrip strip strip_newlines upcase squish
  split replace replace_first replace_last remove remove_first remove_last
  truncate truncatewords slice size default newline_to_br strip_html
  escape escape_once xml_escape url_encode url_decode base64_encode json
  join first last reverse sort sort_natural map where reject uniq compact sum
`
  .trim()
  .split(/\s+/);

/** Filters that look for their argument in their input: the worst case costs the product of both lengths. */
const searching = new Set<string>([
  'split',
  'replace',
  'replace_first',
  'replace_last',
  'remove',
  'remove_first',
  'remove_last',
]);
/** Filters that look into every item of a list. */
const itemwise = new Set<string>(['sort', 'sort_natural', 'map', 'where', 'reject', 'sum']);

type FilterHandler = (this: { context: Context }, value: unknown, ...args: unknown[]) => unknown;

/** Makes a filter pay for what it reads before it runs, and for what it wrote after. */
function charged(name: string, handler: FilterHandler): FilterHandler {
  return function run(value, ...args) {
    const budget = budgetOf(this.context);
    const input = sizeOf(value);
    budget.spend(args.reduce<number>((sum, arg) => sum + sizeOf(arg), input));
    if (searching.has(name)) budget.spend(searchUnits(input, sizeOf(args[0])));
    if (itemwise.has(name)) budget.spend(input * 16);
    const result = handler.call(this, value, ...args);
    if (typeof result === 'string' || Array.isArray(result)) budget.spend(sizeOf(result));
    return result;
  };
}

/** Looking for short texts is as cheap as reading; only long ones can be made to fail late at every place. */
function searchUnits(input: number, pattern: number): number {
  return pattern <= 16 ? 0 : (input * pattern) / 8;
}

const dateFormatLimit = 100;
/** Names of days, months and zones come from the calendar of the locale, at about a tenth of a millisecond each. */
const calendarCode = /%[^A-Za-z%]*[aAbBhcxXZ]/g;
const calendarUnits = 5_000;

const date: FilterHandler = function (value, format, zone) {
  const text = printed(format ?? '');
  assert(text.length <= dateFormatLimit, `a date format can have at most ${dateFormatLimit} characters`);
  const calendarCodes = (text.match(calendarCode)?.length ?? 0) + (zone === undefined ? 0 : 1);
  budgetOf(this.context).spend(text.length * 10 + calendarCodes * calendarUnits);
  const handler = libraryFilters['date'] as FilterHandler;
  return handler.call(this, value, format, zone);
};

/** The inside of a JSON string: for text between quotes, `"text": "New: {{ alert.config_name | json_escape }}"`. */
const jsonEscape: FilterHandler = (value) => JSON.stringify(printed(value)).slice(1, -1);

export const templateFilters: Readonly<Record<string, FilterHandler>> = {
  ...Object.fromEntries(
    keptFilters.map((name) => [name, charged(name, libraryFilters[name] as FilterHandler)]),
  ),
  date: charged('date', date),
  json_escape: charged('json_escape', jsonEscape),
};

/** Comparing long texts is work too. */
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

/** The one Liquid of the program: strict, without files, with the tags and filters above and no others. */
export const templateEngine: Liquid = makeEngine(false);
/** The same, but it goes on after an error, so that all of them can be told. */
export const lenientParser: Liquid = makeEngine(true);

function makeEngine(catchAllErrors: boolean): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    strictVariables: true,
    ownPropertyOnly: true,
    // `{% if job %}` asks whether an event has a job; a misspelt name was refused when the template was saved.
    lenientIf: true,
    catchAllErrors,
    operators,
    timezoneOffset: 0,
    locale: 'en-US',
    dateFormat: '%Y-%m-%dT%H:%M:%SZ',
    // An empty mapping of templates: without it the library would look into the file system.
    templates: {},
    parseLimit: sourceLimitBytes,
  });
  for (const name of Object.keys(engine.tags)) delete engine.tags[name];
  for (const [name, tag] of Object.entries(templateTags)) engine.registerTag(name, tag);
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name);
  for (const [name, filter] of Object.entries(templateFilters)) engine.registerFilter(name, filter);
  return engine;
}
