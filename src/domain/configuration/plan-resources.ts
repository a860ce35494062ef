import { extractorOfKey } from '../discovery/item-key.ts';
import { type Item, isItem } from '../json/json-item.ts';
import { parseContent } from '../parsers/parse-content.ts';
import type { VersionTransform } from '../transforms/version-transform.ts';
import type { Entry } from './configuration-entries.ts';
import { chartOfManagedJob, discoveredFields, managedJobFields, type ResourceKind } from './kinds.ts';
import { findNameProblems, matchEntries } from './match-entries.ts';
import { matchRenamed, orderComparisons } from './plan-comparisons.ts';
import { addProblem, type FieldValue, type PlanDraft, type Step, type Target } from './plan-steps.ts';
import { resolveReference } from './resolve-references.ts';
import { changesOf, changesOfNewResource, matchesDesired, membersOf } from './wanted-members.ts';

export interface PlannedResources {
  /** Creates and updates, in file order. */
  steps: Step[];
  /** Versions to set after all other changes. */
  versions: Step[];
}

/** Plans the changes of one section. The sections that it refers to must already be planned. */
export function planResources(draft: PlanDraft, kind: ResourceKind): PlannedResources {
  const entries = draft.desired.entries[kind.section] ?? [];
  draft.problems.push(...findNameProblems(entries));
  const items = draft.state.own[kind.section].filter((item) => !isManagedByJob(kind, item));
  const membersByEntry = new Map(entries.map((entry) => [entry, membersOf(draft, kind, entry)]));
  const matching = matchEntries(
    entries.filter((entry) => !isItem(entry.values['fed_by'])),
    items,
    (entry, item) =>
      membersByEntry.get(entry)!.every((member) => matchesDesired(draft, kind, entry, member, item)),
  );
  draft.problems.push(...matching.problems);
  const isCompared = kind.section === 'alert_configs';
  if (isCompared && draft.options.prune) matchRenamed(draft, membersByEntry, matching.matches);
  const planned: PlannedResources = { steps: [], versions: [] };
  const isDiscovered = kind.section === 'scrape_jobs';
  const fedJobs = new Map(
    isDiscovered
      ? draft.state.own.scrape_jobs.map((job) => [
          itemKey(job['discovery_job_id'], job['followed_item']),
          job,
        ])
      : draft.state.own.gather_jobs.map((job) => [
          fedKey(job['helm_sync_job_id'], chartOfManagedJob(job)),
          job,
        ]),
  );
  const isRepeated = createItemSearch();
  const planAnyFed = (entry: Entry, members: readonly FieldValue[]) =>
    isDiscovered
      ? planDiscovered(draft, kind, entry, members, fedJobs, isRepeated)
      : planFed(draft, kind, entry, members, fedJobs);
  for (const entry of entries) {
    const members = membersByEntry.get(entry)!;
    const item = matching.matches.get(entry);
    if (isItem(entry.values['fed_by'])) planned.steps.push(...planAnyFed(entry, members));
    else if (item) planned.steps.push(...planUpdate(draft, kind, entry, members, item));
    else planned.steps.push(...planNew(draft, kind, entry, members));
    planned.versions.push(...planVersion(draft, entry, item));
  }
  if (isCompared) planned.steps = orderComparisons(draft, planned.steps);
  return planned;
}

/**
 * True if a helm sync job manages the resource (a gather job for a chart), or a discovery job manages it (a
 * scrape job for an item).
 */
export function isManagedByJob({ section }: ResourceKind, item: Item): boolean {
  if (section === 'scrape_jobs') return item['discovery_job_id'] !== null;
  return section === 'gather_jobs' && item['helm_sync_job_id'] !== null;
}

/** True if a discovery job created the resource for an item that it found, and keeps it up to date. */
export function isCreatedByDiscovery(item: Item): boolean {
  return (item['managed_by'] ?? null) !== null;
}

function planNew(draft: PlanDraft, kind: ResourceKind, entry: Entry, members: readonly FieldValue[]): Step[] {
  const { channels } = entry.values;
  if (kind.section === 'notification_rules' && Array.isArray(channels) && channels.length === 0) {
    draft.notes.push({ section: entry.section, index: entry.index, message: 'skipped: it has no channels.' });
    return [];
  }
  return [
    {
      action: 'create',
      kind,
      name: entry.name,
      entry,
      members: [...members],
      changes: changesOfNewResource(kind, entry, members),
    },
  ];
}

function planUpdate(
  draft: PlanDraft,
  kind: ResourceKind,
  entry: Entry,
  members: readonly FieldValue[],
  item: Item,
): Step[] {
  draft.kept.add(item);
  draft.ids.set(entry, Number(item['id']));
  const differing = members.filter((member) => !matchesDesired(draft, kind, entry, member, item));
  const isManual = (value: unknown) => value === 'manual';
  if (
    kind.section === 'scrape_jobs' &&
    !entry.isUnread('parser_type') &&
    !isManagedByJob(kind, item) &&
    isManual(item['parser_type']) !== isManual(entry.values['parser_type'])
  ) {
    addProblem(
      draft,
      entry,
      "can't change to or from manual. Delete the job or use another name.",
      'parser_type',
    );
    return [];
  }
  if (kind.section === 'notification_channels' && differing.some(({ member }) => member === 'channel_type')) {
    addProblem(draft, entry, "can't change. Delete the channel or use another name.", 'channel_type');
    return [];
  }
  if (differing.length === 0) {
    draft.unchanged++;
    return [];
  }
  return [
    {
      action: 'update',
      kind,
      name: entry.name,
      entry,
      id: Number(item['id']),
      members: [...members],
      differing,
      changes: changesOf(draft, kind, entry, differing, item),
    },
  ];
}

function planFed(
  draft: PlanDraft,
  kind: ResourceKind,
  entry: Entry,
  members: readonly FieldValue[],
  fedJobs: ReadonlyMap<string, Item>,
): Step[] {
  const { helm_sync_job, chart } = entry.values['fed_by'] as { helm_sync_job: unknown; chart: string };
  for (const member of Object.keys(entry.values)) {
    if (!managedJobFields.has(member))
      addProblem(draft, entry, "comes from its helm sync job and can't be set here.", member);
  }
  const sync = resolveReference(draft, entry, 'helm_sync_jobs', helm_sync_job, 'fed_by.helm_sync_job');
  if (!sync) return [];
  const own = members.filter(({ member }) => managedJobFields.has(member));
  const syncId = 'id' in sync ? sync.id : draft.ids.get(sync.entry);
  const item = syncId === undefined ? undefined : fedJobs.get(fedKey(syncId, chart));
  if (item) return planUpdate(draft, kind, entry, own, item);
  return [{ action: 'await', kind, name: entry.name, entry, sync, chart, members: own, changes: [] }];
}

/**
 * Plans a scrape job that a discovery job feeds. The scrape job is created even if no scan has found its item
 * yet.
 */
function planDiscovered(
  draft: PlanDraft,
  kind: ResourceKind,
  entry: Entry,
  members: readonly FieldValue[],
  fedJobs: ReadonlyMap<string, Item>,
  isRepeated: (job: Target, item: Item) => boolean,
): Step[] {
  const { discovery_job, ...wanted } = entry.values['fed_by'] as { discovery_job: unknown };
  for (const member of Object.keys(entry.values)) {
    if (!discoveredFields.has(member))
      addProblem(draft, entry, "comes from its discovery job and can't be set here.", member);
  }
  const job = resolveReference(draft, entry, 'discovery_jobs', discovery_job, 'fed_by.discovery_job');
  if (!job) return [];
  const jobId = 'id' in job ? job.id : draft.ids.get(job.entry);
  const item = jobId === undefined ? undefined : fedJobs.get(itemKey(jobId, wanted));
  if (isRepeated(job, wanted)) {
    addProblem(draft, entry, 'another scrape job in the file has the same item.', 'fed_by');
    return [];
  }
  // The scan derives labels from files, so keep them unless the entry sets labels.
  const isNamed = (member: string) => member !== 'labels' || entry.values['labels'] !== undefined;
  const own = members.filter(({ member }) => discoveredFields.has(member) && isNamed(member));
  if (item) return planUpdate(draft, kind, entry, own, item);
  const { key, discriminator = '' } = wanted as { key: string; discriminator?: string };
  // PostgreSQL can store neither NUL nor lone surrogates, so no key of a discovered item contains them.
  if (extractorOfKey(key) === null || /\0|\p{Cs}/u.test(key + discriminator)) {
    addProblem(draft, entry, "isn't the key of an item.", 'fed_by.key');
    return [];
  }
  return [
    {
      action: 'follow',
      kind,
      name: entry.name,
      entry,
      job,
      item: {
        key,
        discriminator,
      },
      members: own,
      changes: changesOfNewResource(kind, entry, own),
    },
  ];
}

/** Returns a function that returns true if it has already been called with the same job and item. */
function createItemSearch(): (job: Target, item: Item) => boolean {
  const seen = new Set<string>();
  return (job, item) => {
    const place = 'id' in job ? job.id : `entry ${job.entry.index}`;
    const name = itemKey(place, item);
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated;
  };
}

function itemKey(jobId: unknown, item: unknown): string {
  const { key, discriminator = '' } = isItem(item) ? item : {};
  return JSON.stringify([jobId, key, discriminator]);
}

function fedKey(syncId: unknown, chart: string): string {
  return `${String(syncId)}/${chart}`;
}

function planVersion(draft: PlanDraft, entry: Entry, item: Item | undefined): Step[] {
  const { version: given } = entry.values;
  if (typeof given !== 'string') return [];
  const version = given.trim();
  if (entry.isUnread('parser_type')) return [];
  if (isItem(entry.values['fed_by'])) return [];
  if (entry.values['parser_type'] !== 'manual') {
    addProblem(draft, entry, 'only manual scrape jobs accept a version.', 'version');
    return [];
  }
  const transform = (entry.values['version_transform'] ?? 'none') as VersionTransform;
  const parsed = parseContent({ parserType: 'manual', expression: '', transform, content: version });
  if (!parsed.ok) {
    addProblem(draft, entry, parsed.message, 'version');
    return [];
  }
  const before = item?.['latest_version'] ?? null;
  if (parsed.version === before) return [];
  return [{ action: 'set-version', entry, version, changes: [{ field: 'version', before, after: version }] }];
}
