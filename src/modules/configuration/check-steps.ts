import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../platform/errors.ts';
import type { ApiRequest } from '../../platform/http/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { checkNewScrapeJob } from '../deployed/index.ts';
import { checkAlertConfig, checkNewRule } from '../monitoring/index.ts';
import {
  checkChannelBody,
  checkLabelMatchers,
  newChannel,
  toChannelValues,
  type UrlPolicy,
} from '../notifications/index.ts';
import { checkOverrides, isSettingKey, type TemplateSandbox } from '../settings/index.ts';
import { checkHelmSyncJob, checkNewGatherJob } from '../upstream/index.ts';
import type { PlannedStep, PlanProblem, StepWork } from './planned-steps.ts';

export interface CheckDeps {
  sandbox: TemplateSandbox;
  urlPolicy: UrlPolicy;
  secretBox: SecretBox;
}

/** Steps checked without yielding. */
const stepsOfTurn = 50;
/** Maximum number of reported problems. */
const maxProblems = 20;

/** Checks what the handlers of single changes check before their transaction. Returns at most 20 problems. */
export async function checkSteps(
  deps: CheckDeps,
  organizationId: number,
  steps: readonly PlannedStep[],
): Promise<PlanProblem[]> {
  const problems: PlanProblem[] = [];
  for (const [index, { shown, work }] of steps.entries()) {
    if (index % stepsOfTurn === 0) await nextTurn();
    if (problems.length >= maxProblems) break;
    const place = shown.index === null ? `${shown.section}.${shown.name}` : `${shown.section}.${shown.index}`;
    try {
      await checkStep(deps, organizationId, work);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
      const { errors = [{ field: '', message: error.message }] } = error.options;
      problems.push(
        ...errors.map(({ field, message }) => ({
          field: field === '' ? place : `${place}.${field}`,
          message,
        })),
      );
    }
  }
  return problems.slice(0, maxProblems);
}

async function checkStep(deps: CheckDeps, organizationId: number, work: StepWork): Promise<void> {
  if (work.action === 'set') {
    if (!isSettingKey(work.key)) throw new TypeError(`${work.key} was planned and isn't a setting`);
    // The default channel is checked when it is written.
    const value = work.channel === null ? work.value : null;
    await checkOverrides(deps.sandbox, organizationId, [{ key: work.key, value, field: '' }]);
    return;
  }
  if (work.action === 'create-fed') {
    checkNewGatherJob(work.body as ApiRequest<'createGatherJob'>['body']);
    return;
  }
  if (work.action !== 'create' && work.action !== 'update') return;
  // The bodies were validated by the contract.
  const body = (work.action === 'create' ? work.body : work.desired) as never;
  switch (work.section) {
    case 'rules':
      checkNewRule(body);
      return;
    case 'helm_sync_jobs':
      checkHelmSyncJob(body);
      return;
    case 'gather_jobs':
      // If a helm sync job manages it, only these can be set.
      if (work.action === 'create' || 'source_type' in work.desired) checkNewGatherJob(body);
      return;
    case 'scrape_jobs':
      checkNewScrapeJob(body);
      return;
    case 'notification_channels':
      await checkChannelBody(deps, organizationId, body);
      toChannelValues(deps.secretBox, organizationId, 0, newChannel, body);
      return;
    case 'alert_configs':
      checkAlertConfig(body);
      return;
    case 'notification_rules':
      checkLabelMatchers(body);
  }
}
