import { createHash } from 'node:crypto';
import { RunError } from '../domain/runs/run-error.ts';
import { createPartCollector } from './collect-parts.ts';
import { readGitlabEntry } from './gitlab-entry.ts';
import { type BodyOrigin, readJson } from './json-body.ts';
import { readReleaseEntry } from './release-entry.ts';
import type { GatheredRelease } from './release-source.ts';
import { createSkippedItems, type SkippedItems } from './skipped-items.ts';

export interface ReleasePageInput extends BodyOrigin {
  platform: 'github' | 'gitlab';
  /** Current time, as RFC 3339. */
  now: string;
  knownTags: readonly string[];
  isBelowKnown: boolean;
}

export interface ReleasePage {
  /** Number of entries on the page, including drafts and skipped ones. */
  entries: number;
  drafts: number;
  releases: number;
  skipped: SkippedItems;
  /** True if the page has a release above all known ones. */
  hasNew: boolean;
  /** True if this page or an earlier one contains a known release. */
  isBelowKnown: boolean;
  /** Hash of the releases, which is equal for pages with the same releases. */
  key: string;
  /** Key of the last release, which is equal for pages that end with the same release. */
  lastKey: string;
}

export type ReleaseEntry =
  | { kind: 'release'; release: GatheredRelease }
  /** An unpublished release, which is skipped without a warning. */
  | { kind: 'draft' }
  | { kind: 'skipped'; name: string; reason: string };

/** Reads one page of a JSON release list, newest first, in the format of GitHub, Gitea, or GitLab. */
export async function* readReleasePage(
  { platform, now, knownTags, isBelowKnown, ...origin }: ReleasePageInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<GatheredRelease[], ReleasePage, undefined> {
  const entries = await readList(body, origin);
  const known = new Set(knownTags);
  const seen = new Set<string>();
  const skipped = createSkippedItems();
  const parts = createPartCollector<GatheredRelease>();
  const key = createHash('sha256');
  const page = { entries: entries.length, drafts: 0, releases: 0, hasNew: false, isBelowKnown };
  let lastKey = '';
  for (const entry of entries) {
    const result = readEntry(entry, platform, now);
    lastKey = keyOf(result);
    key.update(lastKey);
    if (result.kind === 'draft') page.drafts += 1;
    if (result.kind === 'skipped') skipped.skip(result.name, result.reason);
    if (result.kind !== 'release' || seen.has(result.release.tag)) continue;
    seen.add(result.release.tag);
    page.releases += 1;
    if (known.has(result.release.tag)) page.isBelowKnown = true;
    if (!page.isBelowKnown) page.hasNew = true;
    const full = parts.add(result.release);
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  return { ...page, skipped: skipped.all(), key: key.digest('hex'), lastKey };
}

/** Returns only the key of the last release on a page. Yields no releases. */
export async function* readLastRelease(
  { platform, now, ...origin }: Pick<ReleasePageInput, keyof BodyOrigin | 'platform' | 'now'>,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<GatheredRelease[], Pick<ReleasePage, 'lastKey'>, undefined> {
  const entries = await readList(body, origin);
  yield [];
  return { lastKey: entries.length === 0 ? '' : keyOf(readEntry(entries.at(-1), platform, now)) };
}

async function readList(body: AsyncIterable<Uint8Array>, origin: BodyOrigin): Promise<unknown[]> {
  const entries = await readJson(body, origin);
  if (Array.isArray(entries)) return entries;
  throw new RunError(
    'invalid_index',
    `${origin.host} didn't return a release list for ${origin.what}. Check the URL and source type.`,
  );
}

function readEntry(entry: unknown, platform: ReleasePageInput['platform'], now: string): ReleaseEntry {
  return platform === 'github' ? readReleaseEntry(entry) : readGitlabEntry(entry, new Date(now));
}

function keyOf(entry: ReleaseEntry): string {
  return JSON.stringify([entry.kind, entry.kind === 'release' && entry.release.tag]);
}
