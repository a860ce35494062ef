import type { TokenSigner } from '../../../../platform/secrets/index.ts';

/** The alert that a link acknowledges, and the channel that received the link. */
export interface AcknowledgeTarget {
  organizationId: number;
  alertId: number;
  channelId: number;
}

const validForMs = 7 * 86_400_000;

/**
 * Creates the token of `{base_url}/ack/<token>`, valid for seven days.
 * @param signer Signer for the purpose `acknowledge-link`.
 * @param sentAt Start of sending, which is the same for all attempts, so all attempts contain the same link.
 * A link in a weekly digest is still valid when the digest is sent.
 */
export function createAcknowledgeToken(signer: TokenSigner, target: AcknowledgeTarget, sentAt: Date): string {
  const { organizationId: o, alertId: a, channelId: c } = target;
  return signer.sign({ o, a, c }, new Date(sentAt.getTime() + validForMs));
}

/**
 * Verifies a token. If the channel doesn't require a login, anyone who has the link can acknowledge the
 * alert. This requirement is checked when the link is used.
 */
export function readAcknowledgeToken(
  signer: TokenSigner,
  token: string,
  now: Date,
): { ok: true; target: AcknowledgeTarget } | { ok: false; reason: 'invalid' | 'expired' } {
  const result = signer.verify(token, now);
  if (!result.ok) return { ok: false, reason: result.reason === 'expired' ? 'expired' : 'invalid' };
  const { o, a, c } = result.claims;
  if (typeof o !== 'number' || typeof a !== 'number' || typeof c !== 'number')
    return { ok: false, reason: 'invalid' };
  return { ok: true, target: { organizationId: o, alertId: a, channelId: c } };
}

/** Matches a token anywhere in a text. Its characters are the same in all encodings of URLs. */
export const acknowledgeTokenPattern =
  /[0-9a-f]{8}\.[0-9a-z]{1,9}\.[A-Za-z0-9_-]{4,2048}\.[A-Za-z0-9_-]{43}/g;
