import { createHash } from 'node:crypto';
import { catalog } from '../domain/catalog/catalog.ts';
import {
  type ClusterResourceName,
  clusterResources,
  unreadKinds,
} from '../domain/discovery/cluster/cluster-resources.ts';
import { clusterFactsVersion } from '../domain/discovery/cluster/discover-cluster.ts';
import { RunError } from '../domain/runs/run-error.ts';
import type { Sandbox } from '../platform/sandbox/index.ts';
import { type AnyCredential, findClusterCredential } from './agent-credential.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import type { FindClusterItemsInput } from './discovery/cluster-jobs.ts';
import { explainSandboxError } from './discovery/explain-sandbox-error.ts';
import type { DiscoveryResultItem } from './discovery/result-item.ts';
import { createScanReport, mergeReports, summarizeUnreadFiles } from './discovery/scan-report.ts';
import type { InventoryScanResult } from './discovery/yield-results.ts';
import type { OpenCluster } from './kubernetes/cluster-api.ts';
import {
  type ClusterReadContext,
  clusterJobs,
  identifyCluster,
  listResource,
} from './kubernetes/list-cluster.ts';
import { submitParts } from './submit-parts.ts';

export interface ClusterDiscoveryDeps {
  openCluster: OpenCluster;
  sandbox: Sandbox;
  credentials: readonly AnyCredential[];
}

type ClusterSpec = NonNullable<TaskOf<'discovery'>['spec']['cluster']>;

const deadlineMs = 30_000;

/** Lists the software that a cluster runs, and submits the list if it has changed. */
export async function runClusterDiscovery(
  held: HeldTask<TaskOf<'discovery'>>,
  cluster: ClusterSpec,
  deps: ClusterDiscoveryDeps,
): Promise<void> {
  try {
    const credential = findClusterCredential(deps.credentials, held.task);
    const of = { fairKey: String(held.task.organization_id), signal: held.signal };
    const api = await deps.openCluster(credential, of);
    try {
      await discoverWith(held, cluster, { ...of, api, sandbox: deps.sandbox });
    } finally {
      await api.close();
    }
  } catch (error) {
    await held.fail(explainSandboxError(error, 'the cluster', 'Exclude namespaces.'));
  }
}

async function discoverWith(
  held: HeldTask<TaskOf<'discovery'>>,
  cluster: ClusterSpec,
  reading: ClusterReadContext,
): Promise<void> {
  const { spec } = held.task;
  const { uid, version } = await identifyCluster(reading);
  if (cluster.uid !== null && cluster.uid !== uid) throw new RunError('wrong_cluster');
  const { pages, notAllowed } = await listAll(reading, cluster);
  const unread = unreadKinds(notAllowed);
  const fingerprint = fingerprintOf(spec);
  const parts = reading.sandbox.stream<FindClusterItemsInput, DiscoveryResultItem[], InventoryScanResult>(
    clusterJobs,
    'findClusterItems',
    {
      clusterName: cluster.name,
      version,
      include: spec.include,
      exclude: spec.exclude,
      extractors: spec.extractors,
      labelRules: spec.label_rules.map(({ pattern, labels = {} }) => ({
        pattern,
        labels,
      })),
      unreadKinds: unread,
      knownHash: spec.validators?.fingerprint === fingerprint ? spec.validators.etag : null,
    },
    pages.map((page) => Buffer.from(`${page}\n`)),
    { fairKey: reading.fairKey, signal: reading.signal, deadlineMs },
  );
  const {
    hash,
    isUnchanged,
    found,
    report,
    unread: omitted,
  } = await submitParts(held, parts, (items) => items);
  const denied = createScanReport();
  for (const name of notAllowed) denied.add('unreadable', name, "The role doesn't allow listing them.");
  const { counts, examples } = mergeReports([denied.all(), report]);
  await held.complete({
    not_modified: isUnchanged,
    ...summarizeUnreadFiles(omitted, []),
    found,
    validators: {
      etag: hash,
      last_modified: null,
      fingerprint,
    },
    reasons: counts,
    skipped_examples: examples,
    skipped: Object.values(counts).reduce((sum, count) => sum + count, 0),
    ...(notAllowed.length > 0 && {
      warnings: [`The role doesn't allow listing: ${notAllowed.join(', ')}. Their items stay as they are.`],
    }),
    cluster_uid: uid,
    unread_kinds: unread,
    requests: reading.api.requests(),
    waited_ms: 0,
  });
}

async function listAll(
  reading: ClusterReadContext,
  { helm_secrets: withSecrets }: ClusterSpec,
): Promise<{ pages: string[]; notAllowed: ClusterResourceName[] }> {
  const pages: string[] = [];
  const notAllowed: ClusterResourceName[] = [];
  const names = (Object.keys(clusterResources) as ClusterResourceName[]).filter(
    (name) => name !== 'secrets' || withSecrets,
  );
  let readCount = 0;
  for (const name of names) {
    const listed = await listResource(reading, name);
    if (listed.outcome === 'not_allowed') notAllowed.push(name);
    if (listed.outcome === 'read') readCount += 1;
    for (const page of listed.pages) pages.push(page);
  }
  if (readCount === 0)
    throw new RunError(
      'unauthorized',
      `The service account's role doesn't allow listing anything. See "Kubernetes clusters" in the documentation.`,
    );
  return { pages, notAllowed };
}

/**
 * Returns a fingerprint of the job options and the extraction code. Stored validators are valid only if it's
 * unchanged.
 */
function fingerprintOf({
  include,
  exclude,
  extractors,
  label_rules,
  cluster,
}: TaskOf<'discovery'>['spec']): string {
  const question = JSON.stringify([
    include,
    exclude,
    extractors,
    label_rules,
    cluster?.name,
    cluster?.helm_secrets,
    clusterFactsVersion,
    catalog,
  ]);
  return createHash('sha256').update(question).digest('hex').slice(0, 32);
}
