import { type AlertSeverity, alertSeverities } from '../rules/severity.ts';

/**
 * Describes the alerts that accepting items opens: `56 alerts now, 39 critical and 17 high.` Items without a result are
 * called versions, because their monitors don't exist yet.
 */
export function alertSentence(counts: Readonly<Record<AlertSeverity | 'unknown', number>>): string {
  const open = alertSeverities.toReversed().filter((severity) => counts[severity] > 0);
  const total = open.reduce((sum, severity) => sum + counts[severity], 0);
  const parts = open.map((severity) => `${format(counts[severity])} ${severity}`);
  const now =
    total === 0
      ? 'No alerts now.'
      : `${format(total)} ${total === 1 ? 'alert' : 'alerts'} now, ${new Intl.ListFormat('en-US').format(parts)}.`;
  const { unknown } = counts;
  if (unknown === 0) return now;
  const versions = unknown === 1 ? '1 version' : `${format(unknown)} versions`;
  return `${now} The result for ${versions} isn't known yet.`;
}

function format(count: number): string {
  return count.toLocaleString('en-US');
}

/**
 * Describes the messages that the alerts of accepted items typically cause: `Typically 2 messages a week.`
 */
export function typicalMessagesSentence(
  { per_week: perWeek, alert_configs: simulated }: { per_week: number; alert_configs: number },
  monitors: number,
): string {
  const rounded = Math.round(perWeek);
  const count =
    perWeek < 0.5 ? 'less than one message' : `${format(rounded)} ${rounded === 1 ? 'message' : 'messages'}`;
  const part = simulated < monitors ? `, for ${format(simulated)} of ${format(monitors)} monitors` : '';
  return `Typically ${count} a week${part}.`;
}
