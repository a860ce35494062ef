/**
 * Keys, and what is made with them. The *secret key* (32 bytes) belongs to an installation; a key for
 * each purpose is derived from it. The *secret box* encrypts columns, a *signed token* proves a link,
 * an *API key* and a *one-time token* are random and stored as digests, *passwords* as Argon2id.
 */
export {
  apiKeyPrefix,
  createApiKeySecret,
  createOneTimeToken,
  digestApiKeySecret,
  digestOneTimeToken,
  formatApiKey,
  isSameDigest,
  parseApiKey,
  parseOneTimeToken,
} from './api-key.ts';
export { deriveKey, type KeyPurpose, keyFingerprint } from './derive-key.ts';
export { createPasswords, type Passwords, PasswordsBusyError } from './passwords.ts';
export {
  createSecretBox,
  type SecretBox,
  SecretBoxError,
  type SecretContext,
} from './secret-box.ts';
export {
  parseSecretKey,
  readOrCreateSecretKeyFile,
  readSecretKeyFile,
  SecretKeyError,
  writeSecretKeyFile,
} from './secret-key.ts';
export { createTokenSigner, type TokenClaims, type TokenResult, type TokenSigner } from './signed-token.ts';
export { createSigningSecret, parseSigningSecret, signWebhook } from './webhook-signature.ts';
