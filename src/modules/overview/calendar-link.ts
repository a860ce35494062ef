import { type AlertSeverity, alertSeverities } from '../../domain/rules/severity.ts';
import type { TokenClaims, TokenSigner } from '../../platform/secrets/index.ts';
import type { Issuer } from '../accounts/index.ts';

/** What a calendar shows, and whose it is. */
export interface CalendarTarget {
  readonly kind: 'forecast' | 'support';
  readonly organizationId: number;
  readonly issuer: Issuer;
  readonly days: number;
  readonly severity: AlertSeverity | null;
  readonly label: string | null;
}

/** Links end with the right of their issuer, not with time. */
const never = new Date(8.64e15);
const beginning = new Date(0);

/**
 * The token of `{base_url}/calendar/<token>.ics`: always the same for the same issuer and filters.
 * @param signer for the purpose `calendar`
 */
export function makeCalendarToken(signer: TokenSigner, target: CalendarTarget): string {
  const { kind, organizationId: o, issuer, days: d, severity, label } = target;
  const by: TokenClaims =
    issuer.kind === 'user' ? { u: issuer.id, v: issuer.tokenVersion } : { k: issuer.id };
  // Links of the forecast are older than the others.
  const what: TokenClaims = kind === 'forecast' ? {} : { t: kind };
  const filters = { ...(severity !== null && { s: severity }), ...(label !== null && { l: label }) };
  return signer.sign({ o, ...by, d, ...what, ...filters }, never);
}

/** Whether the issuer may still read is checked when it is requested. @returns null for what we did not sign */
export function readCalendarToken(signer: TokenSigner, token: string): CalendarTarget | null {
  const result = signer.verify(token, beginning);
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
