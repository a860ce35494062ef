import { type Template, TypeGuards, Value } from 'liquidjs';
import type { EventData, NotificationTemplateCategory } from '../routing/notification-event.ts';
import { nearestName } from '../text/nearest-name.ts';
import { isMeantAsJson } from './render-body.ts';
import { renderTemplate } from './render-template.ts';
import { sampleOfCategory } from './sample-events.ts';
import { lenientParser, sourceLimitBytes, templateFilters, templateTags } from './template-engine.ts';
import { describeFailure, type TemplateError } from './template-error.ts';
import { type VariableShape, variableShape, variablesOf } from './template-variables.ts';
import { utf8Length } from './utf8-length.ts';

export type TemplateCheck = { ok: true } | { ok: false; errors: TemplateError[] };

/** Maximum number of reported errors. A longer list wouldn't help users. */
const errorLimit = 20;

/**
 * Checks if a template can be saved: its syntax and its tags and filters must be valid, and every variable
 * must exist.
 *
 * @param category Category whose variables are available. `null` for a template that applies to every event.
 */
export function checkTemplate(
  source: string,
  category: NotificationTemplateCategory | null = null,
): TemplateCheck {
  if (utf8Length(source) > sourceLimitBytes) {
    return {
      ok: false,
      errors: [
        { code: 'source_too_large', message: 'the template exceeds 32 KiB', line: null, column: null },
      ],
    };
  }
  let errors: TemplateError[];
  try {
    errors = new VariableCheck(category).run(lenientParser.parse(source));
  } catch (failure) {
    errors = failuresOf(failure).map((each) => withHint(describeFailure(each)));
  }
  if (errors.length === 0) errors = findJsonErrors(source, category);
  return errors.length === 0 ? { ok: true } : { ok: false, errors: errors.slice(0, errorLimit) };
}

/**
 * Renders a template with sample data, first unchanged and then with awkward names. Reports output that looks
 * like JSON but isn't valid. Such a message would be replaced by the default message when it's sent.
 */
function findJsonErrors(source: string, category: NotificationTemplateCategory | null): TemplateError[] {
  const sample = sampleOfCategory(category ?? 'new_alert');
  const isBroken = (event: EventData) => {
    const result = renderTemplate(source, event);
    return result.ok && isMeantAsJson(result.body) && !result.isValidJson;
  };
  const report = (message: string): TemplateError[] => [
    { code: 'failed', message, line: null, column: null },
  ];
  if (isBroken(sample))
    return report("the output looks like JSON but isn't valid; use the json filter for values");
  if (awkwardNames.some((name) => isBroken(withNames(sample, name))))
    return report(
      'a name with quotation marks, backslashes, or line breaks makes the JSON invalid; use the json filter, as in {{ alert.config_name | json }}',
    );
  return [];
}

/** Names that users and upstream projects can choose. */
const awkwardNames = ['The "best" \\ app', 'two\nlines\tand a tab', '<b>&amp;</b>', '🚀 ‮é', 'x'.repeat(200)];

/** Replaces the strings of an event that users or upstream projects choose. */
function withNames(event: EventData, name: string): EventData {
  const organization = { name };
  if (!('alert' in event)) return { ...event, organization };
  const labels = Object.fromEntries(Object.keys(event.alert.labels).map((key) => [key, name]));
  const alert = {
    ...event.alert,
    config_name: name,
    rule_name: name,
    artifact_name: name,
    target_file: name,
    discovered_version: name,
    latest_version: name,
    labels,
  };
  return { ...event, organization, actor: { name }, alert } as EventData;
}

function failuresOf(failure: unknown): unknown[] {
  const several =
    failure instanceof Error && 'errors' in failure && Array.isArray(failure.errors) ? failure.errors : [];
  return several.length > 0 ? several : [failure];
}

function withHint(error: TemplateError): TemplateError {
  const name = /“([^“]*)”/.exec(error.message)?.[1];
  if (name === undefined || (error.code !== 'unknown_tag' && error.code !== 'unknown_filter')) return error;
  const nearest = nearestName(
    name,
    Object.keys(error.code === 'unknown_tag' ? templateTags : templateFilters),
  );
  return nearest === null ? error : { ...error, message: `${error.message}; did you mean “${nearest}”?` };
}

const scalar: VariableShape = { kind: 'scalar' };
const unknown: VariableShape = { kind: 'unknown' };
/** Fields of `forloop` in a loop. */
const forloop: VariableShape = {
  kind: 'object',
  members: new Map(
    ['index', 'index0', 'rindex', 'rindex0', 'first', 'last', 'length'].map((name) => [name, scalar]),
  ),
};
/** Fields that Liquid provides for every list, map, and string. */
const builtInFields = new Set(['size', 'first', 'last']);

type Scope = Map<string, VariableShape>;
type ValueLike = NonNullable<Parameters<typeof TypeGuards.isPropertyAccessToken>[0]>;
interface PropertyAccess {
  variable?: unknown;
  props: ValueLike[];
  getPosition(): number[];
}

/** Traverses the parsed template, tracks the variables in scope, and records every path that doesn't exist. */
class VariableCheck {
  readonly #errors: TemplateError[] = [];
  readonly #category: NotificationTemplateCategory | null;
  readonly #root: VariableShape;
  /**
   * Variables in scope. The first map contains those from `assign` and `capture`, followed by one map for each
   * enclosing loop, innermost last.
   */
  readonly #scopes: Scope[] = [new Map()];

  constructor(category: NotificationTemplateCategory | null) {
    this.#category = category;
    this.#root = variableShape(category);
  }

  run(templates: readonly Template[]): TemplateError[] {
    for (const template of templates) this.#visit(template);
    return this.#errors;
  }

  #visit(template: Template): void {
    let shape = scalar;
    for (const argument of template.arguments?.() ?? []) shape = this.#checkValue(argument);
    for (const name of template.localScope?.() ?? []) {
      // The shape of an `assign` variable is the shape of its value. A `capture` variable is always text.
      this.#scopes[0]?.set(String(name.content), isTag(template, 'assign') ? shape : scalar);
    }
    const names = [...(template.blockScope?.() ?? [])];
    if (names.length > 0) this.#scopes.push(this.#loopScope(template, names));
    for (const child of childrenOf(template)) this.#visit(child);
    if (names.length > 0) this.#scopes.pop();
  }

  #loopScope(template: Template, names: string[]): Scope {
    const collection = 'collection' in template ? this.#shapeOf(template.collection) : unknown;
    const item = collection.kind === 'list' ? collection.item : unknown;
    return new Map(names.map((name) => [name, name === 'forloop' ? forloop : item]));
  }

  /** Checks every path in an argument of a tag, and returns the shape of the value. */
  #checkValue(argument: unknown): VariableShape {
    if (!(argument instanceof Value)) return this.#shapeOf(argument);
    const shapes = argument.initial.postfix.map((token) => this.#shapeOf(token));
    for (const filter of argument.filters) {
      for (const arg of filter.args) this.#shapeOf(Array.isArray(arg) ? arg[1] : arg);
    }
    const [only] = shapes;
    return shapes.length === 1 && only !== undefined && argument.filters.length === 0 ? only : unknown;
  }

  #shapeOf(token: unknown): VariableShape {
    if (TypeGuards.isRangeToken(token)) {
      this.#shapeOf(token.lhs);
      this.#shapeOf(token.rhs);
      return { kind: 'list', item: scalar };
    }
    if (!TypeGuards.isPropertyAccessToken(token)) return scalar;
    return this.#follow(token as PropertyAccess);
  }

  #follow(access: PropertyAccess): VariableShape {
    const segments = access.props.map((prop) => this.#segment(prop));
    if (access.variable !== undefined) return unknown;
    const [head] = segments;
    let shape = this.#lookUp(head ?? null);
    for (const [index, segment] of segments.entries()) {
      if (index > 0 && shape !== undefined) shape = member(shape, segment);
      if (shape === undefined) {
        this.#report(segments.slice(0, index + 1), access);
        return unknown;
      }
    }
    return shape ?? unknown;
  }

  /** Returns a name or an index, or `null` if it is known only at run time. */
  #segment(prop: ValueLike): string | number | null {
    if (TypeGuards.isPropertyAccessToken(prop) || TypeGuards.isRangeToken(prop)) {
      this.#shapeOf(prop);
      return null;
    }
    const content: unknown = 'content' in prop ? prop.content : null;
    return typeof content === 'string' || typeof content === 'number' ? content : null;
  }

  #lookUp(name: string | number | null): VariableShape | undefined {
    if (typeof name !== 'string') return unknown;
    for (const scope of this.#scopes.toReversed()) {
      const shape = scope.get(name);
      if (shape !== undefined) return shape;
    }
    return this.#root.kind === 'object' ? this.#root.members.get(name) : unknown;
  }

  #report(path: (string | number | null)[], access: PropertyAccess): void {
    if (this.#errors.length >= errorLimit) return;
    const name = path.map((segment) => segment ?? '…').join('.');
    const names = variablesOf(this.#category).flatMap((each) => [
      each.name,
      each.name.split('.', 1)[0] ?? each.name,
    ]);
    const nearest = nearestName(name, [...new Set(names)]);
    const isElsewhere = variablesOf(null).some(
      (each) => each.name === name || each.name.startsWith(`${name}.`),
    );
    const hint = nearest === null ? '' : `; did you mean “${nearest}”?`;
    const message = isElsewhere
      ? `“${name}” isn't available for this template's events`
      : `unknown variable “${name}”${hint}`;
    const [line, column] = access.getPosition();
    this.#errors.push({ code: 'unknown_variable', message, line: line ?? null, column: column ?? null });
  }
}

function member(shape: VariableShape, segment: string | number | null): VariableShape | undefined {
  switch (shape.kind) {
    case 'unknown':
      return unknown;
    case 'map':
      return scalar;
    case 'list':
      if (segment === 'size') return scalar;
      return typeof segment !== 'string' || builtInFields.has(segment) ? shape.item : undefined;
    case 'object':
      return typeof segment === 'string' ? shape.members.get(segment) : unknown;
    case 'scalar':
      return typeof segment === 'string' && builtInFields.has(segment) ? scalar : undefined;
  }
}

function isTag(template: Template, name: string): boolean {
  return 'name' in template && template.name === name;
}

/**
 * Returns the children of a template. liquidjs yields them from a generator that can request partial templates, which
 * aren't supported here.
 */
function childrenOf(template: Template): Template[] {
  const children = template.children?.(false, true).next();
  return children?.done === true ? children.value : [];
}
