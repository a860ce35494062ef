import { readHost } from '../../../domain/artifacts/host.ts';
import { itemNames } from '../../../domain/discovery/name-items.ts';
import {
  type Acceptance,
  type KnownGatherJob,
  type NewGatherJob,
  type PlannedItem,
  planAcceptance,
  problemOfItem,
} from '../../../domain/discovery/plan-acceptance.ts';
import {
  repositoryOf,
  sourceKey,
  sourceName,
  syncableChartOf,
  type UpstreamSource,
} from '../../../domain/discovery/upstream-source.ts';
import { isSameJson } from '../../../domain/json/json-item.ts';
import { ownValue } from '../../../domain/json/own-value.ts';
import { parseContent } from '../../../domain/parsers/parse-content.ts';
import type { Rule } from '../../../domain/rules/rule-type.ts';
import { type RuleTypeId, ruleTypes } from '../../../domain/rules/rule-types.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError, invalidField } from '../../../platform/errors.ts';
import type { EditContext } from '../../../platform/http/index.ts';
import { publishChanges } from '../../audit/index.ts';
import {
  recordVersionsAcrossOrganizations,
  scrapeJobEdits,
  updateDerivedScrapeJobs,
} from '../../deployed/index.ts';
import { alertConfigEdits, findRule, unstoredRuleId } from '../../monitoring/index.ts';
import {
  checkHelmSyncJob,
  checkNewGatherJob,
  gatherJobEdits,
  helmSyncJobEdits,
} from '../../upstream/index.ts';
import { sourcesOfLabels } from '../model/to-item.ts';
import {
  type DerivedItemValues,
  findActiveGatherJobs,
  findHelmSyncJobs,
  findTakenNames,
  type ItemToAccept,
  listRulesWithoutReleases,
  markAccepted,
  storeDerivedValues,
} from './acceptance-queries.ts';

export interface AcceptOptions {
  /**
   * Rule of the new alert configurations. If null, none are created. If undefined, the rule of each item
   * applies or, without one, the default rule of its discovery job.
   */
  ruleId: number | null | undefined;
  /** IDs of the rules that don't require releases, so they can evaluate a source without releases. */
  rulesWithoutReleases: ReadonlySet<number>;
  /** Labels for all accepted items. Labels that a user set on an item take precedence. */
  labels: Record<string, string>;
}

export interface Accepted {
  items: AcceptedItem[];
  created: Schemas['AcceptDiscoveredItemsResponse']['created'];
  hostsWithoutCredential: string[];
}

type AcceptedItem = Schemas['AcceptedItem'];
type GatherJobValues = ReturnType<typeof checkNewGatherJob>;

/** Maximum number of labels of a job or an alert configuration. */
const maxLabels = 20;
/**
 * Highest number for which a generated name, such as `name #2`, is checked for duplicates. A name with a higher
 * number can be used twice, which is allowed.
 */
const numberedNames = 20;
/**
 * Delay between the first runs for the same host, so that a thousand new jobs don't send requests at the same
 * time.
 */
const firstRunSpacingMs = 1_000;

/**
 * Completes the options of an acceptance. Throws 400 if the rule isn't found.
 *
 * @param unstoredRule Rule of a plan that isn't executed. Null if a stored rule is used.
 */
export async function readAcceptOptions(
  tx: Tx,
  organizationId: number,
  {
    ruleId,
    labels,
    unstoredRule = null,
  }: Pick<AcceptOptions, 'ruleId' | 'labels'> & { unstoredRule?: Rule | null },
): Promise<AcceptOptions> {
  if (ruleId != null && !(await findRule(tx, organizationId, ruleId)))
    throw invalidField('rule_id', 'not found');
  const rulesWithoutReleases = await listRulesWithoutReleases(tx, organizationId);
  if (unstoredRule === null) return { ruleId, labels, rulesWithoutReleases };
  if (judgesWithoutReleases(unstoredRule.type)) rulesWithoutReleases.add(unstoredRuleId);
  return { ruleId: unstoredRuleId, labels, rulesWithoutReleases };
}

function judgesWithoutReleases(type: RuleTypeId): boolean {
  const { kind } = ruleTypes[type];
  return kind === 'support' || kind === 'vulnerabilities';
}

/** Plans the acceptance of items without changing anything. */
export async function readAndPlanAcceptance(
  tx: Tx,
  organizationId: number,
  items: readonly ItemToAccept[],
  options: AcceptOptions,
) {
  const sources = items.flatMap(sourcesOf);
  const charts = sources.map(syncableChartOf).filter((chart) => chart !== null);
  const known = {
    gatherJobs: await findActiveGatherJobs(tx, organizationId, {
      artifactNames: [
        ...new Set(sources.flatMap(({ artifact_name }) => [artifact_name, artifact_name.toLowerCase()])),
      ],
      ids: [
        ...new Set(
          items
            .flatMap(({ gatherJobId, mirrorJobId }) => [gatherJobId, mirrorJobId])
            .filter((id) => id !== null),
        ),
      ],
    }),
    syncs: await findHelmSyncJobs(tx, organizationId, [
      ...new Set(charts.map(({ repository }) => repository)),
    ]),
    gatherJobNames: await findTakenNames(
      tx,
      'gather_jobs',
      organizationId,
      items.flatMap((item) =>
        sourcesOf(item).flatMap((source) => numbered([sourceName(source, item.artifactName)])),
      ),
    ),
    scrapeJobNames: await findTakenNames(
      tx,
      'scrape_jobs',
      organizationId,
      items.flatMap((item) => numbered([...(item.name === null ? [] : [item.name]), ...itemNames(item)])),
    ),
  };
  return planAcceptance(
    items.map((item) => ({
      ...(isComparedByOthers(item) || isUnwanted(item, options)
        ? { ...item, source: null, mirror: null }
        : withProblem(item, options)),
      ...(keepsSource(item) && { source: null }),
      scrapeJob: item.scrapeJob && { ...item.scrapeJob, isOutdated: isOutdated(item, options) },
      hasRule: ruleIdOf(item, options) !== null,
    })),
    known,
  );
}

/** Executes the plan with the functions that single requests use. */
export async function accept(
  tx: Tx,
  context: EditContext,
  items: readonly ItemToAccept[],
  options: AcceptOptions,
  acceptance: Acceptance,
): Promise<Accepted> {
  const { organizationId } = context.caller;
  const credentials = credentialsOf(items);
  const managers = managersOf(items);

  const syncIds = new Map<string, number>();
  if (acceptance.newSyncs.length > 0) {
    const rows = await helmSyncJobEdits.create(
      tx,
      context,
      acceptance.newSyncs.map((sync) => ({
        ...checkHelmSyncJob({
          ...sync,
          create_gather_jobs: true,
          credential_name: credentials.ofRepository(sync.repository_url),
          cron_expression: '@daily',
          cron_timezone: 'UTC',
          is_active: true,
        }),
        discovery_job_id: managers.ofRepository(sync.repository_url),
      })),
    );
    for (const [index, { id }] of rows.entries())
      syncIds.set(repositoryOf(acceptance.newSyncs[index]!.repository_url), id);
  }

  const gatherJobIds = new Map<NewGatherJob, number>();
  const createJobs = async (
    jobs: readonly NewGatherJob[],
    create: (values: (GatherJobValues & { discovery_job_id: number })[]) => Promise<{ id: number }[]>,
  ) => {
    if (jobs.length === 0) return;
    const rows = await create(
      jobs.map((job) => ({
        ...toGatherJobValues(job, credentials.ofSource(job.source)),
        discovery_job_id: managers.ofSource(job.source),
      })),
    );
    for (const [index, { id }] of rows.entries()) gatherJobIds.set(jobs[index]!, id);
  };
  const [fed, own] = partition(acceptance.newGatherJobs, ({ sync }) => sync !== null);
  await createJobs(own, (values) =>
    gatherJobEdits.create(tx, context, values, { firstRunsAfterMs: spread(own) }),
  );
  const feeders = fed.map(({ sync }) => (typeof sync === 'number' ? sync : syncIds.get(sync!)!));
  await createJobs(fed, (values) =>
    gatherJobEdits.createFed(
      tx,
      context,
      values.map((job, index) => ({ ...job, cron_expression: null, helm_sync_job_id: feeders[index]! })),
    ),
  );
  // Request another read only for existing helm sync jobs, because new ones read everything anyway.
  const existingSyncs = new Set(fed.flatMap(({ sync }) => (typeof sync === 'number' ? [sync] : [])));
  for (const id of [...existingSyncs].toSorted((a, b) => a - b))
    await helmSyncJobEdits.readAgain(tx, context, id);

  const accepted = items.flatMap((item) => {
    const planned = acceptance.items.get(item.id);
    return planned?.outcome === 'accepted' ? [{ item, planned }] : [];
  });
  const tracked = accepted.filter(({ item }) => item.scrapeJob === null);
  const scrapeJobs =
    tracked.length === 0
      ? []
      : await scrapeJobEdits.createFed(
          tx,
          context,
          tracked.map(({ item, planned }) => ({
            name: planned.name,
            discovery_job_id: item.discoveryJobId,
            labels: labelsOf(item, options),
            repository_url: item.repositoryUrl,
            ref: item.ref,
            target_file: item.file,
          })),
        );
  const createdJobIds = new Map(tracked.map(({ item }, index) => [item.id, scrapeJobs[index]!.id]));
  const scrapeJobIdOf = (item: ItemToAccept) => createdJobIds.get(item.id) ?? item.scrapeJobId;
  await markAccepted(
    tx,
    organizationId,
    accepted
      .filter(({ item }) => item.scrapeJob === null || options.ruleId !== undefined)
      .map(({ item }) => ({ id: item.id, scrape_job_id: scrapeJobIdOf(item)! })),
    options.ruleId === undefined
      ? undefined
      : { ruleId: options.ruleId, isNotMonitored: options.ruleId === null },
  );
  // Skip items without a version. They get one when a release has their digest.
  const versioned = tracked.flatMap(({ item: { id, version, match } }, index) =>
    version === null ? [] : [{ id, version, match, scrapeJobId: scrapeJobs[index]!.id }],
  );
  const outcomes = await recordVersionsAcrossOrganizations(
    tx,
    'agent',
    versioned.map(({ version, match, scrapeJobId }) => ({
      organizationId,
      scrapeJobId,
      rawVersion: version,
      commitSha: null,
      match,
    })),
  );
  const unreadable = outcomes.findIndex((outcome) => !('recorded' in outcome));
  if (unreadable >= 0)
    throw new Error(`item ${versioned[unreadable]!.id} has a version that can't be stored`);

  const compared = accepted.flatMap(({ item, planned }) => {
    const ruleId = newConfigRule(item, planned, options);
    return planned.gatherJob === null || ruleId === null
      ? []
      : [
          {
            itemId: item.id,
            body: {
              name: planned.name,
              scrape_job_id: scrapeJobIdOf(item)!,
              rule_id: ruleId,
              gather_job_id: idOf(planned.gatherJob, gatherJobIds),
              labels: ownLabels(item, options),
              candidate_pattern: null,
              lifecycle_override: null,
              ignored_vulnerabilities: [],
              ignored_versions: [],
              counted_versions: [],
              is_active: true,
            },
          },
        ];
  });
  const configs =
    compared.length === 0
      ? []
      : await alertConfigEdits.create(
          tx,
          context,
          compared.map(({ body }) => body),
        );
  const configIds = new Map(compared.map(({ itemId }, index) => [itemId, configs[index]!.id]));
  const created = new Map(compared.map(({ itemId, body }) => [itemId, body]));
  const followed = await followAccepted(tx, context, accepted, options, gatherJobIds);
  await storeDerivedValues(
    tx,
    organizationId,
    accepted.map(({ item, planned }) => ({
      id: item.id,
      alert_config_id: configIds.get(item.id) ?? null,
      derived: {
        ...(followed.jobs.get(item.scrapeJobId!) ?? derivedJob(item, planned, options)),
        given: item.scrapeJob === null ? options.labels : (item.derived?.given ?? {}),
        config:
          followed.configs.get(item.derivedConfigId!) ??
          derivedConfig(item, planned, options, gatherJobIds, created.get(item.id)),
        // An item that isn't planned with its upstream, for example because it isn't monitored, keeps its gather jobs.
        gather_job_id: planned.gatherJob === null ? item.gatherJobId : idOf(planned.gatherJob, gatherJobIds),
        mirror_job_id: planned.mirrorJob === null ? item.mirrorJobId : idOf(planned.mirrorJob, gatherJobIds),
      },
      problem: null,
    })),
  );
  const jobIds = [...new Set(accepted.map(({ item }) => item.discoveryJobId))];
  publishChanges(tx, organizationId, 'discovery_job', jobIds, 'updated');
  return describe(items, acceptance, options, (item) => ({
    scrapeJobId: scrapeJobIdOf(item),
    alertConfigId: configIds.get(item.id) ?? item.alertConfigId,
    gatherJobIdOf: (job) => idOf(job, gatherJobIds),
  }));
}

/** Returns the comparisons that a plan creates, and the number of those with gather jobs that don't exist yet. */
export function plannedComparisons(
  items: readonly ItemToAccept[],
  acceptance: Acceptance,
  options: AcceptOptions,
): {
  known: {
    ruleId: number;
    gatherJobId: number;
    deployedVersion: string | null;
    labels: Record<string, string>;
  }[];
  unknown: number;
} {
  const compared = items.flatMap((item) => {
    const planned = acceptance.items.get(item.id);
    if (planned?.outcome !== 'accepted' || planned.gatherJob === null) return [];
    const ruleId = newConfigRule(item, planned, options);
    return ruleId === null
      ? []
      : [
          {
            ruleId,
            gatherJob: planned.gatherJob,
            deployedVersion: item.version,
            labels: labelsOf(item, options),
          },
        ];
  });
  const known = compared.flatMap(({ gatherJob, ...rest }) =>
    'id' in gatherJob ? [{ ...rest, gatherJobId: gatherJob.id }] : [],
  );
  return { known, unknown: compared.length - known.length };
}

type AcceptedPlan = Extract<PlannedItem, { outcome: 'accepted' }>;
type DerivedConfig = NonNullable<DerivedItemValues['config']>;

/**
 * Updates the resources of items that were accepted before. Values that a person changed stay.
 *
 * @returns The derived values to compare with the next time, by the IDs of the resources.
 */
async function followAccepted(
  tx: Tx,
  context: EditContext,
  accepted: readonly { item: ItemToAccept; planned: AcceptedPlan }[],
  options: AcceptOptions,
  gatherJobIds: ReadonlyMap<NewGatherJob, number>,
) {
  const outdated = accepted.filter(({ item }) => isOutdated(item, options));
  const jobs = await updateDerivedScrapeJobs(
    tx,
    context.caller.organizationId,
    outdated.flatMap(({ item, planned }) => {
      const { scrapeJobId, derived, formerSetLabels, setLabels, labels } = item;
      const isSame = planned.name === item.scrapeJob!.name && isSameJson(formerSetLabels, setLabels);
      return isSame
        ? []
        : [
            {
              id: scrapeJobId!,
              last: derivedJob(item, planned, options),
              name: planned.name,
              unsetLabels: { ...labels, ...derived?.given },
              formerSetLabels,
              setLabels,
            },
          ];
    }),
  );
  const configs = await alertConfigEdits.follow(
    tx,
    context,
    outdated.flatMap(({ item, planned }) => {
      const { derivedConfigId: id, derived } = item;
      const next = derivedConfig(item, planned, options, gatherJobIds, undefined);
      return id === null || derived === null || derived.config === null || next === null
        ? []
        : [{ id, last: derived.config, next }];
    }),
  );
  return { jobs, configs };
}

/** Returns the last derived values of an item's scrape job, or those that it was created with. */
function derivedJob(
  { scrapeJob, derived, labels, formerSetLabels, ...item }: ItemToAccept,
  { name }: AcceptedPlan,
  options: AcceptOptions,
): Pick<DerivedItemValues, 'name' | 'labels'> {
  if (scrapeJob === null) return { name, labels: labelsOf({ ...item, labels }, options) };
  return {
    name: derived?.name ?? scrapeJob.name,
    labels: derived?.labels ?? { ...labels, ...formerSetLabels },
  };
}

/**
 * Returns the values that an item's alert configuration would have if it were derived now. Null if the item
 * would have no alert configuration.
 */
function derivedConfig(
  item: ItemToAccept,
  planned: AcceptedPlan,
  options: AcceptOptions,
  gatherJobIds: ReadonlyMap<NewGatherJob, number>,
  created: DerivedConfig | undefined,
): DerivedConfig | null {
  if (created) {
    const { name, rule_id, gather_job_id, is_active } = created;
    return { name, rule_id, gather_job_id, is_active };
  }
  const last = item.derived?.config ?? null;
  if (last === null || item.derivedConfigId === null) return last;
  return {
    name: item.scrapeJob?.isRenamed ? planned.name : last.name,
    rule_id: ruleIdOf(item, options) ?? last.rule_id,
    gather_job_id: planned.gatherJob === null ? last.gather_job_id : idOf(planned.gatherJob, gatherJobIds),
    // An item is no longer compared if a person has removed its upstream. If the upstream is only unknown,
    // for example because a file can't be read, nothing changes.
    is_active: planned.gatherJob === null ? last.is_active && !item.isWithoutUpstream : true,
  };
}

/** Returns the rule for an item's alert configurations. Null if the item isn't monitored or has no rule. */
function ruleIdOf(item: ItemToAccept, { ruleId }: AcceptOptions): number | null {
  if (ruleId !== undefined) return ruleId;
  return item.isNotMonitored ? null : item.ruleId;
}

/** Returns the rule of the alert configuration to create for an item, or null if none is created. */
function newConfigRule(
  item: ItemToAccept,
  { gatherJob }: AcceptedPlan,
  options: AcceptOptions,
): number | null {
  return gatherJob === null || item.scrapeJob?.isCompared ? null : ruleIdOf(item, options);
}

/** True if a person decided that an accepted item isn't monitored, and the request doesn't change that. */
function isUnwanted({ scrapeJob, isNotMonitored }: ItemToAccept, { ruleId }: AcceptOptions): boolean {
  return scrapeJob !== null && isNotMonitored && ruleId === undefined;
}

/**
 * True if the alert configuration of an item keeps its gather job. A new search for the same upstream might
 * not find that gather job, because a person has disabled or changed it.
 */
function keepsSource({ derived, derivedConfigId, isSourceUnchanged }: ItemToAccept): boolean {
  return derivedConfigId !== null && derived !== null && derived.config !== null && isSourceUnchanged;
}

/** True if the resources of an accepted item must be derived again, or if the given rule could solve its problem. */
function isOutdated({ scrapeJob, deriveProblem }: ItemToAccept, { ruleId }: AcceptOptions): boolean {
  return scrapeJob !== null && (scrapeJob.isOutdated || (ruleId != null && deriveProblem !== null));
}

/**
 * True if only alert configurations that people created compare the item. In this case, nothing is derived
 * for the item.
 */
function isComparedByOthers({ scrapeJob, derivedConfigId }: ItemToAccept): boolean {
  return scrapeJob !== null && scrapeJob.isCompared && derivedConfigId === null;
}

/** Describes a plan without executing it. Resources that would be created have no ID. */
export function describePlan(
  items: readonly ItemToAccept[],
  acceptance: Acceptance,
  options: AcceptOptions,
): Accepted {
  return describe(items, acceptance, options, (item) => ({
    scrapeJobId: item.scrapeJobId,
    alertConfigId: item.alertConfigId,
    gatherJobIdOf: (job) => ('id' in job ? job.id : null),
  }));
}

interface Ids {
  scrapeJobId: number | null;
  alertConfigId: number | null;
  gatherJobIdOf: (job: KnownGatherJob | NewGatherJob) => number | null;
}

function describe(
  items: readonly ItemToAccept[],
  acceptance: Acceptance,
  options: AcceptOptions,
  idsOf: (item: ItemToAccept) => Ids,
): Accepted {
  const described = items.map((item) =>
    describeItem(item, acceptance.items.get(item.id)!, options, idsOf(item)),
  );
  const accepted = items.flatMap((item) => {
    const planned = acceptance.items.get(item.id);
    return planned?.outcome === 'accepted' ? [{ item, planned }] : [];
  });
  const credentials = credentialsOf(items);
  const withoutCredential = acceptance.newGatherJobs.filter(
    ({ source }) => source.source_type !== 'lifecycle' && credentials.ofSource(source) === null,
  );
  return {
    items: described,
    created: {
      helm_sync_jobs: acceptance.newSyncs.length,
      gather_jobs: acceptance.newGatherJobs.length,
      scrape_jobs: accepted.filter(({ item }) => item.scrapeJob === null).length,
      alert_configs: accepted.filter(({ item, planned }) => newConfigRule(item, planned, options) !== null)
        .length,
    },
    hostsWithoutCredential: [
      ...new Set(withoutCredential.map(({ source }) => hostOf(source.artifact_name))),
    ].toSorted(),
  };
}

function describeItem(
  item: ItemToAccept,
  planned: PlannedItem,
  options: AcceptOptions,
  ids: Ids,
): AcceptedItem {
  const { id, proposal } = item;
  const nothing = {
    message: null,
    name: null,
    labels: null,
    label_sources: null,
    proposal: null,
    gather_job: null,
    mirror_gather_job: null,
    scrape_job_id: ids.scrapeJobId,
    alert_config_id: ids.alertConfigId,
  };
  if (planned === undefined)
    return { ...nothing, item_id: id, outcome: 'rejected', message: 'The item was not found.' };
  if (planned.outcome === 'already_accepted') return { ...nothing, item_id: id, outcome: 'already_accepted' };
  if (planned.outcome === 'rejected')
    return { ...nothing, item_id: id, outcome: 'rejected', message: planned.message };
  const { gatherJob, mirrorJob, name } = planned;
  const describeJob = (job: KnownGatherJob | NewGatherJob | null) =>
    job && { id: ids.gatherJobIdOf(job), name: job.name, is_new: !('id' in job) };
  return {
    item_id: id,
    outcome: 'accepted',
    message: null,
    name,
    labels: labelsOf(item, options),
    label_sources: sourcesOfLabels(item.labelSources, { ...options.labels, ...item.setLabels }),
    proposal,
    gather_job: describeJob(gatherJob),
    mirror_gather_job: describeJob(mirrorJob),
    scrape_job_id: ids.scrapeJobId,
    alert_config_id: ids.alertConfigId,
  };
}

/**
 * Returns the error that recording the version would throw, so that one invalid version can't block the other
 * items.
 */
function problemOfVersion(version: string | null): string | null {
  if (version === null) return null;
  const parsed = parseContent({ parserType: 'manual', expression: '', transform: 'none', content: version });
  return parsed.ok ? null : `The version can't be stored: ${parsed.message}`;
}

function labelsOf(
  { labels, setLabels }: Pick<ItemToAccept, 'labels' | 'setLabels'>,
  given: AcceptOptions,
): Record<string, string> {
  return { ...labels, ...given.labels, ...setLabels };
}

/**
 * Returns the labels to set on an alert configuration, which also inherits the labels of its scrape job. An
 * existing scrape job doesn't get the labels of the request, so they're set on the configuration.
 */
function ownLabels({ scrapeJob, setLabels }: ItemToAccept, given: AcceptOptions): Record<string, string> {
  if (scrapeJob === null) return {};
  const labels = Object.entries(given.labels);
  return Object.fromEntries(labels.map(([key, value]) => [key, ownValue(setLabels, key) ?? value]));
}

/** True if a new item would be accepted, regardless of existing resources. */
export function isAcceptable(item: ItemToAccept, options: AcceptOptions): boolean {
  return problemOfItem(withProblem(item, options)) === null;
}

/**
 * Sets `problem` for an invalid version, label, or source. These values come from the file, so only the item
 * is rejected, not the request.
 */
function withProblem(item: ItemToAccept, options: AcceptOptions): ItemToAccept {
  const problemOfJob =
    item.scrapeJob === null ? (problemOfVersion(item.version) ?? problemOfLabels(item, options)) : null;
  const problem = problemOfJob ?? problemOfSource(item) ?? problemOfRule(item, options);
  return problem === null ? item : { ...item, source: null, problem };
}

function problemOfLabels(item: ItemToAccept, options: AcceptOptions): string | null {
  const count = Object.keys(labelsOf(item, options)).length;
  return count > maxLabels ? `The item would have ${count} labels; at most ${maxLabels} are allowed.` : null;
}

function problemOfSource({ source }: ItemToAccept): string | null {
  if (source === null) return null;
  try {
    toGatherJobValues({ name: 'x', source, sync: null, chart: null }, null);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
}

/**
 * Returns the reason why the rule could never evaluate the item, so that no monitor without a result is
 * created.
 */
function problemOfRule(item: ItemToAccept, options: AcceptOptions): string | null {
  const ruleId = ruleIdOf(item, options);
  return item.source?.source_type !== 'lifecycle' ||
    ruleId === null ||
    options.rulesWithoutReleases.has(ruleId)
    ? null
    : 'It has only a lifecycle, and the rule compares releases. Accept it with an end_of_life rule.';
}

/** Validates the values like a request to create a gather job. Throws 400. */
function toGatherJobValues({ name, source }: NewGatherJob, credentialName: string | null): GatherJobValues {
  const { source_type, artifact_name, source_options, version_pattern, version_scheme } = source;
  const isLifecycle = source_type === 'lifecycle';
  return checkNewGatherJob({
    name,
    source_type,
    artifact_name,
    source_options,
    version_pattern,
    ...(version_scheme !== null && { version_scheme: version_scheme as Schemas['VersionScheme'] }),
    include_prereleases: true,
    max_releases: null,
    credential_name: credentialName,
    ignored_versions: [],
    counted_versions: [],
    purls: null,
    project_url: null,
    version_of: 'artifact' as const,
    lifecycle_product: isLifecycle ? artifact_name : null,
    vulnerability_packages: null,
    changelog_path: null,
    cron_expression: isLifecycle ? null : '@daily',
    cron_timezone: 'UTC',
    is_active: true,
  });
}

/** Returns the upstream of an item and the mirror that is read. */
function sourcesOf({ source, mirror }: ItemToAccept): UpstreamSource[] {
  return [source, mirror].filter((each) => each !== null);
}

/**
 * Returns the credentials of sources and repositories. A credential applies only to items of the discovery
 * job that it belongs to. If a source has several, the credential of the first item is used.
 */
function credentialsOf(items: readonly ItemToAccept[]) {
  const bySource = new Map<string, string>();
  const byRepository = new Map<string, string>();
  const all = items.flatMap((item) => sourcesOf(item).map((source) => ({ ...item, source })));
  for (const { source, sourceCredentials } of all) {
    // Skip sources without an address, which have no host.
    if (source.source_type === 'lifecycle') continue;
    const host = hostOf(source.artifact_name);
    const name = sourceCredentials.find((credential) => credential.host === host)?.credential_name;
    if (name === undefined) continue;
    const key = sourceKey(source);
    if (!bySource.has(key)) bySource.set(key, name);
    const repository = syncableChartOf(source)?.repository;
    if (repository !== undefined && !byRepository.has(repository)) byRepository.set(repository, name);
  }
  return {
    ofSource: (source: UpstreamSource) => bySource.get(sourceKey(source)) ?? null,
    ofRepository: (url: string) => byRepository.get(repositoryOf(url)) ?? null,
  };
}

/** Returns the discovery jobs that manage new gather jobs and helm sync jobs: those of the first items that use them. */
function managersOf(items: readonly ItemToAccept[]) {
  const bySource = new Map<string, number>();
  const byRepository = new Map<string, number>();
  const all = items.flatMap((item) => sourcesOf(item).map((source) => ({ ...item, source })));
  for (const { source, discoveryJobId } of all) {
    const key = sourceKey(source);
    if (!bySource.has(key)) bySource.set(key, discoveryJobId);
    const repository = syncableChartOf(source)?.repository;
    if (repository !== undefined && !byRepository.has(repository))
      byRepository.set(repository, discoveryJobId);
  }
  return {
    ofSource: (source: UpstreamSource) => bySource.get(sourceKey(source))!,
    ofRepository: (url: string) => byRepository.get(repositoryOf(url))!,
  };
}

/**
 * Returns the delay of each job's first run. Jobs with different hosts start immediately. Jobs with the same
 * host start one after another.
 */
function spread(jobs: readonly NewGatherJob[]): number[] {
  const counts = new Map<string, number>();
  return jobs.map(({ source }) => {
    const host = hostOf(source.artifact_name);
    const position = counts.get(host) ?? 0;
    counts.set(host, position + 1);
    return position * firstRunSpacingMs;
  });
}

function hostOf(address: string): string {
  const host = address.replace(/^[a-z]+:\/\//, '').split('/')[0] ?? '';
  return readHost(host) ?? host;
}

function idOf(job: KnownGatherJob | NewGatherJob, created: ReadonlyMap<NewGatherJob, number>): number {
  return 'id' in job ? job.id : created.get(job)!;
}

function numbered(names: readonly string[]): string[] {
  const last = names.at(-1) ?? '';
  return [...names, ...Array.from({ length: numberedNames - 1 }, (_, index) => `${last} #${index + 2}`)];
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
