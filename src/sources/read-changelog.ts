import { type ChangelogSection, cutChangelog } from '../domain/notes/cut-changelog.ts';
import type { VersionSchemeId } from '../domain/versions/version-scheme.ts';
import { versionScheme } from '../domain/versions/versions.ts';
import { createPartCollector } from './collect-parts.ts';
import { readNotes } from './release-fields.ts';

export interface ChangelogInput {
  /** Version scheme that recognizes versions in headings. */
  scheme: VersionSchemeId;
  /** Platform words in the format of `joinPlatformWords`. */
  platformWords: string;
}

/** Limits of one changelog. They exclude the oldest versions, because the newest ones are at the top. */
const maxSections = 1_000;
const maxNotesBytes = 1024 * 1024;

/**
 * Yields the sections of a changelog that have notes, in the order of the file. Longer changelogs are
 * truncated at the end.
 */
export async function* readChangelog(
  { scheme, platformWords }: ChangelogInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<ChangelogSection[], { sections: number }, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) text += decoder.decode(piece, { stream: true });
  text += decoder.decode();

  const parts = createPartCollector<ChangelogSection>();
  let sections = 0;
  let bytes = 0;
  for (const section of cutChangelog(versionScheme(scheme, platformWords), text)) {
    const notes = readNotes(section.notes);
    if (notes === null || section.version.length > 256) continue;
    bytes += Buffer.byteLength(notes);
    if (sections >= maxSections || bytes > maxNotesBytes) break;
    sections += 1;
    const full = parts.add({ version: section.version, notes });
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  return { sections };
}
