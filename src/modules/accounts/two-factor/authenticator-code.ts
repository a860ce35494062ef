import { Secret, TOTP } from 'otpauth';

/** Parameters that every authenticator app supports (RFC 6238). */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Returns 20 random bytes in base32, the format that people type into an app that can't scan the QR code. */
export function createAuthenticatorSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the `otpauth://totp/…` URI that the QR code contains. */
export function authenticatorUri(secret: string, account: string): string {
  return totpOf(secret, account).toString();
}

/**
 * Returns the time step of a code. Accepts the current step, the previous one, and the next one, because
 * clocks differ.
 *
 * @param code six digits
 * @returns The time step, or `null` if the code matches none of the three.
 */
export function findTimeStep(secret: string, code: string, now: Date): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? null : Math.floor(now.getTime() / (form.period * 1_000)) + delta;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ ...form, issuer: 'Pacekeeper', label, secret: Secret.fromBase32(secret) });
}
