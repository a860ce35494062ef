import type { Schemas } from '../../../src/generated/client-api.ts';
import { queryClient } from './query-client.ts';
import type { ApiOperationId } from './session.ts';

type Resource = Schemas['ChangeEvent']['resource'];

/** What shows a resource: these are read again when one of it changes. */
const operationsByResource: Readonly<Record<Resource, readonly ApiOperationId[]>> = {
  gather_job: [
    'listGatherJobs',
    'getGatherJob',
    'listGatherJobRuns',
    'getOverview',
    'listGatherJobsDropdown',
    // A run that found something tells of its job.
    'listReleases',
    'getReleaseSummary',
    'previewGatherJob',
  ],
  scrape_job: [
    'listScrapeJobs',
    'listSoftware',
    'getScrapeJob',
    'listScrapeJobRuns',
    'getOverview',
    'listScrapeJobsDropdown',
    'listVersions',
    'listScrapeJobVersions',
    'getEnvironmentMatrix',
    'listPromotions',
  ],
  discovery_job: [
    'listDiscoveryJobs',
    'getDiscoveryJob',
    'listDiscoveryJobRuns',
    'listDiscoveredItems',
    'getDiscoveredItem',
    'getOverview',
  ],
  helm_sync_job: [
    'listHelmSyncJobs',
    'getHelmSyncJob',
    'listHelmSyncJobRuns',
    'listHelmSyncJobCharts',
    'getOverview',
  ],
  release: ['listReleases', 'getReleaseSummary', 'getGatherJob', 'listGatherJobs', 'previewGatherJob'],
  version: [
    'listVersions',
    'listScrapeJobVersions',
    'getScrapeJob',
    'listScrapeJobs',
    'listSoftware',
    'listAlertConfigs',
    'getAlertConfig',
  ],
  agent: ['listAgents', 'getOverview'],
  setting: ['listSettings', 'listEffectiveSettings', 'listOrgOverrides'],
  rule: ['listRules', 'getRule', 'listRulesDropdown'],
  alert_config: [
    'listSoftware',
    'listAlertConfigs',
    'getAlertConfig',
    'getAlertConfigExplanation',
    'getAlertConfigReleaseNotes',
    'getOverview',
    'getEnvironmentMatrix',
  ],
  alert: [
    'listAlerts',
    'listResolvedAlerts',
    'getAlert',
    'listAlertActions',
    'listAlertDeliveries',
    'getAlertSummary',
    'listSoftware',
    'listAlertConfigs',
    'getAlertConfig',
    'getOverview',
  ],
  notification_channel: [
    'listNotificationChannels',
    'getNotificationChannel',
    'getNotificationChannelStats',
    'listNotificationChannelsDropdown',
    'simulateNotificationRule',
    'getOverview',
  ],
  notification_template: ['listNotificationTemplates'],
  hook: ['listHooks'],
  audit_export: ['listAuditExports'],
  freshness_target: ['getFreshness', 'listFreshnessTargets', 'getFreshnessTarget', 'listFreshnessThings'],
  silence: ['listSilences', 'getSilence', 'simulateNotificationRule'],
  notification_rule: [
    'listNotificationRules',
    'getNotificationRule',
    'getNotificationRuleStats',
    'simulateNotificationRule',
  ],
  notification_settings: [
    'getNotificationSettings',
    'listNotificationChannels',
    'getNotificationChannel',
    'listNotificationChannelsDropdown',
    'simulateNotificationRule',
  ],
  notification_delivery: [
    'listNotificationDeliveries',
    'listDeadNotificationDeliveries',
    'getNotificationDelivery',
    'listAlertDeliveries',
    'getOverview',
    // How a channel does, and what became of the matches of a rule.
    'listNotificationChannels',
    'getNotificationChannel',
    'getNotificationChannelStats',
    'getNotificationRuleStats',
  ],
  api_key: ['listAPIKeys', 'getAPIKey'],
  member: ['listMembers', 'listOrgMembersDropdown'],
};

/** A storm of changes costs one look in this time. */
const debounceMs = 400;
/** After a look, so many times as long as it took: what is slow to read is not all that the server does. */
const cooldownFactor = 3;
const maxCooldownMs = 5_000;
const channelName = 'pacekeeper-changes';
const pending = new Set<ApiOperationId>();
let isRefetching = false;
let pauseCount = 0;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What is being read is read to its end first: it would never be shown if each change began it anew. */
function scheduleRefetch(operationIds: readonly ApiOperationId[]): void {
  for (const id of operationIds) pending.add(id);
  if (!isRefetching && pauseCount === 0 && pending.size > 0) void refetchPending();
}

async function refetchPending(): Promise<void> {
  isRefetching = true;
  await sleep(debounceMs);
  if (pauseCount === 0) {
    const due = new Set<unknown>(pending);
    pending.clear();
    const begin = performance.now();
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => due.has(queryKey[0]) });
    await sleep(Math.min(cooldownFactor * (performance.now() - begin), maxCooldownMs));
  }
  isRefetching = false;
  scheduleRefetch([]);
}

/**
 * Nothing is read again until the returned function is called, and what is being read is given up: while something is
 * deleted, its own page would ask for it once more.
 */
export function pauseRefetching(): () => void {
  pauseCount += 1;
  void queryClient.cancelQueries();
  return () => {
    pauseCount -= 1;
    scheduleRefetch([]);
  };
}

type StreamMessage =
  | { kind: 'change'; change: Schemas['ChangeEvent'] }
  | { kind: 'missed' }
  | { kind: 'lost' };

/** Gets a `doubt` when the stream breaks: the server may be away, long before a request would notice. */
export const connectionEvents = new EventTarget();

function apply(message: StreamMessage): void {
  if (message.kind === 'change') scheduleRefetch(operationsByResource[message.change.resource] ?? []);
  else if (message.kind === 'missed') void queryClient.invalidateQueries();
  else connectionEvents.dispatchEvent(new Event('doubt'));
}

/**
 * Listens to what changes on the server. Of all tabs of a browser one holds the stream and tells the others: a user may
 * have only a few streams. Ends when the returned function is called.
 */
export function followChanges(): () => void {
  const stopping = new AbortController();
  const others = new BroadcastChannel(channelName);
  others.addEventListener('message', ({ data }: MessageEvent<StreamMessage>) => apply(data));
  const broadcast = (message: StreamMessage) => {
    apply(message);
    others.postMessage(message);
  };
  const hold = () => streamChanges(broadcast, stopping.signal);
  if ('locks' in navigator) {
    void navigator.locks.request(channelName, { signal: stopping.signal }, hold).catch(() => {});
  } else {
    void hold();
  }
  return () => {
    stopping.abort();
    others.close();
  };
}

/**
 * Resolves when it is told to stop. The browser reconnects a stream that breaks; one that was refused is begun anew. What
 * changed between the first reading, or the end of another tab, and the beginning of the stream is told by the server.
 */
function streamChanges(broadcast: (message: StreamMessage) => void, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // The lock may be given to who has just stopped wanting it.
    if (stop.aborted) return resolve();
    let source: EventSource;
    let wasOpen = false;
    let again: ReturnType<typeof setTimeout>;
    const open = () => {
      source = new EventSource('/api/v1/client/events');
      source.addEventListener('open', () => {
        if (wasOpen) broadcast({ kind: 'missed' });
        wasOpen = true;
      });
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        broadcast({ kind: 'change', change: JSON.parse(data) as Schemas['ChangeEvent'] });
      });
      source.addEventListener('error', () => {
        broadcast({ kind: 'lost' });
        if (source.readyState !== EventSource.CLOSED) return;
        // Refused, most often because the access token has run out: the next request of the page renews it.
        again = setTimeout(open, 5_000);
        broadcast({ kind: 'missed' });
      });
    };
    open();
    stop.addEventListener('abort', () => {
      clearTimeout(again);
      source.close();
      resolve();
    });
  });
}
