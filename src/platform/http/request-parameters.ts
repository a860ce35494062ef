import type { FastifyRequest } from 'fastify';
import { nearestName } from '../../domain/text/nearest-name.ts';
import { type FieldError, invalidField, notFound } from '../errors.ts';
import { maxListedErrors } from './body-limits.ts';
import { validationFailedError } from './check-body.ts';
import { hasInvalidUnicode } from './check-texts.ts';
import type { ContractOperation } from './contract.ts';
import { dateTimeProblem } from './date-time-problem.ts';
import { fieldErrors } from './field-errors.ts';
import { isInt64Id, largestId } from './ids.ts';

/** Maximum number of query parameters. No operation defines this many, even if lists repeat a parameter. */
const maxParameters = 200;

/**
 * Returns the parameters of a request as typed by the contract. Throws 400 for invalid parameters and 404 for
 * IDs that can't exist.
 */
export function readParameters(
  operation: ContractOperation,
  request: FastifyRequest,
): { path: Record<string, unknown>; query: object } {
  const path: Record<string, unknown> = {};
  const query: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  const start = request.url.indexOf('?');
  const given = new URLSearchParams(start < 0 ? '' : request.url.slice(start + 1));
  if (given.size > maxParameters)
    throw invalidField('query', `must not have more than ${maxParameters} parameters`);

  const queryNames = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => parameter.name);
  for (const name of new Set(given.keys())) {
    if (!queryNames.includes(name))
      errors.push({ field: name.slice(0, 200), message: unknownParameter(name, queryNames) });
  }
  for (const parameter of operation.parameters) {
    const { name } = parameter;
    if (parameter.in === 'path') {
      const text = (request.params as Record<string, string>)[name] ?? '';
      if (parameter.schema['format'] === 'int64') path[name] = readPathId(name, text);
      else if (hasInvalidUnicode(text)) errors.push({ field: name, message: 'contains invalid characters' });
      else path[name] = text;
      continue;
    }
    const texts = given.getAll(name);
    if (texts.length > 1 && parameter.schema['type'] !== 'array')
      errors.push({ field: name, message: 'is specified more than once' });
    else if (texts.length > 0) query[name] = readQueryValue(parameter.schema, texts);
    else if (parameter.required) errors.push({ field: name, message: 'is required' });
    else if (parameter.schema['default'] !== undefined) query[name] = parameter.schema['default'];
  }
  for (const parameter of operation.parameters) {
    const value = parameter.in === 'path' ? path[parameter.name] : query[parameter.name];
    if (value === undefined) continue;
    if (typeof value === 'string' && hasInvalidUnicode(value)) {
      errors.push({ field: parameter.name, message: 'contains invalid characters' });
      continue;
    }
    const validate = operation.validateParameter(parameter);
    if (validate(value)) {
      // Convert to UTC, because the database supports offsets only up to 15:59, and RFC 3339 allows larger
      // ones.
      if (parameter.schema['format'] === 'date-time' && typeof value === 'string')
        query[parameter.name] = new Date(value).toISOString();
      continue;
    }
    if (parameter.schema['format'] === 'date-time')
      errors.push({ field: parameter.name, message: dateTimeProblem(String(value)) });
    else errors.push(...fieldErrors(validate.errors ?? [], value, parameter.name));
  }
  if (errors.length > 0) throw validationFailedError(errors.slice(0, maxListedErrors));
  return { path, query };
}

function unknownParameter(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  if (near !== null) return `is an unknown parameter; did you mean ${near}?`;
  return `is an unknown parameter${known.length === 0 ? '' : `; available: ${known.join(', ')}`}`;
}

function readPathId(name: string, text: string): number {
  if (!isInt64Id(text)) throw invalidField(name, 'must be a whole number from 1 to 9223372036854775807');
  const id = Number(text);
  if (id > largestId) throw notFound();
  return id;
}

function readQueryValue(schema: Record<string, unknown>, texts: string[]): unknown {
  const [text] = texts as [string];
  switch (schema['type']) {
    case 'integer':
      if (schema['format'] === 'int64' && isInt64Id(text)) return Math.min(Number(text), largestId);
      return /^-?(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text;
    case 'number':
      return /^-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,20})?(e-[0-9]{1,2})?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return texts;
    default:
      return text;
  }
}
