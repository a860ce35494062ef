import { maxAliases } from '../identity/artifact-aliases.ts';
import { pluralOf } from '../text/plural.ts';
import type { Configuration, Entry, LocatedMessage } from './configuration-entries.ts';
import { kindOf, type Section } from './kinds.ts';
import { planDeletions } from './plan-deletions.ts';
import { planResources } from './plan-resources.ts';
import { planReferenceSettings, planSettings, planTemplates } from './plan-settings.ts';
import {
  addProblem,
  indexNames,
  type Plan,
  type PlanDraft,
  type PlanOptions,
  type ServerState,
  type Step,
} from './plan-steps.ts';

/**
 * Plans the changes that make the server match the file. All problems are returned with their locations. A
 * plan with problems is incomplete and can't be applied, but further checks of the file use it.
 */
export function planConfiguration(
  desired: Configuration,
  state: ServerState,
  options: PlanOptions,
): { plan: Plan; problems: LocatedMessage[] } {
  const draft: PlanDraft = {
    desired,
    state,
    options,
    unchanged: 0,
    named: indexNames(desired, state),
    problems: [],
    notes: [],
    ids: new Map(),
    kept: new Set(),
    referred: new Set(),
  };
  const versions: Step[] = [];
  const things = (section: Section): Step[] => {
    const planned = planResources(draft, kindOf(section));
    versions.push(...planned.versions);
    return planned.steps;
  };

  // Plan the sections in this order, because each section refers only to earlier ones.
  const values = [...planTemplates(draft), ...planSettings(draft)];
  const parts = [
    ...things('rules'),
    ...things('helm_sync_jobs'),
    ...things('discovery_jobs'),
    ...things('scrape_jobs'),
    ...things('gather_jobs'),
    ...things('notification_channels'),
    ...planReferenceSettings(draft),
  ];
  const alertConfigs = things('alert_configs');
  const { early, late } = splitNotificationRules(things('notification_rules'));
  const targets = things('freshness_targets');
  const aliases = things('artifact_aliases');
  const corrections = things('artifact_corrections');
  // Don't plan deletions if the name of an entry can't be read, because the entry might describe a resource
  // that would be deleted.
  const deletions = options.prune && desired.unnamed.size === 0 ? planDeletions(draft) : [];
  const setting = 'limits.freshness_targets';
  const maxTargets = state.operatorSettings.get(setting);
  checkCount(draft, 'freshness_targets', targets, deletions, { limit: maxTargets, setting });
  checkCount(draft, 'artifact_aliases', aliases, deletions, { limit: maxAliases });
  const steps = [
    ...values,
    ...parts,
    ...early,
    ...alertConfigs,
    ...late,
    ...targets,
    ...aliases,
    ...corrections,
    ...versions,
    ...deletions,
  ];
  const { ids, unchanged, notes } = draft;
  return { plan: { steps, ids, unchanged, notes }, problems: draft.problems };
}

/** Adds a problem if the organization would exceed the maximum number of resources after the deletions. */
function checkCount(
  draft: PlanDraft,
  section: 'freshness_targets' | 'artifact_aliases',
  steps: readonly Step[],
  deletions: readonly Step[],
  { limit, setting }: { limit: unknown; setting?: string },
): void {
  const created = steps.filter(({ action }) => action === 'create').length;
  if (created === 0) return;
  const deleted = deletions.filter((step) => 'kind' in step && step.kind.section === section).length;
  const count = draft.state.own[section].length + created - deleted;
  if (typeof limit === 'number' && count > limit)
    addProblem(
      draft,
      { section, index: null },
      `the organization would have ${count} ${pluralOf(kindOf(section).word)}. It can have at most ${limit}${setting === undefined ? '' : ` (${setting})`}.`,
    );
}

/**
 * Splits the notification rules into those to create before the alert configurations and those to create
 * after them. Alerts can open when a configuration is created, and only existing rules route them, so rules
 * are created first if possible. A rule that references an alert configuration must be created after it. So
 * must all rules after that rule, because rules are evaluated in file order.
 */
function splitNotificationRules(steps: Step[]): { early: Step[]; late: Step[] } {
  const first = steps.findIndex((step) => 'entry' in step && namesConfigs(step.entry));
  const count = first < 0 ? steps.length : first;
  return { early: steps.slice(0, count), late: steps.slice(count) };
}

function namesConfigs({ values }: Entry): boolean {
  const named = values['alert_configs'];
  return Array.isArray(named) && named.length > 0;
}
