import { createPartCollector } from './collect-parts.ts';
import { toRelease } from './read-oci-tags.ts';
import { readCommit, readTag, toDate } from './release-fields.ts';
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

/** Suffix of the line with the commit of an annotated tag. It follows the line of the tag. */
const peeledSuffix = '^{}';

/**
 * Reads the tags of a repository from the output of git. The output starts with the dates: one line per tag
 * with seconds since 1970 and the name. After an empty line, the tag list follows: one line per tag with its
 * ID and name. An annotated tag has a second line with the ID of its commit. Git servers must send this line,
 * so the ID of any other tag is that of its commit (gitprotocol-pack, "Reference Discovery").
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
  /** The last tag. It's submitted when the next line has shown whether the tag is annotated. */
  const last: { name: string; release: GatheredRelease | null } = { name: '', release: null };
  const addLast = (): GatheredRelease[] | null => {
    const { release } = last;
    last.release = null;
    return release === null ? null : parts.add(release);
  };
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
    const id = readCommit(line.slice(0, Math.max(0, line.length - ref.length - 1)));
    if (name.endsWith(peeledSuffix)) {
      if (last.release !== null && name === `${last.name}${peeledSuffix}`) setCommit(last.release, id);
      continue;
    }
    const before = addLast();
    if (before) yield before;
    const tag = readTag(name);
    if (tag === null) skipped.skip(name, 'unusable tag name');
    if (tag === null || seen.has(tag)) continue;
    if (seen.size >= maxGitTags) {
      const rest = parts.rest();
      if (rest.length > 0) yield rest;
      return { tags: seen.size, skipped: skipped.all(), isCut: true };
    }
    seen.add(tag);
    last.name = name;
    last.release = toRelease(tag, dates.get(name) ?? null);
    setCommit(last.release, id);
  }
  const before = addLast();
  if (before) yield before;
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  return { tags: seen.size, skipped: skipped.all(), isCut: false };
}

function setCommit(release: GatheredRelease, commit: string | null): void {
  if (commit === null) delete release.commit;
  else release.commit = commit;
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
