import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';

const script = fileURLToPath(new URL('../../deploy/ci/set-version/set-version.sh', import.meta.url));

let server: SharedTestServer;
let organization: TestOrganization;
let jobId: number;
let reporterKey: string;

beforeAll(async () => {
  server = await sharedTestServer();
  organization = await server.createOrganization();
  const job = await organization.api.call('createScrapeJob', {
    body: { name: 'Web', parser_type: 'manual' },
  });
  jobId = job.id;
  const made = await organization.owner.call('createAPIKey', { body: { name: 'CI', role: 'reporter' } });
  reporterKey = made.key;
});

/** Runs the script with only these environment variables, as in a pipeline. */
function run(env: Record<string, string>): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(script, {
    env: {
      PATH: process.env['PATH'],
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: reporterKey,
      PACEKEEPER_JOB: String(jobId),
      PACEKEEPER_VERSION: '1.2.3',
      ...env,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

const storedVersion = async () =>
  (await organization.api.call('getScrapeJob', { path: { id: jobId } })).latest_version;

describe('the pipeline script', () => {
  test.each(['1.2.3', '2.0.0-rc.1+build.7', 'a "quoted" \\ one'])(
    'stores the version %s',
    async (version) => {
      const { code, stdout, stderr } = await run({
        PACEKEEPER_VERSION: version,
        PACEKEEPER_SERVER_URL: `${server.url}/`,
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(version);
      expect(await storedVersion()).toBe(version);
    },
  );

  test.each([
    ['an unknown job', { PACEKEEPER_JOB: '999999999' }, 'not_found'],
    ['a wrong key', { PACEKEEPER_API_KEY: 'pk_1_wrong' }, 'unauthenticated'],
    ['an empty version after trimming', { PACEKEEPER_VERSION: '   ' }, 'validation_failed'],
  ])('fails with %s and reports the reason without retries', async (_, env, reason) => {
    const { code, stderr } = await run(env);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });

  test.each([
    ['PACEKEEPER_API_KEY', '', 'PACEKEEPER_API_KEY is not set'],
    ['PACEKEEPER_JOB', 'web', 'by its id'],
    ['PACEKEEPER_JOB', '1/../../rules', 'by its id'],
  ])('reports an invalid call: %s=%j', async (name, value, reason) => {
    const { code, stderr } = await run({ [name]: value });
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });

  test('retries until the server is ready', async () => {
    let calls = 0;
    const busy = createServer((_request, response) => {
      calls += 1;
      response.writeHead(calls < 2 ? 503 : 200).end('{}');
    });
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const address = busy.address();
    try {
      const port = typeof address === 'object' && address ? address.port : 0;
      expect((await run({ PACEKEEPER_SERVER_URL: `http://127.0.0.1:${port}` })).code).toBe(0);
      expect(calls).toBe(2);
    } finally {
      await new Promise((resolve) => busy.close(resolve));
    }
  });
});

const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;
if (!hasShellcheck) console.warn('There is no shellcheck here: the script for pipelines is not linted.');

test.skipIf(!hasShellcheck)('shellcheck reports no problems in the pipeline script', () => {
  const { stdout, status } = spawnSync('shellcheck', [script], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
