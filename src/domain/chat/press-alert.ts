import { type ActionResult, acknowledgeAlert, snoozeAlert } from '../alerts/alert-actions.ts';
import type { ConfigEvaluation } from '../alerts/config-evaluation.ts';
import { type AlertState, isSnoozed } from '../alerts/open-alert.ts';
import type { Actor } from '../audit/actor.ts';
import { type ChatAction, snoozeMs } from '../channels/chat-buttons.ts';

const dayMs = 86_400_000;

/**
 * Applies a button press to an alert. A snooze that already lasts about as long is kept, so that a second
 * press changes nothing.
 */
export function applyButtonPress(
  action: ChatAction,
  alert: AlertState,
  config: Pick<ConfigEvaluation, 'state'>,
  actor: Actor,
  nowMs: number,
): ActionResult {
  if (action === 'acknowledge') return acknowledgeAlert(alert, actor, nowMs);
  const lastsLong = alert.snoozedUntilMs === null || alert.snoozedUntilMs > nowMs + snoozeMs - dayMs;
  if (alert.resolvedAtMs === null && isSnoozed(alert, nowMs) && lastsLong) return { outcome: 'unchanged' };
  const request = { untilMs: nowMs + snoozeMs, isUntilVersionChanges: false };
  return snoozeAlert(alert, config, request, actor, nowMs);
}
