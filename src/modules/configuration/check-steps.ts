import { artifactField } from '../../domain/configuration/kinds.ts';
import { artifactOfScrapeJob } from '../../domain/source-types/deployed-versions-source-type.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Mailer } from '../../platform/email/index.ts';
import { ApiError, runChecks } from '../../platform/errors.ts';
import type { ApiRequest } from '../../platform/http/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { TimeSlices } from '../../platform/time-slices.ts';
import { checkNewScrapeJob } from '../deployed/index.ts';
import { checkAlias, checkCorrection, checkItemName, checkNewDiscoveryJob } from '../discovery/index.ts';
import { checkTarget } from '../freshness/index.ts';
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
import { maxProblems, type PlannedStep, type PlanProblem, type StepWork } from './planned-steps.ts';

export interface CheckDeps {
  db: Database;
  sandbox: TemplateSandbox;
  urlPolicy: UrlPolicy;
  mailer: Mailer | null;
  secretBox: SecretBox;
}

/** Runs the checks that handlers of single changes run before their transaction. */
export async function checkSteps(
  deps: CheckDeps,
  organizationId: number,
  steps: readonly PlannedStep[],
): Promise<PlanProblem[]> {
  const problems: PlanProblem[] = [];
  const slices = new TimeSlices();
  for (const { shown, work } of steps) {
    // Yield to other work, because checking a pattern or a schedule can take milliseconds.
    await slices.pause();
    if (problems.length >= maxProblems) break;
    const place = shown.index === null ? `${shown.section}.${shown.name}` : `${shown.section}.${shown.index}`;
    try {
      await checkStep(deps, organizationId, work);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
      const { errors = [{ field: '', message: error.message }] } = error.options;
      problems.push(
        ...errors.map(({ field, message }) => ({
          field: [place, field.replace(/^\./, '')].filter(Boolean).join('.'),
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
    // Skip a reference, which is checked when it's written.
    const value = work.reference === null ? work.value : null;
    await checkOverrides(deps.sandbox, organizationId, [{ key: work.key, value, field: '' }]);
    return;
  }
  if (work.action === 'create-fed') {
    checkNewGatherJob(work.body);
    return;
  }
  if (work.action === 'create-followed') {
    checkItemName(work);
    return;
  }
  if (work.action !== 'create' && work.action !== 'update') return;
  switch (work.section) {
    case 'rules':
      checkNewRule(work.body);
      return;
    case 'helm_sync_jobs':
      checkHelmSyncJob(work.body);
      return;
    case 'discovery_jobs':
      await checkNewDiscoveryJob(work.body);
      return;
    case 'gather_jobs':
      // A gather job that a helm sync job manages has no source fields to check. References to scrape jobs
      // aren't in the body, so a placeholder replaces them.
      if (work.action === 'create' || 'source_type' in work.body)
        checkNewGatherJob(Object.assign({ [artifactField]: artifactOfScrapeJob(1) }, work.body));
      return;
    case 'scrape_jobs':
      // A scrape job that a discovery job feeds has no source fields to check.
      if (work.action === 'create' || 'parser_type' in work.body) checkNewScrapeJob(work.body);
      return;
    case 'notification_channels':
      await checkChannel(deps, organizationId, work.body);
      return;
    case 'alert_configs':
      checkAlertConfig(work.body);
      return;
    case 'notification_rules':
      await checkLabelMatchers(work.body);
      return;
    case 'freshness_targets':
      await checkTarget(work.body);
      return;
    case 'artifact_aliases':
      checkAlias(work.body);
      return;
    case 'artifact_corrections':
      checkCorrection(work.body);
  }
}

async function checkChannel(
  { secretBox, ...deps }: CheckDeps,
  organizationId: number,
  body: ApiRequest<'createNotificationChannel'>['body'],
): Promise<void> {
  const rejected: unknown[] = [];
  await checkChannelBody(deps, organizationId, body).catch((error: unknown) => rejected.push(error));
  // Only valid URLs can be masked, so an invalid one is omitted.
  const { url: _, ...rest } = body;
  runChecks([
    ...rejected.map((error) => () => {
      throw error;
    }),
    () => void toChannelValues(secretBox, organizationId, 0, newChannel, rejected.length > 0 ? rest : body),
  ]);
}
