import { createHash } from 'node:crypto';
import type { Config } from '../../platform/config.ts';
import { type Database, transaction } from '../../platform/database/index.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import { type Caller, createRateLimit, type Handlers, maxSegmentLength } from '../../platform/http/index.ts';
import type { TokenSigner } from '../../platform/secrets/index.ts';
import { findIssuer } from '../accounts/index.ts';
import { hasRecentEntry, writeAuditLog } from '../audit/index.ts';
import type { ReleaseCache, Simulations } from '../monitoring/index.ts';
import { type CalendarTarget, makeCalendarToken } from './calendar-link.ts';

type UrlFilters = Pick<CalendarTarget, 'kind' | 'days' | 'severity' | 'label'>;

export interface CalendarDeps {
  db: Database;
  simulations: Simulations;
  releaseCache: ReleaseCache;
  calendarSigner: TokenSigner;
  /** Public URL of the installation, without a trailing slash. */
  baseUrl: string;
}

/**
 * Maximum number of new URLs that a person or key can create per minute. Each new URL adds an entry to the
 * audit log. Without the limit, even viewers could add any number of entries, because filters can have any
 * label.
 */
const newUrlsPerMinute = 10;

/**
 * Handles `GET /forecast/calendar` and `GET /support/calendar`, which return the URLs of the feeds that
 * `serveCalendars` serves. A URL gives access without a login, so it's in the audit log.
 */
export function calendarHandlers({
  db,
  calendarSigner,
  baseUrl,
  config,
}: Pick<CalendarDeps, 'db' | 'calendarSigner' | 'baseUrl'> & {
  config: Pick<Config, 'rateLimitPerMinute'>;
}): Handlers<'getForecastCalendar' | 'getSupportCalendar'> {
  const limit = createRateLimit(config.rateLimitPerMinute > 0 ? newUrlsPerMinute : 0);

  async function urlOf(
    { caller, requestId }: { caller: Caller; requestId: string },
    filters: UrlFilters,
  ): Promise<string> {
    const issuer = await findIssuer(db, caller);
    if (issuer === null) throw new ApiError('forbidden');
    const target = { organizationId: caller.organizationId, issuer, ...filters };
    const token = makeCalendarToken(calendarSigner, target);
    const file = `${token}.ics`;
    if (file.length > maxSegmentLength) throw invalidField('label', 'is too long for a calendar');
    await recordUrl(caller, requestId, { ...filters, token_hash: hashOf(token) });
    return `${baseUrl}/calendar/${file}`;
  }

  /** Records a URL when it is created, but not when the same URL is requested again. */
  async function recordUrl(caller: Caller, requestId: string, detail: UrlDetail): Promise<void> {
    const { organizationId, actor } = caller;
    const entry = { action: 'calendar_url.created', actor, detail: { ...detail } } as const;
    if (await hasRecentEntry(db, organizationId, entry)) return;
    const { retryAfterSeconds } = limit.take(`${organizationId}/${actor.type}/${actor.id}`);
    if (retryAfterSeconds > 0)
      throw new ApiError('rate_limited', 'Too many new calendar URLs. Try again in a minute.', {
        retryAfterSeconds,
      });
    await transaction(db, (tx) =>
      writeAuditLog(tx, organizationId, {
        ...entry,
        resourceId: null,
        resourceName: detail.kind,
        requestId,
      }),
    );
  }

  return {
    async getForecastCalendar(request) {
      const { days = 90, severity = null, label = null } = request.query;
      const filters = { kind: 'forecast', days, severity, label } as const;
      return { status: 200, body: { url: await urlOf(request, filters) } };
    },

    async getSupportCalendar(request) {
      const { days = 730, label = null } = request.query;
      const filters = { kind: 'support', days, severity: null, label } as const;
      return { status: 200, body: { url: await urlOf(request, filters) } };
    },
  };
}

interface UrlDetail extends UrlFilters {
  token_hash: string;
}

/** Returns the start of a hash, which identifies a URL in the audit log without giving access to it. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 16);
}
