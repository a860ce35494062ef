import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey, keyFingerprint } from './derive-key.ts';

/** Location of a ciphertext. The ciphertext can't be decrypted for another row, column, or organization. */
export interface SecretContext {
  organizationId: number | bigint | string;
  table: string;
  rowId: number | bigint | string;
  column: string;
}

/** Encrypts values that must not be readable in a copy of the database. */
export interface SecretBox {
  /**
   * Encrypts a value. The result is 33 bytes longer than the plaintext: version byte, key ID (4), nonce (12),
   * ciphertext, tag (16).
   */
  seal(plaintext: string | Uint8Array, context: SecretContext): Buffer;
  /**
   * Decrypts a value.
   *
   * @throws SecretBoxError If the key is unknown, or if the bytes were modified or moved.
   */
  open(sealed: Uint8Array, context: SecretContext): Buffer;
  /** Decrypts a value that was sealed as a string. Otherwise the same as `open`. */
  openText(sealed: Uint8Array, context: SecretContext): string;
  /** True if the value was sealed with a key other than the current one and must be resealed. */
  needsReseal(sealed: Uint8Array): boolean;
  /** ID (8 hex digits) of the current key, used to find rows that were sealed with other keys. */
  readonly currentKeyId: string;
  /**
   * Fingerprint (32 hex digits) of the current key. The database stores it to detect a wrong key at startup.
   */
  readonly fingerprint: string;
}

export class SecretBoxError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SecretBoxError';
  }
}

/**
 * Creates a secret box.
 *
 * @param options.current The secret key (32 bytes) that seals new values.
 * @param options.previous Keys that can still open values during a key rotation.
 */
export function createSecretBox(options: {
  current: Uint8Array;
  previous?: readonly Uint8Array[];
}): SecretBox {
  const current = boxKey(options.current);
  const keys = new Map([...(options.previous ?? []).map(boxKey), current].map((key) => [key.id, key.bytes]));

  function open(sealed: Uint8Array, context: SecretContext): Buffer {
    if (sealed.byteLength < headerBytes + tagBytes || sealed[0] !== version) {
      throw new SecretBoxError("The value wasn't encrypted by Pacekeeper.");
    }
    const key = keys.get(keyIdOf(sealed));
    if (!key) throw new SecretBoxError(`Unknown secret key ${keyIdOf(sealed)}.`);
    const buffer = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const header = buffer.subarray(0, headerBytes);
    const nonce = header.subarray(1 + keyIdBytes);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(associatedData(header, context));
    decipher.setAuthTag(buffer.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(buffer.subarray(headerBytes, -tagBytes)), decipher.final()]);
    } catch (error) {
      throw new SecretBoxError('An encrypted value was modified or belongs to another row.', error);
    }
  }

  return {
    seal(plaintext, context) {
      const nonce = randomBytes(nonceBytes);
      const header = Buffer.concat([Buffer.of(version), Buffer.from(current.id, 'hex'), nonce]);
      const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce, { authTagLength: tagBytes });
      cipher.setAAD(associatedData(header, context));
      const text = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
      return Buffer.concat([header, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    },
    open,
    openText: (sealed, context) => open(sealed, context).toString('utf8'),
    needsReseal: (sealed) => keyIdOf(sealed) !== current.id,
    currentKeyId: current.id,
    fingerprint: keyFingerprint(options.current),
  };
}

/** Returns the ID (8 hex digits) of the key that sealed the value. */
export function keyIdOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(1, 1 + keyIdBytes)).toString('hex');
}

const version = 1;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + keyIdBytes + nonceBytes;

function boxKey(secretKey: Uint8Array): { id: string; bytes: Buffer } {
  return {
    id: keyFingerprint(secretKey).slice(0, 2 * keyIdBytes),
    bytes: deriveKey(secretKey, 'secret-box'),
  };
}

/**
 * Returns the authenticated data of a ciphertext. Each part has a length prefix, so that different contexts
 * never produce the same bytes.
 */
function associatedData(header: Uint8Array, context: SecretContext): Buffer {
  const parts = [context.organizationId, context.table, context.rowId, context.column].map((part) => {
    const bytes = Buffer.from(String(part), 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.byteLength);
    return Buffer.concat([length, bytes]);
  });
  return Buffer.concat([header, ...parts]);
}
