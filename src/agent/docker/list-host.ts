import type { HostListName } from '../../domain/discovery/host/host-lists.ts';
import { RunError } from '../../domain/runs/run-error.ts';
import type { Sandbox } from '../../platform/sandbox/index.ts';
import { drainBody } from '../body-reading.ts';
import type { ReadHostList, ReadHostListInput } from '../discovery/host-jobs.ts';
import type { HostApi, HostPath, HostResponse } from './host-api.ts';

export interface HostListContext {
  api: HostApi;
  sandbox: Sandbox;
  fairKey: string;
  signal: AbortSignal;
}

export interface HostIdentity {
  /** Stable ID of the host. It changes only if the container engine is reinstalled. */
  uid: string;
  engine: 'Docker' | 'Podman';
  version: string | null;
  /** True if the host belongs to a Swarm, as a manager or a worker. */
  isInSwarm: boolean;
}

const deadlineMs = 30_000;

/**
 * Returns the ID of a host. Podman returns a new ID with each response, so the hostname is used instead.
 *
 * @throws RunError if the host can't be identified
 */
export async function identifyHost(reading: HostListContext): Promise<HostIdentity> {
  const [component = null, version = null] = await readFields(reading, '/version', [
    ['Components', '0', 'Name'],
    ['Version'],
  ]);
  const engine = component !== null && /podman/i.test(component) ? 'Podman' : 'Docker';
  const [ownId = null, name = null, swarmState = null] = await readFields(reading, '/info', [
    ['ID'],
    ['Name'],
    ['Swarm', 'LocalNodeState'],
  ]);
  const id = engine === 'Docker' ? ownId : name;
  if (id === null) throw new RunError('invalid_index', "The socket's response has no ID of the host.");
  return {
    uid: `${engine.toLowerCase()}:${id}`.slice(0, 200),
    engine,
    version: version?.slice(0, 200) ?? null,
    isInSwarm: swarmState !== null && swarmState !== 'inactive',
  };
}

export const listPaths = {
  containers: '/containers/json',
  images: '/images/json',
  services: '/services',
} as const satisfies Record<HostListName, HostPath>;

/**
 * Lists the objects of a host.
 * @returns Reduced objects, as a JSON array on one line.
 * @throws RunError if the list can't be read
 */
export async function listOnHost(reading: HostListContext, list: HostListName): Promise<string> {
  return readList(reading, list, await reading.api.get(listPaths[list]));
}

export type ServicesOutcome =
  | { outcome: 'read'; objects: string }
  /** The host is a Swarm worker, which can list its own containers but not the Swarm's services. */
  | { outcome: 'no_manager' }
  | { outcome: 'failed'; status: number };

/**
 * Lists the services of a Swarm.
 * @throws RunError if the host doesn't respond, or its response is invalid
 */
export async function listServices(reading: HostListContext): Promise<ServicesOutcome> {
  const response = await reading.api.get('/services');
  const { status, problem } = response;
  if (status === 200) return { outcome: 'read', objects: await readList(reading, 'services', response) };
  const isNoManager = (status === 503 || status === 406) && /not a swarm manager/i.test(problem);
  return isNoManager || status === 404 ? { outcome: 'no_manager' } : { outcome: 'failed', status };
}

async function readList(
  { sandbox, fairKey, signal }: HostListContext,
  list: HostListName,
  { status, body }: HostResponse,
): Promise<string> {
  if (status !== 200) throw requestError(listPaths[list], status);
  const parts = sandbox.stream<ReadHostListInput, never, ReadHostList>(
    hostJobs,
    'readHostList',
    { list },
    drainBody(body),
    { fairKey, signal, deadlineMs },
  );
  const { value } = await parts.next();
  if (!value.ok) throw new RunError('invalid_index', `The socket's list of ${list} isn't valid JSON.`);
  return value.objects;
}

async function readFields(
  { api, sandbox, fairKey, signal }: HostListContext,
  path: HostPath,
  fields: readonly (readonly string[])[],
): Promise<(string | null)[]> {
  const { status, body } = await api.get(path);
  if (status !== 200) throw requestError(path, status);
  const parts = sandbox.stream<{ fields: readonly (readonly string[])[] }, never, (string | null)[]>(
    hostJobs,
    'readTextFields',
    { fields },
    drainBody(body),
    { fairKey, signal, deadlineMs },
  );
  return (await parts.next()).value;
}

/** Returns the error for a failed request. A proxy in front of the socket can allow only some paths. */
function requestError(path: HostPath, status: number): RunError {
  if (status === 401 || status === 403)
    return new RunError('unauthorized', `The socket doesn't allow GET ${path} (${status}).`);
  return new RunError(
    status >= 500 ? 'upstream_error' : 'invalid_index',
    `The socket returned ${status} for ${path}.`,
  );
}

export const hostJobs = new URL('../discovery/host-jobs.ts', import.meta.url);
