import { isDeepStrictEqual } from 'node:util';
import { targetChange } from '../../domain/channels/channel-target.ts';
import { type Item, isItem } from '../call-operation.ts';
import { isReference } from './environment-values.ts';
import { membersWithoutDefault } from './export-configuration.ts';
import { type Kind, type Section, writeOnlyMembers } from './kinds.ts';
import type { Change, Draft, MemberValue } from './plan-steps.ts';
import type { Entry } from './read-configuration.ts';
import { resolveReferences } from './resolve-references.ts';
import { isSameValue } from './same-spelling.ts';
import { defaultOf, fieldsOf } from './section-schema.ts';

/** Members of the file that are none of the API. */
const ownFields: ReadonlySet<string> = new Set(['key', 'version', 'fed_by']);

/** The members of the API that an entry wants: what it says, else their defaults. */
export function membersOf(draft: Draft, kind: Kind, entry: Entry): MemberValue[] {
  const byField = new Map(Object.entries(kind.references).map(([member, { field }]) => [field, member]));
  return fieldsOf(kind.section).flatMap(([field, schema]): MemberValue[] => {
    if (ownFields.has(field)) return [];
    const member = byField.get(field);
    if (member === undefined) {
      const value = wantedValue(entry, field, schema);
      return value === undefined ? [] : [{ member: field, value, targets: null }];
    }
    const given = entry.values[field] === undefined ? defaultOf(schema) : entry.values[field];
    if (given === null) return [{ member, value: null, targets: null }];
    const targets = resolveReferences(draft, entry.place, kind.references[member]!.section, given);
    return targets === null ? [] : [{ member, value: undefined, targets }];
  });
}

/** Undefined leaves it to the server. */
function wantedValue(entry: Entry, field: string, schema: Item): unknown {
  const given = entry.values[field];
  if (given !== undefined) return field === 'name' ? entry.name : given;
  if (membersWithoutDefault.has(field)) return undefined;
  if (field === 'ref') return entry.values['parser_type'] === 'manual' ? null : 'HEAD';
  return field === 'source_options' ? {} : defaultOf(schema);
}

/** Whether a member of a thing is already as an entry wants it. */
export function matchesDesired(
  { ids, options }: Draft,
  { section }: Kind,
  entry: Entry,
  { member, value, targets }: MemberValue,
  item: Item,
): boolean {
  if (targets !== null) {
    const wanted = [targets].flat().map((target) => ('id' in target ? target.id : ids.get(target.entry)));
    return isSameValue(
      section,
      member,
      Array.isArray(targets) ? wanted : wanted[0],
      item[member],
      entry.values,
    );
  }
  if (section === 'notification_channels' && writeOnlyMembers.has(member))
    return isSecretAsWanted(member, value, item, entry, options.updateSecrets);
  return isSameValue(section, member, value, item[member], entry.values);
}

/** Only what a secret is called, or that there is one, can be compared. */
function isSecretAsWanted(
  member: string,
  value: unknown,
  item: Item,
  entry: Entry,
  update: boolean,
): boolean {
  const isNothing = value === null || (isItem(value) && Object.keys(value).length === 0);
  if (update && !isNothing) return false;
  // Stored secrets never follow a channel to another target: they are sent again, or removed.
  if (hasOtherTarget(entry, item) && !(isNothing && isNoneStored(member, item))) return false;
  switch (member) {
    case 'headers':
      return isDeepStrictEqual(headerNames(value), headerNames(item['headers']));
    case 'signing_secret':
      return (value !== null) === item['has_signing_secret'];
    default:
      return true;
  }
}

function hasOtherTarget({ values }: Entry, item: Item): boolean {
  return targetChange(targetOf(item), targetOf(values)) !== null;
}

function targetOf({ url, preset = 'generic' }: Item) {
  // Both were checked against the contract.
  return { url: url as string, preset: preset as string };
}

function isNoneStored(member: string, item: Item): boolean {
  if (member === 'headers') return headerNames(item['headers']).length === 0;
  return item[member === 'signing_secret' ? 'has_signing_secret' : 'has_preset_options'] === false;
}

function headerNames(headers: unknown): string[] {
  return isItem(headers)
    ? Object.keys(headers)
        .map((name) => name.toLowerCase())
        .toSorted()
    : [];
}

/** What is told of a new thing: what the file says of it. */
export function changesOfNew(kind: Kind, entry: Entry, fields: readonly MemberValue[]): Change[] {
  return fields
    .map(({ member }) => ({
      field: fieldOf(kind, member),
      before: undefined,
      after: shownAfter(kind, entry, member),
    }))
    .filter(({ field }) => field !== 'name' && entry.written[field] !== undefined);
}

export function changesOf(
  draft: Draft,
  kind: Kind,
  entry: Entry,
  fields: readonly MemberValue[],
  item: Item,
): Change[] {
  return fields.map(({ member }) => ({
    field: fieldOf(kind, member),
    before: shownBefore(draft, kind, member, item),
    after: shownAfter(kind, entry, member),
  }));
}

function fieldOf(kind: Kind, member: string): string {
  return kind.references[member]?.field ?? member;
}

/** As it stands in the file: a variable is shown by its name. */
function shownAfter(kind: Kind, entry: Entry, member: string): unknown {
  const written = entry.written[fieldOf(kind, member)];
  if (kind.section !== 'notification_channels' || written === undefined) return written ?? null;
  if (member === 'url' && typeof written === 'string')
    return isReference(written) ? written : maskedUrl(written);
  if (writeOnlyMembers.has(member)) return isItem(written) ? Object.keys(written) : '(secret)';
  return written;
}

function shownBefore(draft: Draft, kind: Kind, member: string, item: Item): unknown {
  const value = item[member];
  if (kind.section === 'notification_channels') {
    if (member === 'url') return maskedUrl(String(value));
    if (member === 'signing_secret') return item['has_signing_secret'] === true ? '(secret)' : null;
    if (member === 'preset_options') return '(unknown)';
    if (member === 'headers') return Object.keys(item['headers'] as Item);
  }
  const reference = kind.references[member];
  if (!reference) return value;
  return Array.isArray(value)
    ? value.map((id) => nameOfId(draft, reference.section, id))
    : nameOfId(draft, reference.section, value);
}

export function nameOfId({ state }: Draft, section: Section, id: unknown): unknown {
  const item = [...state.own[section], ...state.global[section]].find((each) => each['id'] === id);
  return item?.['name'] ?? id;
}

/** Who knows the rest of a webhook's address can post to it. */
function maskedUrl(url: string): string {
  return URL.canParse(url) ? `${new URL(url).origin}/…` : '…';
}
