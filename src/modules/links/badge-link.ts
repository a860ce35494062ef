import type { TokenSigner } from '../../platform/secrets/index.ts';

/** The alert configuration that a badge shows. */
export interface BadgeTarget {
  organizationId: number;
  alertConfigId: number;
}

/** Expiry time of badge tokens: the latest possible date, because they don't expire. */
const latestDate = new Date(8.64e15);
const epoch = new Date(0);

/**
 * Creates the token of `{base_url}/badge/<token>.svg`. The same configuration always gets the same token.
 * @param signer Signer for the purpose `badge`.
 */
export function makeBadgeToken(
  signer: TokenSigner,
  { organizationId: o, alertConfigId: c }: BadgeTarget,
): string {
  return signer.sign({ o, c }, latestDate);
}

/**
 * Verifies the token of a badge. The request for the image checks if badges are still enabled.
 * @returns `null` if Pacekeeper didn't sign the token.
 */
export function readBadgeToken(signer: TokenSigner, token: string): BadgeTarget | null {
  const result = signer.verify(token, epoch);
  if (!result.ok) return null;
  const { o, c } = result.claims;
  return typeof o === 'number' && typeof c === 'number' ? { organizationId: o, alertConfigId: c } : null;
}
