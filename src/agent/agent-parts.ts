import path from 'node:path';
import { parseContentLimits } from '../domain/parsers/content-limits.ts';
import { sourceTypeIds, sourceTypes } from '../domain/source-types/source-types.ts';
import type { Log } from '../platform/log.ts';
import { type NetworkSettings, openOutbound } from '../platform/outbound/index.ts';
import { createSandbox } from '../platform/sandbox/index.ts';
import { createBodyMemoryLimit } from '../sources/source-body.ts';
import { createSourceHttp } from '../sources/source-http.ts';
import type { AnyCredential } from './agent-credential.ts';
import { createBodyReading } from './body-reading.ts';
import { createHostOpener } from './docker/host-api.ts';
import { checkGit } from './git/git-version.ts';
import { createRepositoryReader } from './git/repository-reader.ts';
import { createSessionDirectories } from './git/session-directories.ts';
import { createAppTokens } from './github-app-tokens.ts';
import { createClusterOpener } from './kubernetes/cluster-api.ts';
import { createCredentialOpener } from './open-credential.ts';
import { createFileParser } from './parse-files.ts';
import { createProgramCredentials } from './program-credentials.ts';
import { createTaskRunners, type TaskRunners } from './task-runners.ts';

/**
 * Process settings that an agent uses. All are plain values, because they're copied to the thread of the
 * embedded agent.
 */
export interface AgentSettings extends NetworkSettings {
  /** Directory that contains the repository caches and large downloads. */
  dataDir: string;
  /** Version of Pacekeeper. */
  version: string;
}

/** Creates the network client, sandbox, and caches of an agent. */
export function createAgentComponents(
  settings: AgentSettings,
  credentials: readonly AnyCredential[],
  log: Log,
): { runners: TaskRunners; close(): Promise<void> } {
  const userAgent = `Pacekeeper/${settings.version}`;
  const { client: outbound, allowHttp } = openOutbound(settings, { userAgent });
  const clock = () => new Date();
  // Parsing untrusted data can use all CPUs, so it has a lower priority than requests and deliveries.
  const sandbox = createSandbox({
    ...parseContentLimits,
    workers: 3,
    queueLimit: 2_000,
    niceness: 10,
    compileCacheFolder: path.join(settings.dataDir, 'compile-cache'),
  });
  const programs = createProgramCredentials({ clock });
  // Large responses from sources, git, clusters, and container hosts share one memory limit.
  const bodyMemoryLimit = createBodyMemoryLimit();
  const repositories = createRepositoryReader({
    folder: path.join(settings.dataDir, 'git-cache'),
    client: outbound,
    allowHttp,
    caCertificates: settings.caCertificates,
    log,
    room: bodyMemoryLimit,
  });

  // Don't use the temporary directory of the system, because it can be in memory.
  const downloads = createSessionDirectories(path.join(settings.dataDir, 'downloads'));

  return {
    runners: createTaskRunners({
      sourceHttp: createSourceHttp({ client: outbound, allowHttp, clock, room: bodyMemoryLimit }),
      startReading: createBodyReading(sandbox),
      repositories,
      openCluster: createClusterOpener({ network: settings, userAgent, room: bodyMemoryLimit, programs }),
      openHost: createHostOpener({ userAgent, room: bodyMemoryLimit }),
      parseFile: createFileParser(sandbox),
      sandbox,
      credentials,
      ...createCredentialOpener(credentials, {
        appTokens: createAppTokens({ client: outbound, clock }),
        programs,
      }),
      openFolder: () => downloads.open(),
      clock,
    }),
    async close() {
      await Promise.all([repositories.close(), sandbox.close(), outbound.close(), downloads.close()]);
    },
  };
}

/**
 * Returns the capabilities that the agent can use on this machine. Without git, the agent still reads
 * releases from other sources, and leaves tasks that require git to other agents.
 */
export async function usableCapabilities(
  capabilities: readonly string[],
  log: Log,
): Promise<readonly string[]> {
  const problem = await checkGit();
  if (problem === null) return capabilities;
  const gatherWithGit = sourceTypeIds.filter((id) => sourceTypes[id].needsGit).map((id) => `gather:${id}`);
  const needGit = ['scrape', 'discovery', ...gatherWithGit];
  log.warn(`${problem}; this agent can't run: ${needGit.join(', ')}`);
  return capabilities.filter((capability) => !needGit.includes(capability));
}
