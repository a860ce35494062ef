import type { ApiClient, ApiOperationId } from '../../client/api-client.ts';
import { scrapeJobOf } from '../../domain/source-types/deployed-versions-source-type.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { callOperation, type Item, isItem, listItems } from '../call-operation.ts';
import { counted } from '../output/counted.ts';
import type { Resource } from './resource-table.ts';

/** Consequences for other resources if a resource is deleted. */
export interface Dependents {
  /** Resources that are deleted too, such as `44 alert configurations`. */
  deleted: string[];
  /** Sentences about resources that are changed but not deleted. */
  changed: string[];
  /** Reason why the deletion requires --cascade. Null if it doesn't. */
  needsCascade: string | null;
  /** Reason why the resource can't be deleted, even with --cascade. */
  blocked?: string | null;
}

const none: Dependents = { deleted: [], changed: [], needsCascade: null };

/** Returns the consequences of deleting a resource, with counts from the API. */
export async function dependentsOf(
  api: ApiClient,
  resource: Resource,
  item: Item,
  { cascade }: { cascade: boolean },
): Promise<Dependents> {
  switch (resource.name) {
    case 'rules':
      return configsAndAlerts(
        await countOf(item['alert_config_count'], api, 'listAlertConfigs', { rule_id: item['id'] }),
        await countOf(item['open_alert_count'], api, 'listAlerts', { rule_id: item['id'] }),
      );
    case 'gather-jobs':
      return configsOfJob(api, { gather_job_id: item['id'] });
    case 'scrape-jobs':
      return {
        ...(await configsOfJob(api, { scrape_job_id: item['id'] })),
        blocked: await blockedByGatherJobs(api, item),
      };
    case 'helm-sync-jobs':
      return managedJobs(api, item, cascade);
    case 'discovery-jobs':
      return dependentsOfDiscoveryJob(item);
    case 'alert-configs':
      return { ...none, deleted: item['active_alert_id'] === null ? [] : [counted(1, 'open alert')] };
    case 'notification-channels':
      return dependentsOfChannel(api, item);
    default:
      return none;
  }
}

/**
 * Returns the consequences of disabling a rule or alert configuration: the number of open alerts that are
 * resolved, and of alert configurations that stop.
 */
export async function openAlertsOf(
  api: ApiClient,
  resource: Resource,
  item: Item,
): Promise<{ openAlerts: number; configs: number }> {
  switch (resource.name) {
    case 'rules':
      return {
        openAlerts: await countOf(item['open_alert_count'], api, 'listAlerts', { rule_id: item['id'] }),
        configs: Number(item['alert_config_count'] ?? 0),
      };
    case 'alert-configs':
      return { openAlerts: item['active_alert_id'] === null ? 0 : 1, configs: 0 };
    default:
      return { openAlerts: 0, configs: 0 };
  }
}

function configsAndAlerts(configs: number, openAlerts: number): Dependents {
  if (configs === 0) return none;
  const alerts = counted(openAlerts, 'open alert');
  const used = counted(configs, 'alert configuration');
  return {
    deleted: [used, alerts],
    changed: [],
    needsCascade: `is used by ${used} with ${alerts}. Use --cascade to delete them too.`,
  };
}

async function configsOfJob(api: ApiClient, query: Item): Promise<Dependents> {
  return configsAndAlerts(
    await countOf(null, api, 'listAlertConfigs', query),
    await countOf(null, api, 'listAlerts', query),
  );
}

/**
 * Returns the reason why a scrape job can't be deleted: gather jobs use its versions as releases, and the API doesn't
 * delete these gather jobs with the scrape job.
 */
async function blockedByGatherJobs(api: ApiClient, { id }: Item): Promise<string | null> {
  const { items } = await listItems(api, 'listGatherJobs', {
    query: { source_type: 'deployed_versions', q: `scrape-job/${String(id)}` },
    all: true,
    hasPages: true,
  });
  const followers = items.filter(({ artifact_name }) => scrapeJobOf(String(artifact_name)) === id);
  if (followers.length === 0) return null;
  const isOne = followers.length === 1;
  return `is used by ${counted(followers.length, 'gather job')} that ${isOne ? 'compares' : 'compare'} other environments with it (${namesOf(followers)}). Delete ${isOne ? 'the gather job' : 'the gather jobs'} first.`;
}

/** Formats the names of the first few items, in quotes. */
function namesOf(items: readonly Item[]): string {
  const names = items.slice(0, 5).map(({ name }) => `"${cleanLine(String(name))}"`);
  return `${names.join(', ')}${items.length > names.length ? ', …' : ''}`;
}

/**
 * Returns the consequences of deleting a Helm sync job. Its gather jobs are deleted too, but without --cascade, those
 * that alert configurations use are kept.
 */
async function managedJobs(api: ApiClient, item: Item, cascade: boolean): Promise<Dependents> {
  const { items: jobs } = await listItems(api, 'listGatherJobs', {
    query: { helm_sync_job_id: item['id'] },
    all: true,
    hasPages: true,
  });
  if (jobs.length === 0) return none;
  const ids = new Set(jobs.map(({ id }) => id));
  const { items: configs } = await listItems(api, 'listAlertConfigs', { all: true, hasPages: true });
  const using = configs.filter((config) => ids.has(config['gather_job_id']));
  const used = new Set(using.map((config) => config['gather_job_id'])).size;
  const open = using.filter((config) => config['active_alert_id'] !== null).length;
  if (!cascade || using.length === 0) {
    return {
      ...none,
      deleted: jobs.length > used ? [counted(jobs.length - used, 'gather job')] : [],
      changed:
        used === 0
          ? []
          : [
              `Keeps ${counted(used, 'gather job')} that alert configurations use, with the schedule of the sync job.`,
            ],
    };
  }
  return {
    ...none,
    deleted: [
      counted(jobs.length, 'gather job'),
      counted(using.length, 'alert configuration'),
      counted(open, 'open alert'),
    ],
  };
}

/**
 * Returns the consequences of deleting a discovery job. The scrape jobs that it feeds are deleted only with
 * --cascade.
 */
function dependentsOfDiscoveryJob({ item_counts: counts }: Item): Dependents {
  const fed = isItem(counts) ? Number(counts['accepted']) : 0;
  if (fed === 0) return none;
  const jobs = counted(fed, 'scrape job');
  return {
    ...none,
    deleted: [jobs],
    needsCascade: `feeds ${jobs}. Use --cascade to delete them with their alert configurations.`,
  };
}

/**
 * Returns the consequences of deleting a channel. Rules without another channel are disabled, because they
 * would silently notify no one.
 */
async function dependentsOfChannel(api: ApiClient, item: Item): Promise<Dependents> {
  const { items: rules } = await listItems(api, 'listNotificationRules', {
    query: { channel_id: item['id'] },
    all: true,
    hasPages: true,
  });
  const only = rules.filter(
    ({ is_active, channel_ids }) =>
      is_active === true && Array.isArray(channel_ids) && channel_ids.length === 1,
  );
  const list = namesOf(only);
  return {
    deleted: [],
    changed: [
      ...(rules.length > 0
        ? [`Removes the channel from ${counted(rules.length, 'notification rule')}.`]
        : []),
      ...(only.length > 0
        ? [`Disables ${counted(only.length, 'notification rule')} without another channel: ${list}.`]
        : []),
      ...(item['is_default'] === true ? ['Leaves the organization without a default channel.'] : []),
    ],
    needsCascade:
      only.length === 0
        ? null
        : `is the only channel of ${counted(only.length, 'notification rule')} (${list}). Use --cascade to delete it and disable ${only.length === 1 ? 'the rule' : 'them'}.`,
  };
}

/** Returns the count in the item if it has one. Otherwise, returns the total of the list. */
async function countOf(known: unknown, api: ApiClient, list: ApiOperationId, query: Item): Promise<number> {
  if (typeof known === 'number') return known;
  const page = await callOperation(api, list, { query: { ...query, limit: 1 } });
  return isItem(page) ? Number(page['total']) : 0;
}
