import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import { canIssuerRead } from '../accounts/index.ts';
import { type CalendarFeed, createSupportCalendar } from '../monitoring/index.ts';
import type { CalendarDeps } from './calendar-handlers.ts';
import { type CalendarTarget, readCalendarToken } from './calendar-link.ts';
import { areCalendarsEnabled } from './calendar-queries.ts';

/** Cache duration of a calendar. More frequent requests return the same calendar. */
const cacheMs = 5 * 60_000;
/** Maximum number of cached calendars, in total and per organization. Each has at most 1,000 events. */
const maxKept = 64;
const maxKeptOfOne = 8;
/** Maximum number of different calendars that are written for an organization at the same time. */
const maxWritesPerOrganization = 2;

const headers = {
  'content-type': 'text/calendar; charset=utf-8',
  'content-disposition': 'inline; filename="pacekeeper.ics"',
  'cache-control': `private, max-age=${cacheMs / 1_000}`,
};

/**
 * Serves `/calendar/<token>.ics`. The token authorizes the request and is never logged: log entries contain
 * the pattern of the route. A token that Pacekeeper didn't sign costs no query, and gets the same response as
 * disabled calendars or a revoked issuer.
 */
export function serveCalendars(
  app: FastifyInstance,
  { db, simulations, releaseCache, calendarSigner, baseUrl }: CalendarDeps,
): void {
  const kept = new Map<string, { organizationId: number; calendar: CalendarFeed; untilMs: number }>();
  /** Calendars being written. Concurrent requests for the same calendar share one result. */
  const writing = new Map<string, { organizationId: number; calendar: Promise<CalendarFeed> }>();

  function write({ kind, organizationId, days, severity, label }: CalendarTarget): Promise<CalendarFeed> {
    if (kind === 'support')
      return createSupportCalendar(db, releaseCache, { organizationId, days, label, baseUrl });
    const filters = { ruleId: null, label };
    return simulations.share('calendar', { organizationId, days, severity, filters, baseUrl });
  }

  async function read({ issuer: _issuer, ...shown }: CalendarTarget): Promise<CalendarFeed> {
    const key = JSON.stringify(shown);
    const known = kept.get(key);
    if (known !== undefined && performance.now() < known.untilMs) return known.calendar;
    const { organizationId } = shown;
    const pending = writing.get(key);
    if (pending !== undefined) return pending.calendar;
    // Limit the concurrent calendars, because these requests have no login, and writing a calendar blocks the thread
    // that serves all other requests.
    if (countOf(writing, organizationId) >= maxWritesPerOrganization)
      throw new ApiError(
        'unavailable',
        'Your organization is requesting too many calendars at once. Try again in a few seconds.',
        {
          retryAfterSeconds: 5,
        },
      );
    const calendar = write({ issuer: _issuer, ...shown }).finally(() => writing.delete(key));
    writing.set(key, { organizationId, calendar });
    keep(key, organizationId, await calendar);
    return calendar;
  }

  function keep(key: string, organizationId: number, calendar: CalendarFeed): void {
    kept.delete(key);
    kept.set(key, { organizationId, calendar, untilMs: performance.now() + cacheMs });
    const isFull = countOf(kept, organizationId) > maxKeptOfOne;
    const oldest = [...kept].find(([, other]) => !isFull || other.organizationId === organizationId);
    if ((isFull || kept.size > maxKept) && oldest) kept.delete(oldest[0]);
  }

  app.get<{ Params: { file: string } }>('/calendar/:file', async ({ params, headers: given }, reply) => {
    const { file } = params;
    const target = file.endsWith('.ics')
      ? readCalendarToken(calendarSigner, file.slice(0, -'.ics'.length))
      : null;
    const isAllowed =
      target !== null &&
      (await canIssuerRead(db, target.organizationId, target.issuer)) &&
      (await areCalendarsEnabled(db, target.organizationId));
    if (!isAllowed) throw new ApiError('not_found');
    const { text, etag } = await read(target);
    void reply.headers({ ...headers, etag });
    if (matchesEtag(given['if-none-match'], etag)) return reply.code(304).send();
    return reply.send(text);
  });
}

function countOf(calendars: ReadonlyMap<string, { organizationId: number }>, organizationId: number): number {
  return [...calendars.values()].filter((each) => each.organizationId === organizationId).length;
}

/** Compares entity tags with the weak comparison of RFC 9110. */
function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etag.replace(/^W\//, ''));
}
