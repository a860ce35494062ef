import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parseSecretKey, readOrCreateSecretKeyFile, SecretKeyError } from './secret-key.ts';

const root = mkdtempSync(path.join(tmpdir(), 'secret-key-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the text of a secret key', () => {
  it('contains 32 bytes in base64 of either alphabet, with or without padding', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i));
    for (const text of [key.toString('base64'), key.toString('base64url'), ` ${key.toString('base64')}\n`]) {
      expect(parseSecretKey(text)).toEqual(key);
    }
  });

  it('causes an error that describes the problem without repeating the key', () => {
    const short = randomBytes(16).toString('base64');
    const table: [string, RegExp][] = [
      ['', /PACEKEEPER_SECRET_KEY is empty.*openssl rand -base64 32/u],
      ['   ', /is empty/u],
      ['not base64!', /isn't valid base64/u],
      ['a=b', /isn't valid base64/u],
      [short, /has 16 bytes; 32 are required/u],
      [randomBytes(33).toString('base64'), /has 33 bytes/u],
      [randomBytes(32).toString('hex'), /has 48 bytes/u],
      [Buffer.alloc(32).toString('base64'), /isn't random/u],
    ];
    for (const [text, expected] of table) expect(() => parseSecretKey(text), text).toThrow(expected);
    expect(() => parseSecretKey(short)).not.toThrow(short);
  });
});

describe('a secret key in the data directory', () => {
  it('is created once, is readable only by its owner, and is reused from then on', () => {
    const folder = path.join(root, 'new', 'data');
    const made = readOrCreateSecretKeyFile(folder);
    expect(made).toMatchObject({ isNew: true, file: path.join(folder, 'secret-key') });
    expect(made.key.byteLength).toBe(32);
    expect(statSync(made.file).mode & 0o777).toBe(0o600);
    expect(readOrCreateSecretKeyFile(folder)).toEqual({ ...made, isNew: false });
    expect(readdirSync(folder)).toEqual(['secret-key']);
  });

  it('is the same for processes that start at the same time', async () => {
    const folder = path.join(root, 'race');
    const module = new URL('./secret-key.ts', import.meta.url).href;
    const script = `const { readOrCreateSecretKeyFile } = await import('${module}');
      console.log(readOrCreateSecretKeyFile(${JSON.stringify(folder)}).key.toString('hex'));`;
    const run = async (): Promise<string> =>
      (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])).stdout.trim();
    const keys = await Promise.all([run(), run(), run(), run()]);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/u);
  });

  it('becomes readable only by its owner if others could read it', () => {
    const { file } = readOrCreateSecretKeyFile(path.join(root, 'open'));
    chmodSync(file, 0o644);
    readOrCreateSecretKeyFile(path.join(root, 'open'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is never replaced, even if it is corrupt', () => {
    const { file } = readOrCreateSecretKeyFile(path.join(root, 'damaged'));
    for (const content of ['', 'half a ke']) {
      writeFileSync(file, content);
      expect(() => readOrCreateSecretKeyFile(path.join(root, 'damaged')), content).toThrow(SecretKeyError);
    }
  });
});
