import type { ApiClient } from '../../src/client/api-client.ts';
import { sourceTypeIds } from '../../src/domain/source-types/source-types.ts';

const capabilities = [...sourceTypeIds.map((type) => `gather:${type}`), 'helm_sync'];

/**
 * Processes the queued gather and Helm sync runs of an organization. For each source, the results contain the
 * release 999.0.0, which is newer than all others and `days` days old.
 *
 * @returns The number of processed runs.
 */
export async function completeUpstreamRuns(api: ApiClient, { days }: { days: number }): Promise<number> {
  const { agent_id } = await api.call('sendHeartbeat', {
    body: {
      name: 'upstreams',
      hostname: 'here',
      version: '0.0.0',
      capabilities,
      credential_names: [],
      running: [],
    },
  });
  const releases = [release('0.0.1', days + 300), release('999.0.0', days)];
  for (let count = 0; ; ) {
    const body = { agent_id, capabilities, credential_names: [], max: 50, wait_seconds: 0 };
    const { tasks } = await api.call('claimTasks', { body });
    if (tasks.length === 0) return count;
    count += tasks.length;
    for (const task of tasks) {
      const items =
        task.kind === 'helm_sync'
          ? task.spec.chart_filter.map((name) => ({
              chart: {
                name,
                latest_version: '999.0.0',
                app_version: null,
                description: null,
                deprecated: false,
                version_count: 2,
              },
              releases,
            }))
          : releases;
      const path = { id: task.task_id };
      const { lease_token } = task;
      await api.call('submitTaskResults', { path, body: { lease_token, sequence: 1, items } });
      const summary = {
        not_modified: false,
        is_complete_list: true,
        found: items.length,
        skipped: 0,
        skipped_examples: [],
        requests: 1,
        waited_ms: 0,
        validators: null,
      };
      await api.call('completeTask', { path, body: { lease_token, parts: 1, summary } });
    }
  }
}

function release(version: string, days: number) {
  return {
    version,
    tag: version,
    app_version: null,
    is_prerelease: false,
    is_yanked: false,
    url: null,
    notes: null,
    released_at: new Date(Date.now() - days * 86_400_000).toISOString(),
  };
}
