import { usageError } from '../cli-error.ts';
import { kindOf, type Section } from './kinds.ts';
import { planDeletions } from './plan-deletions.ts';
import { planDefaultChannel, planSettings, planTemplates } from './plan-settings.ts';
import type { Draft, Plan, PlanOptions, Step } from './plan-steps.ts';
import { planThings } from './plan-things.ts';
import type { Configuration, Entry } from './read-configuration.ts';
import type { ServerState } from './read-server-state.ts';

/** What has to be done so that the server is as the file says. Throws one error with all that is wrong. */
export function planConfiguration(wanted: Configuration, state: ServerState, options: PlanOptions): Plan {
  const draft: Draft = {
    ...{ wanted, state, options, unchanged: 0 },
    ...{ problems: [], notes: [], ids: new Map(), kept: new Set(), referred: [] },
  };
  const versions: Step[] = [];
  const things = (section: Section): Step[] => {
    const planned = planThings(draft, kindOf(section));
    versions.push(...planned.versions);
    return planned.steps;
  };

  // Each refers to those before it only.
  const values = [...planTemplates(draft), ...planSettings(draft)];
  const parts = [
    ...things('rules'),
    ...things('helm_sync_jobs'),
    ...things('gather_jobs'),
    ...things('scrape_jobs'),
    ...things('notification_channels'),
    ...planDefaultChannel(draft),
  ];
  const alertConfigs = things('alert_configs');
  const { early, late } = splitNotificationRules(things('notification_rules'));
  const deletions = options.prune ? planDeletions(draft) : [];

  if (draft.problems.length > 0) {
    const list = [...new Set(draft.problems)].map((problem) => `  ${problem}`);
    throw usageError(`No changes made. The plan isn't possible:\n${list.join('\n')}`);
  }
  const steps = [...values, ...parts, ...early, ...alertConfigs, ...late, ...versions, ...deletions];
  return { steps, ids: draft.ids, unchanged: draft.unchanged, notes: draft.notes };
}

/**
 * An alert that comes at once finds the rules that say who hears of it, unless they name its configuration. Rules are
 * made in the order of the file, by which they are asked: all from the first one that names a configuration come late.
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
