import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import { mayIssuerRead } from '../accounts/index.ts';
import { type CalendarText, writeSupportCalendar } from '../monitoring/index.ts';
import type { CalendarDeps } from './calendar-handlers.ts';
import { type CalendarTarget, readCalendarToken } from './calendar-link.ts';
import { areCalendarsEnabled } from './calendar-queries.ts';

/** Clients that ask more often get the same again. */
const keptMs = 5 * 60_000;
/** Calendars that are kept, of all organizations and of one; each has at most 1,000 events. */
const maxKept = 64;
const maxKeptOfOne = 8;
/** Different ones of an organization that are written at the same time. */
const maxWritingOfOne = 2;

const headers = {
  'content-type': 'text/calendar; charset=utf-8',
  'content-disposition': 'inline; filename="pacekeeper.ics"',
  'cache-control': `private, max-age=${keptMs / 1_000}`,
};

/**
 * `/calendar/<token>.ics`. The token is the right to see it, and is logged nowhere: log lines have the pattern of the
 * route. What we did not sign costs no query, and gets the same response as what was disabled or revoked.
 */
export function serveCalendars(
  app: FastifyInstance,
  { db, simulations, releaseCache, calendarSigner, baseUrl }: CalendarDeps,
): void {
  const kept = new Map<string, { organizationId: number; calendar: CalendarText; untilMs: number }>();
  /** Requests for the same one at the same time wait for it together. */
  const writing = new Map<string, { organizationId: number; calendar: Promise<CalendarText> }>();

  function write({ kind, organizationId, days, severity, label }: CalendarTarget): Promise<CalendarText> {
    if (kind === 'support')
      return writeSupportCalendar(db, releaseCache, { organizationId, days, label, baseUrl });
    const filters = { ruleId: null, label };
    return simulations.share('calendar', { organizationId, days, severity, filters, baseUrl });
  }

  async function read({ issuer: _issuer, ...shown }: CalendarTarget): Promise<CalendarText> {
    const key = JSON.stringify(shown);
    const known = kept.get(key);
    if (known !== undefined && performance.now() < known.untilMs) return known.calendar;
    const { organizationId } = shown;
    const begun = writing.get(key);
    if (begun !== undefined) return begun.calendar;
    // Nobody logs in here, and everything else waits for the same thread.
    if (countOf(writing, organizationId) >= maxWritingOfOne)
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

  function keep(key: string, organizationId: number, calendar: CalendarText): void {
    kept.delete(key);
    kept.set(key, { organizationId, calendar, untilMs: performance.now() + keptMs });
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
      (await mayIssuerRead(db, target.organizationId, target.issuer)) &&
      (await areCalendarsEnabled(db, target.organizationId));
    if (!isAllowed) throw new ApiError('not_found');
    const { text, etag } = await read(target);
    void reply.headers({ ...headers, etag });
    if (isKnown(given['if-none-match'], etag)) return reply.code(304).send();
    return reply.send(text);
  });
}

function countOf(calendars: ReadonlyMap<string, { organizationId: number }>, organizationId: number): number {
  return [...calendars.values()].filter((each) => each.organizationId === organizationId).length;
}

/** Weakly compared, as RFC 9110 has it. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etag.replace(/^W\//, ''));
}
