import type { DiscoveredItem } from '../../domain/discovery/discover.ts';
import { createNameAllocator, itemNames } from '../../domain/discovery/name-items.ts';
import type { Proposal } from '../../domain/discovery/propose-source.ts';
import { suggestedLifecycleRule, suggestedRule } from '../../domain/discovery/suggested-rule.ts';
import {
  type ChartSync,
  chartSyncs,
  sourceKey,
  sourceName,
  syncableChartOf,
  type UpstreamSource,
} from '../../domain/discovery/upstream-source.ts';
import type { Item } from '../call-operation.ts';
import type { FileComment } from '../configuration/configuration-commands.ts';
import { escapeEnvironmentReferences } from '../configuration/environment-values.ts';
import { isProposed, placeText } from './discovery-table.ts';

type Proposed = DiscoveredItem & { proposal: Proposal; version: string };

/**
 * Creates a configuration file for `apply`, with a manual scrape job, a gather job, and an alert
 * configuration for each version. Scrape jobs get the labels, as when items are accepted, because the environments
 * and the bill of materials use the labels of scrape jobs. Alert configurations inherit them.
 *
 * @param namePrefix Prefix for the resources of this checkout. Sources have no prefix, because checkouts
 * share them.
 */
export function toConfiguration(
  items: readonly DiscoveredItem[],
  { rule, namePrefix }: { rule: string | null; namePrefix: string },
): { document: Item; comments: FileComment[]; versionCount: number } {
  const proposed = items.filter(
    (item): item is Proposed => isProposed(item) && item.proposal !== null && item.version !== null,
  );
  const sources = Map.groupBy(proposed, ({ proposal }) => sourceKey(proposal));
  const jobNames = createNameAllocator();
  const nameOfSource = new Map(
    [...sources].map(
      ([key, [item]]) => [key, jobNames([sourceName(item!.proposal, item!.artifact.name)])] as const,
    ),
  );
  const syncs = chartSyncs([...sources.values()].map(([item]) => item!.proposal));
  const newName = createNameAllocator();
  // Assign names by key rather than by file. Otherwise, moving a file could give an item the name that another item
  // had.
  const nameOf = new Map(
    proposed.toSorted(byKey).map((item) => [item, newName(namesOf(item, namePrefix))] as const),
  );
  const ruleFor = ({ proposal }: Proposed) =>
    proposal.source_type === 'lifecycle' ? suggestedLifecycleRule : suggestedRule;
  const scrapeJobs: Item[] = [];
  const alertConfigs: Item[] = [];
  const comments: FileComment[] = [];
  for (const item of proposed.toSorted(byPlace)) {
    const name = nameOf.get(item)!;
    const gatherJob = nameOfSource.get(sourceKey(item.proposal))!;
    comments.push({ path: ['scrape_jobs', scrapeJobs.length, 'version'], text: placeText(item) });
    scrapeJobs.push({
      name,
      parser_type: 'manual',
      version: item.version,
      ...(Object.keys(item.labels).length > 0 && { labels: item.labels }),
    });
    alertConfigs.push({ name, scrape_job: name, gather_job: gatherJob, rule: rule ?? ruleFor(item).name });
  }
  const used = new Set(proposed.map(ruleFor));
  const isUsed = (each: ReturnType<typeof ruleFor>) => used.has(each);
  const sections = {
    rules: rule === null ? [suggestedRule, suggestedLifecycleRule].filter(isUsed) : [],
    helm_sync_jobs: [...syncs.values()].map((sync) => ({ ...sync, cron_expression: '@daily' })),
    gather_jobs: [...sources].map(([key, [item]]) =>
      writeGatherJob(nameOfSource.get(key)!, item!.proposal, syncs),
    ),
    scrape_jobs: scrapeJobs,
    alert_configs: alertConfigs,
  };
  // A checkout must never reference environment variables of the person who applies the file.
  const document = escapeEnvironmentReferences(
    Object.fromEntries(Object.entries(sections).filter(([, list]) => list.length > 0)),
  ) as Item;
  return { document, comments, versionCount: proposed.length };
}

function writeGatherJob(name: string, source: UpstreamSource, syncs: ReadonlyMap<string, ChartSync>): Item {
  const chart = syncableChartOf(source);
  const sync = chart === null ? undefined : syncs.get(chart.repository);
  if (chart !== null && sync !== undefined)
    return { name, fed_by: { helm_sync_job: sync.name, chart: chart.chart } };
  const { source_type, artifact_name, source_options, version_pattern, version_scheme } = source;
  return {
    name,
    source_type,
    artifact_name,
    ...(Object.keys(source_options).length > 0 && { source_options }),
    ...(version_scheme !== null && { version_scheme }),
    ...(version_pattern !== null && { version_pattern }),
    // A lifecycle source has no releases to collect, so it has a product instead of a schedule.
    ...(source_type === 'lifecycle' ? { lifecycle_product: artifact_name } : { cron_expression: '@daily' }),
  };
}

function namesOf({ artifact, service, environment, place }: Proposed, prefix: string): string[] {
  const names = itemNames({
    artifactName: artifact.name,
    service,
    environment,
    namespace: place.namespace,
    file: place.file,
  });
  return names.map((name) => prefix + name);
}

function byKey(a: DiscoveredItem, b: DiscoveredItem): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : byPlace(a, b);
}

function byPlace(a: DiscoveredItem, b: DiscoveredItem): number {
  return a.place.file < b.place.file ? -1 : a.place.file > b.place.file ? 1 : a.place.line - b.place.line;
}
