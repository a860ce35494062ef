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

/** The secret key is missing, unreadable, or invalid. `message` explains how to fix the problem. */
export class SecretKeyError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SecretKeyError';
  }
}

/**
 * Parses 32 bytes of base64 (or base64url), as printed by `openssl rand -base64 32`.
 *
 * @throws SecretKeyError The error never contains the text.
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

/** Returns the key in `<dataFolder>/secret-key`, or `null` if the file doesn't exist. */
export function readSecretKeyFile(dataFolder: string): Buffer | null {
  return readKeyFile(path.join(dataFolder, 'secret-key'));
}

/**
 * Stores a key as `<dataFolder>/secret-key`. Fails if the file exists, because stored values might be encrypted with
 * the key in the file.
 */
export function writeSecretKeyFile(dataFolder: string, key: Uint8Array): void {
  const file = path.join(dataFolder, 'secret-key');
  try {
    writeDurably(file, `${Buffer.from(key).toString('base64')}\n`);
  } catch (error) {
    throw unwritableKey(file, error);
  }
  syncDirectory(dataFolder);
}

/**
 * Returns the key in `<dataFolder>/secret-key` and creates it on the first call. Two processes that start at
 * the same time get the same key, and a crash never leaves a partial key. Only the owner can read the file.
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
    syncDirectory(dataFolder);
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

/**
 * Links the draft to its final name. Unlike a rename, a link fails if another process has just created the
 * key.
 */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // Copy the draft if a mounted directory doesn't support links. There, a race between two first starts is the
    // smaller risk.
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

function syncDirectory(folder: string): void {
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
