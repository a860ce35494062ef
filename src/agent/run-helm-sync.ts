import { createHash } from 'node:crypto';
import { normalizeRepositoryUrl } from '../domain/artifacts/chart-names.ts';
import { RunError } from '../domain/runs/run-error.ts';
import type { SourceContext } from '../sources/release-source.ts';
import type { createSourceHttp, SourceHttp } from '../sources/source-http.ts';
import { syncHelmRepository } from '../sources/sync-helm-repository.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import type { StartBodyReading } from './body-reading.ts';
import type { OpenCredential } from './open-credential.ts';
import { submitParts } from './submit-parts.ts';

export interface HelmSyncDeps {
  sourceHttp: ReturnType<typeof createSourceHttp>;
  startReading: StartBodyReading;
  openCredential: OpenCredential;
}

/**
 * Reads the index of a Helm repository and submits its charts. Their releases are also submitted if the job
 * includes them.
 */
export async function runHelmSync(held: HeldTask<TaskOf<'helm_sync'>>, deps: HelmSyncDeps): Promise<void> {
  const fairKey = String(held.task.organization_id);
  let http: SourceHttp | null = null;
  try {
    const credential = await deps.openCredential(held.task);
    http = deps.sourceHttp.forJob({ credential, signal: held.signal, fairKey });
    const { read } = deps.startReading({ fairKey, signal: held.signal, criteria: null });
    await syncWith(held, { http, read });
  } catch (error) {
    await held.fail(error);
  } finally {
    http?.end();
  }
}

/**
 * Reads the index and completes the task.
 * @throws Any error that prevents the charts from being submitted
 */
async function syncWith(
  held: HeldTask<TaskOf<'helm_sync'>>,
  context: Pick<SourceContext, 'http' | 'read'>,
): Promise<void> {
  const { spec } = held.task;
  const address = normalizeRepositoryUrl(spec.repository_url);
  if (!address.ok) throw new RunError('target_not_allowed', `Invalid repository URL: ${address.message}.`);
  // Stored validators are valid only if these job options are unchanged.
  const fingerprint = JSON.stringify([address.repositoryUrl, spec.chart_filter, spec.create_gather_jobs]);
  const isSameQuestion = spec.validators?.fingerprint === shorten(fingerprint);
  const parts = syncHelmRepository(
    {
      repositoryUrl: address.repositoryUrl,
      chartFilter: spec.chart_filter,
      wantsReleases: spec.create_gather_jobs,
      validators:
        spec.validators && isSameQuestion
          ? { etag: spec.validators.etag, lastModified: spec.validators.last_modified }
          : null,
    },
    context,
  );
  const { validators, ...summary } = await submitParts(held, parts, (charts) => charts);
  const { usage } = context.http;
  await held.complete({
    not_modified: summary.isNotModified,
    is_complete_list: summary.isCompleteList,
    validators: validators && {
      etag: validators.etag,
      last_modified: validators.lastModified,
      fingerprint: shorten(fingerprint),
    },
    found: summary.found,
    skipped: summary.skipped,
    skipped_examples: summary.skippedExamples,
    warnings: summary.warnings,
    requests: usage.requests,
    waited_ms: Math.round(usage.waitedMs),
  });
}

function shorten(question: string): string {
  return createHash('sha256').update(question).digest('hex').slice(0, 32);
}
