import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { type BodyLimits, bodyLimits } from './body-limits.ts';
import { createCompiler, type JsonSchema } from './compile-schema.ts';
import { type Deprecation, readDeprecation } from './deprecation.ts';
import type { KeyRole, OperationId, Role } from './operation.ts';

interface OpenApiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
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
  'x-without-two-factor'?: boolean;
  'x-max-body-bytes'?: number;
  'x-max-body-values'?: number;
  'x-text-fields'?: string[];
  'x-large-answer'?: boolean;
  deprecated?: boolean;
  'x-deprecated-since'?: string;
  'x-sunset'?: string;
}

export interface OpenApiDocument {
  servers: { url: string }[];
  security?: Record<string, string[]>[];
  paths: Record<string, Record<string, OpenApiOperation | OpenApiParameter[]>>;
  components: Record<string, Record<string, never>>;
}

export type InterfaceName = 'client' | 'agent' | 'auth';

/** One operation of the contract, ready to serve. Validators are compiled when they're first used. */
export interface ContractOperation {
  operationId: OperationId;
  interfaceName: InterfaceName;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with the base path, in the contract's form: `/api/v1/client/rules/{id}`. */
  path: string;
  /** Names of the accepted security schemes. A request must satisfy only one. */
  security: string[];
  /** True if the operation also works without credentials. */
  isOpen: boolean;
  role: Role;
  keyRoles: KeyRole[];
  /**
   * True if users can call the operation before they set up the two-factor authentication that their
   * organization requires.
   */
  isOpenWithoutTwoFactor: boolean;
  parameters: OpenApiParameter[];
  takesIfMatch: boolean;
  takesIdempotencyKey: boolean;
  /** True for a list that can be read page by page with a cursor. */
  takesCursor: boolean;
  hasBody: boolean;
  /** Media types of the body. All of them are JSON. */
  mediaTypes: readonly string[];
  isBodyRequired: boolean;
  /**
   * Path of the resource that the operation creates, with `{id}` for its ID, or `null` if the contract has no
   * such path.
   */
  createdPath: string | null;
  successStatus: number;
  /**
   * The operation that returns the resource with the same schema as this operation: the resource that this
   * operation creates, or the one in its path. `null` if the contract has none.
   */
  readBy: OperationId | null;
  /** Limits of the body. They also apply to a body sent to an operation that has none in the contract. */
  bodyLimits: BodyLimits;
  /** Fields of the body that handlers get as `JsonText`. */
  textFields: readonly string[];
  /** True if the response can be several megabytes. */
  hasLargeResponse: boolean;
  /** Set if a later version of the API doesn't have the operation. */
  deprecation: Deprecation | null;
  /** Fields of the body that are ignored. */
  readOnlyFields: readonly string[];
  /** Returns a validator that finds all errors. The default type is `application/json`. */
  validateBody(mediaType?: string): ValidateFunction;
  /**
   * Returns a validator that stops at the first error, so that its cost doesn't grow with the number of
   * errors.
   */
  validateLargeBody(): ValidateFunction;
  /**
   * Returns the maximum number of items of a list in the body, or `null` if the field isn't a list or has no
   * maximum.
   */
  maxItemsOf(field: string): number | null;
  validateParameter(parameter: OpenApiParameter): ValidateFunction;
  /**
   * Returns the response schema of a status, or `null` if the contract doesn't have this status. `isEmpty` is true if
   * the response has no JSON body. Response schemas are open, so that fields can be added to the contract. The
   * validator, however, rejects fields that the schemas don't list.
   */
  response(status: number): { isEmpty: boolean; validate(): ValidateFunction } | null;
}

const methods = ['get', 'post', 'put', 'delete'] as const;

const contracts = new Map<InterfaceName, readonly ContractOperation[]>();

/**
 * Returns the operations of one interface from its bundled contract. A process reads them, and compiles their
 * schemas, only once.
 */
export function readContract(interfaceName: InterfaceName): readonly ContractOperation[] {
  const operations = contracts.get(interfaceName) ?? readOperations(interfaceName);
  contracts.set(interfaceName, operations);
  return operations;
}

function readOperations(interfaceName: InterfaceName): ContractOperation[] {
  const file = new URL(`../../generated/openapi-${interfaceName}.json`, import.meta.url);
  return operationsOf(interfaceName, JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument);
}

export function operationsOf(interfaceName: InterfaceName, document: OpenApiDocument): ContractOperation[] {
  const compileForAll = createCompiler(document.components, { allErrors: true });
  const compileForResponse = createCompiler(document.components, { allErrors: true, isClosed: true });
  const compileForFirst = createCompiler(document.components, { allErrors: false });
  const resolve = <T extends { $ref?: string }>(part: T): T =>
    part.$ref ? lookUp<T>(document, part.$ref) : part;
  const basePath = document.servers.map((server) => server.url).find((url) => url.startsWith('/'))!;

  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as OpenApiOperation | undefined;
      if (!operation) return [];
      const parameters = [
        ...((item['parameters'] ?? []) as OpenApiParameter[]),
        ...(operation.parameters ?? []),
      ].map(resolve);
      const security = operation.security ?? document.security ?? [];
      const body = operation.requestBody && resolve(operation.requestBody);
      const bodySchema = body?.content['application/json']?.schema;
      const allowsAnonymous =
        security.length === 0 || security.some((scheme) => Object.keys(scheme).length === 0);
      const limits = !bodySchema
        ? bodyLimits.ignored
        : allowsAnonymous
          ? bodyLimits.anonymous
          : bodyLimits.known;
      return {
        operationId: operation.operationId,
        interfaceName,
        method: method.toUpperCase() as ContractOperation['method'],
        path: basePath + path,
        security: security.flatMap((scheme) => Object.keys(scheme)),
        isOpen: allowsAnonymous,
        role: operation['x-role'] ?? 'viewer',
        keyRoles: operation['x-key-roles'] ?? [],
        isOpenWithoutTwoFactor: operation['x-without-two-factor'] ?? false,
        parameters: parameters.filter((parameter) => parameter.in !== 'header'),
        takesIfMatch: parameters.some(({ name }) => name === 'If-Match'),
        takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
        takesCursor: parameters.some(({ name }) => name === 'cursor'),
        hasBody: bodySchema !== undefined,
        mediaTypes: Object.keys(body?.content ?? {}),
        isBodyRequired: body?.required ?? false,
        createdPath: `${path}/{id}` in document.paths ? `${basePath}${path}/{id}` : null,
        successStatus: Number(successStatusOf(operation)),
        readBy: readOperationOf(document, path, operation),
        bodyLimits: {
          bytes: operation['x-max-body-bytes'] ?? limits.bytes,
          values: operation['x-max-body-values'] ?? limits.values,
        },
        textFields: operation['x-text-fields'] ?? [],
        hasLargeResponse: operation['x-large-answer'] ?? false,
        deprecation: readDeprecation(operation),
        readOnlyFields: bodySchema ? readOnlyFieldsOf(bodySchema, resolve) : [],
        validateBody: (mediaType = 'application/json') => compileForAll(body!.content[mediaType]!.schema),
        validateLargeBody: () => compileForFirst(bodySchema!),
        maxItemsOf(field) {
          const { properties } = resolve(bodySchema!) as { properties?: Record<string, JsonSchema> };
          const maxItems = properties && Object.hasOwn(properties, field) && properties[field]!['maxItems'];
          return typeof maxItems === 'number' ? maxItems : null;
        },
        validateParameter: (parameter) => compileForAll(parameter.schema),
        response(status) {
          const found = operation.responses[String(status)];
          if (!found) return null;
          const schema = resolve(found).content?.['application/json']?.schema;
          return { isEmpty: !schema, validate: () => compileForResponse(schema!) };
        },
      } satisfies ContractOperation;
    }),
  );
}

function successStatusOf({ responses }: OpenApiOperation): string {
  return Object.keys(responses).find((status) => status.startsWith('2'))!;
}

function readOperationOf(
  { paths }: OpenApiDocument,
  path: string,
  operation: OpenApiOperation,
): OperationId | null {
  // Also look inside `allOf`, with which an operation that reads one resource can require optional fields of
  // the resource's schema.
  const schemaOf = (each: OpenApiOperation) => {
    const schema = each.responses[successStatusOf(each)]?.content?.['application/json']?.schema;
    return schema?.['$ref'] ?? (schema?.['allOf'] as JsonSchema[] | undefined)?.[0]?.['$ref'];
  };
  const schema = schemaOf(operation);
  if (schema === undefined) return null;
  const reads = [`${path}/{id}`, path.replace(/\/[^/]+$/, '')].map(
    (each) => paths[each]?.['get'] as OpenApiOperation | undefined,
  );
  return reads.find((each) => each && schemaOf(each) === schema)?.operationId ?? null;
}

function readOnlyFieldsOf(schema: JsonSchema, resolve: (part: JsonSchema) => JsonSchema): string[] {
  const properties = (resolve(schema)['properties'] ?? {}) as Record<string, JsonSchema>;
  return Object.keys(properties).filter((name) => resolve(properties[name]!)['readOnly'] === true);
}

function lookUp<T>(document: OpenApiDocument, ref: string): T {
  const parts = ref.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], document) as T;
}
