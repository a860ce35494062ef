import type { ApiClient } from '../../client/api-client.ts';
import { defaultChannelSetting, kinds } from '../../domain/configuration/kinds.ts';
import { nearestName } from '../../domain/text/nearest-name.ts';
import { type Item, isItem } from '../call-operation.ts';
import { usageError } from '../cli-error.ts';
import { resolvedSchema, schemaOf } from '../contract-document.ts';
import { findKey, resourceByName } from './find-resource.ts';
import { nameOfSection } from './resource-table.ts';

/** Members that hold an id, or a list of ids, of another resource: a name may stand there. */
const references: ReadonlyMap<string, string> = new Map([
  ...kinds.flatMap((kind) =>
    Object.entries(kind.references).map(([field, { section }]) => [field, nameOfSection(section)] as const),
  ),
  ['alert_config_id', 'alert-configs'],
  ['default_channel_id', 'notification-channels'],
]);

interface FieldOptions {
  /** The current resource, which has the parts of a field that aren't set. */
  current?: Item;
  /** The setting whose `value` is set: the contract doesn't say which settings hold a reference. */
  setting?: string;
}

/**
 * `name=value` or `thresholds.high=60` put into a body. Texts and names are taken as they are typed, also in `[a, b]`,
 * because names such as `db: postgres (prod)` mean something else in YAML. All others are read as YAML: `true`, `60`,
 * `null`, `{team: payments}`. A `null` within a member removes that part of it.
 */
export async function setFields(
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
    // Keys of labels and names of headers may have dots; only members of the contract are gone into.
    const [first = '', ...rest] = path.split('.');
    const inner = rest.join('.');
    requireKnownField(schemaName, first, inner);
    const schema = memberSchema(schemaName, first, inner);
    const isName = inner === '' && (references.has(first) || (first === 'value' && holdsReference(setting)));
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
      const holdsTexts = isName || (isItem(items) && isText(resolvedSchema(items)));
      const parts = holdsTexts ? listedTexts(text, parse) : null;
      return parts ?? parse(text);
    }
    // An empty text isn't a name.
    return isText(schema) || (isName && text !== '') ? text : parse(text);
  } catch {
    throw usageError(
      `Can't parse the value of ${path}: ${text}. Use valid YAML, such as [a, "b, c"] or {team: payments}.`,
    );
  }
}

/** An item that contains a comma is in quotes, unless the comma is in brackets. */
const listItem =
  /^\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|((?=\S)(?:[^,[\]{}]|\[[^[\]]*\]|\{[^{}]*\})+?))\s*(?:,|$)/s;

/** `[a, "b, c"]` as the texts that are typed. Null: it's written in another form. */
function listedTexts(text: string, parse: (text: string) => unknown): unknown[] | null {
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

/** Whether one of the assignments sets only a part of a field: `thresholds.high=60`. */
export function setsPart(assignments: readonly string[]): boolean {
  return assignments.some((assignment) => /^[A-Za-z0-9_-]+\./.test(assignment));
}

/** Names where ids are wanted become ids. */
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

/** The value of a setting that holds an id. */
export async function resolveSetting(api: ApiClient, key: string, body: Item): Promise<Item> {
  if (!holdsReference(key)) return body;
  const channel = resourceByName('notification-channels');
  const { value } = body;
  return typeof value === 'string' ? { ...body, value: Number(await findKey(api, channel, value)) } : body;
}

function holdsReference(setting: string | undefined): boolean {
  return setting === defaultChannelSetting;
}

type Schema = Record<string, unknown>;

/** Checked here because the server would report other missing fields first. */
function requireKnownField(schemaName: string, field: string, inner: string): void {
  requireKnown('', field, schemaOf(schemaName));
  const schema = memberSchema(schemaName, field, '');
  // Maps such as labels have any fields.
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

function memberSchema(schemaName: string, member: string, inner: string): Schema {
  const properties = schemaOf(schemaName)['properties'] as Record<string, Schema> | undefined;
  const schema = resolvedSchema(properties?.[member] ?? {});
  if (inner === '') return schema;
  const innerProperties = schema['properties'] as Record<string, Schema> | undefined;
  const other = schema['additionalProperties'];
  return resolvedSchema(innerProperties?.[inner] ?? (isItem(other) ? other : {}));
}

function isList({ type }: Schema): boolean {
  return [type].flat().includes('array');
}

function isText(schema: Schema): boolean {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((option: Schema) => isText(resolvedSchema(option)));
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}
