/**
 * Generates the following from spec/: the bundled contract of each interface, its types, and the table of all
 * operations. This module doesn't write files, so that a test can compare the result with src/generated.
 */
import { fileURLToPath } from 'node:url';
import { bundle, createConfig } from '@redocly/openapi-core';
import openapiTS, { astToString, type OpenAPI3, type OperationObject } from 'openapi-typescript';

const interfaces = ['client', 'agent', 'auth'] as const;
const methods = ['get', 'post', 'put', 'delete'] as const;

interface ListedOperation {
  operationId: string;
  method: string;
  path: string;
  interfaceName: string;
  isKeyed: boolean;
}

/** Returns the content of every generated file, by name. */
export async function generateContract(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const operations: ListedOperation[] = [];
  const basePaths: Record<string, string> = {};
  for (const name of interfaces) {
    const document = await bundleContract(name);
    files.set(`openapi-${name}.json`, `${JSON.stringify(document, null, 1)}\n`);
    files.set(`${name}-api.ts`, await contractTypes(name, document));
    operations.push(...listOperations(name, document));
    basePaths[name] = basePath(name, document);
  }
  files.set('operations.ts', operationsTable(operations, basePaths));
  files.set('keyed-operations.ts', keyedOperationsTable(operations));
  const client = withoutReadOnly(JSON.parse(files.get('openapi-client.json')!) as OpenAPI3);
  files.set('request-fields.ts', requestFieldsTable(client));
  files.set('body-defaults.ts', bodyDefaultsTable(client));
  files.set('resources.ts', resourceTables(client));
  files.set(
    'agent-capabilities.ts',
    capabilitiesTable(JSON.parse(files.get('openapi-agent.json')!) as OpenAPI3),
  );
  return files;
}

/** Returns one document with all its components. An unresolved reference stops the generation. */
async function bundleContract(name: string): Promise<OpenAPI3> {
  const ref = fileURLToPath(new URL(`../spec/openapi-${name}.yaml`, import.meta.url));
  const { bundle: bundled, problems } = await bundle({ ref, config: await createConfig({}) });
  const errors = problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0) throw new Error(`${ref}:\n${errors.map((problem) => problem.message).join('\n')}`);
  return bundled.parsed as OpenAPI3;
}

async function contractTypes(name: string, document: OpenAPI3): Promise<string> {
  // Pass a copy, because the library modifies its input. Without `defaultNonNullable`, requests can omit
  // fields that have a default.
  const types = await openapiTS(withoutReadOnly(document), { defaultNonNullable: false, silent: true });
  return `${header(`spec/openapi-${name}.yaml`)}${astToString(types)}\n/** The shapes of all bodies, by name. */\nexport type Schemas = components['schemas'];\n`;
}

/** Returns a copy without read-only fields in requests. */
function withoutReadOnly(document: OpenAPI3): OpenAPI3 {
  const copy = structuredClone(document);
  const schemas = Object.values(copy.components?.schemas ?? {}) as {
    properties?: Record<string, { $ref?: string }>;
  }[];
  for (const { properties = {} } of schemas) {
    for (const [name, { $ref }] of Object.entries(properties)) {
      if ($ref === '#/components/schemas/ReadOnlyMember') delete properties[name];
    }
  }
  return copy;
}

function listOperations(interfaceName: string, document: OpenAPI3): ListedOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = (item as Record<string, OperationObject | undefined>)[method];
      if (!operation) return [];
      if (!operation.operationId) throw new Error(`${method} ${path} has no operationId`);
      const { operationId, parameters = [] } = operation;
      const isKeyed = parameters.some((each) => '$ref' in each && each.$ref.endsWith('/IdempotencyKey'));
      return { operationId, method: method.toUpperCase(), path, interfaceName, isKeyed };
    }),
  );
}

/** Returns the path of the server that also serves the contract. */
function basePath(name: string, document: OpenAPI3): string {
  const url = document.servers?.map((server) => server.url).find((candidate) => candidate.startsWith('/'));
  if (!url) throw new Error(`spec/openapi-${name}.yaml has no relative server`);
  return url;
}

function operationsTable(operations: ListedOperation[], basePaths: Record<string, string>): string {
  const ids = operations.map(({ operationId }) => operationId);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice) throw new Error(`the operationId ${twice} is used twice`);
  const rows = operations.map(
    ({ operationId, method, path, interfaceName }) =>
      `  ${operationId}: { method: '${method}', path: '${path}', interface: '${interfaceName}' },\n`,
  );
  const paths = Object.entries(basePaths).map(([name, path]) => `  ${name}: '${path}',\n`);
  return [
    header('spec/'),
    `/** Where each interface begins on its host. */\nexport const basePaths = {\n${paths.join('')}} as const;\n\n`,
    `/** Every operation of the contract by its operationId; \`path\` is relative to the base path of its interface. */\n`,
    `export const operations = {\n${rows.join('')}} as const;\n\n`,
    'export type OperationId = keyof typeof operations;\n',
  ].join('');
}

/** Generates the list of operations that accept an `Idempotency-Key`. */
function keyedOperationsTable(operations: ListedOperation[]): string {
  const ids = operations.filter(({ isKeyed }) => isKeyed).map(({ operationId }) => `  '${operationId}',\n`);
  return [
    header('spec/'),
    '/** The operations that accept an `Idempotency-Key`, by operationId. */\n',
    `export const keyedOperations: ReadonlySet<string> = new Set([\n${ids.join('')}]);\n`,
  ].join('');
}

/** Generates the field names of every request body of the client interface. */
function requestFieldsTable(document: OpenAPI3): string {
  const rows = requestBodies(document).map(
    ({ id, fields }) => `  ${id}: ${JSON.stringify(Object.keys(fields))},\n`,
  );
  return [
    header('spec/openapi-client.yaml'),
    '/** The fields of each request body, by the operationId. */\n',
    `export const requestFields = {\n${rows.join('')}} as const;\n`,
  ].join('');
}

/** Generates the default values of omitted fields in each request body of the client interface. */
function bodyDefaultsTable(document: OpenAPI3): string {
  const bodies = requestBodies(document).flatMap(({ id, fields }) => {
    const defaults = Object.entries(fields).filter(([, field]) => field.default !== undefined);
    return defaults.length === 0 ? [] : { id, defaults };
  });
  const types = bodies.map(
    ({ id, defaults }) =>
      `  ${id}: Defaults<'${id}', ${defaults.map(([name]) => `'${name}'`).join(' | ')}>;\n`,
  );
  const rows = bodies.map(
    ({ id, defaults }) =>
      `  ${id}: { ${defaults.map(([name, field]) => `${name}: ${JSON.stringify(field.default)}`).join(', ')} },\n`,
  );
  return [
    header('spec/openapi-client.yaml'),
    "import type { operations } from './client-api.ts';\n\n",
    "type Body<Id extends keyof operations> = NonNullable<operations[Id]['requestBody']> extends { content: { 'application/json': infer B } } ? B : never;\n",
    'type Defaults<Id extends keyof operations, Names extends keyof Body<Id>> = Required<Pick<Body<Id>, Names>>;\n\n',
    '/** The fields that a request body can omit, and what they are then, by the operationId. */\n',
    `export const bodyDefaults: {\n${types.join('')}} = {\n${rows.join('')}};\n`,
  ].join('');
}

interface ResourceOperation extends OperationObject {
  /** The resource that the operation lists. */
  'x-resource'?: string;
  /** The resources whose changes can change the response. */
  'x-changes-with'?: readonly string[];
}

/** Generates which operations return each resource of the event stream. */
function resourceTables(document: OpenAPI3): string {
  const operations = Object.values(document.paths ?? {}).flatMap((item) =>
    methods.flatMap((method) => (item as Record<string, ResourceOperation | undefined>)[method] ?? []),
  );
  const schema = document.components?.schemas?.['ChangeEventResource'] as { enum?: string[] } | undefined;
  const resources = schema?.enum ?? [];
  const unknown = operations
    .flatMap((each) => [each['x-resource'] ?? [], each['x-changes-with'] ?? []].flat())
    .find((resource) => !resources.includes(resource));
  if (unknown !== undefined) throw new Error(`${unknown} isn't a resource of ChangeEventResource`);
  const idsOf = (isIncluded: (operation: ResourceOperation) => boolean | undefined) =>
    operations.filter(isIncluded).map(({ operationId }) => `'${operationId}'`);
  const lists = resources.map((resource) => {
    const [id, ...others] = idsOf((operation) => operation['x-resource'] === resource);
    if (id === undefined || others.length > 0)
      throw new Error(`exactly one operation must have the x-resource ${resource}`);
    return `  ${resource}: ${id},\n`;
  });
  const changing = resources.map(
    (resource) =>
      `  ${resource}: [${idsOf((operation) => operation['x-changes-with']?.includes(resource)).join(', ')}],\n`,
  );
  const writes = resources.flatMap((resource) => {
    const [path, list] = Object.entries(document.paths ?? {}).find(
      ([, item]) => (item as PathItem).get?.['x-resource'] === resource,
    )!;
    const create = (list as PathItem).post?.operationId;
    const update = (document.paths?.[`${path}/{id}`] as PathItem | undefined)?.put?.operationId;
    return create === undefined ? [] : [{ resource, create, update }];
  });
  return [
    header('spec/openapi-client.yaml'),
    '/** The operation that lists each resource. */\n',
    `export const listOperations = {\n${lists.join('')}} as const;\n\n`,
    '/** The operations whose response can change when a resource changes. */\n',
    `export const operationsByResource = {\n${changing.join('')}} as const;\n\n`,
    '/** The operations that create and update each resource. */\n',
    `export const writeOperations = {\n${writes.map(({ resource, create, update }) => `  ${resource}: { create: '${create}'${update === undefined ? '' : `, update: '${update}'`} },\n`).join('')}} as const;\n`,
  ].join('');
}

/** Generates the capabilities of agents: those that the tasks in the response of a claim require. */
function capabilitiesTable(document: OpenAPI3): string {
  const schemas = (document.components?.schemas ?? {}) as Record<string, TaskSchema>;
  const resolve = (schema: TaskSchema): TaskSchema =>
    schema.$ref === undefined ? schema : schemas[schema.$ref.replace('#/components/schemas/', '')]!;
  const tasks = schemas['ClaimTasksResponse']?.properties?.['tasks']?.items?.oneOf ?? [];
  const capabilities = tasks
    .map(resolve)
    .flatMap(({ properties = {}, 'x-capabilities': listed = [], description }) => {
      if (listed.length === 0) throw new Error(`x-capabilities is missing in: ${description}`);
      const fields = resolve(properties['spec']!).properties ?? {};
      return listed.flatMap((each) => {
        const [, prefix, field] = /^(.*)\{(\w+)\}$/.exec(each) ?? [];
        if (field === undefined) return each;
        return resolve(fields[field]!).enum!.map((value) => `${prefix}${value}`);
      });
    });
  return [
    header('spec/openapi-agent.yaml'),
    '/** The capabilities that tasks require of an agent. */\n',
    `export const taskCapabilities = [\n${capabilities.map((each) => `  '${each}',\n`).join('')}] as const;\n`,
  ].join('');
}

interface TaskSchema {
  $ref?: string;
  description?: string;
  properties?: Record<string, TaskSchema>;
  items?: TaskSchema;
  oneOf?: TaskSchema[];
  enum?: string[];
  /** The capabilities that allow an agent to claim the task. `{field}` is any value of that field of `spec`. */
  'x-capabilities'?: string[];
}

type PathItem = Partial<Record<(typeof methods)[number], ResourceOperation>>;

interface BodySchema {
  $ref?: string;
  properties?: Record<string, { default?: unknown }>;
}

function requestBodies(document: OpenAPI3) {
  return Object.values(document.paths ?? {}).flatMap((item) =>
    methods.flatMap((method) => {
      const operation = (item as Record<string, OperationObject | undefined>)[method];
      const fields = operation && fieldsOfRequest(document, operation);
      return fields ? { id: operation.operationId, fields } : [];
    }),
  );
}

function fieldsOfRequest(document: OpenAPI3, { requestBody }: OperationObject): BodySchema['properties'] {
  const { content } = (requestBody ?? {}) as { content?: Record<string, { schema?: BodySchema }> };
  const schema = content?.['application/json']?.schema;
  const name = schema?.$ref?.replace('#/components/schemas/', '');
  const resolved = name === undefined ? schema : document.components?.schemas?.[name];
  return (resolved as BodySchema | undefined)?.properties;
}

function header(source: string): string {
  return `// Generated from ${source} by \`npm run generate -- contract\`. Do not edit.\n\n`;
}
