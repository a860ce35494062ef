import { type ClusterResourceName, clusterResources } from '../domain/discovery/cluster/cluster-resources.ts';
import { RunError } from '../domain/runs/run-error.ts';
import type { Sandbox } from '../platform/sandbox/index.ts';
import type {
  AnyCredential,
  AppCredential,
  ClusterCredential,
  HelperCredential,
  HostCredential,
} from './agent-credential.ts';
import type { OpenHost } from './docker/host-api.ts';
import { identifyHost, listOnHost, listPaths, listServices } from './docker/list-host.ts';
import type { AppTokens } from './github-app-tokens.ts';
import type { OpenCluster } from './kubernetes/cluster-api.ts';
import {
  type ClusterReadContext,
  identifyCluster,
  type ListOutcome,
  probeResource,
} from './kubernetes/list-cluster.ts';
import type { ProgramCredentials } from './program-credentials.ts';

export interface CheckDeps {
  openCluster: OpenCluster;
  openHost: OpenHost;
  appTokens: AppTokens;
  programs: ProgramCredentials;
  sandbox: Sandbox;
  signal: AbortSignal;
  print(line: string): void;
}

/**
 * Prints what the agent can read with each GitHub App, cluster, and container host in its configuration, and
 * whether each credential helper returns a password.
 *
 * @returns `false` if any of these checks fails: an app can't get a token, a helper returns no password, or a
 * host, a cluster, or the workloads of a cluster can't be read.
 */
export async function checkAgentAccess(
  credentials: readonly AnyCredential[],
  deps: CheckDeps,
): Promise<boolean> {
  let isReadable = true;
  if (credentials.length === 0) deps.print('The configuration has no credentials and no hosts.');
  for (const credential of credentials) {
    if (credential.type === 'kubernetes') isReadable = (await checkCluster(credential, deps)) && isReadable;
    else if (credential.type === 'docker') isReadable = (await checkHost(credential, deps)) && isReadable;
    else if (credential.type === 'credential_helper')
      isReadable = (await checkHelper(credential, deps)) && isReadable;
    else if (credential.type === 'github_app') isReadable = (await checkApp(credential, deps)) && isReadable;
    else
      deps.print(`${credential.name} (${credential.type}): for ${credential.hosts.join(', ')}; not checked`);
  }
  return isReadable;
}

const outcomes: Readonly<Record<ListOutcome, string>> = {
  read: 'allowed',
  not_allowed: 'NOT ALLOWED',
  not_installed: 'not installed',
};

const workloads: readonly ClusterResourceName[] = ['deployments', 'statefulsets', 'daemonsets', 'pods'];

async function checkCluster(credential: ClusterCredential, deps: CheckDeps): Promise<boolean> {
  const { openCluster, sandbox, signal, print } = deps;
  print(`${credential.name} (kubernetes): ${credential.apiServer}`);
  try {
    const of = { fairKey: 'check', signal };
    const api = await openCluster(credential, of);
    try {
      return await printAccess({ ...of, api, sandbox }, print);
    } finally {
      await api.close();
    }
  } catch (error) {
    return printFailure(error, print);
  }
}

function printFailure(error: unknown, print: CheckDeps['print']): false {
  if (!(error instanceof RunError)) throw error;
  print(`  ${error.message}`);
  return false;
}

async function printAccess(reading: ClusterReadContext, print: CheckDeps['print']): Promise<boolean> {
  const { uid, version } = await identifyCluster(reading);
  print(`  Kubernetes ${version ?? '(unknown version)'}, cluster ${uid}`);
  let isReadable = true;
  for (const name of Object.keys(clusterResources) as ClusterResourceName[]) {
    const outcome = await probeResource(reading, name);
    const note = name === 'secrets' ? ' (needed only for jobs with helm_secrets)' : '';
    print(`  list ${name.padEnd(17)} ${outcomes[outcome]}${note}`);
    if (workloads.includes(name) && outcome !== 'read') isReadable = false;
  }
  return isReadable;
}

async function checkApp(credential: AppCredential, { appTokens, print }: CheckDeps): Promise<boolean> {
  const { name, appId, installationId, apiUrl } = credential;
  print(`${name} (github_app): app ${appId}, installation ${installationId}, ${apiUrl}`);
  try {
    const { repositories, permissions } = await appTokens.get(credential);
    print(`  repositories: ${repositories}; permissions of its tokens: ${permissions.join(', ')}`);
    return true;
  } catch (error) {
    return printFailure(error, print);
  }
}

async function checkHelper(credential: HelperCredential, { programs, print }: CheckDeps): Promise<boolean> {
  const { name, as, program, hosts } = credential;
  print(`${name} (${as}): ${program.command}`);
  let isReadable = true;
  // Docker Hub uses the credential of docker.io for all of its hosts, so only docker.io is checked.
  const named = hosts.includes('docker.io') ? hosts.filter((host) => !host.endsWith('.docker.io')) : hosts;
  for (const host of named) {
    try {
      await programs.open(credential, host);
      print(`  returned a user name and password for ${host}`);
    } catch (error) {
      isReadable = printFailure(error, print);
    }
  }
  return isReadable;
}

async function checkHost(credential: HostCredential, deps: CheckDeps): Promise<boolean> {
  const { openHost, sandbox, signal, print } = deps;
  print(`${credential.name} (container host): ${credential.socket}`);
  try {
    const of = { fairKey: 'check', signal };
    const reading = { ...of, api: openHost(credential, of), sandbox };
    const { engine, version, uid, isInSwarm } = await identifyHost(reading);
    print(`  ${engine} ${version ?? '(unknown version)'}, host ${uid}`);
    for (const list of ['containers', 'images'] as const) {
      await listOnHost(reading, list);
      print(`  ${`GET ${listPaths[list]}`.padEnd(22)} allowed`);
    }
    const services = isInSwarm ? (await listServices(reading)).outcome : 'no_manager';
    print(`  ${'GET /services'.padEnd(22)} ${serviceOutcomes[services]}`);
    print(
      '  Anyone who can access the socket has root access to the host. Besides these requests, the agent sends only GET /version and GET /info.',
    );
    return services !== 'failed';
  } catch (error) {
    return printFailure(error, print);
  }
}

const serviceOutcomes = { read: 'allowed', no_manager: 'not a Swarm manager', failed: 'FAILED' } as const;
