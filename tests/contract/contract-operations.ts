import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { basePaths, type OperationId, operations } from '../../src/generated/operations.ts';
import type { KeyRole, Role } from '../../src/platform/http/index.ts';

export type InterfaceName = keyof typeof basePaths;
export type Json = Record<string, unknown>;

export interface ContractParameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: Json;
}

export interface ContractResponse {
  /** Content type of the response body. `null` without a body. */
  contentType: string | null;
  schema: Json | null;
  requiredHeaders: string[];
}

/** An operation as described in its OpenAPI document, independent of the code that serves it. */
export interface ContractOperation {
  id: OperationId;
  side: InterfaceName;
  method: string;
  /** Path including the base path: `/api/v1/client/rules/{id}`. */
  path: string;
  parameters: ContractParameter[];
  body: { schema: Json; isRequired: boolean } | null;
  responses: ReadonlyMap<number, ContractResponse>;
  /** Names of the accepted security schemes. One of them is sufficient. */
  security: string[];
  /** True if credentials are optional. */
  isOpen: boolean;
  /** Minimum role. `null` if the operation requires no role. */
  role: Role | null;
  keyRoles: KeyRole[];
}

interface RawOperation {
  operationId: OperationId;
  security?: Json[];
  parameters?: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
  'x-role'?: Role;
  'x-key-roles'?: KeyRole[];
}

const documents = Object.fromEntries(
  Object.keys(basePaths).map((side) => [side, readDocument(side as InterfaceName)]),
) as Record<InterfaceName, Json>;

/** All operations of the three interfaces. */
export const contractOperations: readonly ContractOperation[] = Object.entries(documents).flatMap(
  ([side, document]) =>
    Object.entries(document['paths'] as Record<string, Record<string, RawOperation>>).flatMap(
      ([path, item]) =>
        ['get', 'post', 'put', 'delete'].flatMap((method) => {
          const operation = item[method];
          return operation ? [readOperation(side as InterfaceName, path, method, item, operation)] : [];
        }),
    ),
);

export function operationOf(id: OperationId): ContractOperation {
  const found = contractOperations.find((operation) => operation.id === id);
  if (!found) throw new Error(`the contract has no operation ${id}`);
  return found;
}

/** Resolves the `$ref` of a part of a document. */
export function resolveRef(side: InterfaceName, part: Json): Json {
  const ref = part['$ref'];
  if (typeof ref !== 'string') return part;
  const found = ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, name) => (node as Json)[name], documents[side]);
  const { $ref: _ref, ...beside } = part;
  return { ...resolveRef(side, found as Json), ...beside };
}

/** Returns the paths of all 64-bit ID fields in a schema. In a path, `[]` is an item of a list. */
export function idFieldsOf(side: InterfaceName, schema: Json, path: string[] = []): string[][] {
  const { type, format, properties, items } = resolveRef(side, schema);
  if (format === 'int64' && [type].flat().includes('integer')) return [path];
  return [
    ...Object.entries((properties ?? {}) as Record<string, Json>).flatMap(([name, property]) =>
      idFieldsOf(side, property, [...path, name]),
    ),
    ...(items ? idFieldsOf(side, items as Json, [...path, '[]']) : []),
  ];
}

const validators = new Map<Json, ValidateFunction>();

/**
 * Returns a validator that is independent of the server's validator, so that the tests also detect defects of
 * the server's validator. The response schemas are open, but this validator rejects fields that no schema
 * defines.
 */
export function strictResponseValidator(side: InterfaceName, schema: Json): ValidateFunction {
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajvs[side].compile(
      JSON.parse(JSON.stringify(closed(schema)).replaceAll('"$ref":"#/', '"$ref":"document#/')) as Json,
    );
    validators.set(schema, validate);
  }
  return validate;
}

const ajvs = Object.fromEntries(
  Object.entries(documents).map(([side, document]) => {
    const ajv = new Ajv2020({ allErrors: true, strict: false, ownProperties: true });
    addFormats.default(ajv);
    ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
    ajv.addSchema({ $id: 'document', components: closed(document['components'] as Json) });
    return [side, ajv];
  }),
) as Record<InterfaceName, Ajv2020>;

/**
 * Returns a copy of a schema whose objects reject unlisted properties unless the schema defines
 * `additionalProperties`.
 */
function closed(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    const { type, properties, additionalProperties } = (value ?? {}) as Json;
    return [type].flat().includes('object') &&
      properties &&
      additionalProperties === undefined &&
      key !== 'properties'
      ? { ...(value as Json), additionalProperties: false }
      : value;
  }) as Json;
}

function readDocument(side: InterfaceName): Json {
  const file = new URL(`../../src/generated/openapi-${side}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Json;
}

function readOperation(
  side: InterfaceName,
  path: string,
  method: string,
  item: Record<string, unknown>,
  operation: RawOperation,
): ContractOperation {
  const listed = operations[operation.operationId];
  if (listed.path !== path || listed.method !== method.toUpperCase()) {
    throw new Error(`${operation.operationId} stands elsewhere in operations.ts`);
  }
  const security = operation.security ?? (documents[side]['security'] as Json[] | undefined) ?? [];
  const body = operation.requestBody && resolveRef(side, operation.requestBody);
  const bodySchema = jsonSchemaOf(body);
  return {
    id: operation.operationId,
    side,
    method: method.toUpperCase(),
    path: basePaths[side] + path,
    parameters: [...((item['parameters'] ?? []) as Json[]), ...(operation.parameters ?? [])]
      .map((parameter) => {
        const { name, in: place, required, schema } = resolveRef(side, parameter);
        return { name, in: place, required: required === true, schema: resolveRef(side, schema as Json) };
      })
      .filter((parameter) => parameter.in !== 'header') as ContractParameter[],
    body: bodySchema && { schema: bodySchema, isRequired: body?.['required'] === true },
    responses: new Map(
      Object.entries(operation.responses).map(([status, raw]) => {
        const response = resolveRef(side, raw);
        const headers = Object.entries((response['headers'] ?? {}) as Record<string, Json>);
        const contentType = Object.keys((response['content'] ?? {}) as Json)[0] ?? null;
        return [
          Number(status),
          {
            contentType,
            schema: jsonSchemaOf(response),
            requiredHeaders: headers.flatMap(([name, header]) =>
              resolveRef(side, header)['required'] ? [name.toLowerCase()] : [],
            ),
          },
        ];
      }),
    ),
    security: security.flatMap((scheme) => Object.keys(scheme)),
    isOpen: security.length === 0 || security.some((scheme) => Object.keys(scheme).length === 0),
    role: operation['x-role'] ?? null,
    keyRoles: operation['x-key-roles'] ?? [],
  };
}

function jsonSchemaOf(part: Json | undefined): Json | null {
  const content = part?.['content'] as Record<string, { schema?: Json }> | undefined;
  return content?.['application/json']?.schema ?? null;
}
