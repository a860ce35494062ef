import { sql } from 'kysely';
import { chartArtifactName } from '../../domain/artifacts/chart-names.ts';
import { apiReferenceValue, type Section } from '../../domain/configuration/kinds.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { hasSqlState, type Tx } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { type EditContext, etagOf } from '../../platform/http/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { TimeSlices } from '../../platform/time-slices.ts';
import { organizationJobKinds } from '../agents/index.ts';
import { checkNewScrapeJob, recordVersionsAcrossOrganizations, scrapeJobEdits } from '../deployed/index.ts';
import {
  acceptByKey,
  aliasEdits,
  checkAlias,
  checkCorrection,
  checkNewDiscoveryJob,
  correctionEdits,
  discoveryJobEdits,
  type FollowedItem,
  lockAllJobs,
} from '../discovery/index.ts';
import { targetEdits } from '../freshness/index.ts';
import { alertConfigEdits, checkNewRule, ruleEdits } from '../monitoring/index.ts';
import { channelEdits, notificationRuleEdits } from '../notifications/index.ts';
import { lockOpenRuns } from '../runs/index.ts';
import { deleteOverride, isSettingKey, writeOverrides } from '../settings/index.ts';
import { checkHelmSyncJob, checkNewGatherJob, gatherJobEdits, helmSyncJobEdits } from '../upstream/index.ts';
import {
  type CreateBodies,
  type CreateWork,
  isPartOfCreation,
  type PlannedStep,
  type Reference,
  type References,
  type StepWork,
  type UpdateBodies,
  type UpdateWork,
} from './planned-steps.ts';

/** Failure of a step, with the failed step in `shown`. */
export class StepError extends Error {
  override name = 'StepError';
  readonly shown: PlannedStep['shown'];

  constructor(shown: PlannedStep['shown'], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.shown = shown;
  }
}

export interface ApplyStepsDeps {
  secretBox: SecretBox;
}

type PendingGatherJob = Schemas['PendingGatherJob'];
type StepOf<Action extends StepWork['action']> = PlannedStep & {
  work: Extract<StepWork, { action: Action }>;
};

type CreateStep<InSection extends Section> = PlannedStep & { work: CreateWork<InSection> };
type Creators = {
  [Each in Section]: (bodies: readonly CreateBodies[Each][]) => Promise<readonly { id: number }[]>;
};
type UpdateEdits = {
  [Each in Section]: {
    update(tx: Tx, context: EditContext, id: number, changes: UpdateBodies[Each]): Promise<unknown>;
  };
};

/** Maximum number of resources created by one statement. */
const createBatchSize = 500;

/**
 * Order in which resources are created. Resources refer only to sections that are created before them. The
 * exception is a gather job that refers to a scrape job: it's created after the scrape jobs. All other gather
 * jobs are created first, because scrape jobs that a discovery job feeds can use them.
 */
const creationOrder = [
  'rules',
  'helm_sync_jobs',
  'discovery_jobs',
  'gather_jobs',
  'scrape_jobs',
  'notification_channels',
  'alert_configs',
  'notification_rules',
  'freshness_targets',
  'artifact_aliases',
  'artifact_corrections',
] as const satisfies readonly Section[];

/**
 * Sections whose resources are created after others are deleted, because their number is limited or their
 * prefixes must be unique. Corrections are created last, so that no alert configurations are derived for
 * items whose configuration the file creates.
 */
const lastSections: ReadonlySet<Section> = new Set<Section>([
  'freshness_targets',
  'artifact_aliases',
  'artifact_corrections',
]);

/**
 * Order in which resources are updated: jobs, then rules, then resources that link them. All code that locks
 * several resources uses this order, to avoid deadlocks.
 */
const updateOrder = [
  'helm_sync_jobs',
  'gather_jobs',
  'discovery_jobs',
  'scrape_jobs',
  'rules',
  'notification_channels',
  'alert_configs',
  'notification_rules',
  'freshness_targets',
  'artifact_aliases',
  'artifact_corrections',
] as const satisfies readonly Section[];

/**
 * Applies all changes of a plan in one transaction, using the same functions as single requests. Creates come
 * first, because they don't block other transactions. Updated resources are locked last, by ascending ID. If
 * the plan changes artifact aliases or corrections, everything that depends on them is locked before the
 * first step.
 *
 * @param onDone Called with the number of changes since its last call. Can throw to stop.
 * @throws StepError with the reason as its cause
 */
export async function applySteps(
  tx: Tx,
  { secretBox }: ApplyStepsDeps,
  context: EditContext,
  steps: readonly PlannedStep[],
  onDone: (count: number) => void,
): Promise<PendingGatherJob[]> {
  const { organizationId, actor, loginId } = context.caller;
  const edits = {
    rules: ruleEdits(),
    helm_sync_jobs: helmSyncJobEdits(),
    discovery_jobs: discoveryJobEdits(),
    gather_jobs: gatherJobEdits(),
    scrape_jobs: scrapeJobEdits(),
    notification_channels: channelEdits({ secretBox }),
    alert_configs: alertConfigEdits(),
    notification_rules: notificationRuleEdits(),
    freshness_targets: targetEdits(),
    artifact_aliases: aliasEdits(),
    artifact_corrections: correctionEdits(),
  };
  const updateEdits: UpdateEdits = edits;
  /** Creates resources of a section. The bodies are already validated against the contract. */
  const creators: Creators = {
    rules: async (bodies) => edits.rules.create(tx, context, await checkEach(bodies, checkNewRule)),
    helm_sync_jobs: async (bodies) =>
      edits.helm_sync_jobs.create(tx, context, await checkEach(bodies, checkHelmSyncJob)),
    discovery_jobs: async (bodies) =>
      edits.discovery_jobs.create(tx, context, await checkEach(bodies, checkNewDiscoveryJob)),
    gather_jobs: async (bodies) =>
      edits.gather_jobs.create(tx, context, await checkEach(bodies, checkNewGatherJob)),
    scrape_jobs: async (bodies) =>
      edits.scrape_jobs.create(tx, context, await checkEach(bodies, checkNewScrapeJob)),
    notification_channels: (bodies) => edits.notification_channels.create(tx, context, bodies),
    alert_configs: (bodies) => edits.alert_configs.create(tx, context, bodies),
    notification_rules: (bodies) => edits.notification_rules.create(tx, context, bodies),
    freshness_targets: (bodies) => edits.freshness_targets.create(tx, context, bodies),
    artifact_aliases: async (bodies) =>
      edits.artifact_aliases.create(tx, context, await checkEach(bodies, checkAlias)),
    artifact_corrections: async (bodies) =>
      edits.artifact_corrections.create(tx, context, await checkEach(bodies, checkCorrection)),
  };
  /** IDs of the created resources, by the path of their entry in the file, such as `rules/3`. */
  const ids = new Map<string, number>();
  const pending: PendingGatherJob[] = [];
  const of = <Action extends StepWork['action']>(action: Action) => steps.filter(isOf(action));
  const creations = of('create');
  const isLate = (work: StepOf<'create'>['work']) =>
    work.isLate || (hasLate && work.section === 'notification_rules') || lastSections.has(work.section);
  const hasLate = creations.some(({ work }) => work.isLate);
  // Helm sync jobs and discovery jobs that feed new jobs need another run, but only if they already exist.
  // The first run of a new job reads everything anyway.
  const syncIds = ascending(
    of('create-fed').flatMap(({ work }) => (typeof work.sync === 'number' ? [work.sync] : [])),
  );
  const discoveryJobIds = ascending(
    of('create-followed').flatMap(({ work }) =>
      typeof work.discoveryJob === 'number' ? [work.discoveryJob] : [],
    ),
  );

  await lockForDiscovery();
  for (const section of creationOrder) {
    // Resources are created in the order of the file, so that their IDs ascend in the same order.
    for (const run of consecutive(
      steps.filter(
        (step) =>
          isCreated(step, section) &&
          !(step.work.action === 'create' && (isLate(step.work) || refersToScrapeJob(step.work))),
      ),
    )) {
      await createAll(section, run.filter(isCreateIn(section)));
      await createManaged(run.filter(isOf('create-fed')));
      await createFollowed(run.filter(isOf('create-followed')));
    }
    if (section === 'scrape_jobs')
      await createAll(
        'gather_jobs',
        steps.filter(isCreateIn('gather_jobs')).filter(({ work }) => refersToScrapeJob(work)),
      );
  }
  for (const id of syncIds) await edits.helm_sync_jobs.readAgain(tx, context, id);
  for (const id of discoveryJobIds) await edits.discovery_jobs.readAgain(tx, context, id);
  const updates = of('update');
  for (const section of updateOrder) await lockRows(section);
  for (const section of updateOrder) {
    for (const step of updates.filter(({ work }) => work.section === section))
      await doSteps([step], () => update(step.work));
    if (section === 'alert_configs')
      for (const late of ['alert_configs', 'notification_rules'] as const)
        await createAll(
          late,
          steps.filter(isCreateIn(late)).filter(({ work }) => isLate(work)),
        );
  }
  for (const step of of('set')) await doSteps([step], () => set(step.work));
  for (const step of of('unset')) await doSteps([step], () => unset(step.work));
  await setVersions(of('set-version'));
  for (const step of of('delete')) await doSteps([step], () => remove(step.work));
  for (const section of lastSections) await createAll(section, steps.filter(isCreateIn(section)));
  return pending;

  async function doSteps(some: readonly PlannedStep[], work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Serialization failures and deadlocks aren't errors of the step. The transaction is retried.
      if (hasSqlState(error, '40001', '40P01')) throw error;
      // If the statement writes several rows, don't report an index, because it isn't known which row caused the error.
      const { shown } = some[0]!;
      throw new StepError(some.length === 1 ? shown : { ...shown, index: null }, error);
    }
    onDone(some.length);
  }

  async function createAll<InSection extends Section>(
    section: InSection,
    all: readonly CreateStep<InSection>[],
  ): Promise<void> {
    for (let start = 0; start < all.length; start += createBatchSize) {
      const some = all.slice(start, start + createBatchSize);
      const bodies = some.map(({ work }) => withIds(work.body, work.references));
      await doSteps(some, async () => {
        const rows = await creators[section](bodies);
        for (const [index, { id }] of rows.entries()) ids.set(placeOf(some[index]!), id);
      });
    }
  }

  async function createManaged(all: readonly StepOf<'create-fed'>[]): Promise<void> {
    for (let start = 0; start < all.length; start += createBatchSize) {
      const some = all.slice(start, start + createBatchSize);
      await doSteps(some, async () => {
        const jobs = await checkEach(some, ({ work }) => {
          const artifact = chartArtifactName(work.repositoryUrl, work.chart);
          if (!artifact.ok) throw new ApiError('validation_failed', `chart ${artifact.message}`);
          return {
            ...checkNewGatherJob(work.body),
            version_scheme: work.body.version_scheme ?? 'semver',
            artifact_name: artifact.artifactName,
            credential_name: work.credentialName,
            helm_sync_job_id: idOf(work.sync),
          };
        });
        const rows = await edits.gather_jobs.createFed(tx, context, jobs);
        for (const [index, { id, name }] of rows.entries()) {
          const step = some[index]!;
          ids.set(placeOf(step), id);
          pending.push({ id, name, chart: step.work.chart });
        }
      });
    }
  }

  async function createFollowed(all: readonly StepOf<'create-followed'>[]): Promise<void> {
    for (let start = 0; start < all.length; start += createBatchSize) {
      const some = all.slice(start, start + createBatchSize);
      await doSteps(some, async () => {
        const items = some.map(({ work: { discoveryJob, key, discriminator, body } }): FollowedItem => {
          const { name, labels, history_limit, is_active } = body;
          return {
            discoveryJobId: idOf(discoveryJob),
            key,
            discriminator,
            name,
            labels,
            history_limit,
            is_active,
          };
        });
        const rows = await acceptByKey(tx, context, items);
        for (const [index, { id }] of rows.entries()) ids.set(placeOf(some[index]!), id);
      });
    }
  }

  /**
   * Locks everything that depends on artifact aliases and corrections, if the plan changes any of them. These
   * locks are taken before those of other resources, for two reasons. Single edits of aliases and corrections
   * take them in this order, too. In addition, creating a gather job takes a shared lock on the aliases, and
   * if two transactions held it, neither could replace it with an exclusive lock. Only runs and helm sync
   * jobs are locked even earlier, as in all other transactions.
   */
  async function lockForDiscovery(): Promise<void> {
    const changesIn = (section: Section) =>
      steps.flatMap(({ work }) => ('section' in work && work.section === section ? [work] : []));
    const aliases = changesIn('artifact_aliases');
    if (aliases.length === 0 && changesIn('artifact_corrections').length === 0) return;
    const idsOf = (section: Section) => changesOf(section).map(({ work }) => work.id);
    const changedSyncIds = ascending([...idsOf('helm_sync_jobs'), ...syncIds]);
    await lockRuns('helm_sync_jobs', changedSyncIds);
    await lockRuns('gather_jobs', idsOf('gather_jobs'));
    await lockRuns('discovery_jobs', [...idsOf('discovery_jobs'), ...discoveryJobIds]);
    await lockRuns('scrape_jobs', idsOf('scrape_jobs'));
    await lockIds('helm_sync_jobs', changedSyncIds);
    if (aliases.length > 0)
      await edits.artifact_aliases.lock(tx, context, {
        ids: aliases.flatMap((work) => (work.action === 'create' ? [] : work.id)),
        prefixes: aliases.flatMap((work) => {
          if (work.section !== 'artifact_aliases' || work.action === 'delete') return [];
          const { prefix } = work.action === 'create' ? work.body : work.changes;
          return prefix ?? [];
        }),
        gatherJobIds: idsOf('gather_jobs'),
      });
    else {
      await lockIds('gather_jobs', idsOf('gather_jobs'));
      await lockAllJobs(tx, organizationId);
    }
  }

  function changesOf(section: Section): StepOf<'update' | 'delete'>[] {
    return steps.filter(
      (step): step is StepOf<'update' | 'delete'> =>
        (step.work.action === 'update' || step.work.action === 'delete') && step.work.section === section,
    );
  }

  async function lockRuns(section: Section, jobIds: readonly number[]): Promise<void> {
    const kind = organizationJobKinds.find(({ table }) => table === section);
    if (kind && jobIds.length > 0) await lockOpenRuns(tx, kind, organizationId, jobIds);
  }

  async function lockIds(section: Section, rowIds: readonly number[]) {
    const { rows } = await sql<{ id: number; revision: number }>`
      SELECT id, revision FROM ${sql.table(section)}
      WHERE organization_id = ${organizationId} AND id = ANY(${[...rowIds]}::bigint[])
      ORDER BY id FOR NO KEY UPDATE`.execute(tx);
    return rows;
  }

  /**
   * Locks the rows of a section that the plan changes. Open runs of jobs are locked first, as in transactions
   * that apply the results of runs. The revisions are compared with the plan here, because the steps of the
   * plan increase them.
   */
  async function lockRows(section: Section): Promise<void> {
    const changes = changesOf(section);
    if (changes.length === 0) return;
    const changedIds = changes.map(({ work }) => work.id);
    await lockRuns(section, changedIds);
    const rows = await lockIds(section, changedIds);
    const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
    for (const { shown, work } of changes) {
      const revision = revisions.get(work.id);
      // A planned deletion is also valid if the resource is already deleted.
      const isAsPlanned = revision === work.revision || (revision === undefined && work.action === 'delete');
      if (!isAsPlanned) throw new StepError(shown, changedSincePlanned());
    }
  }

  function update<InSection extends Section>(work: UpdateWork<InSection>): Promise<unknown> {
    const { section, id, changes, references } = work;
    return updateEdits[section].update(tx, context, id, withIds(changes, references));
  }

  async function remove({ section, id }: Extract<StepWork, { action: 'delete' }>): Promise<void> {
    try {
      // Scrape jobs that a discovery job feeds are kept as manual jobs.
      if (section === 'discovery_jobs') await edits.discovery_jobs.delete(tx, context, id, { keep: true });
      else await edits[section].delete(tx, context, id);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    }
  }

  async function set(work: Extract<StepWork, { action: 'set' }>): Promise<void> {
    const { key, value, reference } = work;
    if (!isSettingKey(key)) return;
    const change = { key, value: reference === null ? value : idOf(reference), field: 'value' };
    await asPlanned(() => writeOverrides(tx, settingRequest(work), [key], [change]));
  }

  async function unset(work: Extract<StepWork, { action: 'unset' }>): Promise<void> {
    const { key } = work;
    if (isSettingKey(key)) await asPlanned(() => deleteOverride(tx, settingRequest(work), key));
  }

  function settingRequest(planned: { revision: number }) {
    return { organizationId, actor, loginId, requestId: context.requestId, ifMatch: [etagOf(planned)] };
  }

  async function asPlanned(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw error instanceof ApiError && error.code === 'precondition_failed' ? changedSincePlanned() : error;
    }
  }

  async function setVersions(all: readonly StepOf<'set-version'>[]): Promise<void> {
    for (let start = 0; start < all.length; start += createBatchSize) {
      const some = all.slice(start, start + createBatchSize);
      const found = some.map(({ work }) => ({
        organizationId,
        scrapeJobId: idOf(work.scrapeJob),
        rawVersion: work.version,
        commitSha: null,
      }));
      const outcomes = await recordVersionsAcrossOrganizations(tx, 'manual', found);
      for (const [index, outcome] of outcomes.entries()) {
        if ('recorded' in outcome) continue;
        const problem = 'noVersion' in outcome ? outcome.noVersion : 'scrape job not found';
        throw new StepError(
          some[index]!.shown,
          new ApiError('validation_failed', `version: ${problem}`, {
            errors: [{ field: 'version', message: problem }],
          }),
        );
      }
      onDone(some.filter((step) => !isPartOfCreation(step)).length);
    }
  }

  function withIds<Body extends object>(body: Body, references: References): Body {
    const found = Object.entries(references).map(([member, to]) => [
      member,
      typeof to === 'object' ? to.map(idOf) : apiReferenceValue(member, idOf(to)),
    ]);
    return { ...body, ...Object.fromEntries(found) };
  }

  function idOf(reference: Reference): number {
    const id = typeof reference === 'number' ? reference : ids.get(reference);
    if (id === undefined) throw new Error(`${reference} was planned and not created`);
    return id;
  }
}

function isCreateIn<InSection extends Section>(section: InSection) {
  return (step: PlannedStep): step is CreateStep<InSection> =>
    step.work.action === 'create' && step.work.section === section;
}

function isOf<Action extends StepWork['action']>(action: Action) {
  return (step: PlannedStep): step is StepOf<Action> => step.work.action === action;
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

/** True if the new resource is a gather job that refers to a scrape job. */
function refersToScrapeJob({ section, references }: StepOf<'create'>['work']): boolean {
  return section === 'gather_jobs' && Object.keys(references).length > 0;
}

function isCreated({ work }: PlannedStep, section: Section): boolean {
  if (work.action === 'create-followed') return section === 'scrape_jobs';
  if (work.action === 'create-fed') return section === 'gather_jobs';
  return work.action === 'create' && work.section === section;
}

/** Groups consecutive steps with the same action. */
function consecutive(all: readonly PlannedStep[]): PlannedStep[][] {
  const runs: PlannedStep[][] = [];
  for (const step of all) {
    const last = runs.at(-1);
    if (last?.[0]?.work.action === step.work.action) last.push(step);
    else runs.push([step]);
  }
  return runs;
}

function placeOf({ shown }: PlannedStep): string {
  return `${shown.section}/${shown.index}`;
}

function changedSincePlanned(): ApiError {
  return new ApiError(
    'precondition_failed',
    'The resource changed after the configuration was planned. Plan it again.',
  );
}

/** Yields to the event loop between checks, because checking one pattern or schedule can block it for milliseconds. */
async function checkEach<Given, Checked>(
  given: readonly Given[],
  check: (each: Given) => Checked | Promise<Checked>,
): Promise<Checked[]> {
  const slices = new TimeSlices();
  const checked: Checked[] = [];
  for (const each of given) {
    checked.push(await check(each));
    await slices.pause();
  }
  return checked;
}
