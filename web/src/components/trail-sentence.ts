import type { Schemas } from '../../../src/generated/client-api.ts';
import { formatTime } from '../ui/format.ts';
import { eventInWords } from './event-type.ts';

type Entry = Pick<Schemas['AuditTrailEntry'], 'action' | 'actor' | 'from' | 'to' | 'detail'>;

/** What happened to an alert, and who did it: one entry of its trail as a sentence. */
export function trailSentence({ action, actor, from, to, detail }: Entry): string {
  const who = actor.type === 'system' ? null : actor.name;
  switch (action) {
    case 'created':
      return `The alert was raised${to === null ? '' : ` as ${to}`}${detail === null ? '' : `: ${detail}`}.`;
    case 'updated':
      return `What it says changed${detail === null ? '' : `: ${fieldsInWords(detail)}`}.`;
    case 'escalated':
      return `It became more severe: ${from} → ${to}.`;
    case 'deescalated':
      return `It became less severe: ${from} → ${to}.`;
    case 'acknowledged':
      return `${who ?? 'Pacekeeper'} acknowledged it.`;
    case 'unacknowledged':
      return who === null
        ? `The acknowledgment was cleared, because the deployed version did not go up${detail === null ? '' : ` (${detail})`}.`
        : `${who} took the acknowledgment back.`;
    case 'snoozed':
      return `${who ?? 'Pacekeeper'} snoozed it ${snoozeInWords(to)}.`;
    case 'unsnoozed':
      if (who !== null) return `${who} ended the snooze.`;
      return detail === 'version_changed'
        ? 'The snooze ended, because a version changed.'
        : 'The snooze ended, because its time had come.';
    case 'resolved':
      if (detail === 'deleted') return `${who ?? 'Pacekeeper'} deleted what it belongs to.`;
      if (who !== null) return `${who} resolved it.`;
      return `It was resolved: ${(detail !== null && endings[detail]) || 'it is over'}.`;
    case 'reminded':
      return 'A reminder was sent, because nobody acknowledged it.';
    case 'notified':
      return `${to ?? 'A channel'} was told: ${event(detail)}.`;
    case 'notification_failed':
      return `${to ?? 'A channel'} could not be told. ${reason(detail)}`;
    case 'notification_skipped':
      return `Nobody was told. ${reason(detail)}`;
  }
}

const endings: Readonly<Record<string, string>> = {
  caught_up: 'what runs has caught up',
  disabled: 'its rule or configuration was turned off',
  reconfigured: 'its configuration compares other things now',
};

const fields: Readonly<Record<string, string>> = {
  discovered_version: 'deployed',
  latest_version: 'latest',
  reason: 'reason',
  is_estimate: 'estimated',
};

/** `latest_version: 1.2.0 → 1.3.0; …` in the words of the page. */
function fieldsInWords(detail: string): string {
  return detail.replaceAll(/(^|; )([a-z_]+): /g, (_, before: string, name: string) => {
    return `${before}${fields[name] ?? name} `;
  });
}

/** "until 3 April 2026 or until a version changes". @param to a time, `version_change`, or both joined by ` or `. */
function snoozeInWords(to: string | null): string {
  if (to === null) return 'for a while';
  return to
    .split(' or ')
    .map((end) =>
      end === 'version_change' ? 'until a version changes' : `until ${formatTime(new Date(end))}`,
    )
    .join(' or ');
}

function event(type: string | null): string {
  return type === null ? 'the alert' : eventInWords(type as Parameters<typeof eventInWords>[0]).toLowerCase();
}

/** The sentence behind the name of the event. */
function reason(detail: string | null): string {
  return detail?.replace(/^[a-z]+\.[a-z]+: /, '') ?? '';
}
