import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type CiIssuer, gitHubClaims, gitLabClaims, startCiIssuer } from '../helpers/ci-issuer.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';

const ci = fileURLToPath(new URL('../../deploy/ci', import.meta.url));
const script = path.join(ci, 'github/report-deployment.sh');
const scriptText = readFileSync(script, 'utf8');
const action = parse(readFileSync(path.join(ci, 'github/action.yml'), 'utf8')) as {
  inputs: Record<string, { default?: string; required?: boolean }>;
  runs: { steps: { run: string; env: Record<string, string> }[] };
};
const componentText = readFileSync(path.join(ci, 'gitlab/templates/report-deployment.yml'), 'utf8');
interface ComponentInput {
  default?: unknown;
  type?: string;
  regex?: string;
}
interface ComponentJob {
  script: string[];
  variables: Record<string, string>;
  id_tokens: { PACEKEEPER_ID_TOKEN: { aud: string } };
}
type Env = Record<string, string>;

let server: SharedTestServer;
let issuer: CiIssuer;
let organization: TestOrganization;
let trust: string;
/**
 * Folder with a `curl` that records its arguments. They must contain no secrets, because all processes of the
 * machine can read them.
 */
let spyFolder: string;

/** Requests to the fake endpoint that issues ID tokens in place of GitHub Actions. */
const requests: IncomingMessage[] = [];
const gitHub = createServer(async (request, response) => {
  requests.push(request);
  const audience = new URL(request.url!, 'http://localhost').searchParams.get('audience')!;
  const value = await issuer.sign(gitHubClaims(issuer.issuer, audience));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ count: 1, value }));
});

beforeAll(async () => {
  server = await sharedTestServer();
  issuer = await startCiIssuer();
  await new Promise<void>((resolve) => gitHub.listen(0, '127.0.0.1', resolve));
  atEndOfFile(() => gitHub.close().closeAllConnections());
  spyFolder = temporaryFolder();
  const spy = path.join(spyFolder, 'curl');
  writeFileSync(spy, '#!/bin/sh\nprintf "%s\\n" "$@" >>"$SEEN_ARGUMENTS"\nPATH=$REAL_PATH exec curl "$@"\n');
  chmodSync(spy, 0o755);
});

beforeEach(async () => {
  organization = await server.createOrganization();
  requests.length = 0;
  const { code } = await organization.owner.call('createDeploymentTrust', {
    body: {
      name: 'Checkout',
      issuer: issuer.issuer,
      claims: { sub: 'repo:acme/*:environment:production' },
      services: ['checkout', 'payments "eu"'],
      environments: ['production'],
    },
  });
  trust = code;
});

const gitHubEnv = (): Env => ({
  ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(gitHub.address() as AddressInfo).port}/token?api-version=2.0`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'a-token-of-the-job',
});
const inputsOf = (more: Env = {}): Env => ({
  server: server.url,
  trust,
  service: 'checkout',
  environment: 'production',
  version: '1.14.2',
  ...more,
});
const envOf = (more: Env = {}): Env => ({
  PACEKEEPER_SERVER_URL: server.url,
  PACEKEEPER_TRUST: trust,
  PACEKEEPER_SERVICE: 'checkout',
  PACEKEEPER_ENVIRONMENT: 'production',
  PACEKEEPER_VERSION: '1.14.2',
  ...gitHubEnv(),
  ...more,
});

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command with only these environment variables, as in a pipeline. */
function run(command: string, args: string[], env: Env): Promise<Outcome> {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

const deployments = async () => (await organization.api.call('listDeployments')).items;

/** Contexts of GitHub Actions, as in the expressions of the action. */
const github = {
  sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  server_url: 'https://github.com',
  repository: 'acme/checkout',
  run_id: '8171',
};
const runUrl = `${github.server_url}/${github.repository}/actions/runs/${github.run_id}`;
/** Values of the expressions in the action that aren't inputs. */
const knownExpressions: Env = {
  'github.sha': github.sha,
  "inputs.url || format('{0}/{1}/actions/runs/{2}', github.server_url, github.repository, github.run_id)":
    runUrl,
};

function evaluate(text: string, inputs: Env): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const input = /^inputs\.([\w-]+)$/.exec(expression)?.[1];
    if (input === undefined) return knownExpressions[expression]!;
    expect(action.inputs).toHaveProperty(input);
    return inputs[input] ?? evaluate(action.inputs[input]!.default ?? '', inputs);
  });
}

/** Runs the step of the action as GitHub does. */
function runAction(inputs: Env, env: Env = gitHubEnv()): Promise<Outcome> {
  const [step] = action.runs.steps;
  const ofStep = Object.entries(step!.env).map(([name, text]) => [name, evaluate(text, inputs)]);
  return run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step!.run], {
    ...Object.fromEntries(ofStep),
    GITHUB_ACTION_PATH: path.join(ci, 'github'),
    ...env,
  });
}

/** Inserts inputs into the text of the component, as GitLab does, and returns its job. */
function readComponent(inputs: Env): { name: string; job: ComponentJob } {
  const [header, body] = componentText.split('\n---\n') as [string, string];
  const { spec } = parse(header) as { spec: { inputs: Record<string, ComponentInput> } };
  const text = body.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, input: string) => {
    const { default: byDefault, type, regex } = spec.inputs[input]!;
    const value = inputs[input] ?? byDefault;
    if (type === 'array') return JSON.stringify(value);
    if (!new RegExp(regex!).test(String(value))) throw new Error(`The input ${input} doesn't match`);
    return String(value);
  });
  const jobs = parse(text) as Record<string, ComponentJob>;
  expect(Object.keys(jobs)).toHaveLength(1);
  const [[name, job]] = Object.entries(jobs) as [[string, ComponentJob]];
  return { name, job };
}

/** Expands variables in the values of variables, as a GitLab runner does. */
const expand = (text: string, variables: Env) =>
  text.replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? '');

async function runComponent(inputs: Env, shell = 'sh', variables: Env = {}): Promise<Outcome> {
  const { job } = readComponent(inputs);
  const claims = gitLabClaims(issuer.issuer, job.id_tokens.PACEKEEPER_ID_TOKEN.aud);
  const predefined = {
    CI_COMMIT_SHA: '9fceb02d0ae598e95dc970b74767f19372d61af8',
    CI_PIPELINE_URL: 'https://gitlab.example.org/acme/checkout/-/pipelines/574',
    ...variables,
  };
  const ofJob = Object.entries(job.variables).map(([name, value]) => [name, expand(value, predefined)]);
  return run(shell, ['-ec', job.script.join('\n')], {
    ...predefined,
    ...Object.fromEntries(ofJob),
    PACEKEEPER_ID_TOKEN: await issuer.sign({ ...claims, sub: 'repo:acme/checkout:environment:production' }),
  });
}

const shells = ['sh', 'bash', ...(existsSync('/bin/busybox') ? ['busybox'] : [])];

describe('the GitHub action', () => {
  test('reports a deployment through the trust, with the commit and the URL of the run', async () => {
    expect(await runAction(inputsOf())).toEqual({
      code: 0,
      stdout: 'pacekeeper: checkout in production: 1.14.2 reported\n',
      stderr: '',
    });
    expect(requests).toMatchObject([{ headers: { authorization: 'Bearer a-token-of-the-job' } }]);
    const { searchParams } = new URL(requests[0]!.url!, 'http://localhost');
    expect(Object.fromEntries(searchParams)).toEqual({ 'api-version': '2.0', audience: server.url });
    expect(await deployments()).toMatchObject([
      {
        service: 'checkout',
        environment: 'production',
        version: '1.14.2',
        artifact: null,
        commit: github.sha,
        url: runUrl,
        labels: {},
        reported_by: { type: 'deployment_trust', name: 'Checkout' },
      },
    ]);
  });

  test('reports all inputs', async () => {
    const inputs = inputsOf({
      server: `${server.url}/`,
      artifact: 'ghcr.io/acme/checkout',
      commit: '1111111111111111111111111111111111111111',
      time: '2026-01-01T12:00:00Z',
      labels: 'team=payments, cluster=eu=1\n \n',
    });
    expect(await runAction(inputs)).toMatchObject({ code: 0, stderr: '' });
    expect(await deployments()).toMatchObject([
      {
        artifact: 'ghcr.io/acme/checkout',
        commit: '1111111111111111111111111111111111111111',
        time: '2026-01-01T12:00:00.000Z',
        labels: { team: 'payments', cluster: 'eu=1' },
      },
    ]);
  });

  test('passes inputs to the shell only through the environment', () => {
    for (const { run: command } of action.runs.steps) expect(command).not.toContain('${{');
    const expressions = action.runs.steps.flatMap(({ env }) =>
      Object.values(env).flatMap((text) => [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name)),
    );
    expect(new Set(expressions)).toEqual(new Set(Object.keys(action.inputs)));
  });
});

describe('the GitLab component', () => {
  test.each(shells)('reports a deployment through the trust in %s', async (shell) => {
    const inputs = inputsOf({ version: '$CI_COMMIT_TAG' });
    expect(await runComponent(inputs, shell, { CI_COMMIT_TAG: 'v1.14.2' })).toEqual({
      code: 0,
      stdout: 'pacekeeper: checkout in production: v1.14.2 reported\n',
      stderr: '',
    });
    expect(await deployments()).toMatchObject([
      {
        version: 'v1.14.2',
        commit: '9fceb02d0ae598e95dc970b74767f19372d61af8',
        url: 'https://gitlab.example.org/acme/checkout/-/pipelines/574',
        reported_by: { type: 'deployment_trust', name: 'Checkout' },
      },
    ]);
  });

  test('has a default image with a fixed version', () => {
    expect(componentText).toMatch(/default: curlimages\/curl:\d+\.\d+\.\d+\n/);
  });

  test('has the same script as the GitHub action, without inputs in it', () => {
    expect(readComponent(inputsOf()).job.script).toEqual([scriptText]);
    expect(scriptText).not.toContain('$[[');
  });

  test('inserts every accepted input as the value of a variable, and nothing else', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom(
        "'",
        '"',
        '\n  script: [evil]',
        "' }\nevil: { script: [x]",
        '- #',
        '{{',
        '1.10',
        'null',
        '\\n',
      ),
    );
    fc.assert(
      fc.property(hostile, (version) => {
        if (/['\r\n]/.test(version)) {
          expect(() => readComponent(inputsOf({ version }))).toThrow("doesn't match");
          return;
        }
        const { job, name } = readComponent(inputsOf({ version }));
        const plain = readComponent(inputsOf());
        expect(job.variables['PACEKEEPER_VERSION']).toBe(version);
        expect(name).toBe('report-deployment');
        const { PACEKEEPER_VERSION: _, ...others } = job.variables;
        expect(plain.job).toMatchObject({ ...job, variables: others });
      }),
    );
    expect(parseAllDocuments(componentText)).toHaveLength(2);
  });
});

describe('the deployment script', () => {
  test('hides tokens from other processes of the machine, and from the log', async () => {
    const seenFile = path.join(spyFolder, 'arguments');
    const env = envOf({
      PATH: `${spyFolder}:${process.env['PATH']!}`,
      REAL_PATH: process.env['PATH']!,
      SEEN_ARGUMENTS: seenFile,
    });
    const { code, stdout, stderr } = await run('sh', [script], env);
    expect(code, stderr).toBe(0);
    const seen = readFileSync(seenFile, 'utf8');
    expect(seen).toContain('/api/v1/client/deployments');
    for (const text of [seen, stdout, stderr]) {
      expect(text).not.toContain('a-token-of-the-job');
      expect(text).not.toMatch(/eyJ/);
    }
  });

  test.each([
    'a "quoted" \\ one',
    '$(touch /tmp/pacekeeper-injected) `id` ; exit 7 #',
    "'; exit 7; '",
    '-o /tmp/pacekeeper-injected',
    '@/etc/passwd',
    '[1-3]{a,b}',
    'Grüße 🚀',
  ])('reports the version %s unchanged', async (version) => {
    const { code, stderr } = await run('sh', [script], envOf({ PACEKEEPER_VERSION: version }));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await deployments()).map((deployment) => deployment.version)).toEqual([version]);
    expect(existsSync('/tmp/pacekeeper-injected')).toBe(false);
  });

  test('encodes any text as JSON, in each shell', async () => {
    const bodies: unknown[] = [];
    const recorder = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        if (request.url!.endsWith('/deployments')) bodies.push(JSON.parse(text));
        response.end('{"access_token": "a.b-c_d"}');
      });
    });
    await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
    const text = fc
      .string({
        unit: fc.oneof(
          fc.nat({ max: 0x24f }).map((code) => String.fromCodePoint(code)),
          fc.constantFrom('"', '\\', '\n', '🚀'),
        ),
        minLength: 1,
        maxLength: 40,
      })
      .filter((each) => !each.includes('\0'));
    try {
      for (const shell of shells)
        await fc.assert(
          fc.asyncProperty(text, text, async (service, version) => {
            bodies.length = 0;
            const { code, stdout, stderr } = await run(
              shell,
              [...(shell === 'busybox' ? ['sh'] : []), script],
              {
                ...envOf({ PACEKEEPER_SERVER_URL: url, PACEKEEPER_ID_TOKEN: 'e.f.g' }),
                PACEKEEPER_SERVICE: service,
                PACEKEEPER_VERSION: version,
              },
            );
            expect(code, stderr).toBe(0);
            expect(bodies).toEqual([{ service, environment: 'production', version, labels: {} }]);
            // A second line could be a command for the CI platform.
            expect(stdout.trimEnd()).not.toContain('\n');
          }),
          { numRuns: 12, examples: [['::set-output name=a::b', '1\n::add-path::/tmp ##[add-path]/tmp']] },
        );
    } finally {
      recorder.close().closeAllConnections();
    }
  });

  test.each<[string, () => Env, string]>([
    [
      'a service that the trust doesn’t allow',
      () => ({ PACEKEEPER_SERVICE: 'billing' }),
      'the service billing',
    ],
    ['another environment', () => ({ PACEKEEPER_ENVIRONMENT: 'staging' }), 'the environment staging'],
    ['an unknown trust', () => ({ PACEKEEPER_TRUST: 'unknown' }), 'rejected'],
    ['another audience', () => ({ PACEKEEPER_AUDIENCE: 'https://other.example.org' }), 'other.example.org'],
  ])('fails for %s with the reason, without retries', async (_, changes, reason) => {
    const { code, stderr } = await run('sh', [script], envOf(changes()));
    expect({ code, lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({ code: 1, lines: 1 });
    expect(stderr).toContain(reason);
    expect(await deployments()).toEqual([]);
  });

  test.each<[Env, string]>([
    [{ PACEKEEPER_SERVICE: '' }, "PACEKEEPER_SERVICE isn't set"],
    [{ PACEKEEPER_SERVER_URL: 'file:///etc/passwd' }, 'must begin with https://'],
    [{ PACEKEEPER_SERVER_URL: '-o/tmp/x' }, 'must begin with https://'],
    [{ PACEKEEPER_GATHER_JOB: '1,"version":"2"' }, 'must be an ID'],
    [{ PACEKEEPER_LABELS: 'team=payments,eu' }, 'the label "eu" isn\'t in the form key=value'],
    [{ ACTIONS_ID_TOKEN_REQUEST_URL: '' }, 'id-token: write'],
  ])('reports an invalid input: %o', async (changes, reason) => {
    const { code, stderr } = await run('sh', [script], envOf(changes));
    expect(stderr).toContain(reason);
    expect(code).toBe(2);
    expect(await deployments()).toEqual([]);
  });

  test('retries until the server is ready, with a new ID token for each exchange', async () => {
    let calls = 0;
    const busy = createServer((_request, response) => {
      calls += 1;
      response.writeHead(calls % 2 === 1 ? 503 : 200).end('{"access_token":"a"}');
    });
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
    try {
      const { code, stderr } = await run('sh', [script], envOf({ PACEKEEPER_SERVER_URL: url }));
      expect({ code, calls, tokens: requests.length }, stderr).toEqual({ code: 0, calls: 4, tokens: 2 });
    } finally {
      busy.close();
    }
  });
});

const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;
if (!hasShellcheck) console.warn('shellcheck is not installed, so the script for deployments is not linted.');

test.skipIf(!hasShellcheck)('shellcheck reports no problems in the script for deployments', () => {
  const { stdout, status } = spawnSync('shellcheck', [script], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
