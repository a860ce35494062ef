import type { ErrorObject } from 'ajv/dist/2020.js';
import { ownValue } from '../../domain/json/own-value.ts';
import { limitProblem } from '../../domain/text/limit-problem.ts';
import { nearestName } from '../../domain/text/nearest-name.ts';
import { patternProblem } from '../../domain/text/pattern-problem.ts';
import type { FieldError } from '../errors.ts';
import { maxListedErrors } from './body-limits.ts';
import { dateTimeProblem } from './date-time-problem.ts';
import { emailProblem } from './email-address.ts';

/**
 * Converts Ajv errors to at most 20 messages for the caller, each with the path of its field.
 *
 * @param value The validated value, used for suggestions.
 */
export function fieldErrors(errors: readonly ErrorObject[], value?: unknown, prefix = ''): FieldError[] {
  // If a schema has parts, such as alternatives, errors about the parts are more specific than the error
  // about the whole.
  const specific = errors.filter(({ keyword }) => !summaries.has(keyword));
  const found = new Map<string, FieldError>();
  for (const error of specific.length > 0 ? specific : errors) {
    const path = error.instancePath
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const params = error.params as Record<string, unknown>;
    const named =
      params['missingProperty'] ??
      params['additionalProperty'] ??
      params['unevaluatedProperty'] ??
      error.propertyName;
    if (typeof named === 'string') path.push(named);
    const field = ([prefix, ...path].filter((part) => part !== '').join('.') || 'body').slice(0, 200);
    const message = sentence(error, params, () => valueAt(value, path));
    found.set(`${field}\n${message}`, { field, message });
    if (found.size === maxListedErrors) break;
  }
  return [...found.values()];
}

const summaries: ReadonlySet<string> = new Set(['if', 'oneOf', 'anyOf', 'propertyNames']);

function sentence(error: ErrorObject, params: Record<string, unknown>, given: () => unknown): string {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknownFieldProblem(error);
    case 'enum':
      return enumProblem((params['allowedValues'] as unknown[]).map(String), given());
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'type':
      return `must be ${[params['type']].flat().join(' or ')}`;
    case 'format':
      if (params['format'] === 'date-time') return dateTimeProblem();
      if (params['format'] === 'email') return emailProblem;
      if (params['format'] === 'int64') return 'must be a whole number of at most 64 bits';
      return `must be a valid ${String(params['format'])}`;
    default:
      return (
        limitProblem(error.keyword, params['limit']) ??
        patternProblem(error) ??
        (error.message ?? 'is invalid').replace('must NOT', 'must not')
      );
  }
}

function unknownFieldProblem({ params, parentSchema }: ErrorObject): string {
  const name = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const known = Object.keys((parentSchema?.['properties'] as object | undefined) ?? {});
  const near = typeof name === 'string' ? nearestName(name, known) : null;
  return `is an unknown field${near === null ? '' : `; did you mean ${near}?`}`;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null
        ? ownValue(inner as Record<string, unknown>, part)
        : undefined,
    value,
  );
}

function enumProblem(allowed: readonly string[], given: unknown): string {
  const near = typeof given === 'string' ? nearestName(given.toLowerCase(), allowed) : null;
  return `must be one of: ${allowed.join(', ')}${near === null ? '' : `; did you mean ${near}?`}`;
}
