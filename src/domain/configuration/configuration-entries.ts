import { type Item, isItem } from '../json/json-item.ts';
import type { Path, Places } from './check-document.ts';
import { kinds, type Section } from './kinds.ts';

/** A name in a file, and the key that distinguishes resources with that name. */
export interface FileReference {
  name: string;
  key: string | null;
  isGlobal: boolean;
}

/** A location in a configuration: a section and, for a list entry, its index. */
export interface Place {
  section: Section | 'settings' | 'templates';
  index: number | null;
}

/** A message about a location. */
export interface Remark extends Place {
  /** A field of the entry: `rule`, or `channels.1`. */
  field?: string;
  message: string;
}

/** A resource described in a file. */
export interface Entry {
  section: Section;
  /** Its index in the section. */
  index: number;
  name: string;
  key: string | null;
  values: Item;
  /** Whether the file has a value for a field, which isn't valid or has a misspelled name, so it isn't in `values`. */
  isUnread(field: string): boolean;
}

/** A file with its variables replaced by their values. */
export interface Configuration {
  settings: Item | null;
  templates: Record<string, string> | null;
  /** Null: the file doesn't include this section. */
  entries: Record<Section, Entry[] | null>;
  /** Sections with entries whose names can't be read: references to names that aren't found may refer to them. */
  unnamed: ReadonlySet<Section>;
}

/**
 * @param document Valid against the schema of configuration files, except for missing fields.
 * @param settled Locations that are already reported as problems.
 */
export function toConfiguration(document: Item, settled: Pick<Places, 'has'>): Configuration {
  const { settings, templates } = document;
  return {
    settings: isItem(settings) ? settings : null,
    templates: isItem(templates) ? (templates as Record<string, string>) : null,
    entries: Object.fromEntries(
      kinds.map(({ section }) => {
        const list = document[section];
        if (!Array.isArray(list)) return [section, null];
        return [section, list.map((values: Item, index) => toEntry(section, values, index, settled))];
      }),
    ) as Configuration['entries'],
    unnamed: new Set(
      kinds
        .map(({ section }) => section)
        .filter((section) => {
          const list = document[section];
          return Array.isArray(list) && list.some((values: Item) => typeof values['name'] !== 'string');
        }),
    ),
  };
}

function toEntry(section: Section, values: Item, index: number, settled: Pick<Places, 'has'>): Entry {
  const isUnread = (field: string) => {
    const path: Path = [section, index, field];
    return values[field] === undefined && settled.has(path);
  };
  // No resource has such a name, so that entries without names aren't duplicates.
  const name = typeof values['name'] === 'string' ? values['name'].trim() : `\0${index}`;
  return { section, index, name, key: keyText(values['key']), values, isUnread };
}

/** `Web`, or `{name: Web, key: 2}`. */
export function toReference(value: unknown): FileReference {
  if (!isItem(value)) return { name: String(value).trim(), key: null, isGlobal: false };
  const { name, key, scope } = value;
  return { name: String(name).trim(), key: keyText(key), isGlobal: scope === 'global' };
}

function keyText(key: unknown): string | null {
  return typeof key === 'string' || typeof key === 'number' ? String(key) : null;
}
