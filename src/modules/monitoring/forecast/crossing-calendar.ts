import { createHash } from 'node:crypto';
import { calendarText } from '../../../domain/calendar/calendar-text.ts';
import { dayMs } from '../../../domain/rules/behind-days.ts';
import { ruleTypes } from '../../../domain/rules/rule-types.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { ReleaseCache } from '../evaluation/release-cache.ts';
import { type ForecastCrossing, type ForecastedTime, findCrossings } from './run-forecast.ts';

export interface CalendarRequest extends ForecastedTime {
  /** The public URL of the installation, without a trailing slash. */
  readonly baseUrl: string;
}

/** A calendar feed, and what identifies its events: the same as long as none of them changes. */
export interface CalendarText {
  readonly text: string;
  readonly etag: string;
}

/** The most events of a feed: those that come first. */
const maxEvents = 1_000;

/** The crossings of a forecast as a calendar. */
export async function writeCalendar(
  db: Database,
  releaseCache: ReleaseCache,
  { baseUrl, ...time }: CalendarRequest,
  signal: AbortSignal,
): Promise<CalendarText> {
  const { fromMs, crossings } = await findCrossings(db, releaseCache, time, signal);
  const events = crossings.slice(0, maxEvents).map((crossing) => toEvent(crossing, baseUrl));
  const hash = createHash('sha256').update(JSON.stringify(events)).digest('base64url');
  return { text: calendarText('Pacekeeper forecast', events, fromMs), etag: `W/"${hash.slice(0, 27)}"` };
}

function toEvent({ subject: { config }, ...crossing }: ForecastCrossing, baseUrl: string) {
  const { severity, currentSeverity, latestVersion } = crossing;
  const now = currentSeverity === null ? 'within its thresholds' : currentSeverity;
  const isEnd = ruleTypes[config.rule.compared.type].measureSupport !== null;
  const available = isEnd ? 'is supported' : 'is available';
  const latest = latestVersion === null ? '' : ` ${latestVersion} ${available}.`;
  return {
    // When a threshold is crossed at another time, its event moves.
    uid: `alert-config-${config.id}-${severity}@${new URL(baseUrl).hostname}`,
    atMs: crossing.atMs,
    summary: isEnd ? endSummary(crossing, config.name) : `${config.name} becomes ${severity}`,
    description:
      `${config.artifactName}: ${config.deployedVersion} is deployed.${latest}\n` +
      `Rule: ${config.rule.name}. Currently ${now}. This happens if nothing is upgraded.`,
    category: severity,
    url: `${baseUrl}/alert-configs/${config.id}`,
  };
}

/** "PostgreSQL 14 in production: support ends in 60 days", and on the day "… ends". */
function endSummary({ atMs, severity, endsAtMs }: Omit<ForecastCrossing, 'subject'>, name: string): string {
  if (endsAtMs === null) return `${name} becomes ${severity}`;
  const days = Math.round((endsAtMs - atMs) / dayMs);
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  const when = days > 0 ? `ends in ${count}` : days === 0 ? 'has ended' : `ended ${count} ago`;
  return `${name}: support ${when} (${severity})`;
}
