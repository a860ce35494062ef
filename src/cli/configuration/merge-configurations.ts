import { usageError } from '../cli-error.ts';
import { kinds } from './kinds.ts';
import type { Configuration, Entry } from './read-configuration.ts';

/** What several files say together: lists follow each other, and a setting or template can be in one file only. */
export function mergeConfigurations(files: readonly Configuration[]): Configuration {
  const [only] = files;
  if (only && files.length === 1) return only;
  return {
    settings: mergeFields('settings', files),
    templates: mergeFields('templates', files),
    written: {
      settings: Object.assign({}, ...files.map(({ written }) => written.settings)),
      templates: Object.assign({}, ...files.map(({ written }) => written.templates)),
    },
    entries: Object.fromEntries(
      kinds.map(({ section }) => {
        const lists = files.map(({ entries }) => entries[section]).filter((list) => list !== null);
        return [section, lists.length === 0 ? null : lists.flat()];
      }),
    ) as Record<(typeof kinds)[number]['section'], Entry[] | null>,
    hideSecrets: (text) => files.reduce((hidden, file) => file.hideSecrets(hidden), text),
  };
}

function mergeFields<Section extends 'settings' | 'templates'>(
  section: Section,
  files: readonly Configuration[],
): Configuration[Section] {
  const merged: Record<string, unknown> = {};
  let isGiven = false;
  for (const file of files) {
    isGiven ||= file[section] !== null;
    for (const [key, value] of Object.entries(file[section] ?? {})) {
      if (Object.hasOwn(merged, key))
        throw usageError(`No changes made. ${section}.${key} is in more than one file.`);
      merged[key] = value;
    }
  }
  return (isGiven ? merged : null) as Configuration[Section];
}
