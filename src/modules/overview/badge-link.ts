import type { TokenSigner } from '../../platform/secrets/index.ts';

/** The alert configuration that a badge is about. */
export interface BadgeTarget {
  organizationId: number;
  alertConfigId: number;
}

/** The end of time: badges are shown for as long as there is something to show. */
const never = new Date(8.64e15);
const beginning = new Date(0);

/**
 * The token of `{base_url}/badge/<token>.svg`: always the same for the same configuration.
 * @param signer for the purpose `badge`
 */
export function makeBadgeToken(
  signer: TokenSigner,
  { organizationId: o, alertConfigId: c }: BadgeTarget,
): string {
  return signer.sign({ o, c }, never);
}

/** Whether the badge is still shown is read when it is asked for. @returns null for what we did not sign */
export function readBadgeToken(signer: TokenSigner, token: string): BadgeTarget | null {
  const result = signer.verify(token, beginning);
  if (!result.ok) return null;
  const { o, c } = result.claims;
  return typeof o === 'number' && typeof c === 'number' ? { organizationId: o, alertConfigId: c } : null;
}
