import { sql } from 'kysely';
import { expect } from 'vitest';
import type { createClusterAgent } from './cluster-agent.ts';
import { createScanner } from './scan-by-hand.ts';
import type { SharedTestServer } from './test-server.ts';

/**
 * Creates discovery jobs for a cluster and for the repository that declares it, and scans both: the agent
 * reads, and the server applies the results.
 */
export async function createClusterWorld(
  server: SharedTestServer,
  agent: ReturnType<typeof createClusterAgent>,
  { helm_secrets = false } = {},
) {
  const organization = await server.createOrganization();
  const { api, id: organizationId } = organization;
  const scanner = createScanner(api);
  const repository = await api.call('createDiscoveryJob', {
    body: {
      name: 'Deployments',
      repository_url: 'https://git.example.org/acme/deploy',
      label_rules: [{ pattern: 'clusters/(?P<cluster>[^/]+)/' }],
    },
  });
  const cluster = await api.call('createDiscoveryJob', {
    body: {
      name: 'eu',
      kind: 'kubernetes_cluster',
      cluster_name: 'eu',
      credential_name: 'cluster',
      helm_secrets,
    },
  });
  const only = (jobId: number) =>
    sql`
    DELETE FROM runs
    WHERE organization_id = ${organizationId} AND status = 'queued' AND discovery_job_id <> ${jobId}`.execute(
      server.db,
    );
  return {
    api,
    repository,
    cluster,
    organization,
    async scanRepository(items: Parameters<typeof scanner.scan>[1]) {
      await only(repository.id);
      await scanner.scan(repository.id, items);
    },
    async scanCluster(): Promise<boolean> {
      await only(cluster.id);
      const task = await scanner.claim(cluster.id);
      const { items, summary, error } = await agent.run({
        ...task.spec,
        uid: task.spec.cluster!.uid,
        helm_secrets,
      });
      expect(error).toBeNull();
      const path = { id: task.task_id };
      const lease = { lease_token: task.lease_token };
      let parts = 0;
      for (let at = 0; at < items.length; at += 1_000) {
        const body = {
          ...lease,
          sequence: ++parts,
          items: items.slice(at, at + 1_000),
        };
        await api.call('submitTaskResults', {
          path,
          body,
        });
      }
      await api.call('completeTask', {
        path,
        body: {
          ...lease,
          parts,
          summary: summary!,
        },
      });
      return parts > 0;
    },
    async scanUnchanged() {
      await only(cluster.id);
      await scanner.scanUnchanged(cluster.id, { cluster_uid: 'unchanged' });
    },
    items: async (jobId: number) =>
      (
        await api.call('listDiscoveredItems', {
          query: {
            discovery_job_id: jobId,
            limit: 200,
          },
        })
      ).items,
  };
}
