import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSilentLog } from '../platform/log.ts';
import { readAgentConfig } from './agent-config.ts';
import type { AnyCredential } from './agent-credential.ts';
import { createLiveCredentials, watchConfig } from './watch-config.ts';

let folder: string;
let unwatch = () => {};
const errors: string[] = [];
const log = Object.assign(createSilentLog(), { error: (text: string) => void errors.push(text) });
const env = { PACEKEEPER_SERVER_URL: 'https://pacekeeper.example.com', PACEKEEPER_API_KEY: 'pk_1_abc' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-watch-'));
  errors.length = 0;
});
afterEach(() => {
  unwatch();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
const entry = (name: string, rest: string) =>
  `  - { name: ${name}, type: registry_basic, hosts: [r.example.com], username: robot, ${rest} }\n`;

function start(config: string) {
  write('agent.yaml', config);
  const read = () => readAgentConfig(path.join(folder, 'agent.yaml'), env);
  const first = read();
  const live = createLiveCredentials(first.credentials);
  unwatch = watchConfig(first, { read, onChange: live.replace, log });
  return live.credentials;
}

/** Runs two checks: one that notices a change, and one that finds the files unchanged since then. */
const pass = () => vi.advanceTimersByTime(10_000);
const passwords = (credentials: readonly AnyCredential[]) =>
  credentials.map((credential) => ('password' in credential ? credential.password : null));

test('a changed password file replaces the password, and the other credentials stay the same objects', () => {
  write('password', 'first');
  const credentials = start(
    `credentials:\n${entry('a', 'password: "file:password"')}${entry('b', 'password: x')}`,
  );
  const [, other] = credentials;
  write('password', 'second one');
  expect(passwords(credentials)).toEqual(['first', 'x']);
  pass();
  expect(passwords(credentials)).toEqual(['second one', 'x']);
  expect(credentials[1]).toBe(other);
});

test('a mounted secret is reread when its link changes', () => {
  write('v1', 'one');
  write('v2', 'two');
  symlinkSync('v1', path.join(folder, 'password'));
  const credentials = start(`credentials:\n${entry('a', 'password: "file:password"')}`);
  symlinkSync('v2', path.join(folder, 'next'));
  renameSync(path.join(folder, 'next'), path.join(folder, 'password'));
  pass();
  expect(passwords(credentials)).toEqual(['two']);
});

test('a changed configuration adds and removes credentials, and the files that it refers to are watched', () => {
  write('password', 'first');
  const credentials = start(`credentials:\n${entry('a', 'password: x')}`);
  write('agent.yaml', `credentials:\n${entry('b', 'password: "file:password"')}`);
  pass();
  expect(credentials.map(({ name }) => name)).toEqual(['b']);
  write('password', 'second one');
  pass();
  expect(passwords(credentials)).toEqual(['second one']);
});

test('an invalid or missing file leaves the credentials unchanged and is logged once, without a secret', () => {
  write('password', 'topsecret');
  const config = `credentials:\n${entry('a', 'password: "file:password"')}`;
  const credentials = start(config);
  rmSync(path.join(folder, 'password'));
  pass();
  pass();
  expect(passwords(credentials)).toEqual(['topsecret']);
  expect(errors).toEqual([expect.stringContaining("can't read file password")]);
  write('agent.yaml', 'credentials: [{ password: topsecret2');
  pass();
  expect(passwords(credentials)).toEqual(['topsecret']);
  write('agent.yaml', config);
  write('password', 'new');
  pass();
  expect(passwords(credentials)).toEqual(['new']);
  expect(errors.join()).not.toMatch(/topsecret/u);
});

test('a file that is still being written is read only after it has stayed the same for one check', () => {
  write('password', 'first');
  const credentials = start(`credentials:\n${entry('a', 'password: "file:password"')}`);
  for (const part of ['sec', 'second', 'second one']) {
    write('password', part);
    vi.advanceTimersByTime(5_000);
    expect(passwords(credentials)).toEqual(['first']);
  }
  vi.advanceTimersByTime(5_000);
  expect(passwords(credentials)).toEqual(['second one']);
});

test('a file that changes during reading is reread', () => {
  write('agent.yaml', 'one');
  const file = path.join(folder, 'agent.yaml');
  const reads: string[] = [];
  const changes = ['three'];
  const first = { credentials: [], files: [file] };
  const changed: unknown[] = [];
  const read = () => {
    reads.push(readFileSync(file, 'utf8'));
    const next = changes.pop();
    if (next !== undefined) write('agent.yaml', next);
    return first;
  };
  unwatch = watchConfig(first, { read, onChange: () => changed.push(reads.at(-1)), log });
  write('agent.yaml', 'second');
  pass();
  expect(changed).toEqual([]);
  pass();
  expect(changed).toEqual(['three']);
});

test.each(['https://', 'https:// a', 'https'])(
  'the half-written URL %s leaves the credentials unchanged',
  (url) => {
    const credentials = start(`credentials:\n${entry('a', 'password: x')}`);
    write(
      'agent.yaml',
      `credentials:
  - { name: k, type: kubernetes, api_server: "${url}" }
  - { name: g, type: github_app, app_id: 1, installation_id: 1, private_key: x, api_url: "${url}" }
`,
    );
    pass();
    expect(passwords(credentials)).toEqual(['x']);
    expect(errors).toEqual([expect.stringContaining('must be the URL of the API server')]);
  },
);

test('an unexpected error leaves the credentials unchanged, and one fixed message is logged', () => {
  write('agent.yaml', 'one');
  const first = { credentials: [], files: [path.join(folder, 'agent.yaml')] };
  const read = () => {
    throw new TypeError('topsecret');
  };
  unwatch = watchConfig(first, { read, onChange: () => {}, log });
  write('agent.yaml', 'second');
  expect(() => {
    pass();
    pass();
  }).not.toThrow();
  expect(errors).toEqual(["The changed configuration can't be read, so the earlier credentials stay."]);
});
