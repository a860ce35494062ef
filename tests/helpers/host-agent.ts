import type { HostCredential } from '../../src/agent/agent-credential.ts';
import type { TaskOf } from '../../src/agent/agent-task.ts';
import { checkAgentAccess } from '../../src/agent/check-agent-access.ts';
import { createHostOpener } from '../../src/agent/docker/host-api.ts';
import { createClusterOpener } from '../../src/agent/kubernetes/cluster-api.ts';
import { runHostDiscovery } from '../../src/agent/run-host-discovery.ts';
import { parseContentLimits } from '../../src/domain/parsers/content-limits.ts';
import { createBodyMemoryLimit } from '../../src/sources/source-body.ts';
import { closedNetwork, credentialPrograms, noGithubApps } from './cluster-agent.ts';
import { createRecordedDiscovery, type DiscoveryOutcome } from './hold-discovery.ts';
import { sharedSandbox } from './shared-sandbox.ts';

/** Creates an agent that runs container host discovery tasks without a server. */
export function createHostAgent(
  socket: string,
  { timeoutMs = 10_000, others = [] as { name: string; socket: string }[] } = {},
) {
  const sandbox = sharedSandbox({ ...parseContentLimits, workers: 3 });
  const userAgent = 'Pacekeeper/test';
  const openHost = createHostOpener({ userAgent, room: createBodyMemoryLimit(), timeoutMs });
  const credentials = [{ name: 'socket', socket }, ...others].map(
    (host): HostCredential => ({ type: 'docker', organizations: null, ...host }),
  );

  async function run(
    change: Partial<TaskOf<'discovery'>['spec']> & { uid?: string | null } = {},
  ): Promise<DiscoveryOutcome> {
    const { uid = null, ...spec } = change;
    const host = { name: 'web-1', uid };
    const { held, outcome } = createRecordedDiscovery({ credential_name: 'socket', ...spec, host });
    await runHostDiscovery(held, host, { openHost, sandbox, credentials });
    return outcome;
  }

  return {
    run,
    /** Runs the checks of `pacekeeper agent check`. */
    check: (print: (line: string) => void) =>
      checkAgentAccess(credentials, {
        openCluster: createClusterOpener({
          network: closedNetwork,
          userAgent,
          room: createBodyMemoryLimit(),
          programs: credentialPrograms,
        }),
        openHost,
        appTokens: noGithubApps,
        programs: credentialPrograms,
        sandbox,
        signal: new AbortController().signal,
        print,
      }),
    close: () => sandbox.close(),
  };
}
