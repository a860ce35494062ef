import { randomInt } from 'node:crypto';
import { digestOneTimeToken } from '../../../platform/secrets/index.ts';

/**
 * Letters of recovery codes. Vowels are excluded, so that codes don't contain words, and so are letters that
 * are easily confused.
 */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 16;
const count = 10;
const recoveryCodePattern = new RegExp(`^[${letters}]{${length}}$`);

/**
 * Generates ten codes with 69 random bits each, in the format `BCDF-GHJK-LMNP-QRST`. Only their hashes are
 * stored.
 */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const code = Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
    return code.replaceAll(/.{4}(?=.)/g, '$&-');
  });
}

/**
 * Returns the hash of a recovery code as entered by a user, or null if the text isn't in the format of a
 * recovery code.
 */
export function hashOfRecoveryCode(text: string): Buffer | null {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return recoveryCodePattern.test(code) ? digestOneTimeToken(`recovery-code:${code}`) : null;
}
