import { compileCheapPattern } from '../domain/patterns/compile-pattern.ts';
import { RunError } from '../domain/runs/run-error.ts';
import type { SourceOptions } from '../domain/source-types/source-type.ts';
import { createPartCollector } from './collect-parts.ts';
import { type BodyOrigin, readJson } from './json-body.ts';
import { findNextPage, type NextPage, totalOfJsonList } from './json-next-page.ts';
import { checkJsonOptions } from './json-options.ts';
import { createTrails, type FoundValues, findValues, parseJsonPath, type Trails } from './json-values.ts';
import { readDate, readTag } from './release-fields.ts';
import type { GatheredRelease } from './release-source.ts';
import { createSkippedItems, type SkippedItems } from './skipped-items.ts';

export interface JsonVersionsInput extends BodyOrigin {
  sourceOptions: SourceOptions;
  /** True if the list has other pages, so that this page can be empty, or have no item that meets a condition. */
  canBeEmpty?: boolean;
}

export interface JsonVersions {
  found: number;
  skipped: SkippedItems;
  warnings: string[];
  /** True if the document has more versions than were read. */
  isCut: boolean;
  /**
   * True if the path selects all items of a list or a map. Otherwise, it selects a single version, and other pages are
   * irrelevant.
   */
  isList: boolean;
  /** Location of the next page, as far as the document shows it. */
  next: NextPage | null;
  /** Number of entries of the list on this page, including those without a version. */
  entries: number;
  /** Number of entries of the whole list, if the document contains it. */
  total: number | null;
}

/** Maximum number of versions. The largest registries list this many tags for one image. */
const maxVersions = 200_000;

/** Yields the versions that the configured paths select in a JSON document, with their dates. */
export async function* readJsonVersions(
  { sourceOptions, canBeEmpty = false, ...origin }: JsonVersionsInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<GatheredRelease[], JsonVersions, undefined> {
  const [problem] = checkJsonOptions(sourceOptions);
  if (problem) throw new RunError('invalid_index', `Invalid option ${problem.option}: ${problem.message}.`);
  const { version_path = '', date_path: datePath, version_regex } = sourceOptions;
  const advice = 'Check the URL. If the document is text, use source type http_text.';
  const root = await readJson(body, origin, { areNumbersTexts: true, advice });
  const trails = datePath === undefined ? null : createTrails();
  const versions = findAt(root, version_path, 'versions', trails);
  const next = findNextPage(root);
  const total = totalOfJsonList(root);
  if (!versions.ok && versions.isEmpty && (canBeEmpty || next !== null)) {
    const skipped = createSkippedItems().all();
    const { entries } = versions;
    return { found: 0, skipped, warnings: [], isCut: false, isList: true, next, entries, total };
  }
  if (!versions.ok) {
    throw new RunError(
      'invalid_index',
      `No versions found in the response from ${origin.host}: ${versions.message}.`,
    );
  }
  const warnings: string[] = [];
  if (versions.isCut) warnings.push(`Only the first ${maxVersions} versions were read.`);
  const dates = new Map<number, string>();
  if (datePath !== undefined) {
    const found = findAt(root, datePath, 'dates', trails);
    if (!found.ok) warnings.push(`No dates found: ${found.message}.`);
    else for (const { trail, text } of found.values) dates.set(trail, text);
  }
  const skipped = createSkippedItems();
  const pattern = version_regex === undefined ? null : compileCheapPattern(version_regex);
  const parts = createPartCollector<GatheredRelease>();
  const dateOf = new Map<string, string | null>();
  let hasDate = false;
  for (const { trail, text } of versions.values) {
    const name = readTag(text);
    const tag = name !== null && pattern?.ok ? versionInMatch(pattern.pattern.find(name)) : name;
    if (tag === null) {
      skipped.skip(text, name === null ? 'not a version' : "doesn't match version_regex");
      continue;
    }
    const releasedAt = readDate(dates.get(trail));
    hasDate ||= releasedAt !== null;
    // A version can have several files. Its release date is that of the first file.
    dateOf.set(tag, earlier(dateOf.get(tag) ?? null, releasedAt));
  }
  for (const [tag, releasedAt] of dateOf) {
    const full = parts.add(toRelease(tag, releasedAt));
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  if (dates.size > 0 && !hasDate) {
    warnings.push("Dates don't line up with versions: both paths must iterate the same items with [*].");
  }
  return {
    found: dateOf.size,
    skipped: skipped.all(),
    warnings,
    isCut: versions.isCut,
    isList: versions.isList,
    next,
    entries: versions.entries,
    total,
  };
}

function earlier(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other < one) ? other : one;
}

function toRelease(tag: string, releasedAt: string | null): GatheredRelease {
  return {
    tag,
    app_version: null,
    released_at: releasedAt,
    is_prerelease: false,
    is_yanked: false,
    url: null,
    notes: null,
  };
}

function findAt(root: unknown, path: string, of: 'versions' | 'dates', trails: Trails | null): FoundValues {
  const parsed = parseJsonPath(path);
  if (!parsed.ok) return { ...parsed, isEmpty: false, entries: 0 };
  return findValues(root, parsed.steps, { of, maxValues: maxVersions, trails });
}

/** Returns the version in a match: the first capture group, or the whole match if there is none. */
export function versionInMatch(match: { match: string; groups: (string | null)[] } | null): string | null {
  if (!match) return null;
  return readTag(match.groups.length > 0 ? (match.groups[0] ?? '') : match.match);
}
