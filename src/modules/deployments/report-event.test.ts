import { beforeEach, describe, expect, test } from 'vitest';
import { createReleases } from '../../../tests/helpers/monitored.ts';
import { sharedTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../generated/client-api.ts';

const server = await sharedTestServer();
let acme: TestOrganization;
let reporterKey: string;
beforeEach(async () => {
  acme = await server.createOrganization();
  const { key } = await acme.owner.call('createAPIKey', { body: { name: 'CI', role: 'reporter' } });
  reporterKey = key;
});

interface Changes {
  id?: string;
  source?: string;
  type?: string;
  time?: string;
  service?: string;
  environment?: object;
  artifactId?: unknown;
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** Returns an event in the format of the examples in the CDEvents specification. */
function eventWith({
  id = '7b1f5c1e-9f7e-4f0c-b6f1-6a4d6f2a9c01',
  source = '/ci/deployer',
  type = 'dev.cdevents.service.deployed.0.2.0',
  time = minutesAgo(10),
  service = 'checkout',
  environment = { id: 'production', source: '/clusters/eu' },
  artifactId = 'pkg:oci/checkout?repository_url=ghcr.io/acme/checkout&tag=1.14.2',
}: Changes = {}) {
  return {
    context: {
      version: '0.4.1',
      id,
      chainId: '2f6b6d0a-3f53-49d2-8b9d-2f1f4a7d5c02',
      source,
      type,
      timestamp: time,
      links: [{ linkType: 'END', from: { contextId: 'x' } }],
    },
    subject: {
      id: service,
      source,
      type: 'service',
      content: { environment, ...(artifactId !== null && { artifactId }) },
    },
    customData: { pipeline: { number: 8171 } },
    customDataContentType: 'application/json',
  };
}

type Event = ReturnType<typeof eventWith>;

const envelopeOf = (event: Event) => ({
  specversion: '1.0',
  id: event.context.id,
  source: event.context.source,
  type: event.context.type,
  subject: event.subject.id,
  time: event.context.timestamp,
  datacontenttype: 'application/json',
  data: event,
});

const attributesOf = ({ context }: Event) => ({
  'ce-specversion': '1.0',
  'ce-id': context.id,
  'ce-source': context.source,
  'ce-type': context.type,
  'ce-time': context.timestamp,
});

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/api/v1/client/deployments/events`, {
    method: 'POST',
    headers: { 'x-api-key': reporterKey, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const inEnvelope = { 'content-type': 'application/cloudevents+json; charset=utf-8' };

async function report(
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Schemas['ReportDeploymentResponse']> {
  const response = await post(body, headers);
  const answer = await response.json();
  expect({ status: response.status, answer }).toMatchObject({ status: 200 });
  return answer as Schemas['ReportDeploymentResponse'];
}

async function checkRejected(response: Response, status: number, field: string | null, message: RegExp) {
  const answer = (await response.json()) as Schemas['ErrorResponse'];
  expect(answer).toMatchObject({ status, detail: expect.stringMatching(message) });
  if (field !== null) expect(answer.errors?.map((error) => error.field)).toContain(field);
}

const ledger = async () => (await acme.api.call('listDeployments')).items;
const jobs = async () => (await acme.api.call('listScrapeJobs')).items;

describe('an event', () => {
  test.each<[string, (event: Event) => [body: unknown, headers: Record<string, string>]]>([
    ['in structured mode', (event) => [envelopeOf(event), inEnvelope]],
    ['in binary mode', (event) => [event, attributesOf(event)]],
    [
      'in binary mode with the media type of CDEvents',
      (event) => [
        event,
        { ...attributesOf(event), 'content-type': 'application/cdevents+json; charset=utf-8' },
      ],
    ],
    ['without headers of CloudEvents', (event) => [event, {}]],
  ])('%s reports a deployment', async (_, requestOf) => {
    const time = minutesAgo(10);
    const { deployment, created, is_repeat } = await report(...requestOf(eventWith({ time })));
    expect({ created, is_repeat }).toEqual({
      created: { scrape_job: true, alert_config: false },
      is_repeat: false,
    });
    expect(deployment).toMatchObject({
      service: 'checkout',
      environment: 'production',
      version: '1.14.2',
      artifact: 'pkg:oci/checkout?repository_url=ghcr.io/acme/checkout&tag=1.14.2',
      time,
      is_current: true,
      reported_by: { type: 'api_key', name: 'CI' },
    });
    expect(await jobs()).toMatchObject([
      { latest_version: '1.14.2', labels: { service: 'checkout', environment: 'production' } },
    ]);
  });

  test('of an upgrade or a rollback sets the version, in the order of the timestamps', async () => {
    const at = (minutes: number, type: string, version: string) =>
      report(
        eventWith({
          id: `${type} ${minutes}`,
          type: `dev.cdevents.service.${type}`,
          time: minutesAgo(minutes),
          artifactId: `pkg:generic/checkout@${version}`,
        }),
      );
    await at(30, 'deployed.0.1.0', '1.0.0');
    await at(10, 'rolledback.0.3.0', '1.0.0');
    expect((await at(20, 'upgraded.0.3.0-draft', '2.0.0')).deployment.is_late).toBe(true);
    expect((await jobs())[0]!.latest_version).toBe('1.0.0');
    await at(5, 'upgraded', '2.0.1');
    expect((await jobs())[0]!.latest_version).toBe('2.0.1');
    expect(await ledger()).toHaveLength(4);
  });

  test('is compared with the gather job that reads its artifact', async () => {
    const { id } = await acme.api.call('createRule', {
      body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { moderate: 1 } },
    });
    await acme.api.call('putOrgOverride', { path: { key: 'default_rule_id' }, body: { value: id } });
    const gatherJobId = await createReleases(server, acme, ['1.0.0', '2.0.0']);
    await acme.api.call('updateGatherJob', { path: { id: gatherJobId }, body: { is_active: true } });
    const { gather_job, created } = await report(eventWith({ artifactId: 'pkg:github/acme/web@1.0.0' }));
    expect({ gather_job, created }).toMatchObject({
      gather_job: { id: gatherJobId },
      created: { scrape_job: true, alert_config: true },
    });
  });
});

describe('a repeated event', () => {
  test('has the same source and ID as an earlier one, and is stored only once, in either mode', async () => {
    const event = eventWith();
    const first = await report(envelopeOf(event), inEnvelope);
    for (const repeat of [
      await report(event, attributesOf(event)),
      await report(envelopeOf(event), inEnvelope),
    ])
      expect(repeat).toMatchObject({
        is_repeat: true,
        created: { scrape_job: false, alert_config: false },
        deployment: { id: first.deployment.id },
      });
    expect(await ledger()).toHaveLength(1);
  });

  test('changes nothing, even if its version differs', async () => {
    const first = await report(eventWith());
    const changed = eventWith({ artifactId: 'pkg:generic/checkout@9.0.0', time: minutesAgo(1) });
    expect(await report(changed)).toMatchObject({
      is_repeat: true,
      deployment: { id: first.deployment.id, service: 'checkout', version: '1.14.2' },
    });
    expect(await jobs()).toMatchObject([{ latest_version: '1.14.2' }]);
  });

  test('is a new event if the service differs, so that no sender can block the events of others', async () => {
    await report(eventWith({ service: 'staging-only' }));
    expect(await report(eventWith())).toMatchObject({
      is_repeat: false,
      deployment: { service: 'checkout' },
    });
  });

  test('is stored once if it arrives several times at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => report(eventWith({ id: 'same' }))));
    expect(answers.filter(({ is_repeat }) => !is_repeat)).toHaveLength(1);
    expect(await ledger()).toHaveLength(1);
  });

  test('is a new event if the source, the ID, or the organization differs', async () => {
    await report(eventWith({ id: 'a', source: '/b' }));
    await report(eventWith({ id: 'a', source: '/c', artifactId: 'pkg:generic/checkout@2.0.0' }));
    await report(eventWith({ id: 'b', source: '/b', artifactId: 'pkg:generic/checkout@3.0.0' }));
    expect(await ledger()).toHaveLength(3);
    const other = await server.createOrganization();
    const response = await post(eventWith({ id: 'a', source: '/b' }), { 'x-api-key': other.apiKey });
    expect(await response.json()).toMatchObject({ is_repeat: false });
  });

  test('creates the scrape job again after it was deleted', async () => {
    const { deployment } = await report(eventWith());
    await acme.api.call('deleteScrapeJob', { path: { id: deployment.scrape_job!.id } });
    expect(await report(eventWith())).toMatchObject({ is_repeat: false, created: { scrape_job: true } });
    expect(await report(eventWith())).toMatchObject({ is_repeat: true });
  });
});

describe('a request', () => {
  test.each<[string, Changes, string, RegExp]>([
    [
      'of another type',
      { type: 'dev.cdevents.service.removed.0.2.0' },
      'context.type',
      /service\.rolledback/,
    ],
    ['about another subject', { type: 'dev.cdevents.pipelinerun.started.0.2.0' }, 'context.type', /must be/],
    ['without an artifact', { artifactId: null }, 'subject.content.artifactId', /required/],
    ['with an artifact that is a number', { artifactId: 7 }, 'subject.content.artifactId', /string/],
    ['with a digest alone', { artifactId: '0b31b1c02ff4' }, 'subject.content.artifactId', /package URL/],
    ['without a version', { artifactId: 'pkg:generic/a' }, 'subject.content.artifactId', /version/],
    ['without an environment', { environment: {} }, 'subject.content.environment.id', /required/],
    ['without a service', { service: ' ' }, 'subject.id', /./],
    ['with a service that is too long', { service: 'x'.repeat(201) }, 'subject.id', /200/],
    ['without an ID', { id: '' }, 'context.id', /./],
    ['with a time that is not RFC 3339', { time: 'yesterday' }, 'context.timestamp', /./],
    ['from the future', { time: minutesAgo(-10) }, 'context.timestamp', /Correct the clock/],
  ])('%s is rejected with the field and the reason', async (_, changes, field, message) => {
    const event = eventWith(changes);
    await checkRejected(await post(event), 400, field, message);
    await checkRejected(await post(envelopeOf(event), inEnvelope), 400, `data.${field}`, message);
    expect(await ledger()).toEqual([]);
  });

  test('whose envelope contradicts the event is rejected', async () => {
    const event = eventWith();
    await checkRejected(
      await post({ ...envelopeOf(event), id: 'x' }, inEnvelope),
      400,
      'id',
      /data\.context/,
    );
    await checkRejected(await post(event, { 'ce-source': '/x' }), 400, 'ce-source', /in context/);
    await checkRejected(await post(event, { 'ce-specversion': '0.3' }), 400, 'ce-specversion', /1\.0/);
    await checkRejected(
      await post({ ...envelopeOf(event), specversion: '0.3' }, inEnvelope),
      400,
      'specversion',
      /./,
    );
    await checkRejected(await post(event, inEnvelope), 400, 'specversion', /required/);
    await checkRejected(await post(envelopeOf(event)), 400, 'context', /required/);
    // An envelope without the media type of an envelope is validated as an event.
    const both = { ...event, specversion: '1.0', data: 7, id: 'x', source: 'y', type: 'z' };
    expect(await report(both)).toMatchObject({ is_repeat: false });
  });

  test('that is too large, deep, or of another media type is rejected', async () => {
    const large = { ...eventWith(), customData: { text: 'x'.repeat(70_000) } };
    await checkRejected(await post(large), 413, null, /65536 bytes/);
    const many = { ...eventWith(), customData: Array.from({ length: 3_000 }, (_, index) => index) };
    await checkRejected(await post(many), 400, null, /2000 fields and items/);
    await checkRejected(await post(`{"context":${'['.repeat(5_000)}`), 400, null, /./);
    for (const type of ['text/plain', 'application/cloudevents-batch+json', 'application/xml'])
      await checkRejected(await post(eventWith(), { 'content-type': type }), 415, null, /./);
  });

  test('requires a key with the reporter role or a member', async () => {
    const { key } = await acme.owner.call('createAPIKey', { body: { name: 'Viewer', role: 'viewer' } });
    expect((await post(eventWith(), { 'x-api-key': key })).status).toBe(403);
    expect((await post(eventWith(), { 'x-api-key': '' })).status).toBe(401);
    expect((await post(eventWith(), { 'x-api-key': acme.apiKey })).status).toBe(200);
  });
});
