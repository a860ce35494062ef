import { Context, type Template, toValueSync } from 'liquidjs';
import { countValues } from '../json/count-values.ts';
import type { EventData } from '../routing/notification-event.ts';
import {
  BoundedOutput,
  budgetOf,
  limitMessages,
  outputLimitBytes,
  outputLimitDepth,
} from './render-budget.ts';
import { sourceLimitBytes, templateEngine } from './template-engine.ts';
import { describeFailure, type TemplateError } from './template-error.ts';
import { utf8Length } from './utf8-length.ts';

export type RenderResult =
  | { ok: true; body: string; isValidJson: boolean }
  | { ok: false; error: TemplateError };

/**
 * Renders a template with the data of an event. Accepts and returns plain data, so that it can run in a
 * worker. Both the work and the output (64 KiB of UTF-8) are limited. The data isn't modified. The same input
 * always has the same result, except in templates that use the date of `now`.
 */
export function renderTemplate(source: string, event: EventData): RenderResult {
  if (utf8Length(source) > sourceLimitBytes) {
    return failed({
      code: 'source_too_large',
      message: 'the template exceeds 32 KiB',
      line: null,
      column: null,
    });
  }
  try {
    const templates: Template[] = parseOnce(source);
    const context = new Context(
      templateScope(event),
      templateEngine.options,
      { sync: true },
      { liquid: templateEngine },
    );
    const output = new BoundedOutput(budgetOf(context), outputLimitBytes);
    toValueSync(templateEngine.renderer.renderTemplates(templates, context, output));
    const body = output.buffer.toWellFormed();
    if (utf8Length(body) > outputLimitBytes) {
      return limitExceeded('output_too_large');
    }
    const isJson = isValidJson(body);
    if (isJson && isTooDeep(body)) return limitExceeded('output_too_deep');
    return { ok: true, body, isValidJson: isJson };
  } catch (failure) {
    return failed(describeFailure(failure));
  }
}

/**
 * Returns the data of an event for templates. Missing labels are `null`, so that one template works for alerts with
 * different labels. Any other missing variable is an error.
 */
function templateScope(event: EventData): object {
  if (event.event === 'digest') return { ...event, events: event.events.map(templateScope) };
  if (!('alert' in event)) return { ...event };
  return { ...event, alert: { ...event.alert, labels: anyLabel(event.alert.labels) } };
}

function anyLabel(labels: Readonly<Record<string, string>>): object {
  const own: Record<PropertyKey, string | null> = Object.assign(Object.create(null), labels);
  return new Proxy(own, {
    get: (target, key) => (isMissingLabel(target, key) ? null : target[key]),
    getOwnPropertyDescriptor(target, key) {
      if (!isMissingLabel(target, key)) return Object.getOwnPropertyDescriptor(target, key);
      return { value: null, writable: true, enumerable: false, configurable: true };
    },
  });
}

/**
 * True if `key` is a label that the alert doesn't have. `size` isn't treated as a label, because Liquid defines it for
 * maps.
 */
function isMissingLabel(labels: object, key: PropertyKey): boolean {
  return typeof key === 'string' && key !== 'size' && !Object.hasOwn(labels, key);
}

/**
 * Cache of parsed templates. Parsing costs several times as much as rendering, and the same few templates are
 * used repeatedly.
 */
const parsed = new Map<string, Template[]>();
const parsedLimit = 50;

function parseOnce(source: string): Template[] {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const templates = templateEngine.parse(source);
  if (parsed.size >= parsedLimit) parsed.clear();
  parsed.set(source, templates);
  return templates;
}

function failed(error: TemplateError): RenderResult {
  return { ok: false, error };
}

function limitExceeded(code: 'output_too_large' | 'output_too_deep'): RenderResult {
  return failed({ code, message: limitMessages[code], line: null, column: null });
}

function isTooDeep(json: string): boolean {
  const limits = { values: Infinity, members: Infinity, depth: outputLimitDepth };
  return countValues(new TextEncoder().encode(json), limits).exceeded !== null;
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
