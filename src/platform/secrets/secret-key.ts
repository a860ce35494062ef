import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

/** A secret key that is missing its form; `message` says what to do. */
export class SecretKeyError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SecretKeyError';
  }
}

/**
 * Reads 32 bytes from base64 (or base64url), as `openssl rand -base64 32` prints them.
 * @throws SecretKeyError that never repeats the text.
 */
export function parseSecretKey(text: string, name = 'PACEKEEPER_SECRET_KEY'): Buffer {
  const hint = 'Generate one with: openssl rand -base64 32';
  const trimmed = text.trim();
  if (trimmed === '') throw new SecretKeyError(`${name} is empty. ${hint}`);
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/u.test(trimmed))
    throw new SecretKeyError(`${name} isn't valid base64. ${hint}`);
  const key = Buffer.from(trimmed, 'base64');
  if (key.byteLength !== 32) {
    throw new SecretKeyError(`${name} has ${key.byteLength} bytes; 32 are required. ${hint}`);
  }
  if (key.every((byte) => byte === key[0])) {
    throw new SecretKeyError(`${name} isn't random. ${hint}`);
  }
  return key;
}

/** The key in `<dataFolder>/secret-key`; null when there is none. */
export function readSecretKeyFile(dataFolder: string): Buffer | null {
  return readKeyFile(path.join(dataFolder, 'secret-key'));
}

/**
 * Stores a key as `<dataFolder>/secret-key`, where there must be none: a key that opens something is never replaced.
 */
export function writeSecretKeyFile(dataFolder: string, key: Uint8Array): void {
  const file = path.join(dataFolder, 'secret-key');
  try {
    writeDurably(file, `${Buffer.from(key).toString('base64')}\n`);
  } catch (error) {
    throw unwritableKey(file, error);
  }
  syncFolder(dataFolder);
}

/**
 * The key in `<dataFolder>/secret-key`, made on the first call. Two processes that start at once get
 * the same key, and a crash leaves a whole key or none. The file is readable by its owner only.
 */
export function readOrCreateSecretKeyFile(dataFolder: string): { key: Buffer; file: string; isNew: boolean } {
  const file = path.join(dataFolder, 'secret-key');
  const existing = readKeyFile(file);
  if (existing) return { key: existing, file, isNew: false };

  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeDurably(draft, `${randomBytes(32).toString('base64')}\n`);
    publish(draft, file);
    syncFolder(dataFolder);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw unwritableKey(file, error);
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKeyFile(file);
  if (!key) throw new SecretKeyError(`The secret key in ${file} disappeared while being read.`);
  return { key, file, isNew: true };
}

function unwritableKey(file: string, error: unknown): SecretKeyError {
  const remedy = hasCode(error, 'ENOSPC')
    ? 'The disk is full. Free up space.'
    : 'Make its directory writable by the user that runs Pacekeeper.';
  return new SecretKeyError(`Can't write the secret key to ${file}. ${remedy}`, error);
}

function readKeyFile(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw new SecretKeyError(`Can't read the secret key from ${file}.`, error);
  }
  if ((statSync(file).mode & 0o077) !== 0 && process.platform !== 'win32') {
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      throw new SecretKeyError(`${file} is readable by other users. Set its mode to 0600.`, error);
    }
  }
  return parseSecretKey(text, file);
}

/** A link fails where a rename would replace the key that another process has just made. */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // Some mounted folders know no links; there two first starts at once are the lesser worry.
    if (!hasCode(error, 'EPERM') && !hasCode(error, 'ENOTSUP') && !hasCode(error, 'ENOSYS')) throw error;
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
    chmodSync(file, 0o600);
  }
}

function writeDurably(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
