import type { TokenSigner } from '../../../../platform/secrets/index.ts';

/** The alert that a link acknowledges, and the channel that it was sent to. */
export interface AcknowledgeTarget {
  organizationId: number;
  alertId: number;
  channelId: number;
}

const validForMs = 7 * 86_400_000;

/**
 * The token of `{base_url}/ack/<token>`: for seven days.
 * @param signer for the purpose `acknowledge-link`
 * @param sentAt when its message began to be sent, which every attempt repeats: the same message has the same link, and
 *   one that has waited for a weekly digest has a link that works
 */
export function makeAcknowledgeToken(signer: TokenSigner, target: AcknowledgeTarget, sentAt: Date): string {
  const { organizationId: o, alertId: a, channelId: c } = target;
  return signer.sign({ o, a, c }, new Date(sentAt.getTime() + validForMs));
}

/** Who holds a link may acknowledge the alert, if the channel asks for no login; that is read when it is used. */
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

/** A token wherever it stands in a text: its characters are the same in every encoding of addresses. */
export const acknowledgeTokenPattern =
  /[0-9a-f]{8}\.[0-9a-z]{1,9}\.[A-Za-z0-9_-]{4,2048}\.[A-Za-z0-9_-]{43}/g;
