import type { ApiClient } from '../../client/api-client.ts';
import { kinds } from '../../domain/configuration/kinds.ts';
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

/**
 * `name=value` or `thresholds.high=60` put into a body. A member that the contract says is a text is taken as it is
 * typed; all others are read as YAML: `true`, `60`, `null`, `[a, b]`, `{team: payments}`. A `null` within a member removes
 * that part of it.
 *
 * @param current Has the other parts of members of which only parts are set.
 */
export async function setFields(
  body: Item,
  assignments: readonly string[],
  schemaName: string,
  current: Item = {},
): Promise<Item> {
  const { parse } = await import('yaml');
  const result = structuredClone(body);
  for (const assignment of assignments) {
    const [, path = '', text = ''] = /^([A-Za-z0-9_.-]+)=(.*)$/s.exec(assignment) ?? [];
    if (path === '') throw usageError(`Invalid assignment "${assignment}". Use field=value.`);
    // Keys of labels and names of headers may have dots; only members of the contract are gone into.
    const [first = '', ...rest] = path.split('.');
    const inner = rest.join('.');
    requireKnownField(schemaName, first);
    const schema = memberSchema(schemaName, first, inner);
    let value: unknown = text;
    if (!isText(schema) || text === 'null') {
      try {
        value = parse(text);
      } catch {
        throw usageError(`Can't parse the value of ${path}: ${text}`);
      }
    }
    if (inner === '') result[first] = value;
    else {
      const before = result[first] ?? current[first];
      const { [inner]: _, ...others } = isItem(before) ? before : {};
      result[first] = value === null ? others : { ...others, [inner]: value };
    }
  }
  return result;
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
  if (key !== 'default_notification_channel_id') return body;
  const channel = resourceByName('notification-channels');
  const { value } = body;
  return typeof value === 'string' ? { ...body, value: Number(await findKey(api, channel, value)) } : body;
}

type Schema = Record<string, unknown>;

/** Checked here because the server would report other missing fields first. */
function requireKnownField(schemaName: string, field: string): void {
  const known = Object.keys((schemaOf(schemaName)['properties'] as Item | undefined) ?? {});
  if (known.includes(field)) return;
  const near = nearestName(field, known);
  throw usageError(
    `Unknown field "${field}".${near ? ` Did you mean ${near}?` : ''} Available: ${known.join(', ')}.`,
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

function isText(schema: Schema): boolean {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((option: Schema) => isText(resolvedSchema(option)));
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}
