import { randomInt } from 'node:crypto';
import { digestOneTimeToken } from '../../../platform/secrets/index.ts';

/** No vowels, to avoid words, and no letters that look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 16;
const count = 10;
const recoveryCodePattern = new RegExp(`^[${letters}]{${length}}$`);

/** Ten codes of 69 random bits each, as `BCDF-GHJK-LMNP-QRST`. Only their hashes are stored. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const code = Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
    return code.replaceAll(/.{4}(?=.)/g, '$&-');
  });
}

/** The hash of a recovery code as people type it; null for a text that is none. */
export function hashOfRecoveryCode(text: string): Buffer | null {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return recoveryCodePattern.test(code) ? digestOneTimeToken(`recovery-code:${code}`) : null;
}
