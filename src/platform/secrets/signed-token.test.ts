import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKey } from './derive-key.ts';
import { createTokenSigner } from './signed-token.ts';

const secretKey = randomBytes(32);
const expiresAt = new Date('2026-11-28T00:00:00Z');
const before = new Date('2026-11-27T23:59:59.999Z');
const signer = createTokenSigner({ purpose: 'acknowledge-link', current: secretKey });
const claims = { alert: '12', organization: 7 };

describe('a signed token', () => {
  it('returns its claims until it expires', () => {
    const token = signer.sign(claims, expiresAt);
    expect(token).toMatch(/^[A-Za-z0-9._-]+$/u);
    expect(encodeURIComponent(token)).toBe(token);
    expect(signer.verify(token, before)).toEqual({ ok: true, claims });
    expect(signer.verify(token, expiresAt)).toEqual({ ok: false, reason: 'expired' });
  });

  it('does not verify after any change', () => {
    const token = signer.sign(claims, expiresAt);
    for (let i = 0; i < token.length; i += 1) {
      for (const character of 'aB0_.') {
        const changed = token.slice(0, i) + character + token.slice(i + 1);
        if (changed !== token) expect(signer.verify(changed, before).ok, `${i} ${character}`).toBe(false);
      }
    }
    for (const text of [
      '',
      '.',
      '...',
      'a.b.c.d',
      token.slice(1),
      `${token}a`,
      `${token}\n`,
      'x'.repeat(1_000_000),
    ]) {
      expect(signer.verify(text, before)).toMatchObject({ ok: false });
    }
  });

  it('is valid only for its purpose and key', () => {
    const token = signer.sign(claims, expiresAt);
    const otherPurpose = createTokenSigner({ purpose: 'login-token', current: secretKey });
    expect(otherPurpose.verify(token, before)).toEqual({ ok: false, reason: 'wrong_signature' });
    const otherKey = createTokenSigner({ purpose: 'acknowledge-link', current: randomBytes(32) });
    expect(otherKey.verify(token, before)).toEqual({ ok: false, reason: 'unknown_key' });
    const rotated = createTokenSigner({
      purpose: 'acknowledge-link',
      current: randomBytes(32),
      previous: [secretKey],
    });
    expect(rotated.verify(token, before)).toEqual({ ok: true, claims });
  });
});

describe('a derived key', () => {
  it('differs for each purpose and each secret key, and never changes', () => {
    const purposes = [
      ...(['secret-box', 'fingerprint', 'login-token', 'acknowledge-link', 'badge', 'agent'] as const),
    ];
    const keys = [secretKey, randomBytes(32)].flatMap((key) =>
      purposes.map((purpose) => deriveKey(key, purpose)),
    );
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(12);
    expect(keys.every((key) => key.byteLength === 32)).toBe(true);
    expect(deriveKey(Buffer.alloc(32, 1), 'secret-box').toString('hex')).toBe(
      '83d03ce6cf6f53b09bb18baf1a7c4c6479b0cb9e6d587603e5b65992439cd58d',
    );
  });
});
