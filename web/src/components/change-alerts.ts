import type { Schemas } from '../../../src/generated/client-api.ts';
import { sendInBatches } from '../api/in-parts.ts';
import { api } from '../api/session.ts';
import { countOf, formatCount } from '../ui/format.ts';

type Request = Schemas['ChangeAlertsRequest'];
export type Outcome = Schemas['ChangeAlertsResponse'];
export type BulkAction = Request['action'];
export type BulkValues = Omit<Request, 'alert_ids' | 'action' | 'dry_run'>;

interface ActionTexts {
  /** Title in the menu and the dialog, and the label of the dialog's button. */
  title: string;
  /** Text before "12 alerts" in the dialog and on its button. Defaults to `title`. */
  beforeCount?: string;
  /** Past participle of the action, as in "12 alerts acknowledged". */
  done: string;
  /** Reason that some alerts don't change, as in "8 already acknowledged". */
  unchanged: string;
  /** Action that reverts this one, if any. */
  undo?: BulkAction;
  /** Additional consequence, shown before the action runs. */
  note?: string;
}

export const bulkActions: Readonly<Record<BulkAction, ActionTexts>> = {
  acknowledge: {
    title: 'Acknowledge',
    done: 'acknowledged',
    unchanged: 'already acknowledged',
    undo: 'unacknowledge',
  },
  unacknowledge: {
    title: 'Unacknowledge',
    done: 'unacknowledged',
    unchanged: 'not acknowledged',
    undo: 'acknowledge',
  },
  snooze: {
    title: 'Snooze',
    done: 'snoozed',
    unchanged: 'already snoozed the same way',
    undo: 'unsnooze',
    note: 'No notifications until then, unless the severity goes up or the alert resolves.',
  },
  unsnooze: {
    title: 'End snooze',
    beforeCount: 'End snooze for',
    done: 'no longer snoozed',
    unchanged: 'not snoozed',
  },
  resolve: {
    title: 'Resolve',
    done: 'resolved',
    unchanged: 'already resolved',
    note: "No new alert opens until the deployed version changes or the severity goes up. This can't be undone.",
  },
  assign: { title: 'Assign', done: 'assigned', unchanged: 'already assigned this way' },
  comment: { title: 'Comment', beforeCount: 'Comment on', done: 'commented on', unchanged: 'unchanged' },
};

/**
 * True if the action can't be undone. The dialog then lists the names of the alerts before it runs the
 * action.
 */
export const isIrreversible = (action: BulkAction) => action === 'resolve';

const nothing: Outcome = { changed: [], unchanged: [], not_found: [] };

/**
 * Changes alerts in batches.
 * @param onProgress Receives the number of alerts processed so far.
 */
export async function changeAlerts(
  action: BulkAction,
  ids: readonly number[],
  values: BulkValues & { dry_run?: boolean },
  onProgress?: (count: number) => void,
) {
  const send = (alert_ids: number[]) =>
    api.call('changeAlerts', { body: { dry_run: false, ...values, action, alert_ids } });
  const { parts, remaining, error } = await sendInBatches(ids, send, onProgress);
  return { outcome: mergeOutcomes(parts), remaining, error };
}

export function mergeOutcomes(parts: readonly Outcome[]): Outcome {
  return parts.reduce(
    (all, part) => ({
      changed: [...all.changed, ...part.changed],
      unchanged: [...all.unchanged, ...part.unchanged],
      not_found: [...all.not_found, ...part.not_found],
    }),
    nothing,
  );
}

/**
 * Returns a title such as "Acknowledge 3 alerts".
 * @param count Number of alerts that will change. Undefined until it's known.
 */
export function titleOf(action: BulkAction, count: number | undefined): string {
  const { title, beforeCount = title } = bulkActions[action];
  return `${beforeCount} ${count ? countOf(count, 'alert') : 'alerts'}`;
}

/** Returns a summary such as "3 alerts acknowledged, 8 already acknowledged". */
export function describeOutcome(action: BulkAction, { changed, unchanged, not_found }: Outcome): string {
  const { done, unchanged: reason } = bulkActions[action];
  return [
    `${countOf(changed.length, 'alert')} ${done}`,
    unchanged.length > 0 && `${formatCount(unchanged.length)} ${reason}`,
    not_found.length > 0 && `${formatCount(not_found.length)} no longer open`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Returns a preview such as "9 alerts will be acknowledged. 1 is already acknowledged." */
export function describePreview(action: BulkAction, { changed, unchanged, not_found }: Outcome): string {
  const { unchanged: reason, done } = bulkActions[action];
  const count = (number: number) => number.toLocaleString('en');
  const sentences = [
    changed.length === 0
      ? 'No alerts will change.'
      : changed.length === 1
        ? `1 alert will be ${done}.`
        : `${count(changed.length)} alerts will be ${done}.`,
    unchanged.length > 0 && `${count(unchanged.length)} ${unchanged.length === 1 ? 'is' : 'are'} ${reason}.`,
    not_found.length > 0 &&
      `${count(not_found.length)} ${not_found.length === 1 ? 'is' : 'are'} no longer open.`,
  ];
  return sentences.filter(Boolean).join(' ');
}
