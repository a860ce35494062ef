import {
  type ClusterResource,
  type ClusterResourceName,
  clusterResources,
} from '../../domain/discovery/cluster/cluster-resources.ts';
import { RunError } from '../../domain/runs/run-error.ts';
import { type Sandbox, SandboxMemoryError } from '../../platform/sandbox/index.ts';
import { drainBody } from '../body-reading.ts';
import type { ListedPage, ReadListPageInput } from '../discovery/cluster-jobs.ts';
import type { ClusterApi } from './cluster-api.ts';

/** Result of listing a resource. An extension that isn't installed has no objects. */
export type ListOutcome = 'read' | 'not_installed' | 'not_allowed';

export interface ListedResource {
  outcome: ListOutcome;
  /** Reduced objects, as JSON arrays on one line each. */
  pages: string[];
}

export interface ClusterIdentity {
  /** UID of the namespace `kube-system`, which exists in every cluster. */
  uid: string;
  /** Version that the API server reports. */
  version: string | null;
}

/**
 * Number of objects per page. The number is small, because each page is parsed as a whole: a page of 500 pods
 * briefly takes 70 MB in the process that parses it.
 */
const pageSize = 100;
/** Page size for secrets. It's smaller, because the secret of a Helm release can have 1 MiB. */
const secretsPageSize = 20;
const minPageSize = 20;
/**
 * Maximum number of times a list is restarted. A list can expire during reading if the cluster changes
 * frequently.
 */
const maxRestarts = 3;
const deadlineMs = 30_000;

export interface ClusterReadContext {
  api: ClusterApi;
  sandbox: Sandbox;
  fairKey: string;
  signal: AbortSignal;
}

/**
 * Identifies a cluster.
 * @throws RunError if the cluster can't be identified
 */
export async function identifyCluster(reading: ClusterReadContext): Promise<ClusterIdentity> {
  const namespace = await readFields(reading, '/api/v1/namespaces/kube-system', ['metadata', 'uid']);
  if (namespace.status === 403)
    throw new RunError(
      'unauthorized',
      "The role doesn't allow reading the namespace kube-system, which identifies the cluster.",
    );
  if (namespace.text === null)
    throw new RunError('invalid_index', `The API server returned ${namespace.status} for kube-system.`);
  const version = await readFields(reading, '/version', ['gitVersion']);
  return { uid: namespace.text.slice(0, 100), version: version.text?.slice(0, 200) ?? null };
}

/**
 * Lists the objects of a kind in pages. If the list expires, listing restarts from the beginning.
 *
 * @throws RunError
 */
export async function listResource(
  reading: ClusterReadContext,
  name: ClusterResourceName,
): Promise<ListedResource> {
  const found = await pathOf(reading, name);
  if (typeof found === 'string') return { outcome: found, pages: [] };
  let limit = name === 'secrets' ? secretsPageSize : pageSize;
  for (let restarts = 0; ; restarts++) {
    try {
      const listed = await listOnce(reading, name, found.path, limit);
      if (listed !== 'expired') return listed;
    } catch (error) {
      if (!isTooLarge(error) || limit <= minPageSize) throw error;
      limit = Math.max(minPageSize, Math.floor(limit / 5));
    }
    if (restarts >= maxRestarts)
      throw new RunError('upstream_error', `The list of ${name} expired ${maxRestarts + 1} times.`);
  }
}

async function listOnce(
  reading: ClusterReadContext,
  name: ClusterResourceName,
  path: string,
  limit: number,
): Promise<ListedResource | 'expired'> {
  const pages: string[] = [];
  for (let next: string | null = null; ; ) {
    const page = await reading.api.get(path, {
      limit: String(limit),
      ...(name === 'secrets' && releaseSecrets),
      ...(next !== null && { continue: next }),
    });
    if (page.status === 403) return { outcome: 'not_allowed', pages: [] };
    if (page.status === 404) return { outcome: 'not_installed', pages: [] };
    if (page.status === 410) return 'expired';
    if (page.status !== 200)
      throw new RunError('invalid_index', `The API server returned ${page.status} for ${name}.`);
    const { sandbox, fairKey, signal } = reading;
    const parts = sandbox.stream<ReadListPageInput, never, ListedPage>(
      clusterJobs,
      'readListPage',
      { resource: name },
      drainBody(page.body),
      { fairKey, signal, deadlineMs },
    );
    const { value } = await parts.next();
    const read: ListedPage = value;
    if (!read.ok) throw new RunError('invalid_index', `The list of ${name} isn't valid JSON.`);
    if (read.objects !== '[]') pages.push(read.objects);
    if (read.next === null) return { outcome: 'read', pages };
    next = read.next;
  }
}

/** Checks whether a resource can be listed, without reading more than one object. */
export async function probeResource(
  reading: ClusterReadContext,
  name: ClusterResourceName,
): Promise<ListOutcome> {
  const found = await pathOf(reading, name);
  if (typeof found === 'string') return found;
  const { status, body } = await reading.api.get(found.path, {
    limit: '1',
    ...(name === 'secrets' && releaseSecrets),
  });
  body.free();
  if (status === 403) return 'not_allowed';
  if (status === 404) return 'not_installed';
  if (status === 200) return 'read';
  throw new RunError('invalid_index', `The API server returned ${status} for ${name}.`);
}

/** Selectors for the deployed version of each Helm release. */
const releaseSecrets = {
  fieldSelector: 'type=helm.sh/release.v1',
  labelSelector: 'owner=helm,status=deployed',
};

async function pathOf(
  reading: ClusterReadContext,
  name: ClusterResourceName,
): Promise<{ path: string } | Exclude<ListOutcome, 'read'>> {
  const { group, version }: ClusterResource = clusterResources[name];
  if (group === '') return { path: `/api/${version}/${name}` };
  if (version !== null) return { path: `/apis/${group}/${version}/${name}` };
  const preferred = await readFields(reading, `/apis/${group}`, ['preferredVersion', 'version']);
  if (preferred.status === 403) return 'not_allowed';
  if (preferred.text === null) return 'not_installed';
  // Check the version, because it becomes part of a path.
  if (!/^v\d+(?:(?:alpha|beta)\d+)?$/.test(preferred.text))
    throw new RunError('invalid_index', `The API server returned an invalid version for ${group}.`);
  return { path: `/apis/${group}/${preferred.text}/${name}` };
}

/** Reads one text field of a small object. */
async function readFields(
  { api, sandbox, fairKey, signal }: ClusterReadContext,
  path: string,
  field: readonly string[],
): Promise<{ status: number; text: string | null }> {
  const { status, body } = await api.get(path);
  if (status !== 200) return { status, text: null };
  const parts = sandbox.stream<{ field: readonly string[] }, never, string | null>(
    clusterJobs,
    'readTextField',
    { field },
    drainBody(body),
    { fairKey, signal, deadlineMs },
  );
  const { value } = await parts.next();
  return { status, text: value };
}

function isTooLarge(error: unknown): boolean {
  return (error instanceof RunError && error.code === 'too_large') || error instanceof SandboxMemoryError;
}

export const clusterJobs = new URL('../discovery/cluster-jobs.ts', import.meta.url);
