import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../../client/api-client.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { CliError } from '../cli-error.ts';

type PendingGatherJob = Schemas['PendingGatherJob'];

const pauseMs = 500;

/** Waits until helm sync jobs have found the charts of gather jobs. */
export async function waitForCharts(
  api: ApiClient,
  jobs: readonly PendingGatherJob[],
  waitSeconds: number,
): Promise<void> {
  const began = performance.now();
  for (let waiting = jobs; ; ) {
    const stillWaiting: PendingGatherJob[] = [];
    for (const job of waiting) {
      const { release_count } = await api.call('getGatherJob', { path: { id: job.id } });
      if (release_count === 0) stillWaiting.push(job);
    }
    const [first] = stillWaiting;
    if (!first) return;
    if (performance.now() - began > waitSeconds * 1_000)
      throw new CliError(
        `All changes applied, but no helm sync job found chart ${cleanLine(first.chart)} for gather job "${cleanLine(first.name)}" (${first.id}) within ${waitSeconds} s. Check 'pacekeeper logs gather-jobs/${first.id}'.`,
      );
    waiting = stillWaiting;
    await sleep(pauseMs);
  }
}
