/**
 * `node tests/contract/fuzz.ts [COUNT] [SEED]`: sends COUNT generated requests to a separate server and
 * checks every response. No response can be a 500, and each must match the contract. The same seed produces
 * the same requests.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { createApiClient } from '../../src/client/api-client.ts';
import { appendCounts } from '../faults/reported-counts.ts';
import { runProgram } from '../helpers/run-program.ts';
import { headersOf } from './calls.ts';
import { findErrorResponseViolation, findResponseViolation } from './check-response.ts';
import { startContractInbox } from './contract-inbox.ts';
import { type ContractOperation, contractOperations } from './contract-operations.ts';
import { type FuzzRequest, fuzzRequests } from './fuzz-requests.ts';
import { createLiveIds } from './live-ids.ts';
import { NoResponseError, type RawRequest, type RawResponse, sendRequest } from './send-request.ts';
import { buildWorld, type World } from './world.ts';

export interface FuzzOptions {
  count: number;
  seed: number;
  /** Time limit for sending requests, in milliseconds. */
  maxMs?: number;
  onProgress?: (report: FuzzReport) => void;
}

export interface FuzzReport {
  sent: number;
  /** Number of responses by status. */
  byStatus: Record<number, number>;
  /** Operations that have succeeded at least once. */
  succeeded: Set<string>;
  /** Faults with their requests. Each kind of fault is listed once per operation. */
  faults: string[];
}

const inFlight = 8;
const batchSize = 200;

/** Sends generated requests to the server of a world. The requests can change any data of the world. */
export async function runFuzz(
  world: World,
  { count, seed, maxMs = Infinity, onProgress }: FuzzOptions,
): Promise<FuzzReport> {
  const report: FuzzReport = { sent: 0, byStatus: {}, succeeded: new Set(), faults: [] };
  const known = new Set<string>();
  const arbitrary = fuzzRequests(world.make.webhookUrl);
  const live = createLiveIds(world);
  const startedAt = performance.now();
  let renewedAt = startedAt;

  for (let batch = 0; report.sent < count && performance.now() - startedAt < maxMs; batch++) {
    await live.restock();
    const requests = fc.sample(arbitrary, {
      seed: seed + batch,
      numRuns: Math.min(batchSize, count - report.sent),
    });
    let next = 0;
    const worker = async () => {
      for (let index = next++; index < requests.length; index = next++) {
        if (performance.now() - startedAt >= maxMs) return;
        await one(requests[index]!, `seed ${seed + batch}, request ${index}`);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
    if (performance.now() - renewedAt > 5 * 60_000) {
      await renewLogins(world);
      renewedAt = performance.now();
    }
    onProgress?.(report);
  }
  return report;

  async function one(fuzz: FuzzRequest, name: string): Promise<void> {
    const filled = live.fill(fuzz);
    const request = { ...filled, headers: { ...headersOf(world, fuzz.as), ...filled.headers } };
    if (endsTheRun(world, fuzz.operation, request)) return;
    report.sent++;
    const answer = await sendRequest(world.baseUrl, request).catch((error: Error) => error);
    const found = routeOf(request);
    if (answer instanceof Error) {
      // The server can reject an oversized body or oversized headers before the request is completely sent.
      const isLong =
        (request.body?.length ?? 0) > 1_048_576 || JSON.stringify(request.headers).length > 16_000;
      if (!isLong || answer instanceof NoResponseError)
        note(`no answer: ${answer.message}`, fuzz.operation.id, name, request);
      return;
    }
    report.byStatus[answer.status] = (report.byStatus[answer.status] ?? 0) + 1;
    if (answer.status < 300 && found) report.succeeded.add(found.id);
    const fault = faultOf(found, request, answer);
    if (fault !== null) note(fault, found?.id ?? fuzz.operation.id, name, request);
  }

  function note(fault: string, id: string, name: string, request: RawRequest): void {
    const kind = `${id}: ${fault.replaceAll(/[0-9a-f-]{36}|\d+/g, '#').slice(0, 120)}`;
    if (known.has(kind)) return;
    known.add(kind);
    report.faults.push(`${id} (${name}): ${fault}\n  ${describe(request).slice(0, 1_500)}`);
  }
}

function faultOf(
  operation: ContractOperation | null,
  request: RawRequest,
  answer: RawResponse,
): string | null {
  const { status } = answer;
  // The server temporarily rejects concurrent previews above its limit. This isn't a fault.
  if (status === 503 && /Too many|at once/i.test(answer.text)) return null;
  if (status >= 500) return `answered ${status}: ${answer.text}`;
  if (request.method === 'HEAD') return answer.text === '' ? null : 'HEAD is answered with a body';
  const isUnreadable =
    status === 400 && /Malformed HTTP request|The request headers exceed/.test(answer.text);
  return operation && !isUnreadable
    ? findResponseViolation(operation, answer)
    : findErrorResponseViolation(answer);
}

/**
 * Finds the operation of a request from the contract alone. A fixed path takes precedence over a path with
 * parameters.
 */
function routeOf({ method, path: target }: RawRequest): ContractOperation | null {
  const [given = ''] = target.split(/[?#]/);
  // A trailing slash doesn't matter.
  const segments = given.replace(/\/$/, '').split('/').map(decoded);
  const fits = contractOperations.filter((operation) => {
    const parts = operation.path.split('/');
    const isSame = (part: string, index: number) =>
      part.startsWith('{') ? segments[index] !== '' : part === segments[index];
    return parts.length === segments.length && parts.every(isSame);
  });
  const fixed = fits.filter((operation) => !operation.path.includes('{'));
  return (fixed.length > 0 ? fixed : fits).find((operation) => operation.method === method) ?? null;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * True if the request would revoke the credentials of the run, so that all later requests would return 401.
 */
function endsTheRun(
  { ids }: World,
  { side, path: pattern }: ContractOperation,
  request: RawRequest,
): boolean {
  const id = Number(/\/(\d+)/.exec(request.path.slice('/api/v1/client'.length))?.[1]);
  if (side !== 'client' || request.method === 'GET') return false;
  if (pattern.includes('/api-keys/')) return ids.api_key.includes(id);
  return pattern.includes('/members/') && ids.member.includes(id);
}

/** Renews the sessions, because access tokens expire after 15 minutes. */
async function renewLogins({ baseUrl, logins }: World): Promise<void> {
  for (const login of Object.values(logins)) {
    const api = createApiClient({ baseUrl, headers: { cookie: login.cookies } });
    const { body, headers } = await api.send('refreshLogin');
    login.token = body.access_token;
    login.cookies = headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  }
}

const rawRequests: readonly string[] = [
  'GET /api/v1/client/rules HTTP/1.1\r\n\r\n',
  'GET /api/v1/client/rules HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'GET /api/v1/client/rules HTTP/1.0\r\n\r\n',
  'GET /api/v1/client/rules\r\n\r\n',
  'GET /api/v1/client/rules HTTP/9.9\r\nHost: a\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'FOO /api/v1/client/rules HTTP/1.1\r\nHost: a\r\n\r\n',
  'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET http://evil.example/api/v1/client/rules HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /api/v1/client/rules\0 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /api/v1/client/rules HTTP/1.1\r\nHost: a\r\nX-A: a\0b\r\n\r\n',
  'GET /api/v1/client/rules HTTP/1.1\r\nHost: a\r\nX A: b\r\n\r\n',
  'GET /api/v1/client/rules HTTP/1.1\nHost: a\n\n',
  'GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\n${'X-A: b\r\n'.repeat(3_000)}\r\n`,
  'POST /api/v1/client/rules HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  'POST /api/v1/client/rules HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'POST /api/v1/client/rules HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /api/v1/client/rules HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'POST /api/v1/client/rules HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n',
  'POST /api/v1/client/rules HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\nContent-Type: application/json\r\n\r\n{',
  'POST /api/v1/client/rules HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
  'POST /api/v1/client/rules HTTP/1.1\r\nHost: a\r\nExpect: something\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
];

/** Sends requests that no client library would send, and returns the faults of the responses. */
export async function malformedRequestViolations(baseUrl: string): Promise<string[]> {
  const faults = await Promise.all(
    rawRequests.map(async (text) => {
      const fault = faultOfRaw(await sendText(baseUrl, text));
      return fault === null ? [] : [`${JSON.stringify(text.slice(0, 200))}: ${fault}`];
    }),
  );
  return faults.flat();
}

function faultOfRaw(received: string): string | null {
  const answer = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  // The server closed the connection without a response.
  if (answer === '') return null;
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
  if (!(status >= 400 && status < 500)) return `answered ${answer.slice(0, 300)}`;
  const [head = '', ...body] = answer.split('\r\n\r\n');
  const lines = head.split('\r\n').slice(1);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return findErrorResponseViolation({ status, headers, text: body.join('\r\n\r\n') });
}

/**
 * Sends text on a raw connection and returns the received text when the connection closes or is idle for 300
 * ms.
 */
function sendText(baseUrl: string, text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let received = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(Buffer.from(text, 'latin1')));
    const finish = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(300, finish);
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('close', finish);
    socket.on('error', finish);
  });
}

function describe({ method, path: target, headers, body }: RawRequest): string {
  const { 'x-api-key': _key, authorization: _token, ...rest } = headers ?? {};
  return `${method} ${target} ${JSON.stringify(rest)} ${body === undefined ? '' : body.toString('utf8').slice(0, 1_200)}`;
}

/** Runs a separate server process that can connect only to itself and to an inbox. */
async function main(count: number, seed: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pacekeeper-fuzz-'));
  // If the server runs as root, PostgreSQL runs as another user, who must be able to reach the data directory
  // inside this directory.
  await chmod(folder, 0o711);
  const inbox = await startContractInbox();
  const program = runProgram(['serve'], {
    PORT: '0',
    PACEKEEPER_DATA_DIR: folder,
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
    PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
    PACEKEEPER_EMBEDDED_AGENT: 'false',
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
    PACEKEEPER_LOG_LEVEL: 'error',
  });
  try {
    const [, email, password] = await program.waitForOutput(/Log in as (\S+) with password (\S+)/);
    const [, baseUrl] = await program.waitForOutput(/running at (\S+)/);
    const world = await buildWorld({
      baseUrl: baseUrl!,
      owner: { email: email!, password: password! },
      webhookUrl: inbox.url,
    });
    const startedAt = performance.now();
    let told = 0;
    const report = await runFuzz(world, {
      count,
      seed,
      onProgress({ sent, faults }) {
        // Print faults immediately, so that a run that is interrupted has printed them.
        for (; told < faults.length; told++) console.log(`FAULT ${faults[told]}\n`);
        if (sent % 5_000 < batchSize)
          console.log(`${sent} requests, ${Math.round(performance.now() - startedAt)} ms`);
      },
    });
    report.faults.push(...(await malformedRequestViolations(baseUrl!)));
    const missing = contractOperations.filter(({ id }) => !report.succeeded.has(id)).map(({ id }) => id);
    console.log(`\n${report.sent} requests from seed ${seed}; answers by status:`, report.byStatus);
    console.log(
      `${report.succeeded.size} of ${contractOperations.length} operations have succeeded; not: ${missing.join(', ')}`,
    );
    for (const fault of report.faults.slice(told)) console.log(`\nFAULT ${fault}`);
    if (report.faults.length > 0)
      console.log(program.stderr().slice(-5_000), program.stdout().slice(-20_000));
    console.log(`\n${report.faults.length} faults`);
    appendCounts(fileURLToPath(import.meta.url), 'generated requests', {
      sent: report.sent,
      ...Object.fromEntries(
        Object.entries(report.byStatus).map(([status, count]) => [`returned ${status}`, count]),
      ),
      'invalid responses': report.faults.length,
    });
    process.exitCode = report.faults.length > 0 ? 1 : 0;
  } finally {
    await program.stop();
    await inbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await main(Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 20_260_315));
