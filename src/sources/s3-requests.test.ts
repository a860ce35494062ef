import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeHelmIndex } from '../../tests/helpers/upstreams/fake-helm-repository.ts';
import { type FakeS3, sendError, signatureOf, startFakeS3 } from '../../tests/helpers/upstreams/fake-s3.ts';
import { gatherFrom } from '../../tests/helpers/upstreams/gather-from.ts';
import { startUpstreamServer } from '../../tests/helpers/upstreams/upstream-server.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { helmRepository } from './helm-repository.ts';
import { signatureHeaders } from './s3-requests.ts';
import type { S3Credential, SourceCredential } from './source-credential.ts';

const bench = createTestBench();
const now = new Date('2026-03-01T12:00:00Z');
let s3: FakeS3;
let clock: Date;

beforeEach(async () => {
  clock = now;
  s3 = await startFakeS3(() => now);
  s3.objects.set('/acme-charts/stable/index.yaml', writeHelmIndex({ app: [{ version: '1.2.0' }] }));
});
afterEach(async () => {
  await bench.close();
  await s3.close();
});

const accessKey = (change: Partial<S3Credential> = {}): S3Credential => ({
  type: 's3',
  name: 'charts',
  hosts: [s3.host],
  accessKeyId: s3.key.id,
  secretAccessKey: s3.key.secret,
  sessionToken: s3.key.sessionToken,
  region: null,
  ...change,
});

async function gather(credential: SourceCredential | null, path = 'acme-charts/stable', host = s3.host) {
  const { releases } = await gatherFrom(helmRepository, `${host}/${path}/app`, {
    client: bench.client(),
    insecureHosts: [s3.host, host],
    credential,
    now: clock,
  });
  return releases.map(({ tag }) => tag);
}

const failureOf = (reading: Promise<unknown>) =>
  reading.then(
    () => null,
    (error: Error) => error.message,
  );

test('the service of these tests computes the signature of the example that AWS publishes', () => {
  const request = {
    method: 'GET',
    url: '/test.txt',
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
    },
  };
  const { secret } = s3.key;
  expect(
    signatureOf(request, {
      names: 'host;range;x-amz-content-sha256;x-amz-date',
      region: 'us-east-1',
      secret,
    }),
  ).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
});

describe('a chart in a private bucket', () => {
  test('is read with the signature of an access key, whose secret is never sent', async () => {
    expect(await gather(accessKey())).toEqual(['1.2.0']);
    expect(JSON.stringify(s3.requests)).not.toContain(s3.key.secret);
  });

  test('is read with a temporary access key in a configured region', async () => {
    s3.key.sessionToken = 'token-of-a-session';
    s3.region = 'eu-central-1';
    expect(await gather(accessKey({ region: 'eu-central-1' }))).toEqual(['1.2.0']);
  });

  test('is read at a path with characters that signatures encode', async () => {
    s3.objects.set(
      "/acme-charts/a+b/it's%20(x)!/index.yaml",
      writeHelmIndex({ app: [{ version: '2.0.0' }] }),
    );
    s3.objects.set('/acme-charts/a%2Bb/x*%C3%A9/index.yaml', writeHelmIndex({ app: [{ version: '3.0.0' }] }));
    expect(await gather(accessKey(), 'acme-charts/a+b/x*é')).toEqual(['3.0.0']);
  });

  test.each<[string, Partial<S3Credential>, RegExp]>([
    [
      'an unknown access key',
      { accessKeyId: 'AKIAOTHER' },
      /doesn't know the access key of credential "charts"/u,
    ],
    ['a wrong secret', { secretAccessKey: 'other' }, /rejected the signature.*secret_access_key and region/u],
    ['another region', { region: 'eu-west-1' }, /is in the region us-east-1.*set region to us-east-1/u],
    ['an expired session', { sessionToken: 'other' }, /rejected the session_token of credential "charts"/u],
    ['other hosts', { hosts: ['s3.example.org'] }, /isn't valid for 127\.0\.0\.1/u],
  ])(
    'that is read with %s fails with the reason and without the text of the response',
    async (_, change, message) => {
      const failure = await failureOf(gather(accessKey(change)));
      expect(failure).toMatch(message);
      expect(failure).not.toContain('topsecret');
    },
  );

  test('that is read without a credential fails with the type that it requires', async () => {
    expect(await failureOf(gather(null))).toMatch(
      /requires a credential to read the index .*or the bucket doesn't contain it.*add an s3 credential/u,
    );
  });

  test('that is read while the clock is wrong fails with a message that mentions the clock', async () => {
    clock = new Date(now.getTime() + 16 * 60_000);
    expect(await failureOf(gather(accessKey()))).toMatch(/clock differs .*by more than 15 minutes/u);
  });

  test('that does not exist is not found', async () => {
    await expect(gather(accessKey(), 'acme-charts/other')).rejects.toMatchObject({ code: 'not_found' });
    s3.intercept = (_, response) => {
      sendError(response, 404, 'NoSuchBucket');
      return true;
    };
    await expect(gather(accessKey())).rejects.toMatchObject({
      code: 'not_found',
      message: `${s3.host} has no such bucket. Check the URL.`,
    });
  });

  test('in another region fails with a message that includes the URL for that region if the region is valid', async () => {
    const answers: Record<string, string>[] = [
      { 'x-amz-bucket-region': 'ap-southeast-2' },
      { 'x-amz-bucket-region': 'evil.example.com/a' },
    ];
    s3.intercept = (_, response) => {
      for (const [name, value] of Object.entries(answers.shift() ?? {})) response.setHeader(name, value);
      sendError(response, 301, 'PermanentRedirect');
      return true;
    };
    expect(await failureOf(gather(null))).toMatch(/https:\/\/BUCKET\.s3\.ap-southeast-2\.amazonaws\.com/u);
    expect(await failureOf(gather(null))).toBe(
      'The bucket is in another region. Use the URL of the bucket in its region.',
    );
  });
});

test('a signature is not sent to another origin after a redirect', async () => {
  s3.key.sessionToken = 'token-of-a-session';
  const other = await startUpstreamServer((_, response) => response.writeHead(404).end());
  s3.intercept = (request, response) => {
    response.writeHead(307, { location: `http://${other.host}${request.url}` }).end();
    return true;
  };
  await expect(gather(accessKey({ hosts: ['127.0.0.1'] }))).rejects.toMatchObject({ code: 'not_found' });
  expect(Object.keys(s3.requests[0]!.headers)).toContain('x-amz-security-token');
  expect(
    Object.keys(other.requests[0]!.headers).filter((name) => /^(?:x-amz-|authorization)/u.test(name)),
  ).toEqual([]);
  await other.close();
});

test.each([
  ['https://acme.s3.eu-central-1.amazonaws.com/index.yaml', null, 'eu-central-1'],
  ['https://s3.ap-south-1.amazonaws.com/acme/index.yaml', null, 'ap-south-1'],
  ['https://acme.s3.amazonaws.com/index.yaml', null, 'us-east-1'],
  ['https://acme.s3.amazonaws.com/index.yaml', 'sa-east-1', 'sa-east-1'],
  ['https://minio.example.org/acme/index.yaml', null, 'us-east-1'],
  ['https://storage.googleapis.com/acme/index.yaml', null, 'us-east-1'],
])('a request to %s with the region %s is signed for %s', async (url, region, expected) => {
  const { authorization } = await signatureHeaders(accessKey({ region }), {
    target: new URL(url),
    method: 'GET',
    now,
  });
  expect(authorization).toContain(`/20260301/${expected}/s3/aws4_request`);
});
