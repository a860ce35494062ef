import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { ApiError, type FieldError, invalidField, notFound } from '../errors.ts';
import { maxAgentBodyBytes } from './body-limits.ts';
import { type ContractOperation, fieldErrors } from './contract.ts';

const maxDepth = 32;
const largestInt64 = 9_223_372_036_854_775_807n;
/** Ids are counted up from 1: this one has never existed, and it stands for all of 64 bits that are beyond it. */
const largestId = Number.MAX_SAFE_INTEGER;

/** The parameters of a request as the contract types them. Throws 400 for what it does not allow, 404 for ids that cannot exist. */
export function readParameters(
  operation: ContractOperation,
  request: FastifyRequest,
): { path: object; query: object } {
  const path: Record<string, unknown> = {};
  const query: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  const start = request.url.indexOf('?');
  const given = new URLSearchParams(start < 0 ? '' : request.url.slice(start + 1));

  for (const name of new Set(given.keys())) {
    if (!operation.parameters.some((parameter) => parameter.in === 'query' && parameter.name === name)) {
      errors.push({ field: name.slice(0, 200), message: 'is not a known parameter' });
    }
  }
  for (const parameter of operation.parameters) {
    const { name } = parameter;
    if (parameter.in === 'path') {
      const text = (request.params as Record<string, string>)[name] ?? '';
      if (parameter.schema['format'] === 'int64') path[name] = readPathId(name, text);
      else if (hasBadText(text)) errors.push({ field: name, message: 'has characters that are not allowed' });
      else path[name] = text;
      continue;
    }
    const texts = given.getAll(name);
    if (texts.length > 1 && parameter.schema['type'] !== 'array')
      errors.push({ field: name, message: 'is given more than once' });
    else if (texts.length > 0) query[name] = readQueryValue(parameter.schema, texts);
    else if (parameter.required) errors.push({ field: name, message: 'is required' });
    else if (parameter.schema['default'] !== undefined) query[name] = parameter.schema['default'];
  }
  for (const parameter of operation.parameters) {
    const value = parameter.in === 'path' ? path[parameter.name] : query[parameter.name];
    if (value === undefined) continue;
    if (typeof value === 'string' && hasBadText(value)) {
      errors.push({ field: parameter.name, message: 'has characters that are not allowed' });
      continue;
    }
    const validate = operation.validateParameter(parameter);
    if (!validate(value)) errors.push(...fieldErrors(validate.errors ?? [], parameter.name));
  }
  if (errors.length > 0) throw validationFailed(errors);
  return { path, query };
}

function readPathId(name: string, text: string): number {
  if (!isInt64Id(text)) throw invalidField(name, 'must be a whole number from 1 to 9223372036854775807');
  const id = Number(text);
  if (id > largestId) throw notFound();
  return id;
}

function isInt64Id(text: string): boolean {
  return /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= largestInt64;
}

function readQueryValue(schema: Record<string, unknown>, texts: string[]): unknown {
  const [text] = texts as [string];
  switch (schema['type']) {
    case 'integer':
      if (schema['format'] === 'int64' && isInt64Id(text)) return Math.min(Number(text), largestId);
      return /^-?(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return texts;
    default:
      return text;
  }
}

/** The JSON body of a request as the contract types it. */
export async function readBody(operation: ContractOperation, request: FastifyRequest): Promise<unknown> {
  // Whatever comes with an operation that takes no body is ignored.
  if (!operation.hasBody) return undefined;
  const raw = request.body as Buffer | undefined;
  if (!raw || raw.length === 0) {
    if (operation.isBodyRequired) throw invalidField('body', 'a JSON object is required');
    return undefined;
  }
  const contentType = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (contentType !== 'application/json') throw new ApiError('unsupported_media_type');
  const body = parseJson(await unpack(raw, operation, request));
  checkValues(body, 'body', 0);
  const validate = operation.validateBody();
  if (!validate(body)) throw validationFailed(fieldErrors(validate.errors ?? []));
  return body;
}

/** Results of agents may come packed. Their size is counted unpacked. */
async function unpack(raw: Buffer, operation: ContractOperation, request: FastifyRequest): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return raw;
  if (encoding !== 'gzip' || operation.interfaceName !== 'agent') {
    throw new ApiError('unsupported_media_type', 'The body must not be encoded.');
  }
  try {
    return await promisify(gunzip)(raw, { maxOutputLength: maxAgentBodyBytes });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new ApiError(
        'payload_too_large',
        `The body may have at most ${maxAgentBodyBytes} bytes unpacked.`,
      );
    }
    throw invalidField('body', 'is not gzip');
  }
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not UTF-8';
    throw invalidField('body', `is not JSON: ${reason}`.slice(0, 300));
  }
}

/** Whether a number is an id of 64 bits that JavaScript cannot tell from its neighbours. */
function isBeyondIds(value: unknown): boolean {
  return (
    typeof value === 'number' && value > largestId && value <= Number(largestInt64) && Number.isInteger(value)
  );
}

/**
 * Refuses what PostgreSQL or a JSON reader elsewhere would choke on: NUL, lone surrogates, endless nesting. Ids beyond
 * all ids become the one that they stand for.
 */
function checkValues(value: unknown, field: string, depth: number): void {
  if (depth > maxDepth) throw invalidField('body', `is nested deeper than ${maxDepth} levels`);
  if (typeof value === 'string') {
    if (hasBadText(value)) throw invalidField(field, 'has a NUL character or half a surrogate pair');
  } else if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      checkValues(item, `${field}.${index}`, depth + 1);
      if (isBeyondIds(item)) value[index] = largestId;
    });
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (hasBadText(key))
        throw invalidField(field, 'has a field name with a NUL character or half a surrogate pair');
      checkValues(item, field === 'body' ? key : `${field}.${key}`, depth + 1);
      if (isBeyondIds(item)) (value as Record<string, unknown>)[key] = largestId;
    }
  }
}

function hasBadText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

function validationFailed(errors: FieldError[]): ApiError {
  const [first] = errors;
  return new ApiError('validation_failed', first ? `${first.field} ${first.message}` : undefined, { errors });
}
