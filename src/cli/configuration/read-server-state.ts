import type { ApiClient } from '../../client/api-client.ts';
import { kinds, nameFieldOf, templateSettings } from '../../domain/configuration/kinds.ts';
import type { ServerState } from '../../domain/configuration/plan-steps.ts';
import { type Item, listItems } from '../call-operation.ts';
import { resourceByName } from '../resources/find-resource.ts';

/**
 * Adds the discovered items. Each scrape job that a discovery job feeds gets its item, and each discovery job
 * gets its items that have no scrape job.
 */
async function addItems(
  api: ApiClient,
  scrapeJobs: readonly Item[],
  discoveryJobs: readonly Item[],
): Promise<void> {
  if (discoveryJobs.length === 0) return;
  const { items } = await listItems(api, 'listDiscoveredItems', { all: true, hasPages: true });
  const itemOf = new Map(items.map((item) => [item['scrape_job_id'], item]));
  for (const job of scrapeJobs)
    if (job['discovery_job_id'] !== null) job['followed_item'] = itemOf.get(job['id']);
  const itemsWithoutScrapeJob = Map.groupBy(
    items.filter((item) => item['scrape_job_id'] === null),
    (item) => item['discovery_job_id'],
  );
  for (const job of discoveryJobs) job['unfed_items'] = itemsWithoutScrapeJob.get(job['id']) ?? [];
}

export async function readServerState(api: ApiClient): Promise<ServerState> {
  const own = {} as ServerState['own'];
  const global = {} as ServerState['global'];
  for (const { section } of kinds) {
    const { items } = await listItems(api, resourceByName(section).list, { all: true, hasPages: true });
    items.sort((a, b) => Number(a['id']) - Number(b['id']));
    for (const item of items) item['name'] = item[nameFieldOf(section)];
    own[section] = items.filter(({ scope }) => scope !== 'global');
    global[section] = items.filter(({ scope }) => scope === 'global');
  }
  for (const { id } of own.discovery_jobs.filter(({ kind }) => kind === 'repository_group')) {
    const list = resourceByName('discovery_jobs').list;
    const { items } = await listItems(api, list, {
      all: true,
      hasPages: true,
      query: { group_job_id: Number(id) },
    });
    own.discovery_jobs.push(...items);
  }
  await addItems(api, own.scrape_jobs, own.discovery_jobs);
  const overrides = await api.call('listOrgOverrides');
  const all = await api.call('listSettings');
  const categoryOf = new Map(Object.entries(templateSettings).map(([category, key]) => [key, category]));
  const settings = new Map<string, unknown>();
  const templates = new Map<string, string>();
  for (const { key, value } of overrides.items) {
    const category = categoryOf.get(key);
    if (category === undefined) settings.set(key, value);
    else templates.set(category, String(value));
  }
  const [overridable, operatorOnly] = [true, false].map((is) =>
    all.items.filter(({ is_overridable }) => is_overridable === is),
  ) as [typeof all.items, typeof all.items];
  return {
    own,
    global,
    settings,
    settingKeys: overridable.map(({ key }) => key),
    operatorSettings: new Map(operatorOnly.map(({ key, value }) => [key, value])),
    templates,
  };
}
