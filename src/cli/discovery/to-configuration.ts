import type { DiscoveredItem } from '../../domain/discovery/discover.ts';
import type { Proposal } from '../../domain/discovery/propose-source.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import type { Item } from '../call-operation.ts';
import { escapeEnvironment } from '../configuration/environment-values.ts';

/** Charts of one repository from which one helm sync job is better than a job for each. */
const minChartsToSync = 3;

/** Globs of one helm sync job. Beyond them it reads all charts. */
const maxChartFilters = 100;

const maxNameLength = 200;

const newRule = {
  name: 'Discovered versions',
  description: 'Alerts when a newer release has been available for a month.',
  rule_type: 'days_behind',
  thresholds: { moderate: 30, high: 90, critical: 180 },
};

type Proposed = DiscoveredItem & { proposal: Proposal; version: string };

/** A configuration file for `apply`: a manual scrape job, a gather job, and an alert configuration for each version. */
export function toConfiguration(
  items: readonly DiscoveredItem[],
  { rule }: { rule: string | null },
): { document: Item; versionCount: number } {
  const proposed = items.filter(
    (item): item is Proposed => item.reason === null && item.proposal !== null && item.version !== null,
  );
  const sources = Map.groupBy(proposed, ({ proposal }) => sourceKey(proposal));
  const jobNames = createNames();
  const nameOfSource = new Map(
    [...sources].map(([key, [item]]) => [key, jobNames([sourceName(item!)])] as const),
  );
  const synced = repositoriesToSync([...sources.values()].map(([item]) => item!.proposal));
  const newName = createNames();
  // Not in the order of their files: one that moves would take the name of another item.
  const nameOf = new Map(proposed.toSorted(byKey).map((item) => [item, newName(itemNames(item))] as const));
  const scrapeJobs: Item[] = [];
  const alertConfigs: Item[] = [];
  for (const item of proposed.toSorted(byPlace)) {
    const name = nameOf.get(item)!;
    const gatherJob = nameOfSource.get(sourceKey(item.proposal))!;
    scrapeJobs.push({ name, parser_type: 'manual', version: item.version });
    alertConfigs.push({
      ...{ name, scrape_job: name, gather_job: gatherJob, rule: rule ?? newRule.name },
      ...(Object.keys(item.labels).length > 0 && { labels: item.labels }),
    });
  }
  const sections = {
    rules: rule === null ? [newRule] : [],
    helm_sync_jobs: [...synced].map(([repository, charts]) => ({
      ...{ name: syncName(repository), repository_url: repository },
      ...{
        chart_filter: charts.length > maxChartFilters ? [] : charts.toSorted(),
        cron_expression: '@daily',
      },
    })),
    gather_jobs: [...sources].map(([key, [item]]) =>
      writeGatherJob(nameOfSource.get(key)!, item!.proposal, synced),
    ),
    scrape_jobs: scrapeJobs,
    alert_configs: alertConfigs,
  };
  // A checkout must never reference environment variables of the person who applies the file.
  const document = escapeEnvironment(
    Object.fromEntries(Object.entries(sections).filter(([, list]) => list.length > 0)),
  ) as Item;
  return { document, versionCount: proposed.length };
}

function sourceKey({ source_type, artifact_name, source_options, version_pattern }: Proposal): string {
  return JSON.stringify([source_type, artifact_name, source_options, version_pattern]);
}

function sourceName({ artifact, proposal }: Proposed): string {
  return proposal.source_type === 'http_json' ? artifact.name : withoutScheme(proposal.artifact_name);
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\.git$/, '');
}

function syncName(repository: string): string {
  return cleanLine(withoutScheme(repository), maxNameLength);
}

/** Repositories of many charts, each with its charts. */
function repositoriesToSync(proposals: readonly Proposal[]): Map<string, string[]> {
  const charts = proposals.filter(isPlainChart).map(splitChart);
  const byRepository = Map.groupBy(charts, ({ repository }) => repository);
  return new Map(
    [...byRepository]
      .filter(([, list]) => list.length >= minChartsToSync)
      .map(([repository, list]) => [repository, list.map(({ chart }) => chart)]),
  );
}

/** A sync takes all versions of a chart as they are. */
function isPlainChart({ source_type, version_pattern, source_options }: Proposal): boolean {
  return (
    source_type === 'helm_repository' && version_pattern === null && Object.keys(source_options).length === 0
  );
}

function splitChart({ artifact_name }: Proposal): { repository: string; chart: string } {
  const slash = artifact_name.lastIndexOf('/');
  return { repository: `https://${artifact_name.slice(0, slash)}`, chart: artifact_name.slice(slash + 1) };
}

function writeGatherJob(name: string, proposal: Proposal, synced: ReadonlyMap<string, string[]>): Item {
  if (isPlainChart(proposal)) {
    const { repository, chart } = splitChart(proposal);
    if (synced.has(repository))
      return {
        name,
        fed_by: { helm_sync_job: syncName(repository), chart },
      };
  }
  const { source_type, artifact_name, source_options, version_pattern, version_scheme } = proposal;
  return {
    ...{ name, source_type, artifact_name },
    ...(Object.keys(source_options).length > 0 && { source_options }),
    ...(version_scheme !== null && { version_scheme }),
    ...(version_pattern !== null && { version_pattern }),
    cron_expression: '@daily',
  };
}

/** From short to long: the first that no other item has is its name. None but the last depends on the path. */
function itemNames({ artifact, service, environment, place }: Proposed): string[] {
  const short = artifact.name.slice(artifact.name.lastIndexOf('/') + 1);
  const what = service === null || service === short ? short : `${service}: ${short}`;
  const where = environment === null ? what : `${what} (${environment})`;
  const namespace = place.namespace === null ? [] : [`${where} in ${place.namespace}`];
  return [where, ...namespace, `${where}, ${place.file}`];
}

/** Gives every name once. */
function createNames(): (candidates: readonly string[]) => string {
  const used = new Set<string>();
  return (candidates) => {
    const names = candidates.map((name) => cleanLine(name, maxNameLength - 6));
    const last = names.at(-1) || 'unnamed';
    let name = names.find((each) => each !== '' && !used.has(each));
    for (let number = 2; name === undefined; number++)
      if (!used.has(`${last} #${number}`)) name = `${last} #${number}`;
    used.add(name);
    return name;
  };
}

function byKey(a: DiscoveredItem, b: DiscoveredItem): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : byPlace(a, b);
}

function byPlace(a: DiscoveredItem, b: DiscoveredItem): number {
  return a.place.file < b.place.file ? -1 : a.place.file > b.place.file ? 1 : a.place.line - b.place.line;
}
