import { parseOptions } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswords, PasswordsBusyError } from './passwords.ts';

describe('a password', () => {
  it('is stored as Argon2id with 19 MiB, two passes, and one lane, and can be verified', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('correct horse');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u);
    expect(await passwords.verify(stored, 'correct horse')).toBe(true);
    expect(await passwords.verify(stored, 'correct hors')).toBe(false);
    expect(await passwords.verify(stored, '')).toBe(false);
    expect(await passwords.hash('correct horse')).not.toBe(stored);
  });

  it('matches in any Unicode normalization form', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify(await passwords.hash('Gr\u00f6\u00dfe'), 'Gro\u0308\u00dfe')).toBe(true);
  });

  it('is always rejected for an unknown user, but uses the same capacity as for a known user', async () => {
    const passwords = createPasswords({ maxParallel: 1, maxWaiting: 0 });
    const nobody = passwords.verify(null, 'guess');
    await expect(passwords.verify(null, 'guess')).rejects.toThrow(PasswordsBusyError);
    expect(await nobody).toBe(false);
  });

  it('needs rehashing after the parameters change', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('x');
    expect(passwords.needsRehash(stored)).toBe(false);
    expect(passwords.needsRehash(stored.replace('t=2', 't=1'))).toBe(true);
    expect(passwords.needsRehash(stored.replace('m=19456', 'm=4096'))).toBe(true);
    expect(parseOptions(stored)).toMatchObject({ outputLen: 32, saltLen: 16 });
  });
});

describe('many concurrent logins', () => {
  it('wait for each other and are rejected if too many are waiting', async () => {
    const passwords = createPasswords({ maxParallel: 2, maxWaiting: 3 });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => passwords.verify(null, 'x')));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBe(3);
    expect(refused.every((outcome) => outcome.reason instanceof PasswordsBusyError)).toBe(true);
    // Check that all slots are free again.
    expect(await Promise.all(Array.from({ length: 5 }, () => passwords.verify(null, 'x')))).toEqual(
      Array(5).fill(false),
    );
  });

  it('from one network take turns with other networks and leave slots for them', async () => {
    const passwords = createPasswords({ maxParallel: 1, maxWaiting: 4 });
    const ended: string[] = [];
    const verify = (network: string) =>
      passwords.verify(null, 'x', network).then(
        () => ended.push(network),
        () => ended.push(`${network} turned away`),
      );
    await Promise.all([...Array.from({ length: 6 }, () => verify('many')), verify('one')]);
    expect(ended.filter((outcome) => outcome === 'many turned away')).toHaveLength(2);
    // One login from the busy network was already running, and another one was next.
    expect(ended.filter((outcome) => !outcome.includes('away')).indexOf('one')).toBeLessThanOrEqual(2);
  });
});
