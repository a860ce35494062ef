import type { DiscoveryResultItem } from '../../src/agent/discovery/result-item.ts';
import type { ApiClient } from '../../src/client/api-client.ts';
import type { Schemas } from '../../src/generated/agent-api.ts';

type Summary = Partial<Schemas['TaskSummary']>;

/**
 * Creates an agent that runs an organization's discovery jobs and submits the items that the test specifies.
 */
export function createScanner(api: ApiClient) {
  const capabilities = ['discovery', 'discovery:kubernetes', 'discovery:docker'];
  const credential_names = ['cluster', 'socket'];
  let agentId: Promise<number> | null = null;

  async function claim(jobId: number) {
    agentId ??= api
      .call('sendHeartbeat', {
        body: {
          name: 'scanner',
          hostname: 'here',
          version: '0.0.0',
          capabilities,
          credential_names,
          running: [],
        },
      })
      .then((answer) => answer.agent_id);
    await api.call('runDiscoveryJob', { path: { id: jobId } });
    const body = { agent_id: await agentId, capabilities, credential_names, max: 1, wait_seconds: 5 };
    const [task] = (await api.call('claimTasks', { body })).tasks;
    if (task?.kind !== 'discovery') throw new Error(`no task of discovery job ${jobId}`);
    return task;
  }

  return {
    claim,

    /** Completes a scan that finds the given items. */
    async scan(jobId: number, items: readonly DiscoveryResultItem[], summary: Summary = {}) {
      const task = await claim(jobId);
      const path = { id: task.task_id };
      const lease = { lease_token: task.lease_token };
      let parts = 0;
      for (let at = 0; at < items.length; at += 1_000) {
        const body = { ...lease, sequence: ++parts, items: items.slice(at, at + 1_000) };
        await api.call('submitTaskResults', { path, body });
      }
      await api.call('completeTask', {
        path,
        body: { ...lease, parts, summary: { ...emptySummary, found: items.length, ...summary } },
      });
      return task;
    },

    /** Completes a scan that reports no changes because the commit is the same. */
    async scanUnchanged(jobId: number, change: Summary = {}) {
      const { task_id, lease_token } = await claim(jobId);
      const summary = { ...emptySummary, not_modified: true, ...change };
      const { lost, refused } = await api.call('completeTasks', {
        body: { tasks: [{ task_id, lease_token, summary }] },
      });
      if (lost.length + refused.length > 0) throw new Error(JSON.stringify({ lost, refused }));
    },
  };
}

const emptySummary: Schemas['TaskSummary'] = {
  not_modified: false,
  is_complete_list: true,
  found: 0,
  skipped: 0,
  skipped_examples: [],
  requests: 1,
  waited_ms: 0,
  commit_sha: 'c'.repeat(40),
  validators: {
    etag: 'c'.repeat(40),
    last_modified: null,
    fingerprint: 'f',
  },
};

/** Returns the image of a Deployment, in the form that agents submit. */
export function deployedImageItem(
  name: string,
  change: {
    file?: string;
    line?: number;
    blob?: string;
    version?: string | null;
    labels?: Record<string, string>;
    key?: string;
    namespace?: string;
    /** Last part of the image reference. Defaults to the name of the item. */
    image?: string;
    purl?: null;
  } & Partial<Pick<DiscoveryResultItem, 'version_state' | 'reason' | 'digest' | 'proposal'>> = {},
): DiscoveryResultItem {
  const { file = `clusters/prod/${name}.yaml`, line = 9, version = '1.0.0', labels = {} } = change;
  const { namespace = null } = change;
  const { image = name } = change;
  const field = 'containers[web]';
  return {
    extractor: 'kubernetes',
    key: change.key ?? `kubernetes:Deployment:${namespace ?? ''}:${name}:${field}`,
    place: {
      file,
      line,
      document: 0,
      kind: 'Deployment',
      namespace,
      name,
      field,
    },
    blob_id: Buffer.from(change.blob ?? `${file} ${version}`)
      .toString('hex')
      .padEnd(40, '0')
      .slice(-40),
    artifact: {
      kind: 'image',
      name: `ghcr.io/acme/${image}`,
      purl: change.purl === undefined ? `pkg:oci/${image}?repository_url=ghcr.io%2Facme%2F${image}` : null,
    },
    version,
    version_state: change.version_state ?? 'exact',
    digest: change.digest ?? null,
    note: null,
    reason: change.reason ?? null,
    proposal:
      change.proposal === undefined
        ? {
            source_type: 'oci_registry',
            artifact_name: `ghcr.io/acme/${image}`,
            source_options: {},
            version_pattern: null,
            version_scheme: null,
            confidence: 'certain',
            why: 'the registry',
          }
        : change.proposal,
    labels,
  };
}
