import { type AlertSeverity, alertSeverities } from '../../domain/rules/severity.ts';
import type { TokenClaims, TokenSigner } from '../../platform/secrets/index.ts';
import type { Issuer } from '../accounts/index.ts';

/** Contents and issuer of a calendar. */
export interface CalendarTarget {
  readonly kind: 'forecast' | 'support';
  readonly organizationId: number;
  readonly issuer: Issuer;
  readonly days: number;
  readonly severity: AlertSeverity | null;
  readonly label: string | null;
}

/**
 * Expiry time of links: the latest possible date, because they don't expire. They become invalid when their
 * issuer loses access.
 */
const latestDate = new Date(8.64e15);
const epoch = new Date(0);

/**
 * Creates the token of `{base_url}/calendar/<token>.ics`. The same issuer and filters always get the same
 * token.
 * @param signer Signer for the purpose `calendar`.
 */
export function makeCalendarToken(signer: TokenSigner, target: CalendarTarget): string {
  const { kind, organizationId: o, issuer, days: d, severity, label } = target;
  const by: TokenClaims =
    issuer.kind === 'user' ? { u: issuer.id, v: issuer.tokenVersion } : { k: issuer.id };
  // A token without a `t` claim is for a forecast.
  const kindClaims: TokenClaims = kind === 'forecast' ? {} : { t: kind };
  const filters = { ...(severity !== null && { s: severity }), ...(label !== null && { l: label }) };
  return signer.sign({ o, ...by, d, ...kindClaims, ...filters }, latestDate);
}

/**
 * Verifies the token of a calendar. The request for the calendar checks if the issuer still has access.
 * @returns `null` if Pacekeeper didn't sign the token.
 */
export function readCalendarToken(signer: TokenSigner, token: string): CalendarTarget | null {
  const result = signer.verify(token, epoch);
  if (!result.ok) return null;
  const { o, u, v, k, d, t, s, l } = result.claims;
  if (typeof o !== 'number' || typeof d !== 'number') return null;
  const kind = t === 'support' ? t : 'forecast';
  const issuer = readIssuer(u, v, k);
  const severity = alertSeverities.find((each) => each === s) ?? null;
  const label = typeof l === 'string' ? l : null;
  return issuer && { kind, organizationId: o, issuer, days: d, severity, label };
}

function readIssuer(user: unknown, tokenVersion: unknown, key: unknown): Issuer | null {
  if (typeof key === 'number') return { kind: 'key', id: key };
  if (typeof user !== 'number' || typeof tokenVersion !== 'number') return null;
  return { kind: 'user', id: user, tokenVersion };
}
