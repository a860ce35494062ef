import { sql } from 'kysely';
import type { ReleaseChange } from '../../../domain/rules/release-changes.ts';
import { prepareInSteps, type ReleaseSet } from '../../../domain/rules/release-set.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { createAppVersionCache } from './app-version-cache.ts';
import { createSupportCache, type SupportCache } from './support-cache.ts';
import { createVulnerabilityCache, type VulnerabilityCache } from './vulnerability-cache.ts';

/** Gather job fields that an evaluation requires. The revision changes with the set of releases. */
export interface GatherJobKey {
  organizationId: number;
  id: number;
  scheme: VersionSchemeId;
  /** Platform words in the format that `joinPlatformWords` returns. */
  platformWords: string;
  /** True if the releases are tags of an image. */
  isImage: boolean;
  /** True if the releases are versions deployed in another environment. */
  isDeployed: boolean;
  revision: number;
}

export interface ReleaseCache {
  /** Cache for rules about support. */
  readonly support: SupportCache;
  /** Cache for rules about vulnerabilities. */
  readonly vulnerabilities: VulnerabilityCache;
  /**
   * Loads the releases of each job. Releases that aren't cached are read with one statement for many jobs.
   */
  load(db: Database | Tx, jobs: readonly GatherJobKey[]): Promise<(job: GatherJobKey) => ReleaseSet>;
}

/** Maximum number of cached releases in all sets together, about 50 MB. */
const keptReleases = 100_000;

/**
 * Number of jobs per statement. It's limited, because the rows of a statement take several times the memory
 * of the resulting sets.
 */
const jobsPerStatement = 20;

/**
 * Caches the releases of gather jobs, which are read and ordered once for all configurations and evaluations.
 * Each set is cached by its revision, which is read with the configuration, so an outdated set is never used.
 */
export function createReleaseCache({ maxReleases = keptReleases } = {}): ReleaseCache {
  const sets = new Map<string, ReleaseSet>();
  let releaseCount = 0;
  const charts = createAppVersionCache();

  function keep(key: string, set: ReleaseSet): void {
    sets.set(key, set);
    releaseCount += set.size;
    for (const [oldest, oldSet] of sets) {
      if (releaseCount <= maxReleases || oldest === key) break;
      sets.delete(oldest);
      releaseCount -= oldSet.size;
    }
  }

  return {
    support: createSupportCache(charts),
    vulnerabilities: createVulnerabilityCache(charts),

    async load(db, jobs) {
      const loaded = new Map<string, ReleaseSet>();
      const missing: GatherJobKey[] = [];
      for (const job of new Map(jobs.map((job) => [keyOf(job), job])).values()) {
        const key = keyOf(job);
        const set = sets.get(key);
        if (!set) {
          missing.push(job);
          continue;
        }
        // Insert the entry again, so that the least recently used entry is evicted first.
        sets.delete(key);
        sets.set(key, set);
        loaded.set(key, set);
      }
      const slices = new TimeSlices();
      for (let at = 0; at < missing.length; at += jobsPerStatement) {
        for (const [key, set] of await readSets(db, missing.slice(at, at + jobsPerStatement), slices)) {
          loaded.set(key, set);
          keep(key, set);
        }
      }
      return (job) => loaded.get(keyOf(job))!;
    },
  };
}

function keyOf(job: GatherJobKey): string {
  return `${job.organizationId}/${job.id}/${job.scheme} ${job.platformWords}/${job.revision}`;
}

interface StoredMove {
  at_ms: number;
  from: string;
  to: string;
}

interface ReleaseColumns {
  organization_id: number;
  gather_job_id: number;
  versions: string[];
  released_at_ms: (number | null)[];
  discovered_at_ms: number[];
  prereleases: boolean[];
  yanked: boolean[];
  withdrawn: boolean[];
  urls: (string | null)[];
  /** `null` if neither the commit nor the digest is known. */
  moves: (StoredMove[] | null)[];
}

async function readSets(
  db: Database | Tx,
  jobs: readonly GatherJobKey[],
  slices: TimeSlices,
): Promise<Map<string, ReleaseSet>> {
  // Return one row with lists for each job. One row per release would be several times as expensive to read,
  // and arrays would be three times as expensive as JSON.
  const { rows } = await sql<ReleaseColumns>`
    SELECT organization_id, gather_job_id,
      json_agg(version) AS versions,
      json_agg((extract(epoch FROM released_at) * 1000)::bigint) AS released_at_ms,
      json_agg((extract(epoch FROM discovered_at) * 1000)::bigint) AS discovered_at_ms,
      json_agg(is_prerelease) AS prereleases, json_agg(is_yanked) AS yanked,
      json_agg(is_withdrawn) AS withdrawn, json_agg(url) AS urls,
      json_agg(CASE WHEN coalesce(commit_id, digest) IS NOT NULL THEN coalesce(moves, '[]') END) AS moves
    FROM releases
    WHERE (organization_id, gather_job_id) IN (SELECT * FROM unnest(
      ${jobs.map((job) => job.organizationId)}::bigint[], ${jobs.map((job) => job.id)}::bigint[]))
    GROUP BY organization_id, gather_job_id`.execute(db);
  const byJob = new Map(rows.map((row) => [`${row.organization_id}/${row.gather_job_id}`, row]));
  const sets = new Map<string, ReleaseSet>();
  for (const job of jobs) {
    const columns = byJob.get(`${job.organizationId}/${job.id}`);
    const steps = prepareInSteps(job.scheme, columns ? releaseRows(columns) : [], job);
    sets.set(keyOf(job), await slices.run(steps));
  }
  return sets;
}

function* releaseRows(columns: ReleaseColumns) {
  for (const [index, version] of columns.versions.entries()) {
    yield {
      version,
      releasedAtMs: columns.released_at_ms[index] ?? null,
      discoveredAtMs: columns.discovered_at_ms[index]!,
      isPrerelease: columns.prereleases[index]!,
      isYanked: columns.yanked[index]!,
      isWithdrawn: columns.withdrawn[index]!,
      url: columns.urls[index] ?? null,
      moves: toMoves(columns.moves[index] ?? null),
    };
  }
}

/** Shared by all releases without changes, because a set can have thousands of them. */
const noMoves: readonly ReleaseChange[] = [];

function toMoves(stored: readonly StoredMove[] | null): readonly ReleaseChange[] | null {
  if (stored === null) return null;
  return stored.length === 0 ? noMoves : stored.map(({ at_ms, from, to }) => ({ atMs: at_ms, from, to }));
}
