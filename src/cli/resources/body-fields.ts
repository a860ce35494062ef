import type { ApiClient } from '../../client/api-client.ts';
import { findReferenceSetting, kinds } from '../../domain/configuration/kinds.ts';
import { ownValue } from '../../domain/json/own-value.ts';
import { nearestName } from '../../domain/text/nearest-name.ts';
import { type Item, isItem } from '../call-operation.ts';
import { usageError } from '../cli-error.ts';
import { resolvedSchema, type Schema, schemaOf } from '../contract-document.ts';
import { findKey, resourceByName } from './find-resource.ts';
import { nameOfSection } from './resource-table.ts';

/** Fields that contain an ID, or a list of IDs, of another resource. The user can specify names instead. */
const references: ReadonlyMap<string, string> = new Map([
  ...kinds.flatMap((kind) =>
    Object.entries(kind.references).map(([field, { section }]) => [field, nameOfSection(section)] as const),
  ),
  ['alert_config_id', 'alert-configs'],
  ['default_channel_id', 'notification-channels'],
]);

/** Returns the kind of resource whose IDs or names a field contains. */
export function referencedResource(field: string): string | undefined {
  return references.get(field);
}

interface FieldOptions {
  /** Current resource. When an assignment sets only a part of a field, the other parts keep their current values. */
  current?: Item;
  /**
   * Key of the setting whose `value` is set. The contract doesn't state which settings contain a reference, so the key
   * determines it.
   */
  setting?: string;
}

/**
 * Adds assignments such as `name=value` or `thresholds.high=60` to a body. Strings and names of resources are
 * used as typed, including the items of a list such as `[a, b]`, because YAML would read a name such as
 * `db: postgres (prod)` as a map. All other values are parsed as YAML: `true`, `60`, `null`,
 * `{team: payments}`. An assignment of `null` to a part of a field removes that part.
 */
export async function applyAssignments(
  body: Item,
  assignments: readonly string[],
  schemaName: string,
  { current = {}, setting }: FieldOptions = {},
): Promise<Item> {
  const { parse } = await import('yaml');
  const result = structuredClone(body);
  for (const assignment of assignments) {
    const [, path = '', text = ''] = /^([A-Za-z0-9_.-]+)=(.*)$/s.exec(assignment) ?? [];
    if (path === '') throw usageError(`Invalid assignment "${assignment}". Use field=value.`);
    // Label keys and header names can contain dots, so only the first dot separates the field.
    const [first = '', ...rest] = path.split('.');
    const inner = rest.join('.');
    requireKnownField(schemaName, first, inner);
    const schema = fieldSchema(schemaName, first, inner);
    const isName =
      inner === '' && (references.has(first) || (first === 'value' && isReferenceSetting(setting)));
    const value = readValue(path, text, schema, isName, parse);
    if (inner === '') result[first] = value;
    else {
      const before = result[first] ?? current[first];
      const { [inner]: _, ...others } = isItem(before) ? before : {};
      result[first] = value === null ? others : { ...others, [inner]: value };
    }
  }
  return result;
}

function readValue(
  path: string,
  text: string,
  schema: Schema,
  isName: boolean,
  parse: (text: string) => unknown,
): unknown {
  if (text === 'null') return null;
  try {
    if (isList(schema)) {
      const { items } = schema;
      const hasTextItems = isName || (isItem(items) && isText(resolvedSchema(items)));
      const parts = hasTextItems ? parseTextList(text, parse) : null;
      return parts ?? parse(text);
    }
    // An empty string isn't a valid name, so parse it as YAML, where it means `null`.
    return isText(schema) || (isName && text !== '') ? text : parse(text);
  } catch {
    throw usageError(
      `Can't parse the value of ${path}: ${text}. Use valid YAML, such as [a, "b, c"] or {team: payments}.`,
    );
  }
}

/** Matches an item of a list. An item with a comma must be in quotes, unless the comma is in brackets. */
const listItem =
  /^\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|((?=\S)(?:[^,[\]{}]|\[[^[\]]*\]|\{[^{}]*\})+?))\s*(?:,|$)/s;

/** Returns the items of `[a, "b, c"]` as typed. Null if the text has a different form. */
function parseTextList(text: string, parse: (text: string) => unknown): unknown[] | null {
  const [, inner] = /^\s*\[(.*)\]\s*$/s.exec(text) ?? [];
  if (inner === undefined) return null;
  const items: unknown[] = [];
  for (let rest = inner; rest.trim() !== ''; ) {
    const found = listItem.exec(rest);
    if (!found) return null;
    const [whole, quoted, plain] = found;
    items.push(quoted === undefined ? plain : parse(quoted));
    rest = rest.slice(whole.length);
  }
  return items;
}

/** True if an assignment sets only a part of a field: `thresholds.high=60`. */
export function setsNestedField(assignments: readonly string[]): boolean {
  return assignments.some((assignment) => /^[A-Za-z0-9_-]+\./.test(assignment));
}

/** Replaces the names of referenced resources with IDs. */
export async function resolveReferences(api: ApiClient, body: Item): Promise<Item> {
  const result = { ...body };
  for (const [member, value] of Object.entries(body)) {
    const target = references.get(member);
    if (target === undefined) continue;
    const resource = resourceByName(target);
    const resolve = async (reference: unknown) =>
      typeof reference === 'string' ? Number(await findKey(api, resource, reference)) : reference;
    if (Array.isArray(value)) {
      const ids: unknown[] = [];
      for (const reference of value) ids.push(await resolve(reference));
      result[member] = ids;
    } else result[member] = await resolve(value);
  }
  return result;
}

/** Replaces a name with an ID if the value of the setting is a reference. */
export async function resolveSetting(api: ApiClient, key: string, body: Item): Promise<Item> {
  const setting = findReferenceSetting(key);
  if (!setting) return body;
  const resource = resourceByName(nameOfSection(setting.section));
  const { value } = body;
  return typeof value === 'string' ? { ...body, value: Number(await findKey(api, resource, value)) } : body;
}

function isReferenceSetting(setting: string | undefined): boolean {
  return setting !== undefined && findReferenceSetting(setting) !== undefined;
}

/**
 * Rejects unknown fields. Checked before the request, because the server would first report fields that are missing.
 */
function requireKnownField(schemaName: string, field: string, inner: string): void {
  requireKnown('', field, schemaOf(schemaName));
  const schema = fieldSchema(schemaName, field, '');
  // Maps such as labels accept any key, so only objects with fixed fields are checked.
  if (inner !== '' && isItem(schema['properties']) && !schema['additionalProperties'])
    requireKnown(`${field}.`, inner, schema);
}

function requireKnown(prefix: string, name: string, { properties }: Schema): void {
  const known = isItem(properties) ? Object.keys(properties) : [];
  if (known.includes(name)) return;
  const near = nearestName(name, known);
  const hint = near === null ? '' : ` Did you mean ${prefix}${near}?`;
  throw usageError(
    `Unknown field "${prefix}${name}".${hint} Available: ${known.map((each) => `${prefix}${each}`).join(', ')}.`,
  );
}

function fieldSchema(schemaName: string, member: string, inner: string): Schema {
  const properties = schemaOf(schemaName)['properties'] as Record<string, Schema> | undefined;
  const schema = resolvedSchema(ownValue(properties ?? {}, member) ?? {});
  if (inner === '') return schema;
  const innerProperties = schema['properties'] as Record<string, Schema> | undefined;
  const other = schema['additionalProperties'];
  return resolvedSchema(ownValue(innerProperties ?? {}, inner) ?? (isItem(other) ? other : {}));
}

export function isList({ type }: Schema): boolean {
  return [type].flat().includes('array');
}

function isText(schema: Schema): boolean {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((option: Schema) => isText(resolvedSchema(option)));
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}
