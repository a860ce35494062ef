import { setTimeout as sleep } from 'node:timers/promises';
import { ApiCallError, type ApiClient, type ApiOperationId } from '../../client/api-client.ts';
import type { Entry } from '../../domain/configuration/configuration-entries.ts';
import { chartOf, type Section } from '../../domain/configuration/kinds.ts';
import type { MemberValue, Plan, Step } from '../../domain/configuration/plan-steps.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { callOperation, type Item, isItem, listItems } from '../call-operation.ts';
import { CliError } from '../cli-error.ts';

export interface ApplyOptions {
  /** How long to wait for the gather jobs that a helm sync job makes. */
  waitSeconds: number;
  onDone(step: Step, index: number): void;
  onWait(text: string): void;
}

const nouns: Readonly<Record<Section, string>> = {
  rules: 'Rule',
  helm_sync_jobs: 'HelmSyncJob',
  gather_jobs: 'GatherJob',
  scrape_jobs: 'ScrapeJob',
  notification_channels: 'NotificationChannel',
  alert_configs: 'AlertConfig',
  notification_rules: 'NotificationRule',
};

function operationOn(verb: 'create' | 'update' | 'delete', section: Section): ApiOperationId {
  return `${verb}${nouns[section]}` as ApiOperationId;
}

type Category = Schemas['NotificationTemplateCategory'];

/** Does the steps in their order; throws at the first that fails. */
export async function applyPlan(api: ApiClient, plan: Plan, options: ApplyOptions): Promise<void> {
  const ids = new Map(plan.ids);
  for (const [index, step] of plan.steps.entries()) {
    await doStep(step);
    options.onDone(step, index);
  }

  async function doStep(step: Step): Promise<void> {
    switch (step.action) {
      case 'create': {
        const made = await callOperation(api, operationOn('create', step.kind.section), {
          body: bodyOf(step.members),
        });
        ids.set(step.entry, Number(isItem(made) ? made['id'] : Number.NaN));
        return;
      }
      case 'update':
        await callOperation(api, operationOn('update', step.kind.section), {
          path: { id: step.id },
          body: bodyOf(step.differing),
        });
        return;
      case 'delete':
        await unlessGone(
          callOperation(api, operationOn('delete', step.kind.section), { path: { id: step.id } }),
        );
        return;
      case 'await':
        return awaitFed(step);
      case 'set': {
        const value = step.target === null ? step.value : idOf(step.target);
        await api.call('putOrgOverride', { path: { key: step.key }, body: { value } });
        return;
      }
      case 'unset':
        await unlessGone(api.call('deleteOrgOverride', { path: { key: step.key } }));
        return;
      case 'set-template': {
        const path = { category: step.category as Category };
        await api.call('updateNotificationTemplate', { path, body: { body: step.body } });
        return;
      }
      case 'unset-template':
        await unlessGone(
          api.call('deleteNotificationTemplate', { path: { category: step.category as Category } }),
        );
        return;
      case 'set-version': {
        const path = { id: idOf({ entry: step.entry }) };
        await api.call('setScrapeJobVersion', { path, body: { version: step.version } });
      }
    }
  }

  function idOf(target: { id: number } | { entry: Entry }): number {
    if ('id' in target) return target.id;
    const id = ids.get(target.entry);
    if (id === undefined) throw new CliError(`"${target.entry.name}" was not created.`);
    return id;
  }

  function bodyOf(members: readonly MemberValue[]): Item {
    return Object.fromEntries(
      members.map(({ member, value, targets }) => [
        member,
        targets === null ? value : Array.isArray(targets) ? targets.map(idOf) : idOf(targets),
      ]),
    );
  }

  /** The sync makes the gather job of a chart when it has read the repository. */
  async function awaitFed(step: Extract<Step, { action: 'await' }>): Promise<void> {
    const syncId = idOf(step.sync);
    await api.call('runHelmSyncJob', { path: { id: syncId } });
    options.onWait(`Waiting for the helm sync job to find chart ${step.chart}`);
    const began = performance.now();
    for (;;) {
      const { items } = await listItems(api, 'listGatherJobs', {
        query: { helm_sync_job_id: syncId },
        all: true,
        hasPages: true,
      });
      const job = items.find((item) => chartOf(item) === step.chart);
      if (job) {
        ids.set(step.entry, Number(job['id']));
        const body = bodyOf(step.members);
        await callOperation(api, operationOn('update', step.kind.section), { path: { id: job['id'] }, body });
        return;
      }
      if (performance.now() - began > options.waitSeconds * 1_000) {
        throw new CliError(
          `The helm sync job created no gather job for chart ${step.chart} within ${options.waitSeconds} s. Check 'pacekeeper logs helm-sync-jobs/${syncId}', or increase --wait.`,
        );
      }
      await sleep(500);
    }
  }
}

/** What is not there is deleted, whoever did it: somebody meanwhile, or a first try whose answer was lost. */
async function unlessGone(deletion: Promise<unknown>): Promise<void> {
  await deletion.catch((error: unknown) => {
    if (!(error instanceof ApiCallError) || error.code !== 'not_found') throw error;
  });
}
