import type { Readable } from 'node:stream';
import { type ConnectionOptions, createConnectionPools } from './connection-pools.ts';
import { type EgressGuard, normalizeHost } from './egress-guard.ts';
import { createGuardedConnect, type GuardedConnect } from './guarded-connect.ts';
import type { AllowHttp, OutboundPurpose } from './http-policy.ts';
import {
  OutboundError,
  plainHttpSentence,
  targetNotAllowedError,
  toOutboundError,
} from './outbound-error.ts';
import { createOutboundProxy, type ProxySettings } from './outbound-proxy.ts';
import { raceAbort } from './race-abort.ts';
import { decodeBody, readTruncatedBody, tooLarge } from './read-body.ts';
import { createNameResolver, type ResolveName } from './resolve-name.ts';
import { secureConnection } from './secure-connection.ts';

export interface OutboundRequest {
  /** URL without user name and password. */
  url: string | URL;
  purpose: OutboundPurpose;
  /** HTTP method. Default: `GET`. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /**
   * Timeout for the whole request: name resolution, connections, redirects, headers, and the complete body.
   */
  timeoutMs: number;
  /** Maximum size of the decoded body in bytes. A larger body fails with `too_large`. */
  maxBytes: number;
  /**
   * Maximum number of redirects to follow, for GET and HEAD only. Default: 0, which returns a 3xx response
   * unchanged.
   */
  followRedirects?: number;
  /**
   * Names of headers (in any case) that are dropped permanently after a redirect to another origin.
   * `Authorization` and cookies are always dropped.
   */
  sameOriginHeaders?: readonly string[];
  /** Aborts the request, which then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface OutboundHead {
  status: number;
  /** Response headers with lower-case names. Several values of one name are joined by `, `. */
  headers: Readonly<Record<string, string | undefined>>;
  /** URL of the response, after redirects. */
  url: string;
  /** Number of redirects that were followed. */
  redirects: number;
  /**
   * True if a redirect led to another origin, even if a later one led back. No credentials were sent after
   * that redirect.
   */
  leftOrigin: boolean;
}

export interface OutboundResponse extends OutboundHead {
  body: Uint8Array;
}

export interface OutboundTruncatedResponse extends OutboundResponse {
  /** True if `body` is incomplete because it was too long, didn't finish in time, or was interrupted. */
  isCut: boolean;
}

export interface OutboundStream extends OutboundHead {
  /**
   * Chunks of the decoded body. Read them only once, within the timeout of the request. Leaving the loop
   * closes the connection.
   */
  body: AsyncIterable<Uint8Array>;
}

/**
 * Sends all requests to targets that a user can choose. Network failures are {@link OutboundError}s. A header
 * that HTTP doesn't allow is a bug of the caller and throws undici's error.
 */
export interface OutboundClient {
  /** Returns the whole response, decoded (gzip, deflate, br) and in memory. */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /**
   * Sends a request like `request`, for responses that are too large for memory. Resolves when the headers
   * arrive.
   */
  stream(request: OutboundRequest): Promise<OutboundStream>;
  /**
   * Sends a request for which mainly the response status matters, such as a webhook. Reads at most `maxBytes`
   * of the body without decoding it, and returns its first `keepBytes`. A failure after the headers have
   * arrived doesn't reject.
   */
  requestHead(request: OutboundRequest & { keepBytes: number }): Promise<OutboundTruncatedResponse>;
  /** Opens a guarded TCP connection for protocols other than HTTP that negotiate encryption, such as SMTP. */
  connect: GuardedConnect;
  /** Opens a guarded TCP connection for unencrypted data. Rejects if webhooks must be encrypted. */
  connectPlain: GuardedConnect;
  /** Opens a guarded TLS connection. The certificate must be valid for the host name. */
  connectTls: GuardedConnect;
  /** Waits for requests in flight and closes all connections. */
  close(): Promise<void>;
}

export interface OutboundClientOptions extends ConnectionOptions {
  guard: EgressGuard;
  allowHttp: AllowHttp;
  /** Default value of `User-Agent`. */
  userAgent?: string;
  resolveName?: ResolveName;
  /** Proxy for the connections. Without it, connections are direct. */
  proxy?: ProxySettings | null;
}

export function createOutboundClient(options: OutboundClientOptions): OutboundClient {
  const resolveName = options.resolveName ?? createNameResolver();
  const guardedConnect = createGuardedConnect({
    guard: options.guard,
    resolveName,
    proxy: options.proxy ? createOutboundProxy(options.proxy, resolveName, options.ca) : null,
  });
  const pools = createConnectionPools(guardedConnect, options);

  /** Sends one request. Returns the response with an unread body. */
  async function send(
    url: URL,
    request: OutboundRequest,
    headers: Record<string, string>,
    signal: AbortSignal,
  ) {
    checkTarget(url, request.purpose);
    const lease = pools.take(url.origin);
    try {
      const pending = lease.pool.request({
        method: request.method ?? 'GET',
        path: `${url.pathname}${url.search}`,
        headers,
        body: request.body ?? null,
        signal,
        // Request the raw headers. With undici's own header object, a header named `__proto__` or
        // `constructor` could collide with Object.prototype.
        responseHeaders: 'raw',
      });
      // Wait for the signal here, because undici checks it only after it has a connection.
      const answer = await raceAbort(pending, signal);
      answer.body.once('close', lease.releasePool);
      // An abandoned body can still fail, which must not crash the process.
      answer.body.on('error', () => {});
      return { status: answer.statusCode, headers: foldHeaders(answer.headers), body: answer.body };
    } catch (error) {
      lease.releasePool();
      throw error;
    }
  }

  function checkTarget(url: URL, purpose: OutboundPurpose): void {
    const host = hostOf(url);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new OutboundError('target_not_allowed', host, 'only https:// URLs are allowed');
    }
    if (url.username !== '' || url.password !== '') {
      throw new OutboundError('target_not_allowed', host, 'the URL must not contain a user name or password');
    }
    const form = options.guard.checkHostForm(url.hostname);
    if (!form.isAllowed) {
      throw targetNotAllowedError(host, form);
    }
    if (
      url.protocol === 'http:' &&
      !options.allowHttp(normalizeHost(url.hostname) ?? '', portOf(url), purpose)
    ) {
      throw new OutboundError('target_not_allowed', host, plainHttpSentence(purpose));
    }
  }

  async function follow(request: OutboundRequest, signal: AbortSignal, acceptEncoding: string) {
    let url = parseUrl(request.url);
    const headers = requestHeaders(request, options.userAgent, acceptEncoding);
    const maxRedirects = request.followRedirects ?? 0;
    const canFollow = maxRedirects > 0 && ['GET', 'HEAD'].includes(request.method ?? 'GET');

    let leftOrigin = false;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await send(url, request, headers, signal).catch((error: unknown) => {
        throw toCallerError(error, signal, hostOf(url));
      });
      const location = redirectStatuses.has(answer.status) ? answer.headers['location'] : undefined;
      if (!canFollow || location === undefined) return { ...answer, url, redirects, leftOrigin };

      discard(answer.body);
      if (redirects >= maxRedirects) {
        throw new OutboundError('too_many_redirects', hostOf(url), `more than ${maxRedirects} redirects`);
      }
      const next = resolveHeaderUrl(url, location);
      if (next.origin !== url.origin) {
        leftOrigin = true;
        for (const name of [...credentialHeaders, ...(request.sameOriginHeaders ?? [])]) {
          delete headers[name.toLowerCase()];
        }
      }
      url = next;
    }
  }

  async function stream(request: OutboundRequest): Promise<OutboundStream> {
    const deadline = startDeadline(request);
    try {
      const answer = await follow(request, deadline.signal, 'gzip, deflate, br');
      const { status, headers, redirects, leftOrigin } = answer;
      const host = hostOf(answer.url);
      answer.body.once('close', deadline.stop);
      if (request.method === 'HEAD' || status === 204 || status === 304) {
        // Return an empty body, because these responses have no body to decode.
        answer.body.resume();
        return { status, headers, url: answer.url.href, redirects, leftOrigin, body: emptyBody() };
      }
      const length = Number(headers['content-length'] ?? Number.NaN);
      if (length > request.maxBytes) {
        answer.body.destroy();
        throw tooLarge(host, request.maxBytes);
      }
      const decoded = decodeBody(answer.body, {
        contentEncoding: headers['content-encoding'],
        maxBytes: request.maxBytes,
        host,
      });
      const body = mapErrors(decoded, (error) => toCallerError(error, deadline.signal, host));
      return { status, headers, url: answer.url.href, redirects, leftOrigin, body };
    } catch (error) {
      deadline.stop();
      throw error;
    }
  }

  async function request(whole: OutboundRequest): Promise<OutboundResponse> {
    const { body, ...head } = await stream(whole);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return { ...head, body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) };
  }

  async function requestHead(
    cut: OutboundRequest & { keepBytes: number },
  ): Promise<OutboundTruncatedResponse> {
    const deadline = startDeadline(cut);
    try {
      const answer = await follow(cut, deadline.signal, 'identity');
      const { bytes, isCut } = await readTruncatedBody(answer.body, cut);
      const { status, headers, redirects, leftOrigin } = answer;
      return { status, headers, url: answer.url.href, redirects, leftOrigin, body: bytes, isCut };
    } finally {
      deadline.stop();
    }
  }

  const connectPlain: GuardedConnect = async (target) => {
    const { hostname, port } = target;
    if (!options.allowHttp(normalizeHost(hostname) ?? '', port, 'webhook'))
      throw new OutboundError(
        'target_not_allowed',
        `${hostname}:${port}`,
        "unencrypted connections aren't allowed; use TLS",
      );
    return guardedConnect(target);
  };

  const connectTls: GuardedConnect = async (target) => {
    const socket = await guardedConnect(target);
    return secureConnection(socket, target.hostname, { ca: options.ca }, target.signal);
  };

  return {
    request,
    stream,
    requestHead,
    connect: guardedConnect,
    connectPlain,
    connectTls,
    close: pools.close,
  };
}

/**
 * Resolves the target of a redirect, a `Link` header, or an OCI `realm`. Removes user name and password, and
 * rejects a change from HTTPS to HTTP. The host is checked when it's requested.
 */
export function resolveHeaderUrl(from: URL, location: string): URL {
  const host = hostOf(from);
  // Node decodes header values as Latin-1, but servers send UTF-8 in `Location`.
  const text = Buffer.from(location, 'latin1').toString('utf8');
  const next = URL.canParse(text, from.href) ? new URL(text, from.href) : null;
  if (!next) throw new OutboundError('invalid_response', host, 'it redirects to an invalid URL');
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    throw new OutboundError('insecure_redirect', host, 'it redirects from HTTPS to plain HTTP');
  }
  next.username = '';
  next.password = '';
  next.hash = '';
  return next;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const credentialHeaders = ['authorization', 'cookie', 'proxy-authorization'];

function parseUrl(url: string | URL): URL {
  if (url instanceof URL) return url;
  if (!URL.canParse(url))
    throw new OutboundError('target_not_allowed', 'the address', "it isn't a valid URL");
  return new URL(url);
}

function requestHeaders(
  request: OutboundRequest,
  userAgent: string | undefined,
  acceptEncoding: string,
): Record<string, string> {
  const headers: Record<string, string> = { 'accept-encoding': acceptEncoding };
  if (userAgent !== undefined) headers['user-agent'] = userAgent;
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
  return headers;
}

/** Returns `host`, or `host:port` if the port isn't the scheme's default. */
function hostOf(url: URL): string {
  return url.host || 'the address';
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

function foldHeaders(raw: unknown): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = Object.create(null);
  if (!Array.isArray(raw)) return headers;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = headerText(raw[i]).toLowerCase();
    const value = headerText(raw[i + 1]);
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}

function headerText(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
}

/** Reads the rest of a short body, so that the connection can be reused. Aborts a long one. */
function discard(
  body: Readable & { dump(options: { limit: number; signal: AbortSignal }): Promise<void> },
): void {
  body.dump({ limit: 16_384, signal: AbortSignal.timeout(1_000) }).catch(() => {});
}

function startDeadline(request: OutboundRequest): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DeadlineError(request.timeoutMs)), request.timeoutMs);
  const onAbort = (): void => controller.abort(request.signal?.reason);
  if (request.signal?.aborted) onAbort();
  request.signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
    },
  };
}

class DeadlineError extends Error {
  constructor(timeoutMs: number) {
    super(`timed out after ${timeoutMs} ms`);
    this.name = 'DeadlineError';
  }
}

/** Returns the error that the caller gets: the deadline, the caller's own abort reason, or the cause. */
function toCallerError(error: unknown, signal: AbortSignal, host: string): unknown {
  if (signal.aborted) {
    const reason: unknown = signal.reason;
    if (reason instanceof DeadlineError) {
      return new OutboundError('timeout', host, `incomplete response: ${reason.message}`, error);
    }
    return reason;
  }
  if (error instanceof Error && 'code' in error && error.code === 'UND_ERR_INVALID_ARG') return error;
  return toOutboundError(error, host);
}

async function* emptyBody(): AsyncGenerator<Uint8Array, void, undefined> {}

async function* mapErrors(
  source: AsyncIterable<Uint8Array>,
  map: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* source;
  } catch (error) {
    throw map(error);
  }
}
