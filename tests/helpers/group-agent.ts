import { sql } from 'kysely';
import type { DiscoveryResultItem } from '../../src/agent/discovery/result-item.ts';
import { runRepositoryListing } from '../../src/agent/run-repository-listing.ts';
import type { ApiClient } from '../../src/client/api-client.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { createHttpPolicy, type OutboundClient } from '../../src/platform/outbound/index.ts';
import { createKnownPages } from '../../src/sources/list-repositories.ts';
import { createSkippedItems } from '../../src/sources/skipped-items.ts';
import { createSourceHttp } from '../../src/sources/source-http.ts';
import { createRecordedDiscovery } from './hold-discovery.ts';
import { parseInProcess } from './upstreams/gather-from.ts';

/** Maximum number of items that the agent submits in one part. */
const partSize = 1_000;

/**
 * Creates an agent that lists the repositories of groups as a real agent does. A scan of a repository finds the items
 * that `itemsOf` returns for its URL, or fails with the error that `itemsOf` returns.
 */
export function createGroupAgent(
  { api, db, client }: { api: ApiClient; db: Database; client: OutboundClient },
  itemsOf: (repositoryUrl: string) => DiscoveryResultItem[] | Error = () => [],
) {
  const capabilities = ['discovery'];
  const knownPages = createKnownPages();
  const sourceHttp = createSourceHttp({
    client,
    allowHttp: createHttpPolicy({ insecureHosts: ['127.0.0.1'], allowHttpWebhooks: false }),
    clock: () => new Date(),
    maxWaitMs: 0,
  });
  const startReading = () => ({ read: parseInProcess, kept: () => 0, skipped: createSkippedItems() });
  let agentId: number | null = null;

  async function claim() {
    agentId ??= (
      await api.call('sendHeartbeat', {
        body: {
          name: 'groups',
          hostname: 'here',
          version: '0.0.0',
          capabilities,
          credential_names: [],
          running: [],
        },
      })
    ).agent_id;
    const { tasks } = await api.call('claimTasks', {
      body: { agent_id: agentId, capabilities, credential_names: [], max: 50, wait_seconds: 0 },
    });
    return tasks.flatMap((task) => (task.kind === 'discovery' ? [task] : []));
  }

  /**
   * Runs the queued tasks of groups, and then, unless `scans` is false, those of repositories, without waiting until
   * they are due.
   * @returns The URLs of the repositories that were scanned, and the errors that the forge caused.
   */
  async function work({ scans = true } = {}): Promise<{ scanned: string[]; errors: unknown[] }> {
    const scanned: string[] = [];
    const errors: unknown[] = [];
    for (;;) {
      await sql`UPDATE runs SET due_at = pacekeeper_now() WHERE status = 'queued' AND kind = 'discovery'
        AND (${scans} OR discovery_job_id IN (SELECT id FROM discovery_jobs WHERE group_job_id IS NULL))`.execute(
        db,
      );
      const tasks = await claim();
      if (tasks.length === 0) return { scanned: scanned.toSorted(), errors };
      for (const task of tasks) {
        const { task_id: id, lease_token, spec } = task;
        if (spec.repository_url !== null) scanned.push(spec.repository_url);
        const { held, outcome } = createRecordedDiscovery(spec);
        if (spec.group)
          await runRepositoryListing(held, spec.group, {
            sourceHttp,
            startReading,
            openCredential: async () => null,
            knownPages,
          });
        const found = spec.group ? outcome.items : itemsOf(spec.repository_url ?? '');
        const error = found instanceof Error ? found : outcome.error;
        const items: unknown[] = found instanceof Error ? [] : found;
        if (error !== null) {
          errors.push(error);
          await api.call('failTask', {
            path: { id },
            body: {
              lease_token,
              error: { code: 'not_found', message: 'The source failed.' },
              retryable: false,
            },
          });
          continue;
        }
        let parts = 0;
        for (let at = 0; at < items.length; at += partSize) {
          const part = items.slice(at, at + partSize) as DiscoveryResultItem[];
          await api.call('submitTaskResults', {
            path: { id },
            body: { lease_token, sequence: ++parts, items: part },
          });
        }
        const summary = outcome.summary ?? { ...scanSummary, found: items.length };
        await api.call('completeTask', { path: { id }, body: { lease_token, parts, summary } });
      }
      if (!scans) return { scanned: scanned.toSorted(), errors };
    }
  }

  return { work };
}

const scanSummary = {
  not_modified: false,
  is_complete_list: true,
  skipped: 0,
  skipped_examples: [],
  requests: 1,
  waited_ms: 0,
  commit_sha: 'c'.repeat(40),
  validators: { etag: 'c'.repeat(40), last_modified: null, fingerprint: 'f' },
};
