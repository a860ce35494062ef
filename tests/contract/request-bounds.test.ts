import { describe, expect, test } from 'vitest';
import { kinds } from '../../src/domain/configuration/kinds.ts';
import { readContract } from '../../src/platform/http/index.ts';
import { contractOperations, type InterfaceName, type Json, resolveRef } from './contract-operations.ts';

/**
 * Fields with free-form values. The limit of the whole body also limits the number of their fields and items.
 */
const freeForm = new Set([
  'putOrgOverride.value',
  'previewNotificationTemplate.sample',
  // Later versions of the CDEvents specification can add fields, which are ignored.
  'reportDeploymentEvent',
  // The contract sets no limits for these sections, because the sandbox validates them against the schema of
  // configuration files.
  ...['planConfiguration', 'applyConfiguration'].flatMap((id) => [
    `${id}.settings`,
    `${id}.templates`,
    ...kinds.map(({ section }) => `${id}.${section}.*`),
  ]),
]);
/**
 * Operations whose schema allows more values than the limit of the body, with the reason why this is
 * harmless.
 */
const unreachable: Partial<Record<string, string>> = {
  sendHeartbeat: 'only the embedded agent names credentials by organization, and few have twenty thousand',
  submitTaskResults: 'the limit of bytes comes first: the smallest chart with a release takes 300',
  completeTasks:
    'few scans leave thousands of files unread, and agents complete a batch that is too large one by one',
  findMissingRecords: 'the limit of bytes comes first: each record takes 50',
};

const requests = contractOperations.filter(({ body }) => body !== null);

/** Returns the paths of all schema parts without an upper bound. */
function unboundedParts(side: InterfaceName, schema: Json, path: string): string[] {
  if (freeForm.has(path)) return [];
  const at = (part: Json, name: string) => unboundedParts(side, resolveRef(side, part), `${path}.${name}`);
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] as Json[] | undefined) ?? []);
  if (choices.length > 0)
    return choices.flatMap((choice) => unboundedParts(side, resolveRef(side, choice), path));
  // Read-only fields are dropped before validation.
  if (schema['readOnly'] === true) return [];
  const types = [schema['type']].flat();
  const found: string[] = [];
  if (types[0] === undefined) return [`${path} has no type`];
  if (types.includes('string')) {
    const isShort = schema['enum'] !== undefined || ['date', 'date-time'].includes(String(schema['format']));
    const { pattern } = schema;
    const isBoundPattern = typeof pattern === 'string' && /^\^[^*+]*\$$/.test(pattern);
    if (!isShort && !isBoundPattern && schema['maxLength'] === undefined)
      found.push(`${path} has no maxLength`);
  }
  if (types.includes('array')) {
    if (schema['maxItems'] === undefined) found.push(`${path} has no maxItems`);
    found.push(...at(schema['items'] as Json, '*'));
  }
  if (types.includes('object')) {
    const { properties = {}, additionalProperties: rest } = schema as {
      properties?: Record<string, Json>;
      additionalProperties?: Json | boolean;
    };
    for (const [name, property] of Object.entries(properties)) found.push(...at(property, name));
    if (rest !== false && schema['unevaluatedProperties'] !== false) {
      if (schema['maxProperties'] === undefined) found.push(`${path} has no maxProperties`);
      if (typeof rest !== 'object') found.push(`${path} takes anything`);
      else found.push(...at(rest, '*'));
      if (schema['propertyNames'] === undefined && side === 'client')
        found.push(`${path} has no propertyNames`);
    }
  }
  return found;
}

/** Returns the maximum number of fields and items in a valid value, including the value itself. */
function mostValues(side: InterfaceName, schema: Json, path: string): number {
  if (freeForm.has(path)) return 0;
  const of = (part: Json, name: string) => mostValues(side, resolveRef(side, part), `${path}.${name}`);
  const choices = ['anyOf', 'oneOf'].flatMap((key) => (schema[key] as Json[] | undefined) ?? []);
  if (choices.length > 0)
    return Math.max(...choices.map((choice) => mostValues(side, resolveRef(side, choice), path)));
  const types = [schema['type']].flat();
  if (types.includes('array')) return 2 + Number(schema['maxItems']) * of(schema['items'] as Json, '*');
  if (!types.includes('object')) return 1;
  const { properties = {}, additionalProperties: rest } = schema as {
    properties?: Record<string, Json>;
    additionalProperties?: Json | boolean;
  };
  const known = Object.entries(properties).reduce((sum, [name, part]) => sum + of(part, name), 2);
  return known + (typeof rest === 'object' ? Number(schema['maxProperties']) * of(rest, '*') : 0);
}

describe('the request of every operation', () => {
  test.each(requests)(
    'has an upper bound for every length and number of items: $id',
    ({ id, side, body }) => {
      expect(unboundedParts(side, resolveRef(side, body!.schema), id)).toEqual([]);
    },
  );

  test.each(requests)(
    'can contain the maximum number of fields and items that its schema allows: $id',
    ({ id, side, body }) => {
      if (unreachable[id]) return;
      const { bodyLimits } = readContract(side).find(({ operationId }) => operationId === id)!;
      expect(bodyLimits.values).toBeGreaterThanOrEqual(mostValues(side, resolveRef(side, body!.schema), id));
    },
  );
});

/** Returns the paths of all patterns without an explanation of the allowed values. */
function unexplainedPatterns(side: InterfaceName, schema: Json, path: string): string[] {
  const { pattern, ...parts } = resolveRef(side, schema);
  const isExplained = pattern === undefined || typeof parts['x-pattern-problem'] === 'string';
  const inside = (part: unknown, name: string) =>
    typeof part === 'object' && part !== null
      ? unexplainedPatterns(side, part as Json, `${path}.${name}`)
      : [];
  const properties = Object.entries((parts['properties'] ?? {}) as Json);
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (parts[key] as Json[] | undefined) ?? []);
  if (parts['readOnly'] === true) return [];
  return [
    ...(isExplained ? [] : [path]),
    ...properties.flatMap(([name, part]) => inside(part, name)),
    ...['items', 'additionalProperties', 'propertyNames'].flatMap((key) => inside(parts[key], key)),
    ...choices.flatMap((choice) => inside(choice, '*')),
  ];
}

test('error messages for users contain no regular expressions', () => {
  // The agent interface is excluded, because only programs use it.
  const forPeople = contractOperations.filter(({ side }) => side !== 'agent');
  const unexplained = forPeople.flatMap(({ id, side, body, parameters }) => [
    ...(body === null ? [] : unexplainedPatterns(side, body.schema, id)),
    ...parameters.flatMap(({ name, schema }) => unexplainedPatterns(side, schema, `${id}.${name}`)),
  ]);
  expect(unexplained).toEqual([]);
});

test('parameters have an upper bound', () => {
  const unbounded = contractOperations.flatMap(({ id, side, parameters }) =>
    parameters.flatMap(({ name, schema }) => unboundedParts(side, resolveRef(side, schema), `${id}.${name}`)),
  );
  expect(unbounded).toEqual([]);
});
