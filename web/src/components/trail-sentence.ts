import { ownValue } from '../../../src/domain/json/own-value.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { formatTime } from '../ui/format.ts';
import type { MarkTone } from '../ui/mark.tsx';
import { toneOfResolution } from './alert-labels.ts';
import { formatEvent } from './event-type.ts';

type Entry = Pick<Schemas['AuditTrailEntry'], 'action' | 'actor' | 'from' | 'to' | 'detail' | 'cause'>;

/** Formats an entry of an alert's audit trail as a sentence. */
export function trailSentence(entry: Entry): string {
  const sentence = actionSentence(entry);
  return entry.cause === 'reading_changed'
    ? `${sentence} Cause: an upgrade or a changed setting affected how version strings are read.`
    : sentence;
}

function actionSentence({ action, actor, from, to, detail }: Entry): string {
  const who = actor.type === 'system' ? null : actor.name;
  switch (action) {
    case 'created':
      return `Alert opened${to === null ? '' : ` as ${to}`}${detail === null ? '' : `: ${detail}`}.`;
    case 'updated':
      return `Alert updated${detail === null ? '' : `: ${formatFields(detail)}`}.`;
    case 'escalated':
      return `Severity increased from ${from} to ${to}.`;
    case 'deescalated':
      return `Severity decreased from ${from} to ${to}.`;
    case 'acknowledged':
      return `${who ?? 'Pacekeeper'} acknowledged the alert.`;
    case 'unacknowledged':
      return who === null
        ? `Acknowledgment cleared because the deployed version didn't increase${detail === null ? '' : ` (${detail})`}.`
        : `${who} removed the acknowledgment.`;
    case 'snoozed':
      return `${who ?? 'Pacekeeper'} snoozed the alert ${formatSnoozeEnd(to)}.`;
    case 'unsnoozed':
      if (who !== null) return `${who} ended the snooze.`;
      return detail === 'version_changed' ? 'Snooze ended because a version changed.' : 'Snooze expired.';
    case 'unsilenced':
      return 'Silence ended while the alert was open.';
    case 'resolved':
      if (detail === 'deleted') return `${who ?? 'Pacekeeper'} deleted its rule or monitor.`;
      if (who !== null) return `${who} resolved the alert.`;
      return detail !== null && Object.hasOwn(endings, detail)
        ? `Alert resolved: ${ownValue(endings, detail)}.`
        : 'Alert resolved.';
    case 'commented':
      return `${who ?? 'Pacekeeper'}: ${detail ?? ''}`;
    case 'assigned':
      if (to === null) return `${who ?? 'Pacekeeper'} removed the assignee ${from ?? ''}.`;
      return who === to
        ? `${to} self-assigned the alert.`
        : `${who ?? 'Pacekeeper'} assigned the alert to ${to}.`;
    case 'reminded':
      return 'Reminder sent: the alert is still unacknowledged.';
    case 'notified':
      return `Notified ${to ?? 'a channel'}: ${event(detail)}.`;
    case 'notification_failed':
      return `Couldn't notify ${to ?? 'a channel'}. ${reason(detail)}`;
    case 'notification_skipped':
      return `No notification sent. ${reason(detail)}`;
  }
}

const endings: Readonly<Record<string, string>> = {
  caught_up: 'the deployed version is no longer too far behind',
  disabled: 'its rule or monitor was disabled',
  reconfigured: 'its rule or monitor was reconfigured',
  gone: 'the deployment was removed',
  replaced: 'other software replaced it in the same place',
};

const fields: Readonly<Record<string, string>> = {
  discovered_version: 'deployed',
  latest_version: 'latest',
  reason: 'reason',
  is_estimate: 'estimated',
};

/** Formats `latest_version: 1.2.0 → 1.3.0; …` with the field labels of the UI. */
function formatFields(detail: string): string {
  return detail.replaceAll(/(^|; )([a-z_]+): /g, (_, before: string, name: string) => {
    return `${before}${ownValue(fields, name) ?? name} `;
  });
}

/**
 * Formats the end of a snooze, such as "until Apr 3, 2026, 14:05 or until a version changes".
 * @param to Time, `version_change`, or both, separated by ` or `.
 */
function formatSnoozeEnd(to: string | null): string {
  if (to === null) return 'for a while';
  return to
    .split(' or ')
    .map((end) =>
      end === 'version_change' ? 'until a version changes' : `until ${formatTime(new Date(end))}`,
    )
    .join(' or ');
}

function event(type: string | null): string {
  return type === null ? 'the alert' : formatEvent(type as Parameters<typeof formatEvent>[0]).toLowerCase();
}

/** Returns the sentence that follows the event type in a detail, with its time formatted. */
function reason(detail: string | null): string {
  const sentence = detail?.replace(/^[a-z]+\.[a-z]+: /, '') ?? '';
  return sentence.replace(
    / until (\d{4}-[\d-]+T[\d:.]+Z)(?=: )/,
    (_, at: string) => ` until ${formatTime(new Date(at))}`,
  );
}

const tones: Partial<Record<Entry['action'], MarkTone>> = {
  acknowledged: 'busy',
  commented: 'busy',
  notification_failed: 'moderate',
  notification_skipped: 'moderate',
};

const severityTones: Record<string, MarkTone> = {
  moderate: 'moderate',
  high: 'high',
  critical: 'critical',
} satisfies Record<Schemas['AlertSeverity'], MarkTone>;

/** Returns the tone of an entry. An entry that changes the severity has the tone of the new one. */
export function trailTone({ action, to, detail }: Entry): MarkTone {
  if (action === 'resolved') return toneOfResolution(detail);
  const changesSeverity = action === 'created' || action === 'escalated' || action === 'deescalated';
  const severity = changesSeverity && to !== null ? ownValue(severityTones, to) : undefined;
  return severity ?? tones[action] ?? 'muted';
}
