import { versionScheme } from '../versions/versions.ts';
import { currentRelations } from './current-relations.ts';
import { type DeployedOrder, deployedOrder } from './deployed-order.ts';
import type { FirstSeen } from './promotions.ts';
import { type ComparedCell, compareCells, lowestDeployed, type Relation } from './relation.ts';

/** A job that reports the version of a service in an environment, for example in one of several clusters. */
export interface DeployedJob {
  readonly scrapeJobId: number;
  readonly environment: string;
  readonly version: string;
  /** Time when the version was deployed. */
  readonly sinceMs: number;
}

/** A version in an environment, with the jobs that report it. */
export interface DeployedVersion {
  readonly version: string;
  readonly scrapeJobIds: readonly number[];
  readonly sinceMs: number;
}

export interface ServiceCell {
  readonly environment: string;
  /** Deployed versions, lowest first. Different spellings of one version are merged. */
  readonly versions: readonly DeployedVersion[];
  readonly relation: Relation;
  /** The environment that this cell is compared with. */
  readonly comparedWith: string | null;
  readonly releasesBehind: number | null;
  readonly behindSinceMs: number | null;
}

/** Cells of one service, one for each environment, in the given order. */
export interface ServiceCells {
  readonly cells: readonly ServiceCell[];
  readonly newestVersion: string | null;
}

/**
 * Returns the jobs of a service whose history is required for `serviceCells`. If all versions are comparable,
 * these are only the jobs of environments with a newer version than the next environment.
 */
export function jobsWithHistory<Job extends DeployedJob>(
  environments: readonly string[],
  jobs: readonly Job[],
): readonly Job[] {
  const relations = currentRelations(environments, jobs);
  if (relations === null) return jobs;
  const ahead = new Set<string>();
  let earlier: string | null = null;
  for (const [index, relation] of relations.entries()) {
    if (relation === 'behind' && earlier !== null) ahead.add(earlier);
    if (relation !== 'missing') earlier = environments[index]!;
  }
  return jobs.filter(({ environment }) => ahead.has(environment));
}

/**
 * Compares the versions of one service across environments.
 *
 * @param historyOf Returns every change of the version that a job reported, in any order, or an empty list if
 * the history is unknown.
 */
export function serviceCells(
  environments: readonly string[],
  jobs: readonly DeployedJob[],
  historyOf: (scrapeJobId: number) => readonly FirstSeen[],
): ServiceCells {
  const texts = jobs.flatMap((job) => [
    job.version,
    ...historyOf(job.scrapeJobId).map(({ version }) => version),
  ]);
  const order = deployedOrder(versionScheme('auto'), texts);
  const byEnvironment = Map.groupBy(jobs, ({ environment }) => environment);

  let earlier: { environment: string; version: string; seen: readonly FirstSeen[] } | null = null;
  const cells = environments.map((environment): ServiceCell => {
    const own = byEnvironment.get(environment) ?? [];
    const versions = groupVersions(order, own);
    const lowest = lowestDeployed(
      order,
      versions.map(({ version, sinceMs }) => ({ version, atMs: sinceMs })),
    );
    if (lowest === null) return { ...notCompared, environment, versions, relation: 'missing' };
    const before = earlier;
    const seen = own.flatMap((job) => [
      { version: job.version, atMs: job.sinceMs },
      ...historyOf(job.scrapeJobId),
    ]);
    earlier = { environment, version: lowest.version, seen };
    if (before === null) return { ...notCompared, environment, versions, relation: 'first' };
    const compared: ComparedCell = compareCells(order, lowest.version, before.version, before.seen);
    return { ...compared, environment, versions, comparedWith: before.environment };
  });
  return { cells, newestVersion: newestOf(order, jobs) };
}

const notCompared = { comparedWith: null, releasesBehind: null, behindSinceMs: null };

function groupVersions(order: DeployedOrder, jobs: readonly DeployedJob[]): DeployedVersion[] {
  const groups = Map.groupBy(jobs, ({ version }) => order.identity(version));
  const versions = [...groups.values()].map((same) => ({
    version: same[0]!.version,
    scrapeJobIds: same.map(({ scrapeJobId }) => scrapeJobId),
    sinceMs: Math.min(...same.map(({ sinceMs }) => sinceMs)),
  }));
  return versions.toSorted((a, b) => order.compare(a.version, b.version) ?? a.sinceMs - b.sinceMs);
}

/** Returns the highest version, or the one deployed last if the versions can't be compared. */
function newestOf(order: DeployedOrder, jobs: readonly DeployedJob[]): string | null {
  let newest: DeployedJob | null = null;
  for (const job of jobs) {
    if (newest === null) newest = job;
    else if ((order.compare(job.version, newest.version) ?? job.sinceMs - newest.sinceMs) > 0) newest = job;
  }
  return newest?.version ?? null;
}
