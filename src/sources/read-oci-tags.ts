import { createHash } from 'node:crypto';
import { RunError } from '../domain/runs/run-error.ts';
import { autoScheme } from '../domain/versions/auto-scheme.ts';
import type { Version } from '../domain/versions/version-scheme.ts';
import { createPartCollector } from './collect-parts.ts';
import { type BodyOrigin, readJson } from './json-body.ts';
import { readField, readTag } from './release-fields.ts';
import type { GatheredRelease } from './release-source.ts';
import { createSkippedItems, type SkippedItems } from './skipped-items.ts';

/**
 * Tags whose dates are requested, in descending order. They're submitted when the dates are known. `plain`
 * contains stable versions without a variant. `others` can contain more tags, because a version can have ten
 * variants.
 */
export interface HighestTags {
  plain: string[];
  others: string[];
}

export interface OciTagsInput extends BodyOrigin {
  /** Highest tags of the previous pages. */
  highest: HighestTags;
  /** Tags that are stored. */
  knownTags: readonly string[];
  /** Maximum number of tags that are read from this page. */
  maxTags: number;
  /**
   * True if the job includes only one kind of artifact. Only the manifest of a tag contains the kind, so more
   * of the highest tags are returned for a check, and a lower tag is yielded only if it's stored or its kind
   * is remembered.
   */
  isOneType?: boolean;
  /**
   * Tags whose kinds are known from earlier runs: those of the job's kind (`selected`), and those of other
   * kinds (`others`), which are only counted.
   */
  remembered?: { selected: readonly string[]; others: readonly string[] };
}

export interface OciTags {
  /** Number of tags on this page. */
  tags: number;
  /** Number of entries on this page, including skipped and repeated ones. */
  entries: number;
  /** Last entry of this page, from which the next page continues. `null` if the page is empty. */
  last: string | null;
  /** True if the page has a tag that isn't known. */
  hasNew: boolean;
  /** Number of tags of other kinds that earlier runs found. */
  otherTypes: number;
  /**
   * Number of tags that weren't yielded because their kind isn't known. Each tag is counted for the list of
   * highest tags for which it's too low.
   */
  unchecked: Record<keyof HighestTags, number>;
  skipped: SkippedItems;
  highest: HighestTags;
  /** True if the page has more tags than the limit. */
  isCut: boolean;
  /** Hash of the tags, which is equal for pages with the same tags. */
  key: string;
}

const maxPlain = 40;
const maxPlainOfOneType = 400;
const maxOthers = 400;

/**
 * Reads one page of a registry's tags. Yields all tags of the page except the highest, which are returned
 * instead.
 */
export async function* readOciTags(
  { highest, maxTags, knownTags, isOneType = false, remembered, ...origin }: OciTagsInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<GatheredRelease[], OciTags, undefined> {
  const root = await readJson(body, origin);
  const listed = readField(root, 'tags');
  // Registries return `null` if all tags were deleted.
  if (!Array.isArray(listed) && (listed !== null || typeof readField(root, 'name') !== 'string')) {
    throw new RunError(
      'invalid_index',
      `${origin.host} didn't return a tag list for ${origin.what}. Check that it's a container registry.`,
    );
  }
  const skipped = createSkippedItems();
  const seen = new Set<string>([...highest.plain, ...highest.others]);
  const parts = createPartCollector<GatheredRelease>();
  const top = createHighest(highest, isOneType);
  const key = createHash('sha256');
  let tags = 0;
  const known = new Set(knownTags);
  let hasNew = false;
  let isCut = false;
  const unchecked = { plain: 0, others: 0 };
  const selected = new Set(remembered?.selected);
  const ofOtherTypes = new Set(remembered?.others);
  let otherTypes = 0;
  const entries = (listed ?? []) as readonly unknown[];
  for (const entry of entries) {
    const tag = readTag(entry);
    if (tag === null || !/^\w[\w.-]{0,127}$/u.test(tag)) {
      skipped.skip(typeof entry === 'string' ? entry : '', 'not a valid tag');
      continue;
    }
    key.update(`${tag}\n`);
    if (/^sha(?:256|512)-[0-9a-f]{64,128}(?:\.|$)/u.test(tag)) {
      skipped.skip(tag, 'attached artifact, such as a signature');
      continue;
    }
    if (seen.has(tag)) continue;
    if (isOneType && !known.has(tag) && autoScheme.parse(tag) === null) {
      skipped.skip(tag, 'not a version');
      continue;
    }
    if (tags >= maxTags) {
      isCut = true;
      break;
    }
    seen.add(tag);
    tags += 1;
    hasNew ||= !known.has(tag);
    // Skip tags of other kinds. Otherwise, they would take all positions among the highest tags, and new tags
    // would never be requested.
    if (isOneType && !known.has(tag) && ofOtherTypes.has(tag)) {
      otherTypes += 1;
      continue;
    }
    const evicted = top.add(tag);
    if (evicted !== null && isOneType && !known.has(evicted.tag) && !selected.has(evicted.tag)) {
      unchecked[evicted.list] += 1;
      continue;
    }
    const full = evicted === null ? null : parts.add(toRelease(evicted.tag, null));
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  return {
    tags,
    entries: entries.length,
    last: entries.findLast((entry) => typeof entry === 'string') ?? null,
    hasNew,
    otherTypes,
    unchecked,
    skipped: skipped.all(),
    highest: top.tags(),
    isCut,
    key: key.digest('hex'),
  };
}

/** Yields the given tags as releases with their dates and digests. */
export async function* readDatedTags({
  tags,
}: {
  tags: readonly { tag: string; date: string | null; digest: string | null }[];
}): AsyncGenerator<GatheredRelease[], void, undefined> {
  if (tags.length > 0)
    yield tags.map(({ tag, date, digest }) => ({
      ...toRelease(tag, date),
      ...(digest !== null && { digest }),
    }));
}

export function toRelease(tag: string, date: string | null): GatheredRelease {
  return {
    tag,
    app_version: null,
    released_at: date,
    is_prerelease: false,
    is_yanked: false,
    url: null,
    notes: null,
  };
}

function createHighest(before: HighestTags, isOneType: boolean) {
  const plain = createTop(before.plain, isOneType ? maxPlainOfOneType : maxPlain);
  const others = createTop(before.others, maxOthers);
  return {
    /**
     * Keeps the tag if it's one of the highest. If the list is full, a tag is dropped: either the given tag,
     * or the one that it replaces. Returns the dropped tag and the list for which it's too low, or `null` if
     * no tag is dropped.
     */
    add(tag: string): { tag: string; list: keyof HighestTags } | null {
      const version = autoScheme.parse(tag);
      if (!version || (version.isPrerelease && !isOneType)) return { tag, list: 'others' };
      // A single number, such as `16`, is usually the name of a version line, not a version.
      const isTopPlain = isPlain(version) && !version.isPrerelease && version.numbers.length > 1;
      const evicted = (isTopPlain ? plain : others).add(version);
      return evicted === null ? null : { tag: evicted, list: isTopPlain ? 'plain' : 'others' };
    },
    tags: (): HighestTags => ({ plain: plain.tags(), others: others.tags() }),
  };
}

/** True for tags without a line name and a variant. Most deployed versions are compared with these tags. */
function isPlain({ line, variant }: Version): boolean {
  return line === '' && variant === '';
}

/**
 * Creates a list of the highest versions, in descending order. Keeping and sorting all versions would take 60
 * MB for 200,000 of them.
 */
function createTop(before: readonly string[], max: number) {
  const versions: Version[] = before.flatMap((tag) => autoScheme.parse(tag) ?? []);
  return {
    tags: () => versions.map(({ text }) => text),
    add(version: Version): string | null {
      const last = versions.at(-1);
      if (versions.length >= max && last && autoScheme.compare(version, last) <= 0) return version.text;
      const at = versions.findIndex((other) => autoScheme.compare(version, other) > 0);
      versions.splice(at < 0 ? versions.length : at, 0, version);
      return versions.length > max ? (versions.pop()?.text ?? null) : null;
    },
  };
}
