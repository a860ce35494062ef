import { hkdfSync } from 'node:crypto';

/**
 * What keys are made for. Each purpose has its own key, so that a signature of one can never pass for
 * another, and none of them tells the secret key.
 */
export type KeyPurpose =
  | 'secret-box'
  | 'fingerprint'
  | 'login-token'
  | 'acknowledge-link'
  | 'chat-button'
  | 'badge'
  | 'calendar'
  | 'email-thread'
  | 'first-password'
  | 'agent';

/** 32 bytes for one purpose, by HKDF-SHA-256 (RFC 5869); the same for the same secret key and salt. */
export function deriveKey(secretKey: Uint8Array, purpose: KeyPurpose, salt = ''): Buffer {
  if (secretKey.byteLength !== 32) throw new Error('a secret key has 32 bytes');
  return Buffer.from(hkdfSync('sha256', secretKey, salt, `pacekeeper/v1/${purpose}`, 32));
}

/** 32 hex digits that tell keys apart and say nothing about them. */
export function keyFingerprint(secretKey: Uint8Array): string {
  return deriveKey(secretKey, 'fingerprint').toString('hex').slice(0, 32);
}
