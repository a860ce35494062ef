import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey, keyFingerprint } from './derive-key.ts';

/** Where a ciphertext lives. It opens nowhere else: not in another row, column or organization. */
export interface SecretContext {
  organizationId: number | bigint | string;
  table: string;
  rowId: number | bigint | string;
  column: string;
}

/** Encrypts what must not be read from a copy of the database. */
export interface SecretBox {
  /** Version byte, key id (4), nonce (12), ciphertext, tag (16): 33 bytes longer than the plaintext. */
  seal(plaintext: string | Uint8Array, context: SecretContext): Buffer;
  /** @throws SecretBoxError when the key is unknown, or the bytes were changed or moved. */
  open(sealed: Uint8Array, context: SecretContext): Buffer;
  /** `open` for what was sealed as a string. */
  openText(sealed: Uint8Array, context: SecretContext): string;
  /** Whether this was sealed with another key than the current one, and is to be sealed anew. */
  needsReseal(sealed: Uint8Array): boolean;
  /** The id (8 hex digits) of the current key, to find rows of other keys. */
  readonly currentKeyId: string;
  /** Of the current key, 32 hex digits; kept in the database to notice a wrong key at start. */
  readonly fingerprint: string;
}

export class SecretBoxError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SecretBoxError';
  }
}

/**
 * @param options.current the secret key, 32 bytes; seals.
 * @param options.previous keys that still open, while a rotation is under way.
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

/** The id (8 hex digits) of the key that sealed this. */
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

/** Each part with its length before it, so that no two contexts give the same bytes. */
function associatedData(header: Uint8Array, context: SecretContext): Buffer {
  const parts = [context.organizationId, context.table, context.rowId, context.column].map((part) => {
    const bytes = Buffer.from(String(part), 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.byteLength);
    return Buffer.concat([length, bytes]);
  });
  return Buffer.concat([header, ...parts]);
}
