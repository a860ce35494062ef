import { createPartCollector } from './collect-parts.ts';
import { toRelease } from './read-oci-tags.ts';
import { readTag, toDate } from './release-fields.ts';
import type { GatheredRelease } from './release-source.ts';
import { createSkippedItems, type SkippedItems } from './skipped-items.ts';

/** Maximum number of tags, the same as for registries. */
export const maxGitTags = 200_000;

export interface GitTags {
  tags: number;
  skipped: SkippedItems;
  /** True if the repository has more tags than were read. */
  isCut: boolean;
}

const prefix = 'refs/tags/';

/**
 * Reads the tags of a repository from the output of git. The output starts with the dates: one line per tag with
 * seconds since 1970 and the name. After an empty line, the tag list follows: one line per tag with its ID and name.
 */
export async function* readGitTags(
  _input: Record<never, never>,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<GatheredRelease[], GitTags, undefined> {
  const dates = new Map<string, string>();
  const skipped = createSkippedItems();
  const parts = createPartCollector<GatheredRelease>();
  const seen = new Set<string>();
  let isInList = false;
  for await (const line of linesOf(body)) {
    if (line === '') {
      isInList = true;
      continue;
    }
    if (!isInList) {
      const [, seconds = '', tag] = /^(-?\d*) refs\/tags\/(.+)$/u.exec(line) ?? [];
      const date = toDate(/^\d{1,12}$/u.test(seconds) ? Number(seconds) * 1_000 : Number.NaN);
      if (tag !== undefined && date !== null) dates.set(tag, date);
      continue;
    }
    const ref = line.slice(line.indexOf('\t') + 1);
    if (!ref.startsWith(prefix)) continue;
    const name = ref.slice(prefix.length);
    const tag = readTag(name);
    if (tag === null) skipped.skip(name, 'unusable tag name');
    if (tag === null || seen.has(tag)) continue;
    if (seen.size >= maxGitTags) {
      const rest = parts.rest();
      if (rest.length > 0) yield rest;
      return { tags: seen.size, skipped: skipped.all(), isCut: true };
    }
    seen.add(tag);
    const full = parts.add(toRelease(tag, dates.get(name) ?? null));
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  return { tags: seen.size, skipped: skipped.all(), isCut: false };
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
