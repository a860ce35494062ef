import { type Item, isItem } from './json-item.ts';
import { kinds, type Section } from './kinds.ts';

/** A name in a file, and what tells things of that name apart. */
export interface FileReference {
  name: string;
  key: string | null;
  isGlobal: boolean;
}

/** Where something is in a configuration: a section, and for an entry of a list its index. */
export interface Place {
  section: Section | 'settings' | 'templates';
  index: number | null;
}

/** What is to be said of a place. */
export interface Remark extends Place {
  message: string;
}

/** A thing that a file wants. */
export interface Entry {
  section: Section;
  /** In the list of its section. */
  index: number;
  name: string;
  key: string | null;
  values: Item;
}

/** A file, with the values of its variables. */
export interface Configuration {
  settings: Item | null;
  templates: Record<string, string> | null;
  /** Null: the file says nothing of this kind. */
  entries: Record<Section, Entry[] | null>;
}

/** @param document valid by the schema of configuration files */
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
