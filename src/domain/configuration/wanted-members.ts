import { targetChange } from '../channels/channel-target.ts';
import { type Decision, haveSameEffect, type IgnoreRule } from '../discovery/ignore-rules.ts';
import { type Item, isItem, isSameJson } from '../json/json-item.ts';
import { scrapeJobOf } from '../source-types/deployed-versions-source-type.ts';
import type { Entry } from './configuration-entries.ts';
import {
  apiReferenceValue,
  artifactField,
  defaultOf,
  fieldsKeptWhenOmitted,
  nameFieldOf,
  type ResourceKind,
  type Section,
  trackedField,
  valueInFile,
  writeOnlyFields,
} from './kinds.ts';
import type { Change, FieldValue, PlanDraft } from './plan-steps.ts';
import { resolveReferences } from './resolve-references.ts';
import { isSameValue } from './same-spelling.ts';

/** Fields of the file that don't exist in the API. */
const fileOnlyFields: ReadonlySet<string> = new Set(['key', 'version', 'fed_by']);

/** Returns the API fields of an entry, with their values in the file or their defaults. */
export function membersOf(draft: PlanDraft, kind: ResourceKind, entry: Entry): FieldValue[] {
  const byField = new Map(Object.entries(kind.references).map(([member, { field }]) => [field, member]));
  return draft.options.fieldsOf(kind.section).flatMap(([field, schema]): FieldValue[] => {
    if (fileOnlyFields.has(field)) return [];
    const member = byField.get(field);
    if (member === undefined) {
      const followed = trackedScrapeJob(entry.values[field], field);
      if (followed !== undefined) {
        const place = `${field}.${trackedField}`;
        const targets = resolveReferences(draft, entry, 'scrape_jobs', followed, place);
        return targets === null ? [] : [{ member: field, value: undefined, targets }];
      }
      const value = wantedValue(entry, field, schema);
      return value === undefined ? [] : [{ member: field, value, targets: null }];
    }
    if (entry.isUnread(field)) return [];
    const given = entry.values[field] === undefined ? defaultOf(schema) : entry.values[field];
    if (given === null) return [{ member, value: null, targets: null }];
    const targets = resolveReferences(draft, entry, kind.references[member]!.section, given, field);
    return targets === null ? [] : [{ member, value: undefined, targets }];
  });
}

/** Returns the reference to a scrape job in the artifact of a gather job. */
function trackedScrapeJob(value: unknown, field: string): unknown {
  return field === artifactField && isItem(value) ? value[trackedField] : undefined;
}

/** Returns the desired value of a field, or `undefined` if the server determines the value. */
function wantedValue(entry: Entry, field: string, schema: Item): unknown {
  const given = entry.values[field];
  if (given !== undefined) return field === nameFieldOf(entry.section) ? entry.name : given;
  if (entry.isUnread(field)) return undefined;
  if (fieldsKeptWhenOmitted.has(field)) return undefined;
  if (field === 'ref') {
    const { parser_type: parserType, source = 'git', kind = 'git_repository' } = entry.values;
    return parserType === 'manual' || source !== 'git' || kind !== 'git_repository' ? null : 'HEAD';
  }
  return defaultOf(schema);
}

/** True if a field of a resource already has the value in the file. */
export function matchesDesired(
  { ids, options }: PlanDraft,
  { section }: ResourceKind,
  entry: Entry,
  { member, value, targets }: FieldValue,
  item: Item,
): boolean {
  if (targets !== null) {
    const wanted = [targets].flat().map((target) => {
      const id = 'id' in target ? target.id : ids.get(target.entry);
      return id === undefined ? undefined : apiReferenceValue(member, id);
    });
    return isSameValue(
      section,
      member,
      Array.isArray(targets) ? wanted : wanted[0],
      item[member],
      entry.values,
    );
  }
  // If the target of a channel changes, the server requires the closing path again, even if the path is the
  // same.
  if (
    section === 'notification_channels' &&
    member === 'closing_path' &&
    value !== null &&
    hasOtherTarget(entry, item)
  )
    return false;
  if (section === 'notification_channels' && writeOnlyFields.has(member))
    return secretMatchesDesired(member, value, item, entry, options.updateSecrets);
  if (section === 'discovery_jobs' && member === 'ignore_rules' && Array.isArray(value))
    return haveSameEffect(
      value as IgnoreRule[],
      item[member] as IgnoreRule[],
      (item['decisions'] ?? []) as Decision[],
    );
  return isSameValue(section, member, value, valueInFile(section, member, item), entry.values);
}

/** Compares only the names of secrets, or their presence, because the API doesn't return their values. */
function secretMatchesDesired(
  member: string,
  value: unknown,
  item: Item,
  entry: Entry,
  update: boolean,
): boolean {
  const isNothing = value === null || (isItem(value) && Object.keys(value).length === 0);
  if (update && !isNothing) return false;
  // If the receiver changes, the new one must not get the stored secrets, so they're sent again or removed.
  if (hasOtherTarget(entry, item) && !(isNothing && isNoneStored(member, item))) return false;
  switch (member) {
    case 'headers':
      return isSameJson(headerNames(value), headerNames(item['headers']));
    case 'signing_secret':
      return (value !== null) === item['has_signing_secret'];
    case 'token':
      return (value !== null) === item['has_token'];
    default:
      return true;
  }
}

function hasOtherTarget({ values }: Entry, item: Item): boolean {
  // Without two URLs to compare, the target counts as unchanged. An invalid URL, such as one from a variable
  // without a value, is reported separately. Email channels don't have a URL.
  if (typeof values['url'] !== 'string' || typeof item['url'] !== 'string') return false;
  return targetChange(targetOf(item), targetOf(values)) !== null;
}

function targetOf({ url, preset = 'generic' }: Item) {
  // The schemas have already validated both values.
  return { url: url as string, preset: preset as string };
}

function isNoneStored(member: string, item: Item): boolean {
  if (member === 'headers') return headerNames(item['headers']).length === 0;
  if (member === 'token') return item['has_token'] === false;
  return item[member === 'signing_secret' ? 'has_signing_secret' : 'has_preset_options'] === false;
}

function headerNames(headers: unknown): string[] {
  return isItem(headers)
    ? Object.keys(headers)
        .map((name) => name.toLowerCase())
        .toSorted()
    : [];
}

/** Returns the changes that a plan displays for a new resource: the values in the file. */
export function changesOfNewResource(
  kind: ResourceKind,
  entry: Entry,
  fields: readonly FieldValue[],
): Change[] {
  return fields
    .map(({ member }) => ({
      field: fieldOf(kind, member),
      before: undefined,
      after: shownAfter(kind, entry, member),
    }))
    .filter(({ field }) => field !== nameFieldOf(kind.section) && entry.values[field] !== undefined);
}

export function changesOf(
  draft: PlanDraft,
  kind: ResourceKind,
  entry: Entry,
  fields: readonly FieldValue[],
  item: Item,
): Change[] {
  return fields.map(({ member }) => ({
    field: fieldOf(kind, member),
    before: shownBefore(draft, kind, member, item),
    after: shownAfter(kind, entry, member),
  }));
}

function fieldOf(kind: ResourceKind, member: string): string {
  return kind.references[member]?.field ?? member;
}

/** Returns the value in the file for display, without secrets. */
function shownAfter(kind: ResourceKind, entry: Entry, member: string): unknown {
  const given = entry.values[fieldOf(kind, member)];
  if (kind.section !== 'notification_channels' || given === undefined) return given ?? null;
  if (member === 'url') return maskedUrl(typeof given === 'string' ? given : '');
  if (member === 'closing_path') return maskedPath(given);
  if (!writeOnlyFields.has(member) || given === null) return given;
  return isItem(given) ? Object.keys(given) : '(secret)';
}

function shownBefore(draft: PlanDraft, kind: ResourceKind, member: string, item: Item): unknown {
  const value = valueInFile(kind.section, member, item);
  if (kind.section === 'notification_channels') {
    if (member === 'url') return typeof value === 'string' ? maskedUrl(value) : null;
    if (member === 'closing_path') return maskedPath(value);
    if (member === 'signing_secret') return item['has_signing_secret'] === true ? '(secret)' : null;
    if (member === 'token') return item['has_token'] === true ? '(secret)' : null;
    if (member === 'preset_options') return '(unknown)';
    if (member === 'headers') return Object.keys(item['headers'] as Item);
  }
  const reference = kind.references[member];
  const followed = member === artifactField ? scrapeJobOf(String(value)) : null;
  if (followed !== null) return { [trackedField]: nameOfId(draft, 'scrape_jobs', followed) };
  if (!reference) return value;
  return Array.isArray(value)
    ? value.map((id) => nameOfId(draft, reference.section, id))
    : nameOfId(draft, reference.section, value);
}

export function nameOfId({ named }: PlanDraft, section: Section, id: unknown): unknown {
  return named.byId(section, id)?.['name'] ?? id;
}

/** Masks a closing path, which can contain a key like the path of a URL. */
function maskedPath(path: unknown): string | null {
  return path === null ? null : '/…';
}

/** Masks the path of a URL, because anyone with the full URL of a webhook can post to it. */
export function maskedUrl(url: string): string {
  return URL.canParse(url) ? `${new URL(url).origin}/…` : '…';
}
