import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fieldsOf } from '../../src/cli/configuration/section-schema.ts';
import { kinds, secretFields } from '../../src/domain/configuration/kinds.ts';
import { type CommandResult, runCommand } from '../cli/run-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';

const secret = 'Tr0ub4dor-"and\\3-whose-end-is-far';

let server: SharedTestServer;
let organization: TestOrganization;

beforeAll(async () => {
  server = await sharedTestServer();
});

beforeEach(async () => {
  organization = await server.createOrganization();
});

interface ApplyOptions {
  env?: Record<string, string>;
  url?: string;
}

function apply(text: string, args: string[], { env = {}, url = server.url }: ApplyOptions = {}) {
  const file = path.join(temporaryFolder(), 'pacekeeper.yaml');
  writeFileSync(file, text);
  const connection = { PACEKEEPER_SERVER_URL: url, PACEKEEPER_API_KEY: organization.apiKey };
  return runCommand(['apply', '-f', file, ...args], { env: { ...connection, SECRET: secret, ...env } });
}

function checkSilence({ stdout, stderr }: CommandResult, value = secret): void {
  for (const part of [value, JSON.stringify(value).slice(1, -1)])
    expect(`${stdout}${stderr}`).not.toContain(part);
}

describe('a reference to an environment variable', () => {
  test.each([
    ['rules/0/name', 'rules: [{ name: "${env:SECRET}", rule_type: majors_behind, thresholds: { high: 1 } }]'],
    ['rules/0/description', 'rules: [{ name: A, description: "x${env:SECRET}", rule_type: majors_behind }]'],
    ['gather_jobs/0/name', 'gather_jobs: [{ name: "${env:SECRET}" }]'],
    [
      'gather_jobs/0/artifact_name',
      'gather_jobs: [{ name: A, artifact_name: "github.com/${env:SECRET}/b" }]',
    ],
    [
      'gather_jobs/0/source_options/version_path',
      'gather_jobs: [{ source_options: { version_path: "${env:SECRET}" } }]',
    ],
    [
      'helm_sync_jobs/0/repository_url',
      'helm_sync_jobs: [{ name: A, repository_url: "https://h/${env:SECRET}" }]',
    ],
    ['scrape_jobs/0/version', 'scrape_jobs: [{ name: A, parser_type: manual, version: "${env:SECRET}" }]'],
    ['scrape_jobs/0/credential_name', 'scrape_jobs: [{ name: A, credential_name: "${env:SECRET}" }]'],
    ['alert_configs/0/labels/team', 'alert_configs: [{ name: A, labels: { team: "${env:SECRET}" } }]'],
    ['notification_rules/0/channels/0', 'notification_rules: [{ name: A, channels: ["${env:SECRET}"] }]'],
    ['notification_channels/0/name', 'notification_channels: [{ name: "${env:SECRET}", url: https://h/x }]'],
    [
      'notification_channels/0/template',
      'notification_channels: [{ name: A, url: https://h/x, template: "${env:SECRET}" }]',
    ],
    ['settings/x', 'settings: { x: "${env:SECRET}" }'],
    ['templates/resolved', 'templates: { resolved: "${env:SECRET}" }'],
    ['notification_channels/0/name', 'notification_channels: [{ url: &a "${env:SECRET}", name: *a }]'],
  ])('is rejected in %s, which contains no secret', async (place, text) => {
    for (const args of [['--dry-run'], ['--yes']]) {
      const result = await apply(`rules: []\n${text}`.replace(/^rules: \[\]\nrules/, '\nrules'), args);
      expect(result).toMatchObject({ code: 2, stdout: '' });
      const [section, , ...field] = place.split('/');
      const shown = section === 'settings' || section === 'templates' ? '' : `${field.join('.')}: `;
      expect(result.stderr).toMatch(/No changes made\. .*pacekeeper\.yaml has \d+ errors?:/);
      expect(result.stderr).toContain(
        `${shown}can't contain \${env:SECRET}. Only url, closing_path, headers, `,
      );
      expect(result.stderr).toMatch(/^ {2}line 2: .*can't contain/m);
      checkSilence(result);
    }
  });

  test('is allowed in every write-only field of the contract', () => {
    const writeOnly = kinds.flatMap(({ section }) =>
      fieldsOf(section)
        .filter(([, schema]) => schema['writeOnly'] === true)
        .map(([field]) => [section, field] as const),
    );
    expect(writeOnly.length).toBeGreaterThanOrEqual(2);
    for (const [section, field] of writeOnly) expect(secretFields[section]).toContain(field);
  });

  test('is shown as written in the plan, and only the origin of a URL is shown', async () => {
    const text = `notification_channels:
  - { name: A, url: "\${env:URL}", headers: { X-Key: "\${env:SECRET_HEADER}" }, signing_secret: "\${env:SIGNING}" }
  - { name: B, url: "https://hooks.example.org/a-written-secret/\${env:SECRET_HEADER}" }
  - { name: C, url: "https://hooks.example.org/a-written-secret/$\${env:SECRET_HEADER}" }
`;
    const env = {
      URL: 'https://hooks.example.org/the-whole-address',
      SECRET_HEADER: 'value-of-the-header',
      SIGNING: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    };
    for (const args of [['--dry-run'], ['--yes']]) {
      const result = await apply(text, args, { env });
      expect(result).toMatchObject({ code: 0, stderr: '' });
      expect(result.stdout).toContain('url: ${env:URL}\n');
      expect(result.stdout.match(/url: https:\/\/hooks\.example\.org\/…\n/g)).toHaveLength(2);
      for (const value of [...Object.values(env), 'a-written-secret']) checkSilence(result, value);
    }
  });
});

describe('the shown response of the server', () => {
  let quote: (body: string) => string;
  /** A server that rejects channels and quotes them, as a proxy or another version can. */
  const quoting = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'POST') {
        const message = quote(Buffer.concat(chunks).toString());
        const errors = [
          { field: 'url', message },
          { field: message.slice(0, 200), message: 'is an unknown field' },
        ];
        const answer = {
          status: 400,
          code: 'validation_failed',
          title: 'Not valid',
          detail: message,
          errors,
        };
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ ...answer, request_id: 'r' }));
        return;
      }
      const headers = { 'x-api-key': organization.apiKey };
      void fetch(`${server.url}${request.url}`, { headers }).then(async (answer) => {
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(await answer.text());
      });
    });
  });
  let url: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => quoting.listen(0, '127.0.0.1', resolve));
    const address = quoting.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address!.port : 0}`;
  });
  afterAll(() => void quoting.close());

  const text = `notification_channels:
  - { name: A, url: "https://\${env:HOST}/x?key=\${env:SECRET}", headers: { X-Key: "\${env:SECRET}" }, preset_options: { topic: "\${env:LONG}" } }
`;
  const sentChannel = (body: string) => JSON.parse(body).notification_channels[0];
  const env = { HOST: '10.20.30.40:8443', LONG: 'long-secret-'.repeat(150) };

  test.each<[string, (body: string) => string]>([
    ['verbatim', (body) => `This is not right: ${body}`],
    ['decoded', (body) => `"${sentChannel(body).headers['X-Key']}" is no key`],
    ['normalized', (body) => `${new URL(sentChannel(body).url).href} must not be reached`],
    ['partially', () => 'the address is 10.20.30.40, which is private'],
    ['truncated', (body) => `got ${sentChannel(body).preset_options.topic.slice(0, 1_500)}…`],
    ['encoded', (body) => `/x?key=${encodeURIComponent(sentChannel(body).headers['X-Key'])}`],
  ])('contains no secret, even if the server quotes it %s', async (_, how) => {
    quote = how;
    const result = await apply(text, ['--yes'], { env, url });
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/No changes made\. .*pacekeeper\.yaml has \d+ errors?:/);
    expect(result.stderr).toMatch(/\$\{env:(SECRET|LONG|HOST)\}|…/);
    checkSilence(result);
    for (const value of [
      '10.20.30.40',
      'long-secret-long',
      secret.slice(0, 12),
      encodeURIComponent(secret),
      encodeURI(secret),
    ])
      checkSilence(result, value);
  });
});
