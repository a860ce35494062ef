import type { Section } from '../../domain/configuration/kinds.ts';
import type { CreateWork, PlannedStep, StepWork } from './planned-steps.ts';

export type StepOf<Action extends StepWork['action']> = PlannedStep & {
  work: Extract<StepWork, { action: Action }>;
};
export type CreateStep<InSection extends Section> = PlannedStep & { work: CreateWork<InSection> };

/** Steps of which one statement applies many. */
type Several = 'create-fed' | 'create-followed' | 'set-version';
/** Steps that are applied one by one. */
type Single = 'update' | 'set' | 'unset' | 'delete';

/** Steps that are applied together, or another part of applying a plan. */
export type Batch =
  | { action: 'create'; section: Section; steps: CreateStep<Section>[] }
  | { [Each in Several]: { action: Each; steps: StepOf<Each>[] } }[Several]
  | { [Each in Single]: { action: Each; step: StepOf<Each> } }[Single]
  | { action: 'lock'; section: Section }
  | { action: 'read-again'; section: ReadAgainSection; id: number };

type ReadAgainSection = 'helm_sync_jobs' | 'discovery_jobs';

/** Maximum number of resources created by one statement. */
const batchSize = 500;

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
 * Arranges the steps of a plan in the order in which they are applied. Creates come first, because they don't block other
 * transactions. Updated resources are locked last.
 */
export function arrangeSteps(steps: readonly PlannedStep[]): Batch[] {
  const of = <Action extends StepWork['action']>(action: Action) => steps.filter(isOf(action));
  const hasLate = of('create').some(({ work }) => work.isLate);
  const isLate = (work: StepOf<'create'>['work']) =>
    work.isLate || (hasLate && work.section === 'notification_rules') || lastSections.has(work.section);
  const creations = (
    section: Section,
    isWanted: (work: StepOf<'create'>['work']) => boolean,
    among = steps,
  ): Batch[] =>
    inBatches(among.filter(isCreateIn(section)).filter(({ work }) => isWanted(work))).map((some) => ({
      action: 'create',
      section,
      steps: some,
    }));
  return [
    ...creationOrder.flatMap((section) => [
      // Resources are created in the order of the file, so that their IDs ascend in the same order.
      ...consecutive(
        steps.filter(
          ({ work }) =>
            isCreated(work, section) &&
            !(work.action === 'create' && (isLate(work) || refersToScrapeJob(work))),
        ),
      ).flatMap((run): Batch[] => [
        ...creations(section, () => true, run),
        ...batchesOf('create-fed', run),
        ...batchesOf('create-followed', run),
      ]),
      ...(section === 'scrape_jobs' ? creations('gather_jobs', refersToScrapeJob) : []),
    ]),
    ...readAgain('helm_sync_jobs', steps),
    ...readAgain('discovery_jobs', steps),
    ...updateOrder.map((section): Batch => ({ action: 'lock', section })),
    ...updateOrder.flatMap((section): Batch[] => [
      ...of('update')
        .filter(({ work }) => work.section === section)
        .map((step) => ({ action: 'update' as const, step })),
      ...(section === 'alert_configs'
        ? [...creations('alert_configs', isLate), ...creations('notification_rules', isLate)]
        : []),
    ]),
    ...of('set').map((step): Batch => ({ action: 'set', step })),
    ...of('unset').map((step): Batch => ({ action: 'unset', step })),
    ...batchesOf('set-version', steps),
    ...of('delete').map((step): Batch => ({ action: 'delete', step })),
    ...[...lastSections].flatMap((section) => creations(section, () => true)),
  ];
}

/**
 * Returns the helm sync jobs or discovery jobs that need another run because they feed new jobs. The first run of a new
 * job reads everything anyway.
 */
export function idsToReadAgain(section: ReadAgainSection, steps: readonly PlannedStep[]): number[] {
  const feeding = steps.flatMap(({ work }) => {
    if (section === 'helm_sync_jobs') return work.action === 'create-fed' ? [work.sync] : [];
    return work.action === 'create-followed' ? [work.discoveryJob] : [];
  });
  return ascending(feeding.filter((job) => typeof job === 'number'));
}

function readAgain(section: ReadAgainSection, steps: readonly PlannedStep[]): Batch[] {
  return idsToReadAgain(section, steps).map((id) => ({ action: 'read-again', section, id }));
}

function batchesOf<Action extends Several>(action: Action, steps: readonly PlannedStep[]) {
  return inBatches(steps.filter(isOf(action))).map((some) => ({ action, steps: some }));
}

function inBatches<Step>(steps: readonly Step[]): Step[][] {
  return Array.from({ length: Math.ceil(steps.length / batchSize) }, (_, index) =>
    steps.slice(index * batchSize, (index + 1) * batchSize),
  );
}

function isCreateIn<InSection extends Section>(section: InSection) {
  return (step: PlannedStep): step is CreateStep<InSection> =>
    step.work.action === 'create' && step.work.section === section;
}

function isOf<Action extends StepWork['action']>(action: Action) {
  return (step: PlannedStep): step is StepOf<Action> => step.work.action === action;
}

export function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

/** True if the new resource is a gather job that refers to a scrape job. */
function refersToScrapeJob({ section, references }: StepOf<'create'>['work']): boolean {
  return section === 'gather_jobs' && Object.keys(references).length > 0;
}

function isCreated(work: StepWork, section: Section): boolean {
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
