import { isSameJson } from '../json/json-item.ts';
import { isKnownByDigest } from './digest-match.ts';
import type { VersionState } from './fact.ts';
import { createNameAllocator, type ItemNameParts, itemNames } from './name-items.ts';
import { matchesVersionPattern } from './propose-source.ts';
import { isResolvedBySource, type Reason, reasonTexts } from './reasons.ts';
import {
  type ChartSync,
  chartSyncs,
  repositoryOf,
  sourceKey,
  sourceName,
  syncableChartOf,
  type UpstreamSource,
} from './upstream-source.ts';

/** A stored item to accept. */
export interface AcceptableItem extends ItemNameParts {
  readonly id: number;
  readonly key: string;
  readonly status: 'new' | 'accepted' | 'ignored' | 'gone' | 'replaced';
  readonly reason: Reason | null;
  /** Deployed version. Also null for a moving tag or a digest alone. */
  readonly version: string | null;
  readonly digest: string | null;
  readonly versionState: VersionState;
  /** Name chosen by a user. */
  readonly name: string | null;
  /**
   * Reason why nothing can be created for the item, besides the reasons that follow from its other fields.
   */
  readonly problem: string | null;
  /** Source chosen by a user, or else the source in the file. Null for a service of the organization. */
  readonly source: UpstreamSource | null;
  /** Mirror of the source that a second gather job reads. */
  readonly mirror: UpstreamSource | null;
  /**
   * ID of the gather job that was created or used for the current source. It takes precedence over a search
   * for the source, because a person can have changed what the job reads. Null if none is known.
   */
  readonly gatherJobId: number | null;
  /** ID of the gather job that was created or used for the current mirror. */
  readonly mirrorJobId: number | null;
  /** The scrape job of an accepted item. */
  readonly scrapeJob: ManagedScrapeJob | null;
  /** True if the item gets an alert configuration. */
  readonly hasRule: boolean;
}

export interface ManagedScrapeJob {
  readonly name: string;
  /** True if an alert configuration compares the job. */
  readonly isCompared: boolean;
  /** True if any value from which the resources of the item were derived has changed. */
  readonly isOutdated: boolean;
  /**
   * True if the name that a user chose has changed, or the labels of the file from which the name was built.
   */
  readonly isRenamed: boolean;
}

/** A gather job of the organization, or a global one. */
export interface KnownGatherJob {
  readonly id: number;
  readonly name: string;
  readonly isGlobal: boolean;
  readonly source_type: UpstreamSource['source_type'];
  readonly artifact_name: string;
  readonly source_options: object;
  readonly version_pattern: string | null;
}

/** A helm sync job of the organization that creates gather jobs. */
export interface KnownHelmSyncJob {
  readonly id: number;
  readonly name: string;
  readonly repository_url: string;
  readonly includesChart: (chart: string) => boolean;
}

export interface ExistingResources {
  readonly gatherJobs: readonly KnownGatherJob[];
  readonly syncs: readonly KnownHelmSyncJob[];
  readonly gatherJobNames: ReadonlySet<string>;
  readonly scrapeJobNames: ReadonlySet<string>;
}

/**
 * A gather job to create. `sync` is the helm sync job that feeds it: the ID of an existing one, or the
 * repository of a new one, as returned by `syncableChartOf`.
 */
export interface NewGatherJob {
  readonly name: string;
  readonly source: UpstreamSource;
  readonly sync: number | string | null;
  readonly chart: string | null;
}

export type PlannedItem =
  | {
      readonly outcome: 'accepted';
      readonly name: string;
      readonly gatherJob: KnownGatherJob | NewGatherJob | null;
      /** Job that reads the mirror of the source. */
      readonly mirrorJob: KnownGatherJob | NewGatherJob | null;
    }
  | { readonly outcome: 'already_accepted' }
  | { readonly outcome: 'rejected'; readonly message: string };

export interface Acceptance {
  /** Planned items by item ID. */
  readonly items: ReadonlyMap<number, PlannedItem>;
  readonly newGatherJobs: readonly NewGatherJob[];
  readonly newSyncs: readonly ChartSync[];
}

/**
 * Plans the resources that accepting items creates, and the existing jobs that are used instead. A gather job
 * of the organization for the same source takes precedence over a global one, which takes precedence over a
 * helm sync job of the repository. Nothing is matched by name alone.
 *
 * An item that was accepted before its source was known keeps its scrape job and gets the other resources. An
 * item whose resources are outdated is planned again. As long as its source is the same, it keeps its gather
 * job. The gather job of a mirror is never a global one, because the aliases of an organization don't apply to
 * global jobs.
 */
export function planAcceptance(items: readonly AcceptableItem[], known: ExistingResources): Acceptance {
  const byId = new Map<number | null, KnownGatherJob>(known.gatherJobs.map((job) => [job.id, job]));
  const findBySource = createGatherJobFinder(known.gatherJobs);
  const findKnown = (item: AcceptableItem & { source: UpstreamSource }) =>
    byId.get(item.gatherJobId) ?? findBySource(item);
  const findMirrorBySource = createGatherJobFinder(known.gatherJobs.filter(({ isGlobal }) => !isGlobal));
  const findMirror = (item: AcceptableItem & { source: UpstreamSource }) =>
    byId.get(item.mirrorJobId) ?? findMirrorBySource(item);
  const isDone = (item: AcceptableItem) =>
    item.scrapeJob === null ||
    (!item.scrapeJob.isOutdated &&
      (item.scrapeJob.isCompared ||
        (item.problem === null && !(hasSource(item) && (item.hasRule || findKnown(item) === null)))));
  const planned = new Map<number, PlannedItem>();
  const accepted = items.filter((item) => {
    const problem = problemOfItem(item);
    if (item.status === 'accepted' && isDone(item)) planned.set(item.id, { outcome: 'already_accepted' });
    else if (problem !== null) planned.set(item.id, { outcome: 'rejected', message: problem });
    return !planned.has(item.id);
  });

  const missing = new Map<string, AcceptableItem & { source: UpstreamSource }>();
  for (const item of accepted) {
    if (hasSource(item) && findKnown(item) === null && !missing.has(sourceKey(item.source)))
      missing.set(sourceKey(item.source), item);
    const copy = mirrorOf(item);
    if (copy !== null && findMirror(copy) === null && !missing.has(sourceKey(copy.source)))
      missing.set(sourceKey(copy.source), copy);
  }
  const { newGatherJobs, newSyncs } = planSources(missing, known);

  const newName = createNameAllocator(known.scrapeJobNames);
  // Sort by key, because in file order, an item that moves would take the name of another item.
  for (const item of accepted.toSorted(byKey)) {
    const name =
      item.scrapeJob !== null && (!item.scrapeJob.isRenamed || isNameOf(item, item.scrapeJob.name))
        ? item.scrapeJob.name
        : newName(item.name === null ? itemNames(item) : [item.name, ...itemNames(item).slice(-1)]);
    const gatherJob = hasSource(item)
      ? (findKnown(item) ?? newGatherJobs.get(sourceKey(item.source)) ?? null)
      : null;
    const copy = mirrorOf(item);
    const mirrorJob = copy && (findMirror(copy) ?? newGatherJobs.get(sourceKey(copy.source)) ?? null);
    planned.set(item.id, { outcome: 'accepted', name, gatherJob, mirrorJob });
  }
  return { items: planned, newGatherJobs: [...newGatherJobs.values()], newSyncs: [...newSyncs.values()] };
}

/** Returns the reason why an item can't be accepted, as a sentence, or null if it can. */
export function problemOfItem(item: AcceptableItem): string | null {
  const { status, reason, version, versionState, problem, source } = item;
  if (status === 'ignored') return 'The item is ignored. Restore it first.';
  if (status === 'gone') return 'The last scan no longer found it.';
  if (status === 'replaced') return 'Another artifact replaced it. Accept that item instead.';
  // The scrape job of an accepted item already has a version, so the current content of the file doesn't
  // matter.
  if (status === 'accepted') return problem;
  if (isKnownByDigest({ ...item, sourceType: source?.source_type ?? null })) return problem;
  // Services of the organization have no upstream, so `no_source` isn't a problem.
  if (reason !== null && reason !== 'no_source' && !isResolvedBySource(reason, source?.source_type ?? null))
    return reasonTexts[reason];
  if (version === null || versionState !== 'exact') return 'No file says which version is deployed.';
  return problem;
}

/**
 * True if the name can be generated for the item. Without this check, the item's current name would count as
 * taken.
 */
function isNameOf(item: AcceptableItem, name: string): boolean {
  return item.name === null && itemNames(item).includes(name.replace(/ #\d+$/, ''));
}

function hasSource(item: AcceptableItem): item is AcceptableItem & { source: UpstreamSource } {
  return item.source !== null;
}

/** Returns an item as if its mirror were its source, or null if no gather job reads a mirror for the item. */
function mirrorOf(item: AcceptableItem): (AcceptableItem & { source: UpstreamSource }) | null {
  return item.mirror && { ...item, source: item.mirror };
}

/** Returns a function that finds the gather job for a deployed version and its source. */
export function createGatherJobFinder(
  jobs: readonly KnownGatherJob[],
): (deployed: { source: UpstreamSource; version: string | null }) => KnownGatherJob | null {
  const bySource = Map.groupBy(jobs, sourceIdentity);
  return ({ source, version }) => {
    const serving = (bySource.get(sourceIdentity(source)) ?? [])
      .filter((job) => isSameJson(job.source_options, source.source_options))
      .toSorted((a, b) => Number(a.isGlobal) - Number(b.isGlobal) || a.id - b.id);
    const exact = serving.find((job) => job.version_pattern === source.version_pattern);
    if (exact !== undefined || source.version_pattern !== null) return exact ?? null;
    // The file doesn't show which part of the repository is deployed, so use a job only if no other job
    // matches the version.
    const [only, ...others] = serving.filter((job) => matchesVersionPattern(job, version));
    return others.length === 0 ? (only ?? null) : null;
  };
}

function sourceIdentity({
  source_type,
  artifact_name,
}: Pick<UpstreamSource, 'source_type' | 'artifact_name'>): string {
  return `${source_type} ${artifact_name.toLowerCase()}`;
}

function planSources(
  missing: ReadonlyMap<string, AcceptableItem & { source: UpstreamSource }>,
  known: ExistingResources,
): { newGatherJobs: Map<string, NewGatherJob>; newSyncs: Map<string, ChartSync> } {
  const syncOf = (source: UpstreamSource): KnownHelmSyncJob | undefined => {
    const chart = syncableChartOf(source);
    return chart === null
      ? undefined
      : known.syncs.find(
          (sync) => repositoryOf(sync.repository_url) === chart.repository && sync.includesChart(chart.chart),
        );
  };
  const sourcesWithoutSync = [...missing.values()]
    .map(({ source }) => source)
    .filter((source) => syncOf(source) === undefined);
  const newSyncs = chartSyncs(sourcesWithoutSync);
  const newName = createNameAllocator(known.gatherJobNames);
  const newGatherJobs = new Map(
    [...missing].map(([key, { source, artifactName }]): [string, NewGatherJob] => {
      const chart = syncableChartOf(source);
      const existing = syncOf(source)?.id ?? null;
      const created = chart !== null && newSyncs.has(chart.repository) ? chart.repository : null;
      const sync = existing ?? created;
      const name = newName([sourceName(source, artifactName)]);
      return [key, { name, source, sync, chart: sync === null ? null : (chart?.chart ?? null) }];
    }),
  );
  return { newGatherJobs, newSyncs };
}

function byKey(a: AcceptableItem, b: AcceptableItem): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id;
}
