import type { Place } from '../../domain/configuration/configuration-entries.ts';
import { type Item, isItem } from '../../domain/configuration/json-item.ts';
import { kinds } from '../../domain/configuration/kinds.ts';
import { usageError } from '../cli-error.ts';
import type { ConfigurationFile } from './read-configuration.ts';

/** What several files say together: lists follow each other, and a setting or template can be in one file only. */
export function mergeConfigurations(files: readonly ConfigurationFile[]): ConfigurationFile {
  const [only] = files;
  if (only && files.length === 1) return only;
  return {
    document: mergeDocuments(files.map(({ document }) => document)),
    written: mergeDocuments(files.map(({ written }) => written)),
    describePlace: (place) => describeInFile(files, place),
    hideSecrets: (text) => files.reduce((hidden, file) => file.hideSecrets(hidden), text),
  };
}

function mergeDocuments(documents: readonly Item[]): Item {
  const merged: Item = {};
  for (const section of ['settings', 'templates'] as const) {
    const given = documents.map((document) => document[section]).filter(isItem);
    if (given.length > 0) merged[section] = mergeFields(section, given);
  }
  for (const { section } of kinds) {
    const lists = documents.map((document) => document[section]).filter(Array.isArray);
    if (lists.length > 0) merged[section] = lists.flat();
  }
  return merged;
}

function mergeFields(section: string, parts: readonly Item[]): Item {
  const merged: Item = {};
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      if (Object.hasOwn(merged, key))
        throw usageError(`No changes made. ${section}.${key} is in more than one file.`);
      merged[key] = value;
    }
  }
  return merged;
}

/** The index of an entry counts through all files. */
function describeInFile(files: readonly ConfigurationFile[], { section, index }: Place): string {
  let rest = index ?? 0;
  for (const file of files) {
    const list = file.document[section];
    const count = Array.isArray(list) ? list.length : 0;
    if (index !== null && rest < count) return file.describePlace({ section, index: rest });
    rest -= count;
  }
  return section;
}
