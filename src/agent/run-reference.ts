import { createHash } from 'node:crypto';
import type { LifecycleProduct } from '../domain/support/read-lifecycles.ts';
import type { SourceHttp } from '../sources/source-http.ts';
import type { HeldTask, ReferenceTask, ResultItem } from './agent-task.ts';
import { fetchVulnerabilities } from './fetch-vulnerabilities.ts';
import {
  ecosystemPlaceholder,
  fetchVulnerabilityFiles,
  type OsvFileDeps,
} from './fetch-vulnerability-files.ts';
import { submitParts } from './hand-in.ts';
import type { OsvArchiveCache } from './osv-archives.ts';
import type { HelmSyncDeps } from './run-helm-sync.ts';

export interface ReferenceDeps extends Pick<HelmSyncDeps, 'sourceHttp' | 'startReading'> {
  clock: () => Date;
  /** Archives of vulnerabilities that this agent has read. */
  archives: OsvArchiveCache;
  openFolder: OsvFileDeps['openFolder'];
}

/** Maximum size of the response in bytes. In 2026, the list of all products has 1.6 MB. */
const maxBytes = 16 * 1024 * 1024;

/** Fetches reference data and submits it. It's public, so no credential is sent. */
export async function runReference(held: HeldTask<ReferenceTask>, deps: ReferenceDeps): Promise<void> {
  const fairKey = String(held.task.organization_id);
  let http: SourceHttp | null = null;
  try {
    if (held.task.spec.source === 'vulnerabilities')
      return held.task.spec.url.includes(ecosystemPlaceholder)
        ? await fetchVulnerabilityFiles(held, deps)
        : await fetchVulnerabilities(held, deps);
    http = deps.sourceHttp.forJob({ credential: null, signal: held.signal, fairKey });
    await fetchLifecycles(held, http, deps);
  } catch (error) {
    await held.fail(error);
  } finally {
    http?.end();
  }
}

async function fetchLifecycles(
  held: HeldTask<ReferenceTask>,
  http: SourceHttp,
  { startReading }: ReferenceDeps,
): Promise<void> {
  const { source, url, validators: known } = held.task.spec;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([source, url]))
    .digest('hex')
    .slice(0, 32);
  const answer = await http.get(url, {
    what: 'the end-of-support data',
    accept: 'application/json',
    maxBytes,
    validators:
      known?.fingerprint === fingerprint
        ? {
            etag: known.etag,
            lastModified: known.last_modified,
          }
        : null,
  });
  const { validators } = answer;
  const summary = {
    validators: validators && {
      etag: validators.etag,
      last_modified: validators.lastModified,
      fingerprint,
    },
    skipped: 0,
    skipped_examples: [],
  };
  const usage = () => ({ requests: http.usage.requests, waited_ms: Math.round(http.usage.waitedMs) });
  if (answer.status === 304) {
    await held.complete({ ...summary, not_modified: true, is_complete_list: false, found: 0, ...usage() });
    return;
  }
  const { read } = startReading({
    fairKey: String(held.task.organization_id),
    signal: held.signal,
    wish: null,
  });
  const parts = read('lifecycle_data', { host: new URL(answer.url).host }, answer.body);
  const { products, asOf } = await submitParts(held, parts, (items) => items.map(toResultItem));
  await held.complete({
    ...summary,
    not_modified: false,
    is_complete_list: true,
    found: products,
    as_of: asOf,
    ...usage(),
  });
}

function toResultItem({ name, label, purls, lines }: LifecycleProduct): ResultItem {
  return {
    product: name,
    label,
    purls: [...purls],
    lines: lines.map((line) => ({
      name: line.name,
      is_lts: line.isLts,
      released_on: line.releasedOn,
      latest_version: line.latest,
      ...line.ends,
    })),
  };
}
