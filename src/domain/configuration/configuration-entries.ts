import { type Item, isItem } from './json-item.ts';
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
}

/** A file with its variables replaced by their values. */
export interface Configuration {
  settings: Item | null;
  templates: Record<string, string> | null;
  /** Null: the file doesn't include this section. */
  entries: Record<Section, Entry[] | null>;
}

/** @param document Valid against the schema of configuration files. */
export function toConfiguration(document: Item): Configuration {
  const { settings, templates } = document;
  return {
    settings: isItem(settings) ? settings : null,
    templates: isItem(templates) ? (templates as Record<string, string>) : null,
    entries: Object.fromEntries(
      kinds.map(({ section }) => {
        const list = document[section];
        if (!Array.isArray(list)) return [section, null];
        return [section, list.map((values: Item, index) => toEntry(section, values, index))];
      }),
    ) as Configuration['entries'],
  };
}

function toEntry(section: Section, values: Item, index: number): Entry {
  const name = String(values['name']).trim();
  return { section, index, name, key: keyText(values['key']), values };
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
