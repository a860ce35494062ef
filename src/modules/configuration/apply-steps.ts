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
  arrangeSteps,
  ascending,
  type Batch,
  type CreateStep,
  idsToReadAgain,
  type StepOf,
} from './arrange-steps.ts';
import {
  type CreateBodies,
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
type Creators = {
  [Each in Section]: (bodies: readonly CreateBodies[Each][]) => Promise<readonly { id: number }[]>;
};
type UpdateEdits = {
  [Each in Section]: {
    update(tx: Tx, context: EditContext, id: number, changes: UpdateBodies[Each]): Promise<unknown>;
  };
};

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
  return new PlanApplication(tx, secretBox, context, steps, onDone).run();
}

type Edits = ReturnType<typeof editsOf>;

class PlanApplication {
  readonly #tx: Tx;
  readonly #context: EditContext;
  readonly #caller: EditContext['caller'];
  readonly #steps: readonly PlannedStep[];
  readonly #onDone: (count: number) => void;
  readonly #edits: Edits;
  readonly #creators: Creators;
  /** IDs of the created resources, by the path of their entry in the file, such as `rules/3`. */
  readonly #ids = new Map<string, number>();
  readonly #pending: PendingGatherJob[] = [];

  constructor(
    tx: Tx,
    secretBox: SecretBox,
    context: EditContext,
    steps: readonly PlannedStep[],
    onDone: (count: number) => void,
  ) {
    this.#tx = tx;
    this.#context = context;
    this.#caller = context.caller;
    this.#steps = steps;
    this.#onDone = onDone;
    this.#edits = editsOf(secretBox);
    this.#creators = creatorsOf(tx, context, this.#edits);
  }

  async run(): Promise<PendingGatherJob[]> {
    await this.#lockForDiscovery();
    for (const batch of arrangeSteps(this.#steps)) await this.#apply(batch);
    return this.#pending;
  }

  #apply(batch: Batch): Promise<unknown> {
    switch (batch.action) {
      case 'create':
        return this.#createAll(batch.section, batch.steps);
      case 'create-fed':
        return this.#createManaged(batch.steps);
      case 'create-followed':
        return this.#createFollowed(batch.steps);
      case 'set-version':
        return this.#setVersions(batch.steps);
      case 'read-again':
        return this.#edits[batch.section].readAgain(this.#tx, this.#context, batch.id);
      case 'lock':
        return this.#lockRows(batch.section);
      case 'update':
        return this.#doSteps([batch.step], () => this.#update(batch.step.work));
      case 'set':
        return this.#doSteps([batch.step], () => this.#set(batch.step.work));
      case 'unset':
        return this.#doSteps([batch.step], () => this.#unset(batch.step.work));
      case 'delete':
        return this.#doSteps([batch.step], () => this.#remove(batch.step.work));
    }
  }

  async #doSteps(steps: readonly PlannedStep[], work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Serialization failures and deadlocks aren't errors of the step. The transaction is retried.
      if (hasSqlState(error, '40001', '40P01')) throw error;
      // If the statement writes several rows, don't report an index, because it isn't known which row caused the error.
      const { shown } = steps[0]!;
      throw new StepError(steps.length === 1 ? shown : { ...shown, index: null }, error);
    }
    this.#onDone(steps.length);
  }

  async #createAll<InSection extends Section>(
    section: InSection,
    all: readonly CreateStep<InSection>[],
  ): Promise<void> {
    const bodies = all.map(({ work }) => this.#withIds(work.body, work.references));
    await this.#doSteps(all, async () => {
      const rows = await this.#creators[section](bodies);
      for (const [index, { id }] of rows.entries()) this.#ids.set(placeOf(all[index]!), id);
    });
  }

  async #createManaged(all: readonly StepOf<'create-fed'>[]): Promise<void> {
    await this.#doSteps(all, async () => {
      const jobs = await checkEach(all, ({ work }) => {
        const artifact = chartArtifactName(work.repositoryUrl, work.chart);
        if (!artifact.ok) throw new ApiError('validation_failed', `chart ${artifact.message}`);
        return {
          ...checkNewGatherJob(work.body),
          version_scheme: work.body.version_scheme ?? 'semver',
          artifact_name: artifact.artifactName,
          credential_name: work.credentialName,
          helm_sync_job_id: this.#idOf(work.sync),
        };
      });
      const rows = await this.#edits.gather_jobs.createFed(this.#tx, this.#context, jobs);
      for (const [index, { id, name }] of rows.entries()) {
        const step = all[index]!;
        this.#ids.set(placeOf(step), id);
        this.#pending.push({ id, name, chart: step.work.chart });
      }
    });
  }

  async #createFollowed(all: readonly StepOf<'create-followed'>[]): Promise<void> {
    await this.#doSteps(all, async () => {
      const items = all.map(({ work: { discoveryJob, key, discriminator, body } }): FollowedItem => {
        const { name, labels, history_limit, is_active } = body;
        return {
          discoveryJobId: this.#idOf(discoveryJob),
          key,
          discriminator,
          name,
          labels,
          history_limit,
          is_active,
        };
      });
      const rows = await acceptByKey(this.#tx, this.#context, items);
      for (const [index, { id }] of rows.entries()) this.#ids.set(placeOf(all[index]!), id);
    });
  }

  /**
   * Locks everything that depends on artifact aliases and corrections, if the plan changes any of them. These
   * locks are taken before those of other resources, for two reasons. Single edits of aliases and corrections
   * take them in this order, too. In addition, creating a gather job takes a shared lock on the aliases, and
   * if two transactions held it, neither could replace it with an exclusive lock. Only runs and helm sync
   * jobs are locked even earlier, as in all other transactions.
   */
  async #lockForDiscovery(): Promise<void> {
    const changesIn = (section: Section) =>
      this.#steps.flatMap(({ work }) => ('section' in work && work.section === section ? [work] : []));
    const aliases = changesIn('artifact_aliases');
    if (aliases.length === 0 && changesIn('artifact_corrections').length === 0) return;
    const idsOf = (section: Section) => this.#changesOf(section).map(({ work }) => work.id);
    const changedSyncIds = ascending([
      ...idsOf('helm_sync_jobs'),
      ...idsToReadAgain('helm_sync_jobs', this.#steps),
    ]);
    await this.#lockRuns('helm_sync_jobs', changedSyncIds);
    await this.#lockRuns('gather_jobs', idsOf('gather_jobs'));
    await this.#lockRuns('discovery_jobs', [
      ...idsOf('discovery_jobs'),
      ...idsToReadAgain('discovery_jobs', this.#steps),
    ]);
    await this.#lockRuns('scrape_jobs', idsOf('scrape_jobs'));
    await this.#lockIds('helm_sync_jobs', changedSyncIds);
    if (aliases.length > 0)
      await this.#edits.artifact_aliases.lock(this.#tx, this.#context, {
        ids: aliases.flatMap((work) => (work.action === 'create' ? [] : work.id)),
        prefixes: aliases.flatMap((work) => {
          if (work.section !== 'artifact_aliases' || work.action === 'delete') return [];
          const { prefix } = work.action === 'create' ? work.body : work.changes;
          return prefix ?? [];
        }),
        gatherJobIds: idsOf('gather_jobs'),
      });
    else {
      await this.#lockIds('gather_jobs', idsOf('gather_jobs'));
      await lockAllJobs(this.#tx, this.#caller.organizationId);
    }
  }

  #changesOf(section: Section): StepOf<'update' | 'delete'>[] {
    return this.#steps.filter(
      (step): step is StepOf<'update' | 'delete'> =>
        (step.work.action === 'update' || step.work.action === 'delete') && step.work.section === section,
    );
  }

  async #lockRuns(section: Section, jobIds: readonly number[]): Promise<void> {
    const kind = organizationJobKinds.find(({ table }) => table === section);
    if (kind && jobIds.length > 0) await lockOpenRuns(this.#tx, kind, this.#caller.organizationId, jobIds);
  }

  async #lockIds(section: Section, rowIds: readonly number[]) {
    const { rows } = await sql<{ id: number; revision: number }>`
      SELECT id, revision FROM ${sql.table(section)}
      WHERE organization_id = ${this.#caller.organizationId} AND id = ANY(${[...rowIds]}::bigint[])
      ORDER BY id FOR NO KEY UPDATE`.execute(this.#tx);
    return rows;
  }

  /**
   * Locks the rows of a section that the plan changes. Open runs of jobs are locked first, as in transactions
   * that apply the results of runs. The revisions are compared with the plan here, because the steps of the
   * plan increase them.
   */
  async #lockRows(section: Section): Promise<void> {
    const changes = this.#changesOf(section);
    if (changes.length === 0) return;
    const changedIds = changes.map(({ work }) => work.id);
    await this.#lockRuns(section, changedIds);
    const rows = await this.#lockIds(section, changedIds);
    const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
    for (const { shown, work } of changes) {
      const revision = revisions.get(work.id);
      // A planned deletion is also valid if the resource is already deleted.
      const isAsPlanned = revision === work.revision || (revision === undefined && work.action === 'delete');
      if (!isAsPlanned) throw new StepError(shown, changedSincePlanned());
    }
  }

  #update<InSection extends Section>(work: UpdateWork<InSection>): Promise<unknown> {
    const { section, id, changes, references } = work;
    const edits: UpdateEdits = this.#edits;
    return edits[section].update(this.#tx, this.#context, id, this.#withIds(changes, references));
  }

  async #remove({ section, id }: Extract<StepWork, { action: 'delete' }>): Promise<void> {
    try {
      // Scrape jobs that a discovery job feeds are kept as manual jobs.
      if (section === 'discovery_jobs')
        await this.#edits.discovery_jobs.delete(this.#tx, this.#context, id, { keep: true });
      else await this.#edits[section].delete(this.#tx, this.#context, id);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    }
  }

  async #set(work: Extract<StepWork, { action: 'set' }>): Promise<void> {
    const { key, value, reference } = work;
    if (!isSettingKey(key)) return;
    const change = { key, value: reference === null ? value : this.#idOf(reference), field: 'value' };
    await this.#asPlanned(() => writeOverrides(this.#tx, this.#settingRequest(work), [key], [change]));
  }

  async #unset(work: Extract<StepWork, { action: 'unset' }>): Promise<void> {
    const { key } = work;
    if (isSettingKey(key))
      await this.#asPlanned(() => deleteOverride(this.#tx, this.#settingRequest(work), key));
  }

  #settingRequest(planned: { revision: number }) {
    const { organizationId, actor, loginId } = this.#caller;
    return { organizationId, actor, loginId, requestId: this.#context.requestId, ifMatch: [etagOf(planned)] };
  }

  async #asPlanned(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw error instanceof ApiError && error.code === 'precondition_failed' ? changedSincePlanned() : error;
    }
  }

  async #setVersions(all: readonly StepOf<'set-version'>[]): Promise<void> {
    const { organizationId } = this.#caller;
    const found = all.map(({ work }) => ({
      organizationId,
      scrapeJobId: this.#idOf(work.scrapeJob),
      rawVersion: work.version,
      commitSha: null,
    }));
    const outcomes = await recordVersionsAcrossOrganizations(this.#tx, 'manual', found);
    for (const [index, outcome] of outcomes.entries()) {
      if ('recorded' in outcome) continue;
      const problem = 'noVersion' in outcome ? outcome.noVersion : 'scrape job not found';
      throw new StepError(
        all[index]!.shown,
        new ApiError('validation_failed', `version: ${problem}`, {
          errors: [{ field: 'version', message: problem }],
        }),
      );
    }
    this.#onDone(all.filter((step) => !isPartOfCreation(step)).length);
  }

  #withIds<Body extends object>(body: Body, references: References): Body {
    const found = Object.entries(references).map(([member, to]) => [
      member,
      typeof to === 'object' ? to.map((each) => this.#idOf(each)) : apiReferenceValue(member, this.#idOf(to)),
    ]);
    return { ...body, ...Object.fromEntries(found) };
  }

  #idOf(reference: Reference): number {
    const id = typeof reference === 'number' ? reference : this.#ids.get(reference);
    if (id === undefined) throw new Error(`${reference} was planned and not created`);
    return id;
  }
}

function editsOf(secretBox: SecretBox) {
  return {
    rules: ruleEdits,
    helm_sync_jobs: helmSyncJobEdits,
    discovery_jobs: discoveryJobEdits,
    gather_jobs: gatherJobEdits,
    scrape_jobs: scrapeJobEdits,
    notification_channels: channelEdits({ secretBox }),
    alert_configs: alertConfigEdits,
    notification_rules: notificationRuleEdits,
    freshness_targets: targetEdits,
    artifact_aliases: aliasEdits,
    artifact_corrections: correctionEdits,
  };
}

/** Returns functions that create resources of each section. The bodies are already validated against the contract. */
function creatorsOf(tx: Tx, context: EditContext, edits: Edits): Creators {
  return {
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
