import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPrivateFile } from './private-file.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-private-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('another process can read a private file repeatedly until it is closed', async () => {
  const file = await createPrivateFile(path.join(folder, 'key'), 'secret');
  const read = () =>
    execFileSync('cat', [file.path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  expect([read(), read()]).toEqual(['secret', 'secret']);
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
  file.close();
  expect(read).toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

test.runIf(existsSync('/proc/self/fd'))(
  'private files have no name, and each has separate content',
  async () => {
    const one = await createPrivateFile(path.join(folder, 'key'), 'one');
    const other = await createPrivateFile(path.join(folder, 'key'), 'other');
    expect(readdirSync(folder)).toEqual([]);
    expect([readFileSync(one.path, 'utf8'), readFileSync(other.path, 'utf8')]).toEqual(['one', 'other']);
    one.close();
    other.close();
  },
);
