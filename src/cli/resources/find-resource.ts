import { Argument } from 'commander';
import type { ApiClient } from '../../client/api-client.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { nearestName } from '../../domain/text/nearest-name.ts';
import { callOperation, type Item, isItem, listItems } from '../call-operation.ts';
import { withCompletions } from '../cli-command.ts';
import { CliError, usageError } from '../cli-error.ts';
import { formatTime } from '../output/format-time.ts';
import { cellText } from '../output/print-result.ts';
import { type Resource, resources } from './resource-table.ts';

/** Creates the argument for a resource. Short names are valid but not suggested by completion. */
export function resourceArgument(names: readonly string[]): Argument {
  return withCompletions(new Argument('<resource>', `One of: ${names.join(', ')}`), names);
}

/** Finds a resource by its plural, singular, or short name. `_` is treated as `-`. */
export function resourceByName(text: string): Resource {
  const wanted = text.toLowerCase().replaceAll('_', '-');
  const found = resources.find((resource) => isNameOf(resource, wanted));
  if (found) return found;
  const names = resources.flatMap(({ name, singular }) => [name, singular]);
  const near = nearestName(wanted, names);
  throw usageError(
    `Unknown resource "${cleanLine(text, 60)}".${near ? ` Did you mean ${near}?` : ''} Available: ${resources.map(({ name }) => name).join(', ')}.`,
  );
}

export function isNameOf({ name, singular, aliases }: Resource, wanted: string): boolean {
  return name === wanted || singular === wanted || aliases.includes(wanted);
}

/**
 * Splits `KIND/ID` or `KIND/NAME`, such as `rules/7` or `discovery-jobs/shop`. Null if the text doesn't begin with the
 * kind of a resource.
 */
export function splitReference(text: string): { resource: Resource; reference: string } | null {
  const slash = text.indexOf('/');
  if (slash < 0) return null;
  const kind = text.slice(0, slash).toLowerCase().replaceAll('_', '-');
  const resource = resources.find((each) => isNameOf(each, kind));
  return resource ? { resource, reference: text.slice(slash + 1) } : null;
}

/** Removes the kind of the resource from `KIND/ID` or `KIND/NAME`. Returns other references unchanged. */
function withoutKind(resource: Resource, reference: string): string {
  const split = splitReference(reference);
  return split?.resource === resource ? split.reference : reference;
}

/** Extracts the ID from `7` or `rules/7`, the format of `-o name`. Null if the reference is a name. */
export function idOf(resource: Resource, reference: string): string | null {
  const id = resource.textId?.pattern ?? String.raw`\d+`;
  const bare = withoutKind(resource, reference);
  return new RegExp(String.raw`^${id}$`).test(bare) ? bare : null;
}

/**
 * Parses an ID for a request body. Null if the reference isn't an ID.
 * @throws CliError if the ID is too large for a number and would be rounded
 */
export function idNumberOf(resource: Resource, reference: string): number | null {
  const id = idOf(resource, reference);
  if (id === null) return null;
  if (!Number.isSafeInteger(Number(id))) throw new CliError(`No ${resource.word} with ID ${id}.`);
  return Number(id);
}

/**
 * Resolves an ID or name to the key used in paths. Throws an error that lists the IDs if several resources
 * have the name.
 */
export async function findKey(api: ApiClient, resource: Resource, reference: string): Promise<string> {
  if (resource.key !== 'id') return resource.keyOf?.(reference) ?? withoutKind(resource, reference);
  const id = idOf(resource, reference);
  return id ?? String((await findByName(api, resource, reference))['id']);
}

/** Finds a resource by ID or name and returns all of its data. */
export async function findItem(api: ApiClient, resource: Resource, reference: string): Promise<Item> {
  const key = await findKey(api, resource, reference);
  if (resource.get) {
    const path = { [resource.textId?.parameter ?? resource.key]: key };
    const item = await callOperation(api, resource.get, { path });
    return isItem(item) ? item : {};
  }
  const { items } = await listItems(api, resource.list, { all: true, hasPages: resource.hasPages });
  const found = items.find((item) => String(item[resource.key]) === key);
  if (found) return found;
  const near = nearestName(
    key,
    items.map((item) => String(item[resource.key])),
  );
  throw new CliError(
    `No ${resource.word} ${cleanLine(reference)}.${near && resource.key !== 'id' ? ` Did you mean ${near}?` : ''}`,
  );
}

/** Finds a resource by name. `name:42` is always the name 42, never an ID, and `name:rules/7` the name rules/7. */
async function findByName(api: ApiClient, resource: Resource, reference: string): Promise<Item> {
  const wanted = withoutKind(resource, reference)
    .replace(/^name:/, '')
    .trim();
  const query = resource.canSearch ? { q: wanted.slice(0, 200) } : {};
  const { items } = await listItems(api, resource.list, { query, all: true, hasPages: resource.hasPages });
  const named = items.filter((item) => resource.nameOf(item) === wanted);
  const [only] = named;
  if (only && named.length === 1) return only;
  if (named.length > 1) {
    const differences = differencesOf(resource, named);
    const lines = named.map((item, index) => `  ${String(item['id'])}  ${differences[index]!}`);
    throw new CliError(
      `${named.length} resources of type ${resource.word} are named "${cleanLine(wanted)}". Use an ID:\n${lines.join('\n')}`,
    );
  }
  const hint = await similarNames(api, resource, wanted, items);
  throw new CliError(`No ${resource.word} named "${cleanLine(wanted)}".${hint}`);
}

/** Maximum number of names to compare with a name that wasn't found. */
const maxComparedNames = 1_000;

/** Returns a hint with the names that contain the given text, or else with the closest name. */
async function similarNames(
  api: ApiClient,
  resource: Resource,
  wanted: string,
  found: readonly Item[],
): Promise<string> {
  const containing = resource.canSearch ? namesOf(resource, found).slice(0, 5) : [];
  if (containing.length > 0)
    return ` Similar: ${containing.map((name) => `"${cleanLine(name)}"`).join(', ')}.`;
  const near = await similarName(api, resource, wanted);
  return near === null ? '' : ` Did you mean "${cleanLine(near)}"?`;
}

/** Returns the closest name. Null if none is similar. */
export async function similarName(
  api: ApiClient,
  resource: Resource,
  wanted: string,
): Promise<string | null> {
  const { items } = await listItems(api, resource.list, {
    limit: maxComparedNames,
    hasPages: resource.hasPages,
  });
  const byLowerCase = new Map(namesOf(resource, items).map((name) => [name.toLowerCase(), name]));
  return byLowerCase.get(nearestName(wanted.toLowerCase(), [...byLowerCase.keys()]) ?? '') ?? null;
}

function namesOf(resource: Resource, items: readonly Item[]): string[] {
  return items.map((item) => resource.nameOf(item)).filter((name) => name !== null);
}

/**
 * Describes the differences between resources with the same name: the first two columns that differ, or else
 * the creation time.
 */
function differencesOf({ columns, wideColumns = [] }: Resource, items: readonly Item[]): string[] {
  const cells = [...columns, ...wideColumns]
    .filter(({ title }) => title !== 'ID')
    .map((column) => items.map((item) => cellText(column.value(item), column.kind)))
    .filter((texts) => new Set(texts).size > 1)
    .slice(0, 2);
  if (cells.length === 0) return items.map((item) => `created ${String(formatTime(item['created_at']))}`);
  return items.map((_, index) => cells.map((texts) => cleanLine(texts[index]!, 200)).join(', '));
}

/** Formats a resource: `rule 7 "Ninety days"`. */
export function describeItem(resource: Resource, item: Item): string {
  const name = resource.nameOf(item);
  const key = String(item[resource.key]);
  return name === null || name === key
    ? `${resource.word} ${key}`
    : `${resource.word} ${key} "${cleanLine(name)}"`;
}
