import type { Database } from '../../platform/database/index.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import { type Caller, type Handlers, maxSegmentLength } from '../../platform/http/index.ts';
import type { TokenSigner } from '../../platform/secrets/index.ts';
import { findIssuer } from '../accounts/index.ts';
import type { ReleaseCache, Simulations } from '../monitoring/index.ts';
import { type CalendarTarget, makeCalendarToken } from './calendar-link.ts';

export interface CalendarDeps {
  db: Database;
  simulations: Simulations;
  releaseCache: ReleaseCache;
  calendarSigner: TokenSigner;
  /** Public URL of the installation, without a trailing slash. */
  baseUrl: string;
}

/**
 * Handles `GET /forecast/calendar` and `GET /support/calendar`, which return the URLs of the feeds that
 * `serveCalendars` serves.
 */
export function calendarHandlers({
  db,
  calendarSigner,
  baseUrl,
}: Pick<CalendarDeps, 'db' | 'calendarSigner' | 'baseUrl'>): Handlers<
  'getForecastCalendar' | 'getSupportCalendar'
> {
  async function urlOf(
    caller: Caller,
    filters: Pick<CalendarTarget, 'kind' | 'days' | 'severity' | 'label'>,
  ): Promise<string> {
    const issuer = await findIssuer(db, caller);
    if (issuer === null) throw new ApiError('forbidden');
    const target = { organizationId: caller.organizationId, issuer, ...filters };
    const file = `${makeCalendarToken(calendarSigner, target)}.ics`;
    if (file.length > maxSegmentLength) throw invalidField('label', 'is too long for a calendar');
    return `${baseUrl}/calendar/${file}`;
  }

  return {
    async getForecastCalendar({ caller, query }) {
      const { days = 90, severity = null, label = null } = query;
      return { status: 200, body: { url: await urlOf(caller, { kind: 'forecast', days, severity, label }) } };
    },

    async getSupportCalendar({ caller, query }) {
      const { days = 730, label = null } = query;
      const filters = { kind: 'support', days, severity: null, label } as const;
      return { status: 200, body: { url: await urlOf(caller, filters) } };
    },
  };
}
