/**
 * Keys and the functions that use them. The *secret key* (32 bytes) belongs to an installation, and a key for
 * each purpose is derived from it. The *secret box* encrypts columns, and a *signed token* authenticates a
 * link. An *API key* and a *one-time token* are random and stored as digests. *Passwords* are stored as
 * Argon2id hashes.
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
