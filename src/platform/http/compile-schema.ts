import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import { hasControlCharacters } from '../../domain/text/visible-controls.ts';
import { isEmailAddress } from './email-address.ts';

export type JsonSchema = Record<string, unknown>;

export interface CompilerOptions {
  allErrors: boolean;
  /** True to reject unknown fields even if a schema allows additional fields. */
  isClosed?: boolean;
}

/**
 * Returns a function that compiles schemas that refer to these components. Each schema is compiled once, when
 * it's first used.
 */
export function createCompiler(
  components: object,
  options: CompilerOptions,
): (schema: JsonSchema) => ValidateFunction {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<JsonSchema, ValidateFunction>();
  return (schema) => {
    let validate = compiled.get(schema);
    if (!validate) {
      ajv ??= createAjv(options.isClosed ? closeObjects(components) : components, options);
      validate = ajv.compile(toContractRefs(options.isClosed ? closeObjects(schema) : schema));
      compiled.set(schema, validate);
    }
    return validate;
  };
}

function createAjv(components: object, { allErrors }: CompilerOptions): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    coerceTypes: false,
    ownProperties: true,
    // The linter checks the contract. Compiling the meta-schema would delay the first request.
    meta: false,
    validateSchema: false,
    // Include the schema in errors, because its pattern can describe the allowed values.
    verbose: true,
  });
  addFormats.default(ajv, { mode: 'fast' });
  ajv.addFormat('date-time', isInstant);
  ajv.addFormat('email', isEmailAddress);
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  ajv.addFormat('int32', { type: 'number', validate: (value: number) => Number.isInteger(value) });
  addTrimming(ajv);
  addControlCheck(ajv);
  addUniqueItems(ajv);
  ajv.addSchema({ $id: 'contract', components });
  return ajv;
}

const dateTime = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;
const earliestMs = Date.parse('0001-01-01T00:00:00Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

/** True for an RFC 3339 timestamp of a valid instant that can be represented in UTC. */
function isInstant(text: string): boolean {
  const day = dateTime.exec(text)?.[1];
  if (day === undefined) return false;
  const ms = Date.parse(text);
  if (!(ms >= earliestMs && ms <= latestMs)) return false;
  // Check the day, because `Date.parse` interprets February 31 as March 3.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(day);
}

/** Adds `x-trim: true`, which removes surrounding white space from a string before its length is checked. */
function addTrimming(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: 'x-trim',
    type: 'string',
    schemaType: 'boolean',
    before: 'minLength',
    modifying: true,
    validate(isTrimmed: boolean, text: string, _schema?: unknown, place?: DataValidationCxt) {
      // A parameter is validated without a parent object, so there's nothing to update.
      if (isTrimmed && place?.parentData) place.parentData[place.parentDataProperty] = text.trim();
      return true;
    },
  });
}

/**
 * Adds `x-no-controls: true`, which rejects control characters and characters that change the text direction.
 */
function addControlCheck(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: 'x-no-controls',
    type: 'string',
    schemaType: 'boolean',
    error: { message: 'contains invalid characters' },
    validate: (isChecked: boolean, text: string) => !isChecked || !hasControlCharacters(text),
  });
}

/**
 * Replaces the built-in `uniqueItems`, because Ajv compares every pair of items if their type is defined in another
 * schema.
 */
function addUniqueItems(ajv: Ajv2020): void {
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not have duplicate items' },
    validate: (isUnique: boolean, items: unknown[]) =>
      !isUnique || new Set(items.map((item) => JSON.stringify(item))).size === items.length,
  });
}

/**
 * Returns a copy of a schema that rejects unknown fields in objects that list their fields, unless the schema
 * allows them explicitly.
 */
function closeObjects<T>(node: T): T {
  if (Array.isArray(node)) return node.map(closeObjects) as T;
  if (node === null || typeof node !== 'object') return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closeObjects(value)]));
  // A field can be named `type`. In that case the value is a schema, not a string or an array.
  const isObject = typeof copy['type'] === 'string' || Array.isArray(copy['type']);
  return (
    isObject && copy['properties'] !== undefined ? { additionalProperties: false, ...copy } : copy
  ) as T;
}

/** Rewrites local references of the bundle so that Ajv finds the components in `contract`. */
function toContractRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')) as JsonSchema;
}
