import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import type { FieldError } from '../errors.ts';
import type { KeyRole, OperationId, Role } from './operation.ts';

type JsonSchema = Record<string, unknown>;

interface OpenApiParameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: JsonSchema;
  $ref?: string;
}

interface OpenApiOperation {
  operationId: OperationId;
  security?: Record<string, string[]>[];
  parameters?: OpenApiParameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }>; $ref?: string };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }>; $ref?: string }>;
  'x-role'?: Role;
  'x-key-roles'?: KeyRole[];
}

interface OpenApiDocument {
  servers: { url: string }[];
  security?: Record<string, string[]>[];
  paths: Record<string, Record<string, OpenApiOperation | OpenApiParameter[]>>;
  components: Record<string, Record<string, never>>;
}

export type InterfaceName = 'client' | 'agent' | 'auth';

/** One operation of the contract, ready to serve. Validators are compiled at their first use. */
export interface ContractOperation {
  operationId: OperationId;
  interfaceName: InterfaceName;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With the base path, in the contract's form: `/api/v1/client/rules/{id}`. */
  path: string;
  /** Names of the security schemes of which one suffices. */
  security: string[];
  /** Whether it answers without credentials too. */
  isOpen: boolean;
  role: Role;
  keyRoles: KeyRole[];
  parameters: OpenApiParameter[];
  hasBody: boolean;
  isBodyRequired: boolean;
  validateBody(): ValidateFunction;
  validateParameter(parameter: OpenApiParameter): ValidateFunction;
  /** Null when the contract has no such status; `isEmpty` when it has no JSON body. */
  response(status: number): { isEmpty: boolean; validate(): ValidateFunction } | null;
}

const methods = ['get', 'post', 'put', 'delete'] as const;

/** Reads the bundled contract of one interface into its operations. */
export function readContract(interfaceName: InterfaceName): ContractOperation[] {
  const file = new URL(`../../generated/openapi-${interfaceName}.json`, import.meta.url);
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
  const ajv = new Ajv2020({ allErrors: true, strict: false, coerceTypes: false, ownProperties: true });
  addFormats.default(ajv, { mode: 'fast' });
  ajv.addFormat('date-time', isInstant);
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  ajv.addFormat('int32', { type: 'number', validate: (value: number) => Number.isInteger(value) });
  addTrimming(ajv);
  ajv.addSchema({ $id: 'contract', components: document.components });

  const compiled = new Map<JsonSchema, ValidateFunction>();
  const compile = (schema: JsonSchema): ValidateFunction => {
    let validate = compiled.get(schema);
    if (!validate) {
      validate = ajv.compile(withContractRefs(schema));
      compiled.set(schema, validate);
    }
    return validate;
  };
  const resolve = <T extends { $ref?: string }>(part: T): T =>
    part.$ref ? lookUp<T>(document, part.$ref) : part;
  const basePath = document.servers.map((server) => server.url).find((url) => url.startsWith('/'))!;

  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as OpenApiOperation | undefined;
      if (!operation) return [];
      const shared = (item['parameters'] ?? []) as OpenApiParameter[];
      const security = operation.security ?? document.security ?? [];
      const body = operation.requestBody && resolve(operation.requestBody);
      const bodySchema = body?.content['application/json']?.schema;
      return {
        operationId: operation.operationId,
        interfaceName,
        method: method.toUpperCase() as ContractOperation['method'],
        path: basePath + path,
        security: security.flatMap((scheme) => Object.keys(scheme)),
        isOpen: security.length === 0 || security.some((scheme) => Object.keys(scheme).length === 0),
        role: operation['x-role'] ?? 'viewer',
        keyRoles: operation['x-key-roles'] ?? [],
        parameters: [...shared, ...(operation.parameters ?? [])].map(resolve),
        hasBody: bodySchema !== undefined,
        isBodyRequired: body?.required ?? false,
        validateBody: () => compile(bodySchema!),
        validateParameter: (parameter) => compile(parameter.schema),
        response(status) {
          const found = operation.responses[String(status)];
          if (!found) return null;
          const schema = resolve(found).content?.['application/json']?.schema;
          return { isEmpty: !schema, validate: () => compile(schema!) };
        },
      } satisfies ContractOperation;
    }),
  );
}

const dateTime = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;
const earliestMs = Date.parse('0001-01-01T00:00:00Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

/** RFC 3339, as far as it names an instant that exists and that can be written down again in UTC. */
function isInstant(text: string): boolean {
  const day = dateTime.exec(text)?.[1];
  if (day === undefined) return false;
  const ms = Date.parse(text);
  if (!(ms >= earliestMs && ms <= latestMs)) return false;
  // The parser takes 31 February for 3 March.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(day);
}

/** `x-trim: true`: the text loses the white space around it before its length is looked at. */
function addTrimming(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: 'x-trim',
    type: 'string',
    schemaType: 'boolean',
    before: 'minLength',
    modifying: true,
    validate(isTrimmed: boolean, text: string, _schema?: unknown, place?: DataValidationCxt) {
      if (isTrimmed && place) place.parentData[place.parentDataProperty] = text.trim();
      return true;
    },
  });
}

function lookUp<T>(document: OpenApiDocument, ref: string): T {
  const parts = ref.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], document) as T;
}

/** Local references of the bundle, pointed at where ajv knows the components. */
function withContractRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')) as JsonSchema;
}

/** Ajv's errors as sentences for the caller, each with the path of its field. */
export function fieldErrors(errors: readonly ErrorObject[], prefix = ''): FieldError[] {
  // Of a schema with alternatives, the sentence about the alternatives says less than those about its parts.
  const telling = errors.filter(
    (error) => error.keyword !== 'if' && error.keyword !== 'oneOf' && error.keyword !== 'anyOf',
  );
  const seen = new Set<string>();
  return (telling.length > 0 ? telling : errors)
    .flatMap((error) => {
      const path = error.instancePath
        .split('/')
        .slice(1)
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
      const params = error.params as Record<string, unknown>;
      const named =
        params['missingProperty'] ??
        params['additionalProperty'] ??
        params['unevaluatedProperty'] ??
        params['propertyName'];
      if (typeof named === 'string') path.push(named);
      const field = [prefix, ...path].filter((part) => part !== '').join('.') || 'body';
      const message = sentence(error, params);
      const key = `${field}\n${message}`;
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ field: field.slice(0, 200), message }];
    })
    .slice(0, 20);
}

function sentence(error: ErrorObject, params: Record<string, unknown>): string {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a known field';
    case 'enum':
      return `must be one of: ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'type':
      return `must be ${[params['type']].flat().join(' or ')}`;
    case 'format':
      return `must be a valid ${String(params['format'])}`;
    case 'minProperties':
      return 'must have at least one field';
    default:
      return error.message ?? 'is not valid';
  }
}
