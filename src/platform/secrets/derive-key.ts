import { hkdfSync } from 'node:crypto';

/**
 * Purpose of a derived key. Each purpose has a separate key, so that a signature for one purpose is never
 * valid for another, and no derived key reveals the secret key.
 */
export type KeyPurpose =
  | 'secret-box'
  | 'fingerprint'
  | 'login-token'
  | 'deployment-token'
  | 'acknowledge-link'
  | 'chat-button'
  | 'badge'
  | 'calendar'
  | 'email-thread'
  | 'first-password'
  | 'agent';

/**
 * Derives 32 bytes for one purpose with HKDF-SHA-256 (RFC 5869). The same secret key and salt always produce
 * the same bytes.
 */
export function deriveKey(secretKey: Uint8Array, purpose: KeyPurpose, salt = ''): Buffer {
  if (secretKey.byteLength !== 32) throw new Error('a secret key has 32 bytes');
  return Buffer.from(hkdfSync('sha256', secretKey, salt, `pacekeeper/v1/${purpose}`, 32));
}

/** Returns 32 hex digits that identify a key without revealing it. */
export function keyFingerprint(secretKey: Uint8Array): string {
  return deriveKey(secretKey, 'fingerprint').toString('hex').slice(0, 32);
}
