import { Secret, TOTP } from 'otpauth';

/** What every authenticator app understands (RFC 6238): SHA-1, six digits, 30 seconds. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** 20 random bytes in base32, as people type it into an app that can't read the QR code. */
export function createAuthenticatorSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** `otpauth://totp/…`, which an app reads from a QR code. */
export function authenticatorUri(secret: string, account: string): string {
  return totpOf(secret, account).toString();
}

/**
 * The time step that a code belongs to: that of `now`, the one before, or the one after, as clocks differ.
 *
 * @param code six digits
 * @returns null for a code of none of the three
 */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? null : Math.floor(now.getTime() / (form.period * 1_000)) + delta;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ ...form, issuer: 'Pacekeeper', label, secret: Secret.fromBase32(secret) });
}
