import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { documentationBlocks, documentationPage } from '../helpers/run-documentation.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';

const ci = fileURLToPath(new URL('../../deploy/ci', import.meta.url));
const gitlab = parse(readFileSync(path.join(ci, 'gitlab-ci.yml'), 'utf8')) as {
  'tell-pacekeeper': { script: string[] };
};
const oneLine = documentationBlocks(documentationPage('deployed-versions.md'), 'sh').find((block) =>
  block.includes('curl'),
)!;

let server: SharedTestServer;
let folder: string;
let env: Record<string, string>;
let storedVersion: () => Promise<string | null>;

beforeAll(async () => {
  server = await sharedTestServer();
  folder = temporaryFolder();
  // This wrapper records the arguments of `curl`, which every process of the machine can read, then runs the
  // real `curl`.
  const spy = path.join(folder, 'curl');
  writeFileSync(
    spy,
    '#!/usr/bin/env bash\nprintf "%s\\n" "$@" >>"$SEEN_ARGUMENTS"\nPATH=$REAL_PATH exec curl "$@"\n',
  );
  chmodSync(spy, 0o755);
});

beforeEach(async () => {
  const { owner, api } = await server.createOrganization();
  const { id } = await api.call('createScrapeJob', { body: { name: 'Web', parser_type: 'manual' } });
  const { key } = await owner.call('createAPIKey', { body: { name: 'CI', role: 'reporter' } });
  storedVersion = async () => (await api.call('getScrapeJob', { path: { id } })).latest_version;
  const realPath = process.env['PATH']!;
  env = {
    PATH: `${folder}:${realPath}`,
    REAL_PATH: realPath,
    SEEN_ARGUMENTS: path.join(folder, `arguments-${id}`),
    PACEKEEPER_SERVER_URL: server.url,
    PACEKEEPER_API_KEY: key,
    PACEKEEPER_JOB: String(id),
    JOB: String(id),
  };
});

async function run(file: string, args: string[], more: Record<string, string>): Promise<void> {
  const child = spawn(file, args, { env: { ...env, ...more }, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code, stderr).toBe(0);
}

/** Asserts that no argument contains the secret part of the key. */
function checkArguments(): void {
  const seen = readFileSync(env['SEEN_ARGUMENTS']!, 'utf8');
  expect(seen).toContain('set-version');
  expect(seen).not.toContain(env['PACEKEEPER_API_KEY']!.split('_').at(-1));
}

describe('the key of a pipeline', () => {
  test('is hidden from other processes of the machine by the script of the GitHub action', async () => {
    await run(path.join(ci, 'set-version/set-version.sh'), [], { PACEKEEPER_VERSION: '1.2.3' });
    checkArguments();
    expect(await storedVersion()).toBe('1.2.3');
  });

  test.each(['v1.2.3', 'v1.2.3-"quoted"'])(
    'is hidden from other processes of the machine by the GitLab job for the tag %s',
    async (tag) => {
      const script = gitlab['tell-pacekeeper'].script.join('\n');
      await run('sh', ['-ec', script], { CI_COMMIT_TAG: tag });
      checkArguments();
      expect(await storedVersion()).toBe(tag);
    },
  );

  test('is hidden from other processes of the machine by the one-line command of the documentation', async () => {
    await run('bash', ['-euo', 'pipefail', '-c', oneLine], {});
    checkArguments();
    expect(await storedVersion()).toBe('4.2.1');
  });
});
