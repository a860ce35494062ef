import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, type KeyPurpose, keyFingerprint } from './derive-key.ts';

/** Content of a token. It's short because it becomes part of a link, and it's signed but not secret. */
export type TokenClaims = Readonly<Record<string, string | number>>;

export type TokenResult =
  | { ok: true; claims: TokenClaims }
  | { ok: false; reason: 'malformed' | 'unknown_key' | 'wrong_signature' | 'expired' };

/** Creates and verifies signed tokens for links. Each token is valid for one purpose until it expires. */
export interface TokenSigner {
  /** Returns `<key id>.<expiry>.<claims>.<signature>`. The characters don't require escaping in a URL. */
  sign(claims: TokenClaims, expiresAt: Date): string;
  verify(token: string, now: Date): TokenResult;
}

/**
 * Creates a signer for one purpose.
 *
 * @param options.previous Secret keys whose tokens stay valid after a rotation.
 */
export function createTokenSigner(options: {
  purpose: KeyPurpose;
  current: Uint8Array;
  previous?: readonly Uint8Array[];
}): TokenSigner {
  const signingKey = (secretKey: Uint8Array): { id: string; bytes: Buffer } => ({
    id: keyFingerprint(secretKey).slice(0, 8),
    bytes: deriveKey(secretKey, options.purpose),
  });
  const current = signingKey(options.current);
  const keys = new Map(
    [...(options.previous ?? []).map(signingKey), current].map((key) => [key.id, key.bytes]),
  );
  const macOf = (key: Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(`${options.purpose}\n${text}`, 'utf8').digest();

  return {
    sign(claims, expiresAt) {
      const expiry = Math.ceil(expiresAt.getTime() / 1_000).toString(36);
      const text = `${current.id}.${expiry}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
      return `${text}.${macOf(current.bytes, text).toString('base64url')}`;
    },

    verify(token, now) {
      const match = tokenPattern.exec(token);
      const [, text, keyId, expiry, payload, signature] = match ?? [];
      if (text === undefined || keyId === undefined || expiry === undefined || payload === undefined) {
        return { ok: false, reason: 'malformed' };
      }
      const key = keys.get(keyId);
      if (!key) return { ok: false, reason: 'unknown_key' };
      const expected = Buffer.from(macOf(key, text).toString('base64url'));
      const actual = Buffer.from(signature ?? '');
      if (expected.byteLength !== actual.byteLength || !timingSafeEqual(expected, actual)) {
        return { ok: false, reason: 'wrong_signature' };
      }
      if (now.getTime() >= Number.parseInt(expiry, 36) * 1_000) return { ok: false, reason: 'expired' };
      return {
        ok: true,
        claims: JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as TokenClaims,
      };
    },
  };
}

const tokenPattern = /^(([0-9a-f]{8})\.([0-9a-z]{1,9})\.([A-Za-z0-9_-]{1,2048}))\.([A-Za-z0-9_-]{43})$/u;
