import type { Path } from '../../domain/configuration/check-document.ts';
import { kinds } from '../../domain/configuration/kinds.ts';
import { type Item, isItem } from '../../domain/json/json-item.ts';
import type { FileProblem } from './file-problems.ts';
import type { ConfigurationFile } from './read-configuration.ts';

/** Merges several files. Lists are concatenated. A setting or template can be in only one file. */
export function mergeConfigurations(files: readonly ConfigurationFile[]): ConfigurationFile {
  const [first] = files;
  if (first && files.length === 1) return first;
  return {
    fileNames: files.flatMap(({ fileNames }) => fileNames),
    document: mergeDocuments(files.map(({ document }) => document)),
    written: mergeDocuments(files.map(({ written }) => written)),
    problems: [...files.flatMap(({ problems }) => problems), ...findRepeated(files)],
    isSettled(path) {
      const { file, path: inFile } = findInFiles(files, path);
      return file.isSettled(inFile);
    },
    locate(path, message) {
      const { file, path: inFile } = findInFiles(files, path);
      return file.locate(inFile, message);
    },
    hideSecrets: (text) => files.reduce((hidden, file) => file.hideSecrets(hidden), text),
  };
}

function mergeDocuments(documents: readonly Item[]): Item {
  const merged: Item = {};
  for (const section of ['settings', 'templates'] as const) {
    const given = documents.map((document) => document[section]).filter(isItem);
    if (given.length > 0) merged[section] = Object.fromEntries(given.flatMap(Object.entries));
  }
  for (const { section } of kinds) {
    const lists = documents.map((document) => document[section]).filter(Array.isArray);
    if (lists.length > 0) merged[section] = lists.flat();
  }
  return merged;
}

function findRepeated(files: readonly ConfigurationFile[]): FileProblem[] {
  return (['settings', 'templates'] as const).flatMap((section) => {
    const firstFiles = new Map<string, ConfigurationFile>();
    return files.flatMap((file) => {
      const values = file.document[section];
      return Object.keys(isItem(values) ? values : {}).flatMap((key) => {
        const first = firstFiles.get(key);
        if (first) return file.locate([section, key], `is already in ${String(first.fileNames[0])}`);
        firstFiles.set(key, file);
        return [];
      });
    });
  });
}

/**
 * Finds the file that contains a path, and the path within that file. In a merged list, the index of an entry includes
 * the entries of the preceding files.
 */
function findInFiles(
  files: readonly ConfigurationFile[],
  path: Path,
): { file: ConfigurationFile; path: Path } {
  const [section = '', index, ...inside] = path;
  if (typeof index === 'number') {
    let rest = index;
    for (const file of files) {
      const list = file.document[section];
      const count = Array.isArray(list) ? list.length : 0;
      if (rest < count) return { file, path: [section, rest, ...inside] };
      rest -= count;
    }
  }
  const hasIt = ({ document }: ConfigurationFile) => {
    const values = document[section];
    return index === undefined ? values !== undefined : isItem(values) && Object.hasOwn(values, index);
  };
  const withSection = files.find(({ document }) => document[section] !== undefined);
  return { file: files.find(hasIt) ?? withSection ?? files[0]!, path };
}
