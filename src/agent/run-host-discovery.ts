import { createHash } from 'node:crypto';
import { catalog } from '../domain/catalog/catalog.ts';
import { hostFactsVersion } from '../domain/discovery/host/discover-host.ts';
import { serviceKinds } from '../domain/discovery/host/host-lists.ts';
import { RunError } from '../domain/runs/run-error.ts';
import type { Sandbox } from '../platform/sandbox/index.ts';
import { type AnyCredential, findHostCredential } from './agent-credential.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import { explainSandboxError } from './discovery/explain-sandbox-error.ts';
import type { FindHostItemsInput } from './discovery/host-jobs.ts';
import type { DiscoveryResultItem } from './discovery/result-item.ts';
import { summarizeUnreadFiles } from './discovery/scan-report.ts';
import type { InventoryScanResult } from './discovery/yield-results.ts';
import type { OpenHost } from './docker/host-api.ts';
import {
  type HostListContext,
  hostJobs,
  identifyHost,
  listOnHost,
  listServices,
} from './docker/list-host.ts';
import { submitParts } from './submit-parts.ts';

export interface HostDiscoveryDeps {
  openHost: OpenHost;
  sandbox: Sandbox;
  credentials: readonly AnyCredential[];
}

type HostSpec = NonNullable<TaskOf<'discovery'>['spec']['host']>;

const deadlineMs = 30_000;

/** Lists the software that a container host runs, and submits the list if it has changed. */
export async function runHostDiscovery(
  held: HeldTask<TaskOf<'discovery'>>,
  host: HostSpec,
  { openHost, sandbox, credentials }: HostDiscoveryDeps,
): Promise<void> {
  try {
    const credential = findHostCredential(credentials, held.task);
    const of = { fairKey: String(held.task.organization_id), signal: held.signal };
    await discoverWith(held, host, { ...of, api: openHost(credential, of), sandbox });
  } catch (error) {
    await held.fail(explainSandboxError(error, 'the host', 'Exclude projects.'));
  }
}

async function discoverWith(
  held: HeldTask<TaskOf<'discovery'>>,
  host: HostSpec,
  reading: HostListContext,
): Promise<void> {
  const { spec } = held.task;
  const { uid, isInSwarm } = await identifyHost(reading);
  if (host.uid !== null && host.uid !== uid) throw new RunError('wrong_host');
  const { lists, warnings } = await listAll(reading, isInSwarm);
  const unread = warnings.length > 0 ? serviceKinds : [];
  const fingerprint = fingerprintOf(spec);
  const parts = reading.sandbox.stream<FindHostItemsInput, DiscoveryResultItem[], InventoryScanResult>(
    hostJobs,
    'findHostItems',
    {
      hostName: host.name,
      unreadKinds: unread,
      include: spec.include,
      exclude: spec.exclude,
      extractors: spec.extractors,
      labelRules: spec.label_rules.map(({ pattern, labels = {} }) => ({
        pattern,
        labels,
      })),
      knownHash: spec.validators?.fingerprint === fingerprint ? spec.validators.etag : null,
    },
    lists.map((list) => Buffer.from(`${list}\n`)),
    { fairKey: reading.fairKey, signal: reading.signal, deadlineMs },
  );
  const {
    hash,
    isUnchanged,
    found,
    report,
    unread: omitted,
  } = await submitParts(held, parts, (items) => items);
  await held.complete({
    not_modified: isUnchanged,
    ...summarizeUnreadFiles(omitted, []),
    found,
    validators: {
      etag: hash,
      last_modified: null,
      fingerprint,
    },
    reasons: report.counts,
    skipped_examples: report.examples.slice(0, maxExamples),
    skipped: Object.values(report.counts).reduce((sum, count) => sum + count, 0),
    ...(warnings.length > 0 && { warnings }),
    host_uid: uid,
    unread_kinds: [...unread],
    requests: reading.api.requests(),
    waited_ms: 0,
  });
}

const maxExamples = 10;

async function listAll(
  reading: HostListContext,
  isInSwarm: boolean,
): Promise<{ lists: string[]; warnings: string[] }> {
  const lists = [await listOnHost(reading, 'containers'), await listOnHost(reading, 'images')];
  if (!isInSwarm) return { lists, warnings: [] };
  const services = await listServices(reading);
  if (services.outcome === 'no_manager') return { lists, warnings: [] };
  if (services.outcome === 'read') return { lists: [...lists, services.objects], warnings: [] };
  const { status } = services;
  return {
    lists,
    warnings: [`The Swarm's services can't be listed (${status}). Missing services stay as they are.`],
  };
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
  host,
}: TaskOf<'discovery'>['spec']): string {
  const question = JSON.stringify([
    include,
    exclude,
    extractors,
    label_rules,
    host?.name,
    hostFactsVersion,
    catalog,
  ]);
  return createHash('sha256').update(question).digest('hex').slice(0, 32);
}
