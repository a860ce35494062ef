import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  apiKeyPrefix,
  createApiKeySecret,
  createOneTimeToken,
  digestApiKeySecret,
  digestOneTimeToken,
  formatApiKey,
  isSameDigest,
  parseApiKey,
} from './api-key.ts';

const secret = 'aB3d'.padEnd(43, '0');
const key = formatApiKey(12, secret);

describe('an API key', () => {
  it('has the form pk_<id>_<49 base62 characters> and can be parsed', () => {
    for (const id of [1, 12, 9_007_199_254_740_991, 2n ** 63n - 1n]) {
      const made = createApiKeySecret();
      const text = formatApiKey(id, made);
      expect(text).toMatch(/^pk_[1-9][0-9]*_[0-9A-Za-z]{49}$/u);
      expect(parseApiKey(text)).toEqual({ id: String(id), digest: digestApiKeySecret(made) });
    }
    expect(apiKeyPrefix(12, secret)).toBe('pk_12_aB3d');
    expect(digestApiKeySecret(secret)).toEqual(createHash('sha256').update(secret).digest());
  });

  it('keeps its format across releases', () => {
    expect(key).toBe('pk_12_aB3d0000000000000000000000000000000000000000uKfd4');
  });

  it('is random in all characters of its secret', () => {
    const secrets = Array.from({ length: 2_000 }, createApiKeySecret);
    expect(new Set(secrets).size).toBe(2_000);
    expect(secrets.every((text) => /^[0-9A-Za-z]{43}$/u.test(text))).toBe(true);
    // Skip the first character, which has only about 30 possible values, because 62^43 is 1.9 times 2^256. Each of the
    // other characters has all 62.
    for (let i = 1; i < 43; i += 1)
      expect(new Set(secrets.map((text) => text[i])).size, `place ${i}`).toBeGreaterThan(50);
  });

  it('is rejected by its checksum if any one character is mistyped, swapped, lost, or doubled', () => {
    for (let i = 0; i < key.length; i += 1) {
      for (const character of '0aZ_9') {
        const typo = key.slice(0, i) + character + key.slice(i + 1);
        if (typo !== key) expect(parseApiKey(typo), typo).toBeNull();
      }
      const lost = key.slice(0, i) + key.slice(i + 1);
      const doubled = key.slice(0, i) + key.charAt(i) + key.slice(i);
      const swapped = key.slice(0, i) + key.charAt(i + 1) + key.charAt(i) + key.slice(i + 2);
      for (const typo of [lost, doubled, swapped])
        if (typo !== key) expect(parseApiKey(typo), typo).toBeNull();
    }
    expect(parseApiKey(key)).not.toBeNull();
  });

  it('is rejected if its format is invalid', () => {
    for (const text of [
      '',
      'pk_',
      'pk__',
      `${key} `,
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      key.replace('pk_12', 'pk_012'),

      key.replace('pk_12', 'pk_-1'),
      key.replace('12', '0'),
      key.replace('pk', 'sk'),
      'x'.repeat(1_000_000),
      formatApiKey(2n ** 63n, secret),
      formatApiKey('99999999999999999999', secret),
    ]) {
      expect(parseApiKey(text), text.slice(0, 80)).toBeNull();
    }
  });
});

describe('API key digests', () => {
  it('are equal only for the same secret', () => {
    expect(isSameDigest(digestApiKeySecret('a'), digestApiKeySecret('a'))).toBe(true);
    expect(isSameDigest(digestApiKeySecret('a'), digestApiKeySecret('b'))).toBe(false);
    expect(isSameDigest(digestApiKeySecret('a'), new Uint8Array(0))).toBe(false);
  });
});

describe('a one-time token', () => {
  it('has 256 random bits and can be found by its digest', () => {
    const { token, digest } = createOneTimeToken();
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/u);
    expect(digestOneTimeToken(token)).toEqual(digest);
    expect(createOneTimeToken().token).not.toBe(token);
  });
});
