import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ClusterCredential } from '../../src/agent/agent-credential.ts';
import type { TaskOf } from '../../src/agent/agent-task.ts';
import { checkAgentAccess } from '../../src/agent/check-agent-access.ts';
import { createHostOpener } from '../../src/agent/docker/host-api.ts';
import type { AppTokens } from '../../src/agent/github-app-tokens.ts';
import { createClusterOpener } from '../../src/agent/kubernetes/cluster-api.ts';
import { createProgramCredentials } from '../../src/agent/program-credentials.ts';
import { runClusterDiscovery } from '../../src/agent/run-cluster-discovery.ts';
import { parseContentLimits } from '../../src/domain/parsers/content-limits.ts';
import type { NetworkSettings } from '../../src/platform/outbound/index.ts';
import { createBodyMemoryLimit } from '../../src/sources/source-body.ts';
import { createRecordedDiscovery, type DiscoveryOutcome } from './hold-discovery.ts';
import { sharedSandbox } from './shared-sandbox.ts';
import type { FakeKubernetes } from './upstreams/fake-kubernetes.ts';

/** Network settings that allow no address and set no other option. */
export const closedNetwork: NetworkSettings = {
  egressAllow: [],
  insecureHosts: [],
  caCertificates: null,
  proxyUrl: null,
  noProxy: [],
  proxyHosts: [],
};

/** Tokens of an agent without GitHub Apps. */
export const noGithubApps: AppTokens = {
  get: () => Promise.reject(new Error('This agent has no GitHub App.')),
  reject: () => undefined,
};

/** Credential programs, installed as on the machine of a real agent. */
export const credentialPrograms = createProgramCredentials({ clock: () => new Date() });

/** Returns the credential for a fake cluster and writes its files to `folder`. */
export function clusterCredential(fake: FakeKubernetes, folder: string): ClusterCredential {
  writeFileSync(path.join(folder, 'ca.crt'), fake.ca);
  writeFileSync(path.join(folder, 'token'), `${fake.token}\n`);
  return {
    type: 'kubernetes',
    name: 'cluster',
    organizations: null,
    apiServer: fake.url,
    isInCluster: false,
    caFile: path.join(folder, 'ca.crt'),
    tokenFile: path.join(folder, 'token'),
    exec: null,
  };
}

/** Creates an agent that runs cluster discovery tasks without a server. */
export function createClusterAgent(
  fake: FakeKubernetes,
  folder: string,
  change: Partial<ClusterCredential> = {},
  programs = credentialPrograms,
) {
  const sandbox = sharedSandbox({ ...parseContentLimits, workers: 3 });
  const openCluster = createClusterOpener({
    network: closedNetwork,
    userAgent: 'Pacekeeper/test',
    room: createBodyMemoryLimit(),
    programs,
    resolveName: fake.resolveName,
  });
  const credentials = [{ ...clusterCredential(fake, folder), ...change }];

  async function run(
    change: Partial<TaskOf<'discovery'>['spec']> & { helm_secrets?: boolean; uid?: string | null } = {},
  ): Promise<DiscoveryOutcome> {
    const { helm_secrets = false, uid = null, ...spec } = change;
    const cluster = { name: 'eu', uid, helm_secrets };
    const { held, outcome } = createRecordedDiscovery({ ...spec, cluster });
    await runClusterDiscovery(held, cluster, { openCluster, sandbox, credentials });
    return outcome;
  }

  const { signal } = new AbortController();
  const openHost = createHostOpener({ userAgent: 'Pacekeeper/test', room: createBodyMemoryLimit() });
  return {
    run,
    /** Runs the checks of `pacekeeper agent check`. */
    check: (print: (line: string) => void) =>
      checkAgentAccess(credentials, {
        openCluster,
        openHost,
        appTokens: noGithubApps,
        programs,
        sandbox,
        signal,
        print,
      }),
    close: () => sandbox.close(),
  };
}
