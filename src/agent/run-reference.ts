import { createHash } from 'node:crypto';
import type { LifecycleProduct } from '../domain/support/read-lifecycles.ts';
import type { ReadBody } from '../sources/body-reader.ts';
import type { FoundDocument } from '../sources/found-document.ts';
import type { SourceHttp, SourceResponse } from '../sources/source-http.ts';
import type { HeldTask, ResultItem, TaskOf } from './agent-task.ts';
import { fetchVulnerabilities } from './fetch-vulnerabilities.ts';
import {
  ecosystemPlaceholder,
  fetchVulnerabilityFiles,
  type OsvFileDeps,
} from './fetch-vulnerability-files.ts';
import type { OsvArchiveCache } from './osv-archives.ts';
import type { HelmSyncDeps } from './run-helm-sync.ts';
import { submitParts } from './submit-parts.ts';

export interface ReferenceDeps extends Pick<HelmSyncDeps, 'sourceHttp' | 'startReading'> {
  clock: () => Date;
  /** Archives of vulnerabilities that this agent has read. */
  archives: OsvArchiveCache;
  openFolder: OsvFileDeps['openFolder'];
}

/**
 * Maximum size of a response in bytes. In 2026, endoflife.date's list of all products has 1.6 MB, CISA's catalog 1.4 MB, and
 * EPSS's file 2.4 MB, or 10 MB without compression.
 */
const maxBytes = 16 * 1024 * 1024;

/** Fetches reference data and submits it. It's public, so no credential is sent. */
export async function runReference(held: HeldTask<TaskOf<'reference'>>, deps: ReferenceDeps): Promise<void> {
  const fairKey = String(held.task.organization_id);
  let http: SourceHttp | null = null;
  try {
    const { source, url } = held.task.spec;
    if (source === 'vulnerabilities')
      return url.includes(ecosystemPlaceholder)
        ? await fetchVulnerabilityFiles(held, deps)
        : await fetchVulnerabilities(held, deps);
    http = deps.sourceHttp.forJob({ credential: null, signal: held.signal, fairKey });
    await fetchDocument(held, http, await documentReaders[source](held, deps));
  } catch (error) {
    await held.fail(error);
  } finally {
    http?.end();
  }
}

/** Reads a document with the data of one source. */
interface DocumentReader {
  /** Name of the document in error messages. */
  readonly what: string;
  readonly accept: string;
  /** Values other than the URL that determine the result. If one has changed, the request is unconditional. */
  readonly inputs: readonly string[];
  submit(answer: SourceResponse, host: string): Promise<FoundDocument>;
}

const documentReaders: Readonly<
  Record<
    Exclude<TaskOf<'reference'>['spec']['source'], 'vulnerabilities'>,
    (held: HeldTask<TaskOf<'reference'>>, deps: ReferenceDeps) => Promise<DocumentReader>
  >
> = {
  end_of_life: async (held, deps) => ({
    what: 'the end-of-support data',
    accept: 'application/json',
    inputs: [],
    submit: ({ body }, host) =>
      submitParts(held, startRead(held, deps)('lifecycle_data', { host }, body), (items) =>
        items.map(toProductItem),
      ),
  }),

  known_exploited: async (held, deps) => ({
    what: 'the catalog of known exploited vulnerabilities',
    accept: 'application/json',
    inputs: [],
    submit: ({ body }, host) =>
      submitParts(held, startRead(held, deps)('known_exploited', { host }, body), (items) =>
        items.map(({ cve, addedOn }) => ({ cve, added_on: addedOn })),
      ),
  }),

  async epss(held, deps) {
    const cves = await held.listCves();
    return {
      what: 'the EPSS file',
      accept: 'application/gzip, text/csv, application/octet-stream',
      inputs: cves,
      submit: ({ body }, host) =>
        submitParts(held, startRead(held, deps)('epss_scores', { host, cves }, body), (items) =>
          items.map((each) => ({ ...each })),
        ),
    };
  },
};

function startRead(held: HeldTask<TaskOf<'reference'>>, { startReading }: ReferenceDeps): ReadBody {
  return startReading({ fairKey: String(held.task.organization_id), signal: held.signal, criteria: null })
    .read;
}

async function fetchDocument(
  held: HeldTask<TaskOf<'reference'>>,
  http: SourceHttp,
  { what, accept, inputs, submit }: DocumentReader,
): Promise<void> {
  const { source, url, validators: known } = held.task.spec;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([source, url, ...inputs]))
    .digest('hex')
    .slice(0, 32);
  const answer = await http.get(url, {
    what,
    accept,
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
  const { found, asOf } = await submit(answer, new URL(answer.url).host);
  await held.complete({
    ...summary,
    not_modified: false,
    is_complete_list: true,
    found,
    as_of: asOf,
    ...usage(),
  });
}

function toProductItem({ name, label, purls, lines }: LifecycleProduct): ResultItem {
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
