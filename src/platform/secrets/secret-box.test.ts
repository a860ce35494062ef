import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretBox, keyIdOf, SecretBoxError } from './secret-box.ts';

const oldKey = randomBytes(32);
const newKey = randomBytes(32);
const context = { organizationId: 7, table: 'notification_channels', rowId: 12, column: 'url' };

describe('a sealed value', () => {
  it('opens to the original text or bytes of any size', () => {
    const box = createSecretBox({ current: newKey });
    for (const text of ['', 'https://hooks.example/T0KEN', 'ü😀\u0000', 'x'.repeat(1_000_000)]) {
      expect(box.openText(box.seal(text, context), context)).toBe(text);
    }
    const bytes = randomBytes(1_000);
    const sealed = box.seal(bytes, context);
    expect(box.open(sealed, context)).toEqual(bytes);
    expect(box.open(new Uint8Array(sealed), context)).toEqual(bytes);
    expect(sealed.byteLength).toBe(bytes.byteLength + 33);
    expect(sealed.includes(bytes.subarray(0, 16))).toBe(false);
  });

  it('is different each time', () => {
    const box = createSecretBox({ current: newKey });
    const sealed = Array.from({ length: 100 }, () => box.seal('same', context).toString('hex'));
    expect(new Set(sealed).size).toBe(100);
  });

  it('opens only in its own context', () => {
    const box = createSecretBox({ current: newKey });
    const sealed = box.seal('secret', context);
    expect(box.openText(sealed, { ...context, organizationId: 7n, rowId: '12' })).toBe('secret');
    for (const moved of [
      { ...context, organizationId: 8 },
      { ...context, table: 'notification_channel' },
      { ...context, rowId: 13 },
      { ...context, column: 'headers' },
      // These contexts contain the same characters, split at a different position.
      { ...context, organizationId: 71, rowId: 2 },
      { ...context, table: 'notification_channels1', rowId: 2 },
    ]) {
      expect(() => box.open(sealed, moved), JSON.stringify(moved)).toThrow(SecretBoxError);
    }
  });

  it('does not open if a single bit has changed or a byte is missing', () => {
    const box = createSecretBox({ current: newKey });
    const sealed = box.seal('secret', context);
    for (let bit = 0; bit < sealed.byteLength * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => box.open(changed, context), `bit ${bit}`).toThrow(SecretBoxError);
    }
    for (let length = 0; length < sealed.byteLength; length += 1) {
      expect(() => box.open(sealed.subarray(0, length), context), `length ${length}`).toThrow(SecretBoxError);
    }
  });

  it('identifies its key, so the key can be rotated while the value is in use', () => {
    const before = createSecretBox({ current: oldKey });
    const during = createSecretBox({ current: newKey, previous: [oldKey] });
    const after = createSecretBox({ current: newKey });
    const old = before.seal('secret', context);
    expect(keyIdOf(old)).toBe(before.currentKeyId);
    expect(during.openText(old, context)).toBe('secret');
    expect(during.needsReseal(old)).toBe(true);
    const resealed = during.seal(during.open(old, context), context);
    expect(during.needsReseal(resealed)).toBe(false);
    expect(after.openText(resealed, context)).toBe('secret');
    expect(() => after.open(old, context)).toThrow(`Unknown secret key ${before.currentKeyId}.`);
  });
});

describe('the fingerprint of a key', () => {
  it('differs between keys and never changes', () => {
    const box = createSecretBox({ current: Buffer.alloc(32, 1) });
    expect(box.fingerprint).toMatch(/^[0-9a-f]{32}$/u);
    expect(createSecretBox({ current: Buffer.alloc(32, 1) }).fingerprint).toBe(box.fingerprint);
    expect(createSecretBox({ current: Buffer.alloc(32, 2) }).fingerprint).not.toBe(box.fingerprint);
    // The derivation must never change, because rows sealed by earlier releases must still open.
    expect(box.fingerprint).toBe('6a52d3f63e107d3347c6f4aeff448964');
  });

  it('requires a key of 32 bytes', () => {
    expect(() => createSecretBox({ current: Buffer.alloc(31) })).toThrow(/32 bytes/u);
  });
});
