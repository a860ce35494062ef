import { createHash } from 'node:crypto';
import { normalizeRepositoryUrl } from '../domain/artifacts/chart-names.ts';
import { RunError } from '../platform/errors.ts';
import type { createSourceHttp } from '../sources/source-http.ts';
import { syncHelmRepository } from '../sources/sync-helm-repository.ts';
import { type AgentCredential, findCredential } from './agent-credential.ts';
import type { HeldTask, HelmSyncTask } from './agent-task.ts';

export interface HelmSyncDeps {
  sourceHttp: ReturnType<typeof createSourceHttp>;
  credentials: readonly AgentCredential[];
}

/** Reads the index of a Helm repository and hands in its charts, with their releases where they are wanted. */
export async function runHelmSync(held: HeldTask<HelmSyncTask>, deps: HelmSyncDeps): Promise<void> {
  try {
    const { spec } = held.task;
    const address = normalizeRepositoryUrl(spec.repository_url);
    if (!address.ok)
      throw new RunError(
        'target_not_allowed',
        `The address of the repository cannot be used: ${address.message}.`,
      );
    const credential = findCredential(deps.credentials, held.task);
    const http = deps.sourceHttp.forJob({ credential, signal: held.signal });
    // What the job asks for is what makes its validators hold.
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
      { http },
    );
    let part = await parts.next();
    while (!part.done) {
      await held.sendPart(part.value);
      part = await parts.next();
    }
    const { validators, ...summary } = part.value;
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
      requests: http.usage.requests,
      waited_ms: Math.round(http.usage.waitedMs),
    });
  } catch (error) {
    await held.fail(error);
  }
}

function shorten(question: string): string {
  return createHash('sha256').update(question).digest('hex').slice(0, 32);
}
