import { countValues, type JsonLimits, type ValueCount } from '../../domain/json/count-values.ts';
import { limitProblem } from '../../domain/text/limit-problem.ts';
import { ApiError, type FieldError, invalidField } from '../errors.ts';
import { maxBodyDepth, maxBodyMembers, maxValuesForAllErrors } from './body-limits.ts';
import { checkTexts } from './check-texts.ts';
import type { ContractOperation } from './contract.ts';
import { fieldErrors } from './field-errors.ts';
import { fillDefaults } from './fill-defaults.ts';
import { keepOutOfRangeIds, mayExceedIdRange } from './ids.ts';
import { JsonText } from './json-text.ts';

/**
 * Counts the fields and items of a body before it's parsed.
 *
 * @throws ApiError If there are too many.
 */
export function countBodyValues(operation: ContractOperation, json: Uint8Array): number {
  const limits: JsonLimits = {
    values: operation.bodyLimits.values,
    members: maxBodyMembers,
    depth: maxBodyDepth,
  };
  // Each value takes at least two bytes, so a short body can't exceed the limits.
  if (json.length < 2 * limits.values && json.length < 2 * maxValuesForAllErrors) return json.length / 2;
  const count = countValues(json, limits);
  if (count.exceeded !== null) throw tooManyValues(operation, count);
  return count.values;
}

/**
 * Parses and validates the body of a request and fills in defaults. The cost is bounded, because the number of bytes
 * and the number of values were checked before.
 *
 * @throws ApiError `validation_failed` with at most 20 errors.
 */
export function checkBody(
  operation: ContractOperation,
  json: Uint8Array,
  values: number,
  path: Readonly<Record<string, unknown>>,
  mediaType?: string,
): unknown {
  const body = parseJson(json);
  checkTexts(body);
  dropReadOnly(operation, body, path);
  const validate =
    values > maxValuesForAllErrors ? operation.validateLargeBody() : operation.validateBody(mediaType);
  if (!validate(body)) throw validationFailedError(fieldErrors(validate.errors ?? [], body));
  fillDefaults(operation.operationId, body);
  if (operation.textFields.length > 0) keepAsText(body as Record<string, object[]>, operation.textFields);
  return body;
}

export function validationFailedError(errors: FieldError[]): ApiError {
  const [first] = errors;
  return new ApiError('validation_failed', first ? `${first.field} ${first.message}` : undefined, { errors });
}

/** Returns an error that names the exceeded limit, and the list or object that exceeds it. */
function tooManyValues(operation: ContractOperation, { largestField, exceeded }: ValueCount): ApiError {
  const maxItems = largestField && operation.maxItemsOf(largestField.name);
  if (maxItems != null && largestField!.items > maxItems) {
    return validationFailedError([
      { field: largestField!.name, message: limitProblem('maxItems', maxItems)! },
    ]);
  }
  if (exceeded?.limit === 'members') {
    const message = limitProblem(exceeded.isList ? 'maxItems' : 'maxProperties', maxBodyMembers)!;
    return validationFailedError([{ field: exceeded.path === '' ? 'body' : exceeded.path, message }]);
  }
  if (exceeded?.limit === 'depth') {
    const message = `must not have more than ${maxBodyDepth.toLocaleString('en-US')} levels of nesting`;
    return validationFailedError([{ field: 'body', message }]);
  }
  const limit = operation.bodyLimits.values;
  return validationFailedError([
    { field: 'body', message: `must not have more than ${limit} fields and items` },
  ]);
}

type Reviver = (key: string, value: unknown) => unknown;

/** @throws ApiError If the text isn't valid JSON. */
export function parseJson(json: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(json);
    return mayExceedIdRange(text) ? JSON.parse(text, keepOutOfRangeIds as Reviver) : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "isn't valid UTF-8";
    throw invalidField('body', `isn't valid JSON: ${reason}`.slice(0, 300));
  }
}

function keepAsText(body: Record<string, unknown>, fields: readonly string[]): void {
  for (const field of fields) {
    const items = body[field];
    if (Array.isArray(items)) body[field] = JsonText.of(items as object[]);
  }
}

/**
 * Removes read-only fields from a request, so that clients can send a response back unchanged. A field that
 * identifies the resource must match the path.
 */
function dropReadOnly(
  { readOnlyFields }: ContractOperation,
  body: unknown,
  path: Readonly<Record<string, unknown>>,
): void {
  if (typeof body !== 'object' || body === null) return;
  const members = body as Record<string, unknown>;
  for (const field of readOnlyFields) {
    if (!Object.hasOwn(members, field)) continue;
    if (Object.hasOwn(path, field) && members[field] !== path[field]) {
      throw invalidField(
        field,
        `can't be changed: it must be ${String(path[field])}, as in the path, or absent`,
      );
    }
    delete members[field];
  }
}
