import { open } from 'node:fs/promises';
import { RunError } from '../domain/runs/run-error.ts';
import type { FairLimit } from '../platform/fairness/index.ts';
import {
  type AllowHttp,
  normalizeHost,
  type OutboundClient,
  OutboundError,
  type OutboundStream,
  resolveHeaderUrl,
} from '../platform/outbound/index.ts';
import { createHostLimits } from './host-limits.ts';
import { readNextAllowedTime } from './rate-limit-headers.ts';
import { signatureHeaderNames, signatureHeaders } from './s3-requests.ts';
import { createBodyCollector, createBodyMemoryLimit, emptyBody, type SourceBody } from './source-body.ts';
import { credentialHeaders, isAllowedFor, type SourceCredential } from './source-credential.ts';
import { outboundRunError, rateLimitedError, unexpectedResponseError } from './unexpected-response.ts';

/**
 * HTTP client of one job, bound to its credential and signal, that respects the rate limits of hosts. Throws
 * RunErrors, or the reason of the signal.
 */
export interface SourceHttp {
  /**
   * Returns `http` for the hosts that the operator listed as insecure, and `https` for all others.
   * @param host `host` or `host:port`.
   */
  schemeFor(host: string): 'http' | 'https';
  /**
   * Returns the whole response for a body reader. A job keeps at most one large body: the next request
   * releases the previous one.
   */
  get(url: string, options: SourceGetOptions): Promise<SourceResponse>;
  /** Identifies the owner and the credential of the job. A response for one scope must not be used for another. */
  readonly scope: string;
  /** Number of requests sent so far, including redirects, and the time spent waiting for hosts. */
  readonly usage: SourceUsage;
  /** Releases the last body. */
  end(): void;
}

export interface SourceUsage {
  requests: number;
  waitedMs: number;
}

export interface SourceGetOptions {
  /** HTTP method. Default GET. The response to HEAD has no body. */
  method?: 'HEAD';
  /** Name of the requested resource for error messages, with its article: `the repository owner/repo`. */
  what: string;
  accept: string;
  /** Maximum size of the decompressed body in bytes. Larger bodies fail with `too_large`. */
  maxBytes: number;
  /** JSON to send. With it, the request is a POST and doesn't follow redirects. */
  body?: string;
  /** Validators for a conditional request, whose response can be a 304. */
  validators?: { etag: string | null; lastModified: string | null } | null;
  /**
   * Authentication scheme that the platform expects for a token. Default `basic`, which applies only to
   * credentials with a username.
   */
  authorization?: 'bearer' | 'basic';
  /** Headers that are sent to the first origin only. An `authorization` header replaces the credential. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Response that contained this URL, for example in a `Link` header. A relative URL is resolved against it.
   * A downgrade from https to http fails. The credential is sent only if every request so far had the same
   * origin.
   */
  from?: SourceHead;
  /** Statuses that count as success, in addition to 200, and to 304 for a conditional request. */
  acceptStatuses?: readonly number[];
  /** Timeout for the whole response. Default 60 s. */
  timeoutMs?: number;
  /**
   * File to which the body is written as it arrives, instead of into memory. The caller deletes the file, also after a
   * failure.
   */
  file?: string;
}

export interface SourceHead {
  /** Status of the response: 200, 304, or one of `acceptStatuses`. */
  status: number;
  /** URL of the response after redirects. */
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  /** True if every request that led to this response had the same origin. */
  isSameOrigin: boolean;
  /** Validators for the next conditional request. Null if the host provides none that can be sent back. */
  validators: { etag: string | null; lastModified: string | null } | null;
}

export interface SourceResponse extends SourceHead {
  /** Body of the response. Empty for a 304, for HEAD, and if the body was written to a file. */
  body: SourceBody;
  /** Number of requests and waiting time of this response. */
  cost: SourceUsage;
}

export interface SourceHttpOptions {
  client: OutboundClient;
  allowHttp: AllowHttp;
  /** Memory limit for large bodies, shared by the whole process. */
  room?: FairLimit;
  /**
   * Clock of the process. Used only to determine how long to wait. The returned releases never depend on it.
   */
  clock: () => Date;
  /** Maximum timeout of a request, regardless of the source. */
  maxTimeoutMs?: number;
  /**
   * Maximum time that a run waits for the rate limit of a host. If the wait would be longer, the run is
   * rescheduled. Default 10 s.
   */
  maxWaitMs?: number;
}

export interface SourceHttpJob {
  credential: SourceCredential | null;
  signal: AbortSignal;
  /** Owner of the job. No owner can use all slots of a host, or all memory for large bodies. */
  fairKey: string;
}

/** Creates the HTTP client factory of a process. `forJob` returns a client that is bound to one job. */
export function createSourceHttp(options: SourceHttpOptions): { forJob(job: SourceHttpJob): SourceHttp } {
  const { client, clock } = options;
  const limits = createHostLimits();
  const bodyMemoryLimit = options.room ?? createBodyMemoryLimit();
  const maxWaitMs = options.maxWaitMs ?? 10_000;

  function schemeFor(host: string): 'http' | 'https' {
    const [, name = host, port = '80'] = /^(.+):(\d{1,5})$/u.exec(host) ?? [];
    return options.allowHttp(normalizeHost(name) ?? name, Number(port), 'source') ? 'http' : 'https';
  }

  function forJob({ credential: given, signal, fairKey }: SourceHttpJob): SourceHttp {
    let credential = given;
    const scope = JSON.stringify([fairKey, given?.type ?? null, given?.name ?? null]);
    const usage: SourceUsage = { requests: 0, waitedMs: 0 };
    let kept: SourceBody = emptyBody;

    async function waitUntil(until: Date, host: string, cost: SourceUsage): Promise<void> {
      const delayMs = until.getTime() - clock().getTime();
      if (delayMs > maxWaitMs) throw rateLimitedError({ host, credential }, until);
      cost.waitedMs += Math.max(0, delayMs);
      await sleep(delayMs, signal);
    }

    /**
     * Sends the request after any delay that the host requires, and retries once if the host rate-limits it.
     */
    async function sendWithinLimits(
      url: string,
      get: SourceGetOptions,
      cost: SourceUsage,
    ): Promise<SourceResponse> {
      const target = resolveTarget(url, get.from);
      let headers = await requestHeaders(target, get, credential, clock());
      // Hosts apply rate limits per credential. Different organizations can have credentials with the same
      // name.
      const isIdentified = headers['authorization'] !== undefined || credential?.type === 'http_headers';
      const client = { fairKey, credential: credential && isIdentified ? credential.name : null };
      let notBefore: Date | null = null;
      let canRenew = true;
      for (let attempt = 1; ; attempt += 1) {
        const held = notBefore ?? limits.blockedUntil(target.host, client, clock());
        if (held) await waitUntil(held, target.host, cost);
        const releaseSlot = await limits.enter(target.host, fairKey, signal);
        try {
          const answer = await send(target, headers, get, cost);
          const head = readHead(answer, target, get);
          const host = answer.url === target.href ? target.host : new URL(answer.url).host;
          if (canRenew && credential?.renew && isRejected(answer, headers, credential, get)) {
            canRenew = false;
            const next = await credential.renew();
            if (next !== null) {
              credential = next;
              headers = await requestHeaders(target, get, credential, clock());
              await readBeginning(answer.body);
              continue;
            }
          }
          const isExpected = [200, ...(get.acceptStatuses ?? [])].includes(answer.status);
          if (isExpected || (answer.status === 304 && get.validators)) {
            const next = readNextAllowedTime(answer.headers, clock());
            if (next) hold(host, next);
            const isEmpty = answer.status === 304 || get.method === 'HEAD';
            if (isEmpty) return { ...head, body: emptyBody, cost };
            if (get.file === undefined) return { ...head, body: await collect(answer, get), cost };
            await writeToFile(answer, get.file);
            return { ...head, body: emptyBody, cost };
          }
          const text = await readBeginning(answer.body);
          const requestInfo = { host, what: get.what, credential, now: clock() };
          const error = unexpectedResponseError(
            { status: answer.status, headers: answer.headers, text },
            requestInfo,
          );
          if (error.code !== 'rate_limited' || error.retryAt === null) throw error;
          hold(host, error.retryAt);
          // Retry only once: a host that rejects a request after a wait rejects the next one, too.
          if (attempt >= 2 || error.retryAt.getTime() - clock().getTime() > maxWaitMs) throw error;
          notBefore = error.retryAt;
        } finally {
          releaseSlot();
        }
      }

      /**
       * Blocks the host that responded. The limit of a redirect target must not block the redirecting host.
       */
      function hold(host: string, until: Date): void {
        limits.hold(host, host === target.host ? client : { fairKey, credential: null }, until, clock());
      }
    }

    async function collect(answer: OutboundStream, get: SourceGetOptions): Promise<SourceBody> {
      const length = Number(answer.headers['content-length'] ?? Number.NaN);
      const isKnown = answer.headers['content-encoding'] === undefined && length <= get.maxBytes;
      const collector = createBodyCollector(bodyMemoryLimit, {
        fairKey,
        maxBytes: isKnown ? length : get.maxBytes,
        signal,
      });
      try {
        for await (const piece of answer.body) await collector.add(piece);
        return collector.body();
      } catch (error) {
        collector.free();
        throw toRunError(error, signal);
      }
    }

    /** Writes a body at the pace of the disk, so that only a few chunks are in memory. */
    async function writeToFile(answer: OutboundStream, file: string): Promise<void> {
      const handle = await open(file, 'w', 0o600).catch((error: unknown) => {
        throw unwritable(error);
      });
      try {
        for await (const piece of answer.body) {
          await handle.appendFile(piece).catch((error: unknown) => {
            throw unwritable(error);
          });
        }
      } catch (error) {
        throw toRunError(error, signal);
      } finally {
        await handle.close();
      }
    }

    async function send(
      target: URL,
      headers: Record<string, string>,
      get: SourceGetOptions,
      cost: SourceUsage,
    ): Promise<OutboundStream> {
      cost.requests += 1;
      try {
        const answer = await client.stream({
          url: target,
          method: methodOf(get),
          purpose: 'source',
          ...(get.body !== undefined && { body: get.body }),
          headers,
          timeoutMs: Math.min(get.timeoutMs ?? 60_000, options.maxTimeoutMs ?? Number.POSITIVE_INFINITY),
          maxBytes: get.maxBytes,
          followRedirects: 5,
          sameOriginHeaders: [
            ...Object.keys(get.headers ?? {}),
            ...(credential ? Object.keys(credentialHeaders(credential, 'basic')) : []),
            ...(credential?.type === 's3' ? signatureHeaderNames : []),
          ],
          signal,
        });
        cost.requests += answer.redirects;
        return answer;
      } catch (error) {
        throw toRunError(error, signal);
      }
    }

    async function get(url: string, getOptions: SourceGetOptions): Promise<SourceResponse> {
      kept.free();
      kept = emptyBody;
      const cost: SourceUsage = { requests: 0, waitedMs: 0 };
      try {
        const answer = await sendWithinLimits(url, getOptions, cost);
        kept = answer.body;
        return answer;
      } finally {
        usage.requests += cost.requests;
        usage.waitedMs += cost.waitedMs;
      }
    }

    return { schemeFor, get, scope, usage, end: () => kept.free() };
  }

  return { forJob };
}

function resolveTarget(url: string, from: SourceHead | undefined): URL {
  try {
    if (from) return resolveHeaderUrl(new URL(from.url), url);
    return new URL(url);
  } catch (error) {
    if (error instanceof OutboundError) throw outboundRunError(error);
    throw new RunError('target_not_allowed', 'The URL is invalid.', { cause: error });
  }
}

function methodOf({ method, body }: SourceGetOptions): 'GET' | 'HEAD' | 'POST' {
  return body === undefined ? (method ?? 'GET') : 'POST';
}

async function requestHeaders(
  target: URL,
  get: SourceGetOptions,
  credential: SourceCredential | null,
  now: Date,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = { accept: get.accept };
  if (get.body !== undefined) headers['content-type'] = 'application/json';
  if (isFirstOrigin(target, get.from)) {
    if (credential && !isAllowedFor(credential, target)) {
      throw new RunError(
        'credential_not_for_host',
        `Credential "${credential.name}" isn't valid for ${target.host}. Add the host to it in the agent's configuration.`,
      );
    }
    if (credential?.type === 's3')
      Object.assign(headers, await signatureHeaders(credential, { target, method: methodOf(get), now }));
    else if (credential) Object.assign(headers, credentialHeaders(credential, get.authorization ?? 'basic'));
    for (const [name, value] of Object.entries(get.headers ?? {})) headers[name.toLowerCase()] = value;
  }
  if (get.validators?.etag) headers['if-none-match'] = get.validators.etag;
  if (get.validators?.lastModified) headers['if-modified-since'] = get.validators.lastModified;
  for (const [name, value] of Object.entries(headers)) {
    if (!isSendable(value)) throw new RunError('internal', `The header ${name} can't be sent.`);
  }
  return headers;
}

/**
 * Returns true if the host rejected the credential itself. A registry with a token service rejects every
 * first request, too, but then its response names that service.
 */
function isRejected(
  { status, headers: { 'www-authenticate': challenge = '' } }: OutboundStream,
  sent: Record<string, string>,
  credential: SourceCredential,
  { authorization: prefers = 'basic' }: SourceGetOptions,
): boolean {
  const { authorization } = credentialHeaders(credential, prefers);
  const namesTokenService = prefers === 'basic' && /(?:^|,)\s*bearer\s/iu.test(challenge);
  return status === 401 && sent['authorization'] === authorization && !namesTokenService;
}

/** Returns true if every request on the way to this URL had the same origin. */
function isFirstOrigin(target: URL, from: SourceHead | undefined): boolean {
  return !from || (from.isSameOrigin && new URL(from.url).origin === target.origin);
}

function readHead(answer: OutboundStream, target: URL, get: SourceGetOptions): SourceHead {
  return {
    status: answer.status,
    url: answer.url,
    headers: answer.headers,
    isSameOrigin: !answer.leftOrigin && isFirstOrigin(target, get.from),
    validators: readValidators(answer.headers),
  };
}

/** Reads the validators, ignoring values that can't be stored and sent back unchanged. */
function readValidators(headers: OutboundStream['headers']): SourceHead['validators'] {
  const etag = validator(headers['etag'], 1_000);
  const lastModified = validator(headers['last-modified'], 200);
  return etag === null && lastModified === null ? null : { etag, lastModified };
}

function validator(value: string | undefined, maxLength: number): string | null {
  return value !== undefined && value !== '' && value.length <= maxLength && isSendable(value) ? value : null;
}

function isSendable(value: string): boolean {
  return /^[\x20-\x7e]*$/u.test(value);
}

/** Reads the first 4 KiB of the body of an unsuccessful response. */
async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= 4_096) break;
    }
  } catch {
    // Ignore errors, because the status is sufficient for an error message.
  }
  return Buffer.concat(chunks).subarray(0, 4_096).toString('utf8');
}

function unwritable(error: unknown): RunError {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
  const sentence = isFull
    ? "The agent's disk is full. Free space in its data directory."
    : "The agent can't write to its data directory. Check its permissions.";
  return new RunError('internal', sentence, { cause: error });
}

function toRunError(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof RunError) return error;
  if (signal.aborted) return signal.reason;
  if (error instanceof OutboundError) return outboundRunError(error);
  return new RunError('internal', undefined, { cause: error });
}

function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.max(0, delayMs),
    );
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
