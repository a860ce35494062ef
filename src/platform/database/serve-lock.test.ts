import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processIdentity } from './process-identity.ts';
import { servingPid, takeServeLock } from './serve-lock.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pacekeeper-lock-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function writeLock(content: string): void {
  writeFileSync(join(dataDir, 'serve.lock'), content);
}

test('the lock names its owner until it is released', () => {
  const giveBack = takeServeLock(dataDir);
  expect(servingPid(dataDir)).toBe(process.pid);
  expect(readFileSync(join(dataDir, 'serve.lock'), 'utf8')).toContain(`"pid":${process.pid}`);
  giveBack();
  expect(servingPid(dataDir)).toBeUndefined();
  expect(readdirSync(dataDir)).toEqual([]);
});

test('a running owner keeps the lock and is named in the error', () => {
  takeServeLock(dataDir);
  expect(() => takeServeLock(dataDir)).toThrow(
    `already running with the data directory ${dataDir} (process ${process.pid})`,
  );
});

test('the lock of a process that has exited is taken over', async () => {
  const child = spawn('sleep', ['60']);
  writeLock(JSON.stringify({ pid: child.pid, identity: processIdentity(child.pid ?? 0) }));
  expect(() => takeServeLock(dataDir)).toThrow('already running');
  child.kill('SIGKILL');
  await once(child, 'exit');
  takeServeLock(dataDir);
  expect(servingPid(dataDir)).toBe(process.pid);
});

test.each([
  ['an earlier process with the same PID', JSON.stringify({ pid: process.pid, identity: 'earlier:1' })],
  ['an earlier process whose PID was reused', JSON.stringify({ pid: process.ppid, identity: 'earlier:1' })],
  ['no process (empty file)', ''],
  ['no process (truncated file)', '{"pid":1'],
  ['no process (unexpected content)', '"1234"'],
])('a lock of %s is taken over', (_, content) => {
  writeLock(content);
  takeServeLock(dataDir);
  expect(servingPid(dataDir)).toBe(process.pid);
  expect(readdirSync(dataDir)).toEqual(['serve.lock']);
});

test('releasing does not remove the lock of another owner', () => {
  const giveBack = takeServeLock(dataDir);
  const another = JSON.stringify({ pid: 1, identity: 'another' });
  writeLock(another);
  giveBack();
  expect(readFileSync(join(dataDir, 'serve.lock'), 'utf8')).toBe(another);
});
