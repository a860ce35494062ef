import { setImmediate as pause } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { escapeControls, hasControlCharacters } from '../../../domain/text/visible-controls.ts';
import { lineAndVariantOf } from '../../../domain/versions/match-release.ts';
import { skipReasons, versionProblem } from '../../../domain/versions/skip-reasons.ts';
import type { VersionScheme, VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import { versionScheme } from '../../../domain/versions/versions.ts';
import type { Schemas } from '../../../generated/agent-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import type { TagsToMatch } from './find-versions-job.ts';

type GatherResultItem = Schemas['GatherResultItem'];
type SkippedItem = Schemas['SkippedItem'];

/** Releases of one job, as listed by its source. */
export interface ListedReleases {
  jobId: number;
  releases: readonly GatherResultItem[];
}

/** Options for parsing the tags of a job. */
export interface JobReadOptions {
  jobId: number;
  scheme: VersionSchemeId;
  /** Platform words in the format that `joinPlatformWords` returns. */
  platformWords: string;
  versionPattern: string | null;
  includePrereleases: boolean;
}

/** A release to be stored, with the columns of `incomingColumns`. */
interface IncomingRelease {
  gather_job_id: number;
  tag: string;
  version: string;
  sort_key: string | null;
  variant: string;
  app_version: string | null;
  released_at: string | null;
  is_prerelease: boolean;
  is_yanked: boolean;
  url: string | null;
  notes: string | null;
  digest: string | null;
  commit_id: string | null;
}

const incomingColumns = `gather_job_id bigint, tag text, version text, sort_key text COLLATE "C", variant text,
  app_version text, released_at timestamptz, is_prerelease boolean, is_yanked boolean, url text, notes text,
  digest text, commit_id text`;

export interface IncomingReleases {
  /** FROM item that contains the releases under the alias `incoming`. Each tag of a job occurs only once. */
  from: RawBuilder<unknown>;
  countsOf: (jobId: number) => IncomingCounts;
}

interface IncomingCounts {
  /**
   * Number of received releases. `skipped` is the number of these that were excluded by pattern, length, or
   * the pre-release setting.
   */
  found: number;
  skipped: number;
  skippedExamples: SkippedItem[];
  /** Upper limit for the number of releases in `from`. */
  taken: number;
}

/**
 * Ingests releases in parts and slices, because all organizations share the thread. Single-slice lists, the
 * most common, stay in memory. Longer lists use a temporary table, which limits memory use to one part.
 */
export async function ingestReleases(
  tx: Tx,
  parts: AsyncIterable<readonly ListedReleases[]>,
  readOptionsOf: (jobId: number) => JobReadOptions,
  findVersions: (tags: TagsToMatch) => Promise<(string | null)[]>,
): Promise<IncomingReleases> {
  const reader = createReader(readOptionsOf, findVersions);
  let first: IncomingRelease[] | null = null;
  let isInTable = false;
  for await (const part of parts) {
    for (const slice of slicesOf(part)) {
      const read = await reader.read(slice);
      if (first === null) {
        first = read;
        continue;
      }
      if (!isInTable) {
        await createTable(tx);
        await addToTable(tx, first);
        isInTable = true;
      }
      await addToTable(tx, read);
    }
  }
  return {
    from: isInTable ? sql`incoming_releases AS incoming` : inMemory(first ?? []),
    countsOf: reader.countsOf,
  };
}

function inMemory(releases: readonly IncomingRelease[]): RawBuilder<unknown> {
  const seen = new Set<string>();
  const distinct = releases.filter(({ gather_job_id, tag }) => {
    const key = `${gather_job_id}/${tag}`;
    return !seen.has(key) && seen.add(key);
  });
  return recordset(distinct);
}

function recordset(releases: readonly IncomingRelease[]): RawBuilder<unknown> {
  return sql`json_to_recordset(${JSON.stringify(releases)}::json) AS incoming (${sql.raw(incomingColumns)})`;
}

async function createTable(tx: Tx): Promise<void> {
  await sql`
    CREATE TEMPORARY TABLE incoming_releases (${sql.raw(incomingColumns)}, PRIMARY KEY (gather_job_id, tag))
    ON COMMIT DROP`.execute(tx);
}

async function addToTable(tx: Tx, releases: readonly IncomingRelease[]): Promise<void> {
  if (releases.length === 0) return;
  await sql`INSERT INTO incoming_releases SELECT * FROM ${recordset(releases)} ON CONFLICT DO NOTHING`.execute(
    tx,
  );
}

const maxNotesBytes = 65_536;

/**
 * Number of releases that are parsed without yielding, which takes up to 10 ms. The parts of a gather run
 * have the same size.
 */
const sliceSize = 1_000;

/** Splits the releases of jobs into slices of a maximum size, in the same order. */
function* slicesOf(part: readonly ListedReleases[]): Generator<ListedReleases[], void, undefined> {
  let slice: ListedReleases[] = [];
  let size = 0;
  for (const { jobId, releases } of part) {
    for (let at = 0; at < releases.length; ) {
      const taken = releases.slice(at, at + sliceSize - size);
      slice.push({ jobId, releases: taken });
      at += taken.length;
      size += taken.length;
      if (size < sliceSize) continue;
      yield slice;
      slice = [];
      size = 0;
    }
  }
  if (size > 0) yield slice;
}

function createReader(
  readOptionsOf: (jobId: number) => JobReadOptions,
  findVersions: (tags: TagsToMatch) => Promise<(string | null)[]>,
) {
  const jobs = new Map<
    number,
    { scheme: VersionScheme; pattern: string | null; includePrereleases: boolean; counts: IncomingCounts }
  >();

  function jobOf(jobId: number) {
    let job = jobs.get(jobId);
    if (!job) {
      const { scheme, platformWords, versionPattern, includePrereleases } = readOptionsOf(jobId);
      job = {
        scheme: versionScheme(scheme, platformWords),
        pattern: versionPattern,
        includePrereleases,
        counts: noCounts(),
      };
      jobs.set(jobId, job);
    }
    return job;
  }

  function skip(counts: IncomingCounts, name: string, reason: string): void {
    counts.skipped += 1;
    if (counts.skippedExamples.length < 10) counts.skippedExamples.push({ name, reason });
  }

  async function read(slice: readonly ListedReleases[]): Promise<IncomingRelease[]> {
    const read: IncomingRelease[] = [];
    const slices = new TimeSlices();
    for (const { jobId, releases } of slice) {
      const { pattern } = jobOf(jobId);
      const versions =
        pattern === null
          ? releases.map(({ version, tag }) => version ?? tag)
          : await findVersions({ pattern, tags: releases.map(({ tag }) => tag) });
      releases.forEach((item, index) => {
        const release = readOne(jobId, item, versions[index] ?? '');
        if (release) read.push(release);
      });
      // Pause after each job, because the pattern of a job can take milliseconds.
      await slices.pause();
    }
    await pause();
    return read;
  }

  function readOne(jobId: number, item: GatherResultItem, name: string): IncomingRelease | null {
    const job = jobOf(jobId);
    const { counts } = job;
    counts.found += 1;
    const problem = versionProblem(name, item.tag);
    if (problem !== null) {
      skip(counts, escapeControls(item.tag).slice(0, 300), problem);
      return null;
    }
    const version = job.scheme.parse(name);
    const isPrerelease = item.is_prerelease || (version?.isPrerelease ?? false);
    // Count it as skipped, but still return it: if it was stored as stable, it must be removed.
    if (isPrerelease && !job.includePrereleases) skip(counts, item.tag, skipReasons.prerelease);
    counts.taken += 1;
    return {
      gather_job_id: jobId,
      tag: item.tag,
      version: name,
      sort_key: version && job.scheme.sortKey(version),
      variant: version === null ? '' : lineAndVariantOf(version),
      app_version:
        item.app_version !== null && hasControlCharacters(item.app_version) ? null : item.app_version,
      // Convert the date to UTC. RFC 3339 allows offsets beyond 15:59, but PostgreSQL doesn't.
      released_at: item.released_at && new Date(item.released_at).toISOString(),
      is_prerelease: isPrerelease,
      is_yanked: item.is_yanked,
      url: item.url !== null && isLink(item.url) ? item.url : null,
      notes: item.notes && truncateUtf8(item.notes, maxNotesBytes),
      digest: item.digest ?? null,
      commit_id: item.commit ?? null,
    };
  }

  return { read, countsOf: (jobId: number) => jobs.get(jobId)?.counts ?? noCounts() };
}

function noCounts(): IncomingCounts {
  return { found: 0, skipped: 0, skippedExamples: [], taken: 0 };
}

/** True if a URL can be shown as a link. A URL with user information can appear to belong to another host. */
function isLink(url: string): boolean {
  if (!/^https?:\/\//i.test(url) || hasControlCharacters(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/** Truncates text to a maximum number of UTF-8 bytes without splitting a character. */
function truncateUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
