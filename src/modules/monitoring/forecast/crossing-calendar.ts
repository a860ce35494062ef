import { createHash } from 'node:crypto';
import { calendarText, uidDomain } from '../../../domain/calendar/calendar-text.ts';
import { ruleTypes } from '../../../domain/rules/rule-types.ts';
import { dayMs } from '../../../domain/rules/stored-lag.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { ReleaseCache } from '../evaluation/release-cache.ts';
import { type ForecastCrossing, type ForecastedTime, findCrossings } from './run-forecast.ts';

export interface CalendarRequest extends ForecastedTime {
  /** Public URL of the installation, without a trailing slash. */
  readonly baseUrl: string;
}

/** A calendar feed. Its ETag stays the same until an event changes. */
export interface CalendarFeed {
  readonly text: string;
  readonly etag: string;
}

/** Maximum number of events in a feed, earliest first. */
const maxEvents = 1_000;

/** Returns the threshold crossings of a forecast as a calendar. */
export async function createForecastCalendar(
  db: Database,
  releaseCache: ReleaseCache,
  { baseUrl, ...time }: CalendarRequest,
  signal: AbortSignal,
): Promise<CalendarFeed> {
  const { fromMs, crossings } = await findCrossings(db, releaseCache, time, signal);
  const events = crossings.slice(0, maxEvents).map((crossing) => toEvent(crossing, baseUrl));
  const hash = createHash('sha256').update(JSON.stringify(events)).digest('base64url');
  return { text: calendarText('Pacekeeper forecast', events, fromMs), etag: `W/"${hash.slice(0, 27)}"` };
}

function toEvent({ subject: { config }, ...crossing }: ForecastCrossing, baseUrl: string) {
  const { severity, currentSeverity, latestVersion } = crossing;
  const now = currentSeverity === null ? 'within its thresholds' : currentSeverity;
  const isEnd = ruleTypes[config.rule.compared.type].kind === 'support';
  const available = isEnd ? 'is supported' : 'is available';
  const latest = latestVersion === null ? '' : ` ${latestVersion} ${available}.`;
  return {
    // The UID doesn't include the time, so an event moves when its threshold crossing moves.
    uid: `alert-config-${config.id}-${severity}@${uidDomain(baseUrl)}`,
    atMs: crossing.atMs,
    summary: isEnd ? endSummary(crossing, config.name) : `${config.name} becomes ${severity}`,
    description:
      `${config.artifactName}: ${config.deployedVersion} is deployed.${latest}\n` +
      `Rule: ${config.rule.name}. Currently ${now}. This happens if nothing is upgraded.`,
    category: severity,
    url: `${baseUrl}/alert-configs/${config.id}`,
  };
}

/**
 * Returns a title such as "PostgreSQL 14 in production: 60 days of support left (high)". On the day after the
 * last one, support "has ended".
 */
function endSummary({ atMs, severity, endsAtMs }: Omit<ForecastCrossing, 'subject'>, name: string): string {
  if (endsAtMs === null) return `${name} becomes ${severity}`;
  const days = Math.round((endsAtMs - atMs) / dayMs);
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  const text =
    days > 0 ? `${count} of support left` : `support ${days === 0 ? 'has ended' : `ended ${count} ago`}`;
  return `${name}: ${text} (${severity})`;
}
