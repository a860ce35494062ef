import { createHmac, randomBytes } from 'node:crypto';

/** The text before the base64 of a signing secret, by which tools find leaked ones. */
const prefix = 'whsec_';

/** A new signing secret: `whsec_` and 24 random bytes in base64. */
export function createSigningSecret(): string {
  return prefix + randomBytes(24).toString('base64');
}

/**
 * The key in a signing secret, which is `whsec_` and 24 to 64 bytes in base64 (the prefix may be
 * absent), as Standard Webhooks has it. Null when it is anything else.
 */
export function parseSigningSecret(secret: string): Buffer | null {
  const base64 = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  if (!/^[A-Za-z0-9+/]+={0,2}$/u.test(base64)) return null;
  const key = Buffer.from(base64, 'base64');
  // Buffer.from() drops what it cannot read; a receiver's library might not.
  const isWhole = key.toString('base64').replace(/=+$/u, '') === base64.replace(/=+$/u, '');
  return isWhole && key.byteLength >= 24 && key.byteLength <= 64 ? key : null;
}

/**
 * The value of `webhook-signature`: one `v1,<base64>` for each secret, separated by spaces, so that a
 * receiver may hold the old or the new one.
 * @param timestamp seconds since 1970, as sent in `webhook-timestamp`
 * @throws when a secret has not the form of one
 */
export function signWebhook(
  id: string,
  timestamp: number,
  body: string | Uint8Array,
  secrets: readonly string[],
): string {
  return secrets
    .map((secret) => {
      const key = parseSigningSecret(secret);
      if (!key) throw new Error('a signing secret must be whsec_ followed by 24 to 64 bytes in base64');
      const mac = createHmac('sha256', key)
        .update(`${id}.${Math.floor(timestamp)}.`, 'utf8')
        .update(body);
      return `v1,${mac.digest('base64')}`;
    })
    .join(' ');
}
