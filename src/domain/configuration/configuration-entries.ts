import { normalizeArtifactKey } from '../discovery/artifact-key.ts';
import { type Item, isItem } from '../json/json-item.ts';
import type { LocationSet, Path } from './check-document.ts';
import { kinds, nameFieldOf, type Section } from './kinds.ts';

/** Reference in a file: a name, and the key that distinguishes resources with the same name. */
export interface FileReference {
  name: string;
  key: string | null;
  isGlobal: boolean;
}

/** Location in a configuration: a section and, for a list entry, its index. */
export interface DocumentLocation {
  section: Section | 'settings' | 'templates';
  index: number | null;
}

/** Message about a location. */
export interface LocatedMessage extends DocumentLocation {
  /** Field of the entry, such as `rule` or `channels.1`. */
  field?: string;
  message: string;
}

/** Resource described in a file. */
export interface Entry {
  section: Section;
  /** Index of the entry in the section. */
  index: number;
  name: string;
  key: string | null;
  values: Item;
  /**
   * True if the file sets a field that was omitted from `values`, because its value is invalid or its name is
   * misspelled.
   */
  isUnread(field: string): boolean;
}

/** Contents of a file with all variables replaced by their values. */
export interface Configuration {
  settings: Item | null;
  templates: Record<string, string> | null;
  /** `null` if the file doesn't include the section. */
  entries: Record<Section, Entry[] | null>;
  /**
   * Sections with entries whose names can't be read. A reference to an unknown name might refer to one of
   * these entries.
   */
  unnamed: ReadonlySet<Section>;
}

/**
 * @param document A document that matches the schema of configuration files, except that fields may be
 * missing.
 * @param settled Locations that already have a reported problem.
 */
export function toConfiguration(document: Item, settled: Pick<LocationSet, 'has'>): Configuration {
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
          return (
            Array.isArray(list) &&
            list.some((values: Item) => typeof values[nameFieldOf(section)] !== 'string')
          );
        }),
    ),
  };
}

function toEntry(section: Section, values: Item, index: number, settled: Pick<LocationSet, 'has'>): Entry {
  const isInvalidInFile = (field: string) => {
    const path: Path = [section, index, field];
    return values[field] === undefined && settled.has(path);
  };
  // An entry without a name gets a placeholder that contains NUL. Names can't contain NUL, so the entry isn't
  // a duplicate of another one.
  const given = values[nameFieldOf(section)];
  const name = typeof given === 'string' ? nameOf(section, given.trim()) : `\0${index}`;
  return { section, index, name, key: keyText(values['key']), values, isUnread: isInvalidInFile };
}

/** Returns the name of a resource as the server stores it. The server reports invalid names. */
function nameOf(section: Section, given: string): string {
  if (section !== 'artifact_corrections') return given;
  const artifact = normalizeArtifactKey(given);
  return artifact.ok ? artifact.key : given;
}

/** Reads a reference, which is a name or an object: `Web`, or `{name: Web, key: 2}`. */
export function toReference(value: unknown): FileReference {
  if (!isItem(value)) return { name: String(value).trim(), key: null, isGlobal: false };
  const { name, key, scope } = value;
  return { name: String(name).trim(), key: keyText(key), isGlobal: scope === 'global' };
}

function keyText(key: unknown): string | null {
  return typeof key === 'string' || typeof key === 'number' ? String(key) : null;
}
