import { createHash } from 'node:crypto';
import { calendarText, uidDomain } from '../../../domain/calendar/calendar-text.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { ReleaseCache } from '../evaluation/release-cache.ts';
import type { CalendarFeed } from '../forecast/crossing-calendar.ts';
import { findSupportEnds, type SupportEnd } from './find-support-ends.ts';

/** Maximum number of events in a feed. The earliest events are kept. */
const maxEvents = 1_000;

export interface SupportCalendarRequest {
  readonly organizationId: number;
  /** Number of days ahead to include. */
  readonly days: number;
  readonly label: string | null;
  /** The public URL of the installation, without a trailing slash. */
  readonly baseUrl: string;
}

/** Creates a calendar of the dates on which support ends, including dates in the past 365 days. */
export async function createSupportCalendar(
  db: Database,
  releaseCache: ReleaseCache,
  { organizationId, days, label, baseUrl }: SupportCalendarRequest,
): Promise<CalendarFeed> {
  const filters = { days, label, alertConfigIds: null, scrapeJobIds: null };
  const { ends, nowMs } = await findSupportEnds(db, releaseCache, organizationId, filters);
  const events = ends
    .flatMap((end) => (end.days_left === null || end.days_left < -365 ? [] : [toEvent(end, baseUrl)]))
    .slice(0, maxEvents);
  const hash = createHash('sha256').update(JSON.stringify(events)).digest('base64url');
  return { text: calendarText('Pacekeeper support', events, nowMs), etag: `W/"${hash.slice(0, 27)}"` };
}

function toEvent(end: SupportEnd, baseUrl: string) {
  const { scrape_job, gather_job, alert_config_ids, label, line, deployed_version, newest, ends_on } = end;
  const next =
    newest === null || newest.line === line
      ? ''
      : `\n${newest.line} is supported${newest.ends_on === null ? '' : ` until ${newest.ends_on}`}.`;
  const bought = end.is_paid ? ' (paid support)' : '';
  return {
    // The UID doesn't contain the date, so the event moves when the end of support is postponed.
    uid: `support-${scrape_job.id}-${gather_job.id}@${uidDomain(baseUrl)}`,
    atMs: Date.parse(`${ends_on}T00:00:00Z`),
    isAllDay: true,
    summary: `${scrape_job.name}: support for ${label} ${line} ends${bought}`,
    description: `${deployed_version} is deployed.${next}`,
    category: 'support',
    url: `${baseUrl}/alert-configs/${alert_config_ids[0]}`,
  };
}
