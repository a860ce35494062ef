import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type CiIssuer, gitHubClaims, gitLabClaims, startCiIssuer } from '../helpers/ci-issuer.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

let server: SharedTestServer;
let issuer: CiIssuer;
let organization: TestOrganization;
let trust: string;

/** Requests to the fake endpoint that issues ID tokens in place of GitHub Actions. */
const requests: IncomingMessage[] = [];
const gitHub = createServer(async (request, response) => {
  requests.push(request);
  const audience = new URL(request.url!, 'http://localhost').searchParams.get('audience')!;
  const value = await issuer.sign(gitHubClaims(issuer.issuer, audience));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ value }));
});

beforeAll(async () => {
  server = await sharedTestServer();
  issuer = await startCiIssuer();
  await new Promise<void>((resolve) => gitHub.listen(0, '127.0.0.1', resolve));
  atEndOfFile(() => gitHub.close().closeAllConnections());
});

beforeEach(async () => {
  organization = await server.createOrganization();
  requests.length = 0;
  const created = await organization.owner.call('createDeploymentTrust', {
    body: {
      name: 'Checkout',
      issuer: issuer.issuer,
      claims: { sub: 'repo:acme/*:environment:production' },
      services: ['checkout'],
      environments: ['production'],
    },
  });
  trust = created.code;
});

const args = ['report', 'checkout', 'production', '1.0.0'];
const run = (env: Record<string, string>, more: string[] = []) =>
  runCommand([...args, ...more, '--retries', '0'], { env: { PACEKEEPER_SERVER_URL: server.url, ...env } });
const gitHubEnv = () => ({
  ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(gitHub.address() as AddressInfo).port}/token?api-version=2.0`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'a token of the job',
});

test('a GitHub Actions job requests an ID token for the server and reports with it', async () => {
  const result = await run({ ...gitHubEnv(), PACEKEEPER_TRUST: trust });
  expect(result).toMatchObject({ code: 0, stdout: 'checkout in production: 1.0.0 reported\n' });
  expect(requests).toMatchObject([
    {
      url: `/token?api-version=2.0&audience=${encodeURIComponent(server.url)}`,
      headers: { authorization: 'Bearer a token of the job' },
    },
  ]);
  const { items } = await organization.api.call('listDeployments');
  expect(items).toMatchObject([{ reported_by: { type: 'deployment_trust', name: 'Checkout' } }]);
});

test('a GitLab CI job can report only once with the ID token in its variable', async () => {
  const claims = {
    ...gitLabClaims(issuer.issuer, server.url),
    sub: 'repo:acme/checkout:environment:production',
  };
  const env = { PACEKEEPER_ID_TOKEN: await issuer.sign(claims) };
  expect(await run(env, ['--trust', trust])).toMatchObject({ code: 0 });
  expect(await run(env, ['--trust', trust])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(
      'rejected the CI job. The ID token was rejected. It was already exchanged',
    ),
  });
});

test('a rejected job prints the reason, and a job without an ID token prints how to get one', async () => {
  const wrong = await run({ ...gitHubEnv(), PACEKEEPER_TRUST: trust }, [
    '--audience',
    'https://other.example.org',
  ]);
  expect(wrong).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('audience (https://other.example.org)'),
  });
  expect(await run({ PACEKEEPER_TRUST: trust })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('permissions: id-token: write'),
  });
  const unavailable = { ...gitHubEnv(), ACTIONS_ID_TOKEN_REQUEST_URL: 'http://127.0.0.1:1/token' };
  expect(await run({ ...unavailable, PACEKEEPER_TRUST: trust })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('issued no ID token'),
  });
});

test('the options --trust and --api-key-file cannot be combined', async () => {
  const both = await run({}, ['--trust', trust, '--api-key-file', 'key']);
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('not both') });
});
