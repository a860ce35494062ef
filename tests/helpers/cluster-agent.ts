import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ClusterCredential } from '../../src/agent/agent-credential.ts';
import type { DiscoveryTask, HeldTask, TaskSummary } from '../../src/agent/agent-task.ts';
import { checkAgentAccess } from '../../src/agent/check-agent-access.ts';
import type { DiscoveryResultItem } from '../../src/agent/discovery/result-item.ts';
import { createClusterOpener } from '../../src/agent/kubernetes/cluster-api.ts';
import { runClusterDiscovery } from '../../src/agent/run-cluster-discovery.ts';
import { parseContentLimits } from '../../src/domain/parsers/content-limits.ts';
import type { NetworkSettings } from '../../src/platform/outbound/index.ts';
import { createSandbox } from '../../src/platform/sandbox/index.ts';
import { createBodyRoom } from '../../src/sources/source-body.ts';
import type { FakeKubernetes } from './upstreams/fake-kubernetes.ts';

export interface ClusterOutcome {
  items: DiscoveryResultItem[];
  summary: TaskSummary | null;
  /** Why it failed. */
  error: unknown;
  /** Everything that the agent sent to the server, as text. */
  wire: string;
}

/** No address is allowed, and nothing else is set. */
export const closedNetwork: NetworkSettings = {
  ...{
    egressAllow: [],
    insecureHosts: [],
    caCertificates: null,
    proxyUrl: null,
    noProxy: [],
    proxyHosts: [],
  },
};

/** The credential for a fake cluster, with its files in a directory. */
export function clusterCredential(fake: FakeKubernetes, folder: string): ClusterCredential {
  writeFileSync(path.join(folder, 'ca.crt'), fake.ca);
  writeFileSync(path.join(folder, 'token'), `${fake.token}\n`);
  return {
    ...{ type: 'kubernetes', name: 'cluster', organizations: null, apiServer: fake.url, isInCluster: false },
    ...{ caFile: path.join(folder, 'ca.crt'), tokenFile: path.join(folder, 'token') },
  };
}

/** What an agent does with the task of a cluster, without a server. */
export function createClusterAgent(fake: FakeKubernetes, folder: string) {
  const sandbox = createSandbox({ ...parseContentLimits, workers: 3 });
  const openCluster = createClusterOpener({
    ...{ network: closedNetwork, userAgent: 'Pacekeeper/test', room: createBodyRoom() },
    resolveName: fake.resolveName,
  });
  const credentials = [clusterCredential(fake, folder)];

  async function run(
    change: Partial<DiscoveryTask['spec']> & { helm_secrets?: boolean; uid?: string | null } = {},
  ): Promise<ClusterOutcome> {
    const { helm_secrets = false, uid = null, ...spec } = change;
    const outcome: ClusterOutcome = { items: [], summary: null, error: null, wire: '' };
    const ended = Promise.withResolvers<void>();
    const cluster = { name: 'eu', uid, helm_secrets };
    const held: HeldTask<DiscoveryTask> = {
      task: {
        ...{ task_id: 1, organization_id: 2, lease_token: 'lease', lease_expires_at: '' },
        kind: 'discovery',
        spec: { ...defaultSpec, ...spec, cluster },
      },
      signal: new AbortController().signal,
      limitTime: () => undefined,
      ended: ended.promise,
      async sendPart(items) {
        const text = JSON.stringify(items);
        outcome.wire += text;
        outcome.items.push(...(JSON.parse(text) as DiscoveryResultItem[]));
      },
      async complete(summary) {
        outcome.wire += JSON.stringify(summary);
        outcome.summary = summary;
        ended.resolve();
      },
      async fail(error) {
        outcome.error = error;
        outcome.wire += error instanceof Error ? error.message : String(error);
        ended.resolve();
      },
    };
    await runClusterDiscovery(held, cluster, { openCluster, sandbox, credentials });
    return outcome;
  }

  const { signal } = new AbortController();
  return {
    run,
    /** `pacekeeper agent check` */
    check: (print: (line: string) => void) =>
      checkAgentAccess(credentials, { openCluster, sandbox, signal, print }),
    close: () => sandbox.close(),
  };
}

const defaultSpec = {
  ...{ discovery_job_id: 1, repository_url: null, ref: null, include: [], exclude: [], extractors: [] },
  ...{ label_rules: [], credential_name: 'cluster', validators: null },
} as const satisfies DiscoveryTask['spec'];
