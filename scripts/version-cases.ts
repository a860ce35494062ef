import { readFileSync } from 'node:fs';
import { judge } from '../src/domain/rules/judge.ts';
import { latestOfJob } from '../src/domain/rules/own-latest.ts';
import { prepareReleases, type ReleaseSet } from '../src/domain/rules/release-set.ts';
import { dayMs } from '../src/domain/rules/stored-lag.ts';
import { joinPlatformWords } from '../src/domain/versions/platform-words.ts';
import type { VersionSchemeId } from '../src/domain/versions/version-scheme.ts';
import { versionScheme } from '../src/domain/versions/versions.ts';

/** A tag and its date. A tag without a date was first seen `undatedDays` before the case. */
type Tag = readonly [text: string, date: string | null];

type Texts = string | null | readonly (string | null)[];

/** A list of tags and the result that an engineer expects of it. The names of options are those of the API. */
interface VersionCase {
  readonly id: string;
  readonly kind: string;
  readonly why: string;
  /** The current time of the case. Tags with a later date don't exist yet. */
  readonly now: string;
  readonly list?: string;
  readonly tags?: readonly Tag[];
  readonly is_image?: boolean;
  /**
   * True if the list contains the releases of a project that publishes an image. Their plain versions are
   * used as tags.
   */
  readonly plain_image_tags?: boolean;
  readonly version_scheme?: VersionSchemeId;
  readonly platform_words?: readonly string[];
  readonly deployed?: string;
  readonly candidate_pattern?: string;
  readonly stable_only?: boolean;
  /** Expected values. If several values are acceptable, a list contains them. */
  readonly expected?: { readonly state?: Texts; readonly latest?: Texts };
  /** The stable versions that a curated list of the project contains. Any spelling of one of them is acceptable. */
  readonly curated?: readonly string[];
  /** Result when the case was recorded: `right`, or the wrong result. */
  readonly today?: unknown;
}

interface VersionCases {
  readonly lists: Readonly<Record<string, readonly Tag[]>>;
  readonly cases: readonly VersionCase[];
}

export interface MeasuredCase {
  readonly id: string;
  readonly kind: string;
  readonly isRight: boolean;
  readonly wasRight: boolean;
  /** The result and, for a wrong case, the expected result. */
  readonly detail: string;
}

const undatedDays = 200;

export function measureVersionCases(file: string): MeasuredCase[] {
  const { lists, cases } = JSON.parse(readFileSync(file, 'utf8')) as VersionCases;
  return cases.map((each) => measure(each, lists));
}

function measure(one: VersionCase, lists: VersionCases['lists']): MeasuredCase {
  const set = prepare(one, lists);
  const found = one.deployed === undefined ? { latest: latestOf(set) } : judged(one, set, one.deployed);
  const expected = one.curated === undefined ? one.expected : { latest: one.curated };
  const isRight = Object.entries(expected ?? {}).every(([field, texts]) => {
    const text = found[field as 'latest'] ?? null;
    return [texts as Texts].flat().some((each) => each === text || (one.curated && isSame(each, text)));
  });
  const result = JSON.stringify(found);
  return {
    id: one.id,
    kind: one.kind,
    isRight,
    wasRight: one.today === 'right',
    detail: isRight
      ? result
      : `${result}, expected ${JSON.stringify(one.expected ?? 'a curated version')}: ${one.why}`,
  };
}

function prepare(one: VersionCase, lists: VersionCases['lists']): ReleaseSet {
  const nowMs = Date.parse(one.now);
  const listed = one.list === undefined ? [] : (lists[one.list] ?? []);
  const tags = [...(one.plain_image_tags === true ? plainVersions(listed) : listed), ...(one.tags ?? [])];
  const rows = tags.flatMap(([version, date]) => {
    const releasedAtMs = date === null ? null : Date.parse(date);
    if (releasedAtMs !== null && releasedAtMs > nowMs) return [];
    const discoveredAtMs = releasedAtMs ?? nowMs - undatedDays * dayMs;
    const flags = { isPrerelease: false, isYanked: false, isWithdrawn: false };
    return [{ version, releasedAtMs, discoveredAtMs, url: null, ...flags }];
  });
  return prepareReleases(one.version_scheme ?? 'auto', rows, {
    isImage: one.is_image === true,
    platformWords: joinPlatformWords(one.platform_words ?? []),
  });
}

/** Returns the versions that releases such as `nightly-1.4.1.3258-ls64` package, each with its first date. */
function plainVersions(tags: readonly Tag[]): Tag[] {
  const dates = new Map<string, string | null>();
  for (const [text, date] of tags) {
    const version = text.startsWith('nightly-') ? undefined : /[0-9]+(?:\.[0-9]+)+/.exec(text)?.[0];
    if (version === undefined) continue;
    const known = dates.get(version);
    if (known === undefined || (date ?? '') < (known ?? '')) dates.set(version, date);
  }
  return [...dates];
}

function latestOf(set: ReleaseSet): string | null {
  return latestOfJob(set, ({ isPrerelease }) => !isPrerelease)?.text ?? null;
}

function judged(one: VersionCase, set: ReleaseSet, deployedVersion: string) {
  const source = one.candidate_pattern;
  const pattern = source === undefined ? null : new RegExp(source);
  const verdict = judge({
    rule: {
      type: 'days_behind',
      thresholds: { moderate: 1 },
      stableOnly: one.stable_only ?? true,
      daysBasis: 'first_newer_release',
      minReleaseAgeDays: 0,
    },
    options: {
      candidatePattern: pattern && { source: pattern.source, matches: (text) => pattern.test(text) },
      ignoredVersions: [],
    },
    deployedVersion,
    releases: set,
    nowMs: Date.parse(one.now),
  });
  const { state, latestVersion, stateReason, reason, behindBy } = verdict;
  return { state, latest: latestVersion, reason: reason ?? stateReason, behindBy };
}

function isSame(a: string | null, b: string | null): boolean {
  const { parse } = versionScheme('auto');
  const [left, right] = [parse(a ?? ''), parse(b ?? '')];
  return left !== null && right !== null && left.rank === right.rank;
}
