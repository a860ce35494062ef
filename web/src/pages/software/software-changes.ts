import type { Schemas } from '../../../../src/generated/client-api.ts';
import { sendInBatches } from '../../api/in-parts.ts';
import { api } from '../../api/session.ts';
import { countOf } from '../../ui/format.ts';

export type Change = Schemas['SoftwareChange'];
export type Outcome = Schemas['ChangeSoftwareResponse'];
export type SoftwareAction = Change['action'];

interface ActionTexts {
  /** Title in the menu and the dialog, and the label of the dialog's button. */
  title: string;
  /** Text before "12 items" in the dialog and on its button. Defaults to `title`. */
  beforeCount?: string;
  /** Past participle of the action, as in "12 items labeled". */
  done: string;
  /** Reason that some items don't change. */
  unchanged: string;
  /** Additional consequence, shown before the action runs. */
  note?: string;
}

export const softwareActions: Readonly<Record<SoftwareAction, ActionTexts>> = {
  label: { title: 'Label', done: 'labeled', unchanged: 'already labeled this way' },
  set_rule: {
    title: 'Change rule',
    beforeCount: 'Change rule of',
    done: 'switched to this rule',
    unchanged: 'without a monitor, or already use this rule',
    note: 'Open alerts of the old rule resolve.',
  },
  enable: { title: 'Enable', done: 'enabled', unchanged: 'already enabled, or without a monitor' },
  disable: {
    title: 'Disable',
    done: 'disabled',
    unchanged: 'already disabled, or without a monitor',
    note: 'Open alerts resolve. Versions are still read.',
  },
  delete: {
    title: 'Delete',
    done: 'deleted',
    unchanged: 'unchanged',
    note: "This deletes the version trackers with their monitors and alerts. This can't be undone.",
  },
};

const nothing: Outcome = {
  changed: [],
  unchanged: [],
  rejected: [],
  not_found: [],
  overridden: [],
  undo: [],
  alert_config_count: 0,
  open_alert_count: 0,
};

/**
 * Changes software in batches.
 * @param onProgress Receives the number of items processed so far.
 */
export async function changeSoftware(
  change: Omit<Change, 'scrape_job_ids'>,
  ids: readonly number[],
  isTrial: boolean,
  onProgress?: (count: number) => void,
) {
  const send = (scrape_job_ids: number[]) =>
    api.call('changeSoftware', { body: { ...change, scrape_job_ids, dry_run: isTrial } });
  const { parts, remaining, error } = await sendInBatches(ids, send, onProgress);
  return { outcome: mergeOutcomes(parts), remaining, error };
}

export function mergeOutcomes(parts: readonly Outcome[]): Outcome {
  return parts.reduce(
    (all, part) => ({
      changed: [...all.changed, ...part.changed],
      unchanged: [...all.unchanged, ...part.unchanged],
      rejected: [...all.rejected, ...part.rejected],
      not_found: [...all.not_found, ...part.not_found],
      overridden: [...all.overridden, ...part.overridden],
      undo: [...all.undo, ...part.undo],
      alert_config_count: all.alert_config_count + part.alert_config_count,
      open_alert_count: all.open_alert_count + part.open_alert_count,
    }),
    nothing,
  );
}

/**
 * Describes the items whose label is overridden in a monitor.
 * @param count Number of items with a monitor that sets the label to a different value.
 */
export function describeOverridden(count: number): string {
  return `${countOf(count, 'item')} ${count === 1 ? 'has' : 'have'} a monitor with its own label value, which takes precedence.`;
}

/**
 * Returns a preview such as "12 items will be deleted (14 monitors, 3 open alerts). 1 item can't be changed:
 * …".
 */
export function describeChange(action: SoftwareAction, outcome: Outcome): string {
  const { changed, unchanged, rejected, not_found, alert_config_count, open_alert_count } = outcome;
  const { done, unchanged: reason } = softwareActions[action];
  const along = [
    alert_config_count > 0 && countOf(alert_config_count, 'monitor'),
    open_alert_count > 0 && countOf(open_alert_count, 'open alert'),
  ].filter(Boolean);
  const reasons = Map.groupBy(rejected, ({ message }) => message);
  return [
    changed.length === 0
      ? 'Nothing will change.'
      : `${countOf(changed.length, 'item')} will be ${done}${along.length > 0 ? ` (${along.join(', ')})` : ''}.`,
    unchanged.length > 0 &&
      `${countOf(unchanged.length, 'item')} ${unchanged.length === 1 ? 'is' : 'are'} ${reason}.`,
    ...[...reasons].map(
      ([message, items]) => `${countOf(items.length, 'item')} can't be changed: ${message}`,
    ),
    outcome.overridden.length > 0 &&
      `${describeOverridden(outcome.overridden.length)} To change it, edit the monitor.`,
    not_found.length > 0 &&
      `${countOf(not_found.length, 'item')} no longer exist${not_found.length === 1 ? 's' : ''}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
