import { ApiCallError } from '../../src/client/api-client.ts';
import type { FuzzRequest } from './fuzz-requests.ts';
import { idToken, leaseToken } from './fuzz-requests.ts';
import { kindOfPath } from './id-kinds.ts';
import type { RawRequest } from './send-request.ts';
import type { ResourceKind, World } from './world.ts';

/** IDs of existing resources during a run that creates, changes, and deletes resources. */
export interface LiveIds {
  /** Returns the request with IDs of existing resources. */
  fill(request: FuzzRequest): RawRequest;
  /** Updates the IDs, and creates resources of kinds that have run out. */
  restock(): Promise<void>;
}

const atMost = 40;

/** Ignores a rate limit error, because the run itself uses up the login attempts of its address. */
function unlessLimited(error: unknown): void {
  if (!(error instanceof ApiCallError) || error.code !== 'rate_limited') throw error;
}

export function createLiveIds(world: World): LiveIds {
  const { make, admin } = world;
  const ids = new Map<string, readonly number[]>(Object.entries(world.ids));
  let lease = world.leaseToken;

  const page = { query: { limit: atMost } };
  /** List operation of each kind, and the way to add a resource if fewer than two exist. */
  const stocks: Partial<
    Record<ResourceKind, { list(): Promise<{ items: { id: number }[] }>; add(): Promise<unknown> }>
  > = {
    gather_job: { list: () => admin.call('listGatherJobs', page), add: () => make.gatherJob() },
    scrape_job: { list: () => admin.call('listScrapeJobs', page), add: () => make.scrapeJob() },
    helm_sync_job: { list: () => admin.call('listHelmSyncJobs', page), add: () => make.helmSyncJob() },
    discovered_item: {
      list: () => admin.call('listDiscoveredItems', page),
      add: () => make.discoveredItem(),
    },
    discovery_job: { list: () => admin.call('listDiscoveryJobs', page), add: () => make.discoveryJob() },
    rule: { list: () => admin.call('listRules', page), add: () => make.rule() },
    alert_config: { list: () => admin.call('listAlertConfigs', page), add: () => make.alertConfig() },
    alert: { list: () => admin.call('listAlerts', page), add: () => make.openAlert() },
    release: { list: () => admin.call('listReleases', page), add: () => make.openAlert() },
    channel: { list: () => admin.call('listNotificationChannels', page), add: () => make.channel() },
    audit_export: { list: () => admin.call('listAuditExports'), add: () => make.auditExport() },
    deployment_trust: {
      list: () => admin.call('listDeploymentTrusts', page),
      add: () => make.deploymentTrust(),
    },
    hook: { list: () => admin.call('listHooks'), add: () => make.hook() },
    freshness_target: {
      list: () => admin.call('listFreshnessTargets', page),
      add: () => make.freshnessTarget(),
    },
    artifact_alias: {
      list: () => admin.call('listArtifactAliases', page),
      add: () => make.artifactAlias(),
    },
    artifact_correction: {
      list: () => admin.call('listArtifactCorrections', page),
      add: () => make.artifactCorrection(),
    },
    notification_rule: {
      list: () => admin.call('listNotificationRules', page),
      add: () => make.notificationRule(),
    },
    silence: { list: () => admin.call('listSilences', page), add: () => make.silence() },
    delivery: { list: () => admin.call('listNotificationDeliveries', page), add: () => make.deadDelivery() },
    api_key: { list: () => ownThings('api_key', admin.call('listAPIKeys', page)), add: () => make.apiKey() },
    member: {
      list: () => ownThings('member', admin.call('listMembers', page)),
      add: () => make.member().catch(unlessLimited),
    },
    invitation: {
      list: async () => ({ items: (await admin.call('listMembers', {})).invitations }),
      add: () => make.invitation(),
    },
  };

  /** Excludes the resources that the run itself needs. */
  async function ownThings(kind: ResourceKind, list: Promise<{ items: { id: number }[] }>) {
    const { items } = await list;
    return { items: items.filter(({ id }) => !world.ids[kind].includes(id)) };
  }

  return {
    fill({ operation, request }) {
      const fillIn = (text: string) =>
        text
          .replaceAll(idToken, (_, kind: string, index: string) => {
            const known = ids.get(kind) ?? [];
            return String(known[Number(index) % known.length] ?? 1);
          })
          .replaceAll(leaseToken, lease);
      const { body, path } = request;
      const filled = { ...request, path: fillIn(path), body: typeof body === 'string' ? fillIn(body) : body };
      // Requests that already contain the ID of a deleted resource still use it, but later requests don't.
      if (operation.method === 'DELETE' && request.method === 'DELETE' && operation.path.includes('{id}')) {
        const kind = kindOfPath(operation);
        const gone = Number(/\/(\d+)/.exec(filled.path.slice('/api/v1/client'.length))?.[1]);
        const left = ids.get(kind)!.filter((id) => id !== gone);
        if (left.length > 0) ids.set(kind, left);
      }
      return filled;
    },

    async restock() {
      for (const [kind, { list, add }] of Object.entries(stocks)) {
        let { items } = await list();
        for (let count = items.length; count < 2; count++) await add();
        if (items.length < 2) ({ items } = await list());
        if (items.length > 0)
          ids.set(
            kind,
            items.map(({ id }) => id),
          );
      }
      const { agentId, task, leaseToken: newLease } = await make.task();
      ids.set('agent', [agentId]);
      ids.set('task', [task]);
      lease = newLease;
    },
  };
}
