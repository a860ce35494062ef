import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startUpstreamServer, type UpstreamServer } from './upstream-server.ts';

export interface FakeS3 extends UpstreamServer {
  /** Contents of the objects by path, such as `/bucket/charts/index.yaml`. */
  objects: Map<string, string>;
  /** The only accepted access key. */
  key: { id: string; secret: string; sessionToken: string | null };
  region: string;
}

/**
 * Starts a service that serves private objects like S3. It verifies the signature of each request as the
 * documentation describes, without the library of the agent.
 *
 * @param now Clock of the service.
 */
export async function startFakeS3(now: () => Date): Promise<FakeS3> {
  const server = await startUpstreamServer((request, response, url) => {
    const rejected = rejection(request, s3, now());
    if (rejected) return sendError(response, ...rejected);
    const text = s3.objects.get(url.pathname);
    if (text === undefined) return sendError(response, 404, 'NoSuchKey');
    response.writeHead(200, { 'content-type': 'application/yaml' }).end(text);
  });
  const s3: FakeS3 = Object.assign(server, {
    objects: new Map<string, string>(),
    key: {
      id: 'AKIAIOSFODNN7EXAMPLE',
      secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      sessionToken: null,
    },
    region: 'us-east-1',
  });
  return s3;
}

export function sendError(response: ServerResponse, status: number, code: string, more = ''): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>topsecret</Message>${more}</Error>`,
    );
}

type SignedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

function rejection(request: SignedRequest, s3: FakeS3, now: Date): [number, string, string?] | null {
  const { authorization = '' } = request.headers;
  if (authorization === '') return [403, 'AccessDenied'];
  const [, id, day, region, names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/u.exec(
      authorization,
    ) ?? [];
  if (id !== s3.key.id) return [403, 'InvalidAccessKeyId'];
  if (region !== s3.region) return [400, 'AuthorizationHeaderMalformed', `<Region>${s3.region}</Region>`];
  const time = String(request.headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u, '$1-$2-$3T$4:$5:$6Z'));
  if (!time.startsWith(String(day)) || !(Math.abs(at - now.getTime()) <= 15 * 60_000))
    return [403, 'RequestTimeTooSkewed'];
  const token = request.headers['x-amz-security-token'] ?? null;
  if (token !== s3.key.sessionToken) return [400, 'InvalidToken'];
  // Each header that the service uses must be signed, or someone could change it.
  const mustBeSigned = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))];
  if (mustBeSigned.some((name) => !names.split(';').includes(name))) return [403, 'AccessDenied'];
  const expected = signatureOf(request, { names, region, secret: s3.key.secret });
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature))
    ? null
    : [403, 'SignatureDoesNotMatch'];
}

/**
 * Returns the signature of a request.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signatureOf(
  { method = '', url = '', headers }: SignedRequest,
  { names, region, secret }: { names: string; region: string; secret: string },
): string {
  const [path = '', query = ''] = url.split('?');
  const encode = (text: string) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/gu, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const time = String(headers['x-amz-date']);
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const canonical = [
    method,
    path
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query,
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const key = scope.split('/').reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`);
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope, hash].join('\n')).toString('hex');
}
